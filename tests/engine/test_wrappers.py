"""Strategies around strategies: swapped positions, repeated samples, and what is missing in them."""

import asyncio
from collections.abc import Mapping
from typing import Any

import pytest
from engine_cases import (
    ANN,
    ANSWERS,
    BEN,
    PAIR,
    UNREADABLE,
    Played,
    compared,
    end,
    hold,
    overall,
    said,
    scoring,
    verdict_of,
)  # fmt: skip  # fmt: skip
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import ValidationError

import agentdebate as ad
from agentdebate.errors import ServerFailed, StrategyError, TooFewBallots, UsageError
from agentdebate.strategies.base import Strategy
from agentdebate.strategies.floor import Floor
from agentdebate.strategies.one_by_one import OneByOne
from agentdebate.strategies.position_swap import SwappedPositions
from agentdebate.strategies.repetition import Repeated
from agentdebate.strategies.solo import Solo
from agentdebate.strategies.tie_breaker import TieBreaker
from agentdebate.talk.messages import Brief, Verdict
from agentdebate.talk.purposes import SPEAK
from agentdebate.testing import Words, replying

SOLO = Solo(cast={"scorer": (ANN,)})


def orders(record: ad.Record) -> list[tuple[str, ...]]:
    """The orders in which the sittings showed the candidates."""
    return [brief.candidates for brief in said(record, "brief") if isinstance(brief, Brief)]


async def judge(
    chosen: Strategy | str, words: Words | Mapping[str, Words], item: ad.Item = PAIR, **options: Any
) -> ad.Record:
    return await hold(chosen, replying(words), item=item, aspects="overall", **options)


FIELDS = st.integers(2, 6).map(lambda count: ANSWERS[:count])


@given(FIELDS)
def test_every_text_stands_as_often_in_one_place_as_in_any_other(fields: tuple[str, ...]) -> None:
    for swapped in (SwappedPositions(around=SOLO), SwappedPositions(around=SOLO, all_orders=len(fields) < 5)):
        shown = swapped.orders(fields)
        assert shown[0] == fields
        assert len(set(shown)) == len(shown)
        for places in zip(*shown, strict=True):
            assert {places.count(field) for field in fields} == {len(shown) // len(fields)}


@given(
    st.lists(st.integers(1, 9), min_size=2, max_size=3),
    st.lists(st.sampled_from([0, 0.5, 1]), min_size=3, max_size=3),
    st.booleans(),
)
@settings(max_examples=15)
def test_swapping_what_is_swapped_already_changes_no_score(
    merits: list[int], favours: list[float], all_orders: bool
) -> None:
    """Whatever the judge makes of a text and of the place that it stands in."""
    item = compared(*"abc"[: len(merits)])
    task_scale = dict(zip(ANSWERS, merits, strict=False))

    def biased(request: ad.ModelRequest) -> str:
        assert request.context
        shown = request.context.candidates
        return overall(*(task_scale[c.field] + round(f) for c, f in zip(shown, favours, strict=False)))

    once = SwappedPositions(around=SOLO, all_orders=all_orders)
    twice = SwappedPositions(around=once, all_orders=all_orders)
    one, two = (verdict_of(asyncio.run(judge(chosen, biased, item=item))) for chosen in (once, twice))
    assert two.scores == pytest.approx(one.scores)
    assert two.winners == one.winners


@pytest.mark.parametrize("lost", ["ann", "ann#2"])
async def test_an_order_without_a_verdict_fails_the_debate(lost: str) -> None:
    """One order alone would be as biased as no calibration."""
    record = await judge(
        SwappedPositions(around=OneByOne(cast={"debaters": (ANN, BEN)}, rounds=1)), failing_for(lost[3:])
    )
    assert isinstance(record.error, TooFewBallots)
    assert record.failure is not None
    assert record.failure.round == 1


def failing_for(mark: str) -> Words:
    """Everybody fails in the sitting of that mark."""

    def words(request: ad.ModelRequest) -> str:
        assert request.context
        if request.context.agent in {f"{name}{mark}" for name in ("ann", "ben", "scorer")}:
            raise ServerFailed("down", status=500)
        return overall(8, 6)

    return words


def sampled(*replies: str) -> Words:
    """The replies one after the other, by sample."""

    def words(request: ad.ModelRequest) -> str:
        return replies[request.sample]

    return words


async def test_samples_that_cannot_be_read_are_counted_and_left_out_and_each_has_a_seed_of_its_own() -> None:
    """Or a cache would answer the second sample with the first."""
    replies = sampled(scoring(2), UNREADABLE, scoring(5))
    record = await hold(Repeated(around=SOLO), replying(replies), sampling=ad.Sampling(seed=7))
    seeds = {(call.request.sample, call.request.sampling.seed) for call in record.calls}
    assert seeds == {(0, 7), (1, 8), (2, 9)}
    verdict = verdict_of(record)
    assert (verdict.score, verdict.missing, len(verdict.ballots)) == (3.5, 1, 2)
    assert record.usage.calls == 1 + 3 + 1
    assert sum(spent.usage.calls for spent in verdict.usage) == 5, "what could not be read was paid for"


async def test_where_every_sample_fails_the_last_ones_failure_is_the_debates() -> None:
    record = await hold(Repeated(around=SOLO), replying(UNREADABLE))
    assert record.failure is not None
    assert (record.failure.error, record.failure.agent) == ("UnreadableReply", "scorer#3")


async def test_an_error_in_code_is_no_missing_sample() -> None:
    async def play(floor: Floor) -> Verdict:
        await floor.ask(floor.cast("debaters")[0], SPEAK)
        raise LookupError("lost")

    record = await hold(Repeated(around=Played(play=play)), replying("x"))
    assert isinstance(record.error, LookupError)
    assert len(record.calls) == 1


async def test_samples_missing_in_one_order_leave_the_orders_equal_weight() -> None:
    """The mean over the orders of the mean over their readable samples (FairEval, Section 3)."""
    replies = {"answer_1": [overall(9, 5), UNREADABLE, overall(7, 5)], "answer_2": [overall(2, 4)] * 3}

    def words(request: ad.ModelRequest) -> str:
        assert request.context
        return replies[request.context.candidates[0].field][request.sample]

    verdict = verdict_of(await judge(SwappedPositions(around=Repeated(around=SOLO)), words))
    assert verdict.scores == {"overall.answer_1": (8 + 4) / 2, "overall.answer_2": (5 + 2) / 2}


async def test_an_order_that_is_none_is_the_callers_mistake() -> None:
    async def play(floor: Floor) -> Verdict:
        return await end(await floor.anew(("answer_1",)))

    with pytest.raises(UsageError, match="an order has every candidate once"):
        await judge(Played(play=play), overall(8, 6))


@pytest.mark.parametrize("around", [SwappedPositions(around=SOLO), Repeated(around=SOLO)])
def test_a_tie_breaker_goes_inside_what_sits_several_times_and_not_around_it(around: Strategy) -> None:
    with pytest.raises(ValidationError, match="put the tie-breaker inside it"):
        TieBreaker(around=around)
    assert SwappedPositions.sits_again


def test_a_role_that_is_taken_inside_is_an_error() -> None:
    chosen = TieBreaker(around=Played(play=end, cast={"tie-breaker": (ANN,)}))
    with pytest.raises(StrategyError, match="has a role 'tie-breaker' too"):
        chosen.seats()
