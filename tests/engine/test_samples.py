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
from agentdebate.errors import RequestRefused, UnreadableReply
from agentdebate.models.base import Completion, Model, ModelRequest, Sampling
from agentdebate.strategies.fusion import Fusion
from agentdebate.strategies.repeated import Repeated
from agentdebate.talk.messages import Samples, Verdict
from agentdebate.tasks import Item
from agentdebate.usage import Usage

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


async def test_samples_that_an_endpoint_does_not_give_are_asked_for_one_by_one() -> None:
    def fuse(request: ModelRequest) -> Completion:
        first = 5 * (request.sampling.n == 1)
        return sampled(*[scores(fluency=1 + first / 2, coherence=1, overall=1)] * min(request.sampling.n, 3))

    record = await judged(fusion(), speaking(plan=PLAN, fuse=fuse))
    verdict = verdict_of(record)
    assert verdict.scores["fluency"] == pytest.approx((3 * 1 + 5 * 3.5) / 8)
    assert [request.sample for request in asked("fuse", record.calls)] == [0, 3, 4, 5, 6, 7]
    spent = Usage(calls=7, prompt_tokens=600, completion_tokens=30 + 5 * 10)
    assert sum((one.usage for one in verdict.usage), Usage()) == record.usage == spent
    assert len(said(record, "samples")) == 1


def one_a_request(request: ModelRequest) -> Completion:
    """An endpoint that refuses n, and whose samples differ."""
    if request.sampling.n > 1:
        raise RequestRefused("n has to be 1")
    return sampled(scores(fluency=1 + request.sample / 10, coherence=1, overall=1))


async def test_an_endpoint_that_refuses_n_gives_single_samples() -> None:
    verdict = verdict_of(await judged(fusion(), speaking(plan=PLAN, fuse=one_a_request)))
    assert verdict.scores["fluency"] == pytest.approx(1.35)
    assert (verdict.missing, len(verdict.ballots)) == (0, 8)


def three_a_request(request: ModelRequest) -> Completion:
    """An endpoint that gives three samples at most."""
    return sampled(
        *[scores(fluency=2, coherence=1 + request.sample / 10, overall=1)] * min(request.sampling.n, 3)
    )


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


async def test_it_does_not_matter_which_sample_is_the_unreadable_one() -> None:
    good = scores(fluency=4, coherence=2, overall=3)
    for texts in ([UNREADABLE, good], [good, UNREADABLE], ["<think>Hm", good]):
        verdict = verdict_of(await judged(fusion(samples=2), speaking(plan=PLAN, fuse=texts)))
        assert (verdict.scores["coherence"], verdict.missing) == (2, 1)


async def test_a_sample_that_declines_is_missing_and_the_others_count() -> None:
    """Also where it is the first, whose end is that of the reply."""
    good = scores(fluency=4, coherence=2, overall=3)
    reply = sampled("I cannot judge this.", good, good, finish="refusal")
    record = await judged(fusion(samples=3), speaking(plan=PLAN, fuse=lambda request: reply))
    verdict = verdict_of(record)
    assert (verdict.scores["fluency"], verdict.missing) == (4, 1)
    assert len(asked("fuse", record.calls)) == 1


async def test_the_number_at_which_a_sample_was_cut_off_is_not_trusted() -> None:
    whole = "Coherence: 3\nOverall: 4\nFluency: 2"
    cut = "Coherence: 3\nOverall: 4\nFluency: 1"
    reply = sampled(whole, cut, cut, cut=(1,))
    model = speaking(plan=PLAN, fuse=lambda request: reply)
    verdict = verdict_of(await judged(fusion(samples=3), model))
    assert verdict.scores == {"coherence": 3, "overall": 4, "fluency": 1.5}


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


async def test_where_it_never_can_be_read_the_debate_fails_and_has_no_score() -> None:
    record = await judged(fusion(samples=2), speaking(plan=PLAN, fuse=[scores(fluency=4)] * 2), patience=2)
    assert record.verdict is None
    assert isinstance(record.error, UnreadableReply)
    assert len(asked("fuse", record.calls)) == 2


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
