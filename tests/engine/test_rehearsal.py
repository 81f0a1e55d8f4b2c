"""Rehearsals: a debate with made-up words uses every round, and calls nobody."""

from pathlib import Path

import pytest
from engine_cases import TASK
from evidence_cases import Length, register

from agentdebate.runs.rehearsal import rehearse
from agentdebate.strategies.base import Strategy
from agentdebate.strategies.evaluator_mean import EvaluatorMean
from agentdebate.strategies.fusion import Fusion
from agentdebate.strategies.one_by_one import OneByOne
from agentdebate.strategies.with_evidence import WithEvidence
from agentdebate.talk.messages import Evidence


@pytest.fixture
def untouched(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever would measure, load or keep something fails."""

    def refuse(*_: object, **__: object) -> None:
        raise AssertionError("a rehearsal makes everything up")

    register(monkeypatch)
    for place in (
        "agentdebate.evaluators.measuring.Measuring.timed",
        "agentdebate.strategies.recruited.embedder",
        "agentdebate.strategies.recruited.diverse",
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
