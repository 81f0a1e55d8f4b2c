"""Rehearsals: a debate with made-up words uses every round, and calls nobody."""

from pathlib import Path
from typing import Any

import pytest
from engine_cases import PAIR_TASK, TASK
from evidence_cases import Length, register

from agentdebate.agents.card import Card
from agentdebate.errors import DebateError
from agentdebate.runs.rehearsal import rehearse
from agentdebate.strategies.base import Strategy
from agentdebate.strategies.evaluator_mean import EvaluatorMean
from agentdebate.strategies.fusion import Fusion
from agentdebate.strategies.load import strategy
from agentdebate.strategies.one_by_one import OneByOne
from agentdebate.strategies.recruitment import Recruited
from agentdebate.strategies.role_players import RolePlayers
from agentdebate.strategies.with_evidence import WithEvidence
from agentdebate.talk.messages import Evidence, Roster


@pytest.mark.parametrize(("name", "calls"), [("solo", 1), ("debate", 9), ("debate-tiebreaker", 10)])
async def test_every_round_is_used_and_a_tie_breaker_is_needed(name: str, calls: int) -> None:
    record = await rehearse(strategy(name), TASK.model_copy(update={"aspects": TASK.aspects[:1]}))
    assert len(record.calls) == calls


async def test_models_that_cards_and_strategies_name_are_not_opened() -> None:
    paid = Card(name="paid", title="Paid", persona="You cost money.", model="nobody/has-this")
    record = await rehearse(OneByOne(cast={"debaters": (paid, paid)}), TASK)
    assert {call.completion.model for call in record.calls} == {"rehearsal"}


PAIRS = PAIR_TASK.model_copy(update={"aspects": PAIR_TASK.aspects[:1], "optional": ()})


@pytest.mark.parametrize(
    ("name", "options", "calls", "votes"),
    [
        ("drpe", {}, 2, 8),
        ("drpe", {"apart": True}, 3, 8),
        ("drpe", {"k": 0}, 1, 3),
        ("drpe", {"k": 50}, 1 + 3, 53),
        ("drpe", {"batch": False}, 1 + 8, 8),
        ("drpe-static", {}, 1, 3),
        ("drpe-swapped", {}, 3, 16),
        ("mdrpe", {}, 1, 6),
        ("llmscore", {}, 1, 1),
        ("chateval-recruited", {}, 1 + 2 * 3, 3),
    ],
)
async def test_readers_are_made_up_and_vote(
    name: str, options: dict[str, Any], calls: int, votes: int
) -> None:
    """No two of them are alike, so that what is said of calls is the most that they take."""
    record = await rehearse(
        strategy(name, **{"cluster": False, **options} if name == "drpe" else options), PAIRS
    )
    assert record.verdict is not None
    assert (len(record.calls), len(record.verdict.ballots)) == (calls, votes)


@pytest.mark.parametrize("count", [1, 5, 50])
async def test_as_many_readers_are_made_up_as_are_wanted(count: int) -> None:
    chosen = Recruited(around=RolePlayers(cast={"players": ("recruit",)}), k=count, cluster=False)
    record = await rehearse(chosen, PAIRS)
    (roster,) = [message for message in record.transcript if isinstance(message, Roster)]
    assert len({role.type for role in roster.roles}) == count
    assert len(record.calls) == 1 + -(-count // 20)


@pytest.fixture
def untouched(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever would measure, load or keep something fails."""

    def refuse(*_: object, **__: object) -> None:
        raise AssertionError("a rehearsal makes everything up")

    register(monkeypatch)
    for place in (
        "agentdebate.evaluators.measuring.Measuring.timed",
        "agentdebate.strategies.recruitment.embedder",
        "agentdebate.strategies.recruitment.diverse",
    ):
        monkeypatch.setattr(place, refuse)
    monkeypatch.setattr(Length, "score", refuse)


EVALUATED: list[Strategy] = [
    Fusion(evaluators=("length", "flat"), plan="plan.md"),
    EvaluatorMean(evaluators=("length", "flat"), take="selected", plan="plan.md"),
    EvaluatorMean(evaluators=("length", "flat")),
    WithEvidence(around=OneByOne(), evaluators=("length", "flat")),
]


@pytest.mark.usefixtures("untouched")
@pytest.mark.parametrize("chosen", EVALUATED)
async def test_no_evaluator_measures_and_nothing_is_written(chosen: Strategy) -> None:
    task = TASK.model_copy(update={"fields": ("text", "note"), "optional": ()})
    record = await rehearse(chosen, task)
    assert record.verdict is not None
    assert list(Path().iterdir()) == []  # noqa: ASYNC240 - nothing else runs here
    (evidence,) = [message for message in record.transcript if isinstance(message, Evidence)]
    assert {(one.evaluator, one.score) for one in evidence.findings} == {("length", 0.0), ("flat", 0.0)}


@pytest.mark.usefixtures("untouched")
@pytest.mark.parametrize("there", [True, False])
async def test_a_plan_that_is_there_is_gone_by_and_one_that_is_not_is_made_up(there: bool) -> None:
    """In the place of one call, there is none."""
    text = "Fluency: length\nCoherence: flat\nOverall: none\n"
    if there:
        Path("plan.md").write_text(text, encoding="utf-8")  # noqa: ASYNC240 - nothing else runs here
    task = TASK.model_copy(update={"fields": ("text", "note"), "optional": ()})
    record = await rehearse(EVALUATED[0], task)
    assert len(record.calls) == (1 if there else 2)
    assert [path.read_text(encoding="utf-8") for path in Path().iterdir()] == [text] * there  # noqa: ASYNC240 - as above


async def test_a_strategy_that_fails_even_so_is_an_error() -> None:
    with pytest.raises(DebateError, match=r"drpe on text: .*judges a single one"):
        await rehearse(strategy("drpe"), TASK)
