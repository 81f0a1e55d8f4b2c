"""Samples of one judgement in a debate: what of them counts, what is missing, and what they cost."""

from typing import Any

import pytest
from engine_cases import (
    ANN,
    BEN,
    UNREADABLE,
    hold,
    said,
)
from evidence_cases import NOTED, asked, plan_of, register, sampled, scores, speaking

from agentdebate.debates.record import Record
from agentdebate.errors import RequestRefused
from agentdebate.models.base import Completion, Model, ModelRequest, Sampling
from agentdebate.strategies.fusion import Fusion
from agentdebate.strategies.repetition import Repeated
from agentdebate.talk.messages import Samples, Verdict
from agentdebate.tasks import Item

BOTH = ("fluency", "coherence")
PLAN = plan_of(fluency="length", coherence="flat", overall="none")
EIGHT = [scores(fluency=4, coherence=2 + k / 10, overall=3) for k in range(8)]


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


def one_a_request(request: ModelRequest) -> Completion:
    """An endpoint that refuses n, and whose samples differ."""
    if request.sampling.n > 1:
        raise RequestRefused("n has to be 1")
    return sampled(scores(fluency=1 + request.sample / 10, coherence=1, overall=1))


async def test_samples_that_fail_are_missing_and_counted() -> None:
    def fuse(request: ModelRequest) -> Completion:
        if request.sample in {2, 5}:
            raise RequestRefused("not this one")
        return one_a_request(request)

    record = await judged(fusion(), speaking(plan=PLAN, fuse=fuse))
    verdict = verdict_of(record)
    assert (verdict.missing, len(verdict.ballots)) == (2, 6)
    (samples,) = said(record, "samples")
    assert isinstance(samples, Samples)
    assert samples.problems == ("RequestRefused: not this one",) * 2
    assert verdict.scores["fluency"] == pytest.approx(1 + (0 + 1 + 3 + 4 + 6 + 7) / 60)


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
        fusion(samples=2),
        speaking(plan=PLAN, fuse=lambda request: sampled(*next(replies))),
    )
    assert verdict_of(record).scores["overall"] == 3
    first, again = asked("fuse", record.calls)
    assert again.sampling.n == first.sampling.n == 2
    assert "overall" in again.messages[-1].content
    assert again.messages[-2].content == scores(fluency=4, coherence=2)
    readings = [cast.ballot.reading for cast in verdict_of(record).ballots]
    assert [reading.attempts for reading in readings] == [2, 2]
    assert all(len(reading.problems) == 1 for reading in readings)


async def test_samples_of_several_sittings_are_samples_of_their_own() -> None:
    around = Repeated(around=fusion(samples=2), samples=2)
    keys: list[str] = []
    seeds: list[int | None] = []

    def fuse(request: ModelRequest) -> Completion:
        if request.sampling.n > 1:
            raise RequestRefused("n has to be 1")
        keys.append(request.key())
        seeds.append(request.sampling.seed)
        return sampled(EIGHT[0])

    record = await hold(
        around, speaking(plan=PLAN, fuse=fuse), item=NOTED, aspects=BOTH, sampling=Sampling(seed=7)
    )
    assert verdict_of(record).scores["fluency"] == 4
    assert (len(set(keys)), sorted(map(str, seeds))) == (4, ["10", "7", "8", "9"])
    assert len(asked("plan", record.calls)) == 1
    assert [plan.sender for plan in said(record, "plan")] == ["planner", "floor", "floor"]
    assert len(said(record, "evidence")) == 2
