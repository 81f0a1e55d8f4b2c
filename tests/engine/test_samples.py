"""Samples of one judgement in a debate: what of them counts, what is missing, and what they cost."""

from typing import Any

import pytest
from engine_cases import ANN, BEN, UNREADABLE, hold, said
from evidence_cases import NOTED, asked, plan_of, register, sampled, scores, speaking

from agentdebate.debates.record import Record
from agentdebate.models.base import Model
from agentdebate.strategies.fusion import Fusion
from agentdebate.talk.messages import Samples, Verdict
from agentdebate.tasks import Item

BOTH = ("fluency", "coherence")
PLAN = plan_of(fluency="length", coherence="flat", overall="none")


@pytest.fixture(autouse=True)
def _registered(monkeypatch: pytest.MonkeyPatch) -> None:
    register(monkeypatch)


def fusion(**options: Any) -> Fusion:
    """Fusion with two small evaluators, whose casts are made in code."""
    chosen = {"evaluators": ("length", "flat"), "cast": {"planner": (ANN,), "judge": (BEN,)}, **options}
    return Fusion(**chosen)


async def judged(chosen: Fusion | str, model: Model, item: Item = NOTED, **options: Any) -> Record:
    return await hold(chosen, model, item=item, **{"aspects": BOTH, **options})


def verdict_of(record: Record) -> Verdict:
    assert record.verdict is not None, record.failure
    return record.verdict


async def test_an_aspect_that_cannot_be_read_in_one_sample_is_missing_there_and_no_zero() -> None:
    one = scores(fluency=4, coherence=2, overall=3)
    other = "Fluency: 5\nCoherence: hard to say\nOverall: 17"
    record = await judged(fusion(samples=3), speaking(plan=PLAN, fuse=[one, other, UNREADABLE]))
    verdict = verdict_of(record)
    assert verdict.scores == {"fluency": 4.5, "coherence": 2, "overall": 3}
    assert {spread.aspect: spread.ballots for spread in verdict.spread} == {
        "fluency": 2,
        "coherence": 1,
        "overall": 1,
    }
    assert verdict.missing == 1
    (samples,) = said(record, "samples")
    assert isinstance(samples, Samples)
    assert (samples.asked, len(samples.problems)) == (3, 1)


async def test_an_aspect_that_no_sample_rates_is_asked_for_again_with_what_was_wrong() -> None:
    replies = iter([[scores(fluency=4, coherence=2)] * 2, [scores(fluency=4, coherence=2, overall=3)] * 2])
    record = await judged(
        fusion(samples=2), speaking(plan=PLAN, fuse=lambda request: sampled(*next(replies)))
    )
    assert verdict_of(record).scores["overall"] == 3
    first, again = asked("fuse", record.calls)
    assert again.sampling.n == first.sampling.n == 2
    assert "overall" in again.messages[-1].content
    assert again.messages[-2].content == scores(fluency=4, coherence=2)
    readings = [cast.ballot.reading for cast in verdict_of(record).ballots]
    assert [reading.attempts for reading in readings] == [2, 2]
    assert all(len(reading.problems) == 1 for reading in readings)
