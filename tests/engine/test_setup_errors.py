"""A strategy that cannot judge the items as it is set is refused before a run is made, whoever calls it."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from dialects.dialect_server import DialectServer

import agentdebate as ad
from agentdebate.errors import ContentError, DataError, UsageError, UserError
from agentdebate.models.dialects.messages import open_anthropic
from agentdebate.models.retry import Retrying
from agentdebate.runs.configuration import configuration_of
from agentdebate.runs.settings import USUAL

FIELDS = {"source": "The ferry sails at nine. It is blue.", "summary": "The ferry is blue."}
PLAIN = ad.Item(id="plain", task="summarization", fields=FIELDS)
COMPARED = PLAIN.model_copy(
    update={"id": "compared", "fields": {**FIELDS, "reference": "At nine the ferry sails."}}
)
SCORED = COMPARED.model_copy(update={"id": "scored", "evidence": {"ter": 0.4}})
PAIR = ad.Item(
    id="pair", task="comparison", fields={"question": "When?", "answer_1": "At nine.", "answer_2": "Never."}
)
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


NOTHING_IS_SAID = r"nothing is said of 'ter'.*set='columns=\{\"ter\""
NO_RANGE = r"range of 'ter'.*set='ranges=\{\"ter\": \"0-1\"\}'"
NO_REFERENCE = "no item has what the evaluators compare with: 'reference'"
TWICE = "'bleu' is an evaluator, and a score that came with the item"
UNSURE = "offline gives no log-probabilities.*"
SETUPS = [
    Setup("fusion", {}, SCORED, UsageError, NOTHING_IS_SAID),
    Setup("fusion-noplan", {}, SCORED, UsageError, NOTHING_IS_SAID),
    Setup("avg", {}, SCORED, UsageError, NO_RANGE),
    Setup("llmsel", {}, SCORED, UsageError, NO_RANGE),
    Setup("avg-with-judge", {}, SCORED, UsageError, NO_RANGE),
    Setup("fusion", {}, NAMESAKE, UsageError, TWICE),
    Setup("debate-with-evidence", {}, NAMESAKE, UsageError, TWICE),
    Setup("fusion", {}, PLAIN, DataError, NO_REFERENCE),
    Setup("debate-with-evidence", {}, PLAIN, DataError, NO_REFERENCE),
    Setup("avg-with-judge", {}, PLAIN, DataError, NO_REFERENCE),
    Setup("geval", {"mode": "expected"}, PLAIN, UsageError, UNSURE + 'mode = "sampled" or "single"'),
    Setup("drpe-static", {"weights": "logprob"}, PAIR, UsageError, UNSURE + 'weights = "votes"'),
    Setup("solo", {"confidence": "log-probabilities"}, PLAIN, UsageError, UNSURE + 'confidence = "asked" or "repeats"'),
    Setup("solo", {"ballot": "ranking"}, PLAIN, UsageError, "texts that are compared"),
    Setup("drpe", {}, PLAIN, UsageError, "votes on texts that are compared"),
]  # fmt: skip


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
        await ad.enqueue(items, setup.strategy, store=store)


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


async def test_a_plan_that_cannot_be_read_is_refused_when_its_strategy_is_made_ready(tmp_path: Path) -> None:
    plan = tmp_path / "plan.md"
    plan.mkdir()
    with pytest.raises(ContentError, match=r"plan\.md: a content file is a regular file"):
        async with ad.ready(ad.strategy("fusion", plan=str(plan))):
            pass


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


async def test_a_temperature_that_is_not_sent_stands_in_verdict_and_configuration(
    caplog: pytest.LogCaptureFixture,
) -> None:
    async with DialectServer() as server:
        model = Retrying(open_anthropic("claude-opus-5", base_url=server.root))
        async with ad.ready(ad.strategy("debate"), model=model) as debate:
            assert "takes no temperature" in caplog.text
            assert server.requests == 0
            told = configuration_of(debate, USUAL, {}, together=False)
            record = await debate.hold(PLAIN, "coherence")
        await model.aclose()
        name = f"anthropic/claude-opus-5 at {server.root.removeprefix('http://')}"
    assert told["unsent"] == {name: ["temperature 0.0"]}
    assert record.verdict is not None
    assert record.verdict.unsent == (f"{name}: temperature 0.0",)
