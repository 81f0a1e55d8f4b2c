"""Fusion-Eval: evaluators first, then one judge request an item, with the mean of its samples for a verdict."""

from typing import Any

import pytest
from engine_cases import ANN, BEN, PAIR, TASKS, hold, verdict_of
from evidence_cases import NOTED, asked, plan_of, register, sampled, scores, speaking

from agentdebate.debates.ready import ready
from agentdebate.debates.record import Record
from agentdebate.errors import StrategyError
from agentdebate.models.base import Model
from agentdebate.models.function import Function
from agentdebate.strategies.fusion import Fusion
from agentdebate.tasks import Item

BOTH = ("fluency", "coherence")


PLAN = plan_of(fluency="length", coherence="flat", overall="none")


EIGHT = [scores(fluency=4, coherence=2 + k / 10, overall=3) for k in range(8)]


@pytest.fixture(autouse=True)
def _registered(monkeypatch: pytest.MonkeyPatch) -> None:
    register(monkeypatch)


COLUMNS = {
    name: {"about": f"What {name} is.", "better": better, "range": "0-1"}
    for name, better in (("bleurt", "higher"), ("bert.f1", "higher"), ("nli", "lower"))
}
"""What is said of the columns of scores here."""


def fusion(**options: Any) -> Fusion:
    """Fusion with two small evaluators, whose casts are made in code."""
    cast = {"planner": (ANN,), "judge": (BEN,)}
    chosen = {"evaluators": ("length", "flat"), "cast": cast, "columns": COLUMNS, **options}
    return Fusion(**chosen)


async def judged(chosen: Fusion | str, model: Model, item: Item = NOTED, **options: Any) -> Record:
    return await hold(chosen, model, item=item, **{"aspects": BOTH, **options})


def shown(record: Record, purpose: str = "fuse") -> str:
    """All that was shown with the one request of a purpose."""
    (request,) = asked(purpose, record.calls)
    return "\n".join(message.content for message in request.messages)


async def test_the_scores_are_the_means_of_the_samples_of_one_request() -> None:
    record = await judged(fusion(), speaking(plan=PLAN, fuse=EIGHT))
    verdict = verdict_of(record)
    assert verdict.scores == pytest.approx({"fluency": 4, "coherence": 2.35, "overall": 3})
    assert (verdict.merge, verdict.ended, verdict.missing) == ("mean of 8 samples", "one opinion", 0)
    assert [call.agent for call in record.calls] == ["planner", "judge"]
    assert asked("fuse", record.calls)[0].sampling.n == 8
    assert len(verdict.ballots) == 8
    assert {one.aspect: one.ballots for one in verdict.spread} == {"fluency": 8, "coherence": 8, "overall": 8}
    assert next(one for one in verdict.spread if one.aspect == "coherence").highest == pytest.approx(2.7)


async def test_places_are_refused_before_a_call_is_paid_for() -> None:
    record = await hold(fusion(evaluators=()), speaking(), item=PAIR, aspects="place")
    assert isinstance(record.error, StrategyError)
    assert record.calls == ()


async def test_scores_that_came_with_the_item_are_evidence_too_and_missing_ones_are_said_to_be() -> None:
    item = NOTED.model_copy(update={"evidence": {"bleurt": 0.5, "bert.f1": 0.875, "nli": None}})
    record = await judged(
        fusion(),
        speaking(plan=plan_of(fluency="bleurt", coherence="bert.f1", overall="nli"), fuse=EIGHT),
        item,
    )
    lines = shown(record).splitlines()
    assert {
        "- bleurt: 0.5, on a range from 0 to 1; higher is better; What bleurt is.",
        "- bert.f1: 0.875, on a range from 0 to 1; higher is better; What bert.f1 is.",
        "- nli: no score, on a range from 0 to 1; lower is better; What nli is.",
    } <= set(lines)
    assert verdict_of(record).scores["fluency"] == 4
    assert "- nli, from 0 to 1; lower is better; What nli is." in shown(record, "plan").splitlines()


async def test_a_schema_has_an_explanation_behind_each_score() -> None:
    text = (
        '{"fluency": {"score": 3.75, "explanation": "Few slips."}, "coherence": {"score": 2.5, "explanation": "It jumps."},'
        ' "overall": {"score": 3, "explanation": "Coherence: 1 would be too low."}}'
    )
    model = Function("structured", lambda request: sampled(text, text, structured=True), structured=True)
    async with ready(fusion(plan="none", samples=2, reasons="each"), model=model, tasks=TASKS) as debate:
        record = await debate.hold(NOTED, BOTH)
    assert verdict_of(record).scores == {"fluency": 3.75, "coherence": 2.5, "overall": 3}
    assert (
        verdict_of(record).ballots[0].ballot.reason == "Few slips.\nIt jumps.\nCoherence: 1 would be too low."
    )
    schema = record.calls[-1].request.schema
    assert schema is not None
    assert [list(one["properties"]) for one in schema["properties"].values()] == [
        ["score", "explanation"]
    ] * 3
