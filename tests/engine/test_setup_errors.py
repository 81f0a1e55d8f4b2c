"""A strategy that cannot judge the items as it is set is refused before a run is made, whoever calls it."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

import pytest

import agentdebate as ad
from agentdebate.errors import ContentError, DataError, UsageError, UserError
from agentdebate.runs.work import enqueue

FIELDS = {"source": "The ferry sails at nine. It is blue.", "summary": "The ferry is blue."}
PLAIN = ad.Item(id="plain", task="summarization", fields=FIELDS)
COMPARED = PLAIN.model_copy(
    update={"id": "compared", "fields": {**FIELDS, "reference": "At nine the ferry sails."}}
)
SCORED = COMPARED.model_copy(update={"id": "scored", "evidence": {"ter": 0.4}})
NAMESAKE = COMPARED.model_copy(update={"evidence": {"bleu": 0.4}})


class Setup(NamedTuple):
    """A strategy, its options and an item, and what is said of them."""

    name: str
    options: Mapping[str, Any]
    item: ad.Item
    error: type[UserError]
    said: str

    @property
    def strategy(self) -> ad.strategies.Strategy:
        return ad.strategy(self.name, **self.options)


SETUPS = [
    Setup("fusion", {}, SCORED, UsageError, r"nothing is said of 'ter'.*set='columns=\{\"ter\""),
    Setup("fusion-noplan", {}, SCORED, UsageError, "nothing is said of 'ter'"),
    Setup("avg", {}, SCORED, UsageError, r"range of 'ter'.*set='ranges=\{\"ter\": \"0-1\"\}'"),
    Setup("llmsel", {}, SCORED, UsageError, "range of 'ter'"),
    Setup("avg-with-judge", {}, SCORED, UsageError, "range of 'ter'"),
    Setup("fusion", {}, NAMESAKE, UsageError, "'bleu' is an evaluator, and a score that came with the item"),
    Setup("debate-with-evidence", {}, NAMESAKE, UsageError, "'bleu' is an evaluator"),
    Setup("fusion", {}, PLAIN, DataError, "no item has what the evaluators compare with: 'reference'"),
    Setup("debate-with-evidence", {}, PLAIN, DataError, "no item has what the evaluators compare with"),
    Setup("avg-with-judge", {}, PLAIN, DataError, "no item has what the evaluators compare with"),
    Setup(
        "geval",
        {"mode": "expected"},
        PLAIN,
        UsageError,
        'offline gives no log-probabilities.*mode = "sampled"',
    ),
    Setup(
        "solo", {"confidence": "log-probabilities"}, PLAIN, UsageError, "offline gives no log-probabilities"
    ),
    Setup("solo", {"ballot": "ranking"}, PLAIN, UsageError, "texts that are compared"),
    Setup("drpe", {}, PLAIN, UsageError, "votes on texts that are compared"),
]


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Path]:
    """Where a run would be kept; a run that is refused leaves nothing there."""
    path = tmp_path / "runs.db"
    yield path
    assert not path.exists()


@pytest.mark.parametrize("setup", SETUPS, ids=lambda setup: f"{setup.name} {setup.said:.30}")
async def test_a_run_is_refused_before_it_is_made(setup: Setup, store: Path) -> None:
    items = [setup.item, setup.item.model_copy(update={"id": "two"})]
    with pytest.raises(setup.error, match=setup.said):
        async with ad.evaluate(items, setup.strategy, store=store):
            pass
    with pytest.raises(setup.error, match=setup.said):
        await enqueue(items, setup.strategy, store=store)


PLANS = [
    ("fusion", "All is well.", "I found no line that says which evaluators inform Fluency"),
    ("llmsel", "Coherence: bleu", "I found no line that says which evaluators inform Fluency"),
    (
        "llmsel",
        "Fluency: none",
        "the plan selects no evaluator for fluency: judge other aspects, give another plan",
    ),
]


@pytest.mark.parametrize(("name", "text", "says"), PLANS)
async def test_a_plan_that_says_nothing_of_what_is_judged_is_refused_before_a_run_is_made(
    name: str, text: str, says: str, store: Path, tmp_path: Path
) -> None:
    plan = tmp_path / "plan.md"
    plan.write_text(text, encoding="utf-8")
    chosen = ad.strategy(name, plan=str(plan))
    with pytest.raises(ContentError, match=rf"plan\.md: {says}"):
        async with ad.evaluate([COMPARED], chosen, aspects="fluency", store=store):
            pass
    plan.write_text("Fluency: bleu", encoding="utf-8")
    async with ad.evaluate([COMPARED], chosen, aspects="fluency") as run:
        assert [record.id async for record in run], "a plan for what is judged is taken"


async def test_steps_that_are_no_list_are_refused_before_a_run_is_made(store: Path, tmp_path: Path) -> None:
    steps = tmp_path / "steps.md"
    steps.write_text(
        "## Fluency\n\n1. Read it.\n2. Score it.\n\n## Coherence\n\nNo list.\n", encoding="utf-8"
    )
    chosen = ad.strategy("geval", steps=str(steps))
    with pytest.raises(ContentError, match=r"steps\.md: the steps for coherence: "):
        async with ad.evaluate([PLAIN], chosen, aspects=["fluency", "coherence"], store=store):
            pass


async def test_a_planner_that_selects_nothing_for_what_is_judged_ends_the_run_with_one_error() -> None:
    items = [COMPARED.model_copy(update={"id": str(place)}) for place in range(3)]
    with pytest.raises(UsageError, match="the plan selects no evaluator for fluency: judge other aspects"):
        async with ad.evaluate(items, "llmsel", aspects="fluency") as run:
            assert [record async for record in run] == []
