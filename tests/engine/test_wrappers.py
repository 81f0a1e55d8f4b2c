"""Strategies around strategies: swapped positions, repeated samples, both, and what ChatEval and FairEval make of them."""

import asyncio
from collections.abc import Mapping
from dataclasses import replace
from itertools import permutations
from typing import Any

import pytest
from engine_cases import (
    ANN,
    ANSWERS,
    BEN,
    CAT,
    ITEM,
    PAIR,
    UNREADABLE,
    Played,
    compared,
    end,
    hold,
    on_merit,
    overall,
    said,
    scoring,
)  # fmt: skip
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import ValidationError

from agentdebate.debates.record import Record
from agentdebate.errors import ServerFailed, StrategyError, TooFewBallots, UnreadableReply, UsageError
from agentdebate.models.base import ModelRequest, Sampling
from agentdebate.project.project import Project
from agentdebate.strategies.base import Strategy
from agentdebate.strategies.floor import Floor
from agentdebate.strategies.layers import Layers
from agentdebate.strategies.one_by_one import OneByOne
from agentdebate.strategies.position_swap import SwappedPositions
from agentdebate.strategies.repetition import Repeated
from agentdebate.strategies.solo import Solo
from agentdebate.strategies.tie_breaker import TieBreaker
from agentdebate.talk.messages import Brief, Reply, Verdict
from agentdebate.talk.purposes import SCORE, SPEAK
from agentdebate.tasks import Item
from agentdebate.testing import Words, replying, transcript_memories

SOLO = Solo(cast={"scorer": (ANN,)})
THREE = compared("one", "two", "three")
ORDER, TURNED = ("answer_1", "answer_2"), ("answer_2", "answer_1")


def orders(record: Record) -> list[tuple[str, ...]]:
    """The orders in which the sittings showed the candidates."""
    return [brief.candidates for brief in said(record, "brief") if isinstance(brief, Brief)]


async def judge(
    chosen: Strategy | str, words: Words | Mapping[str, Words], item: Item = PAIR, **options: Any
) -> Record:
    return await hold(chosen, replying(words), item=item, aspects="overall", **options)


def verdict_of(record: Record) -> Verdict:
    assert record.verdict is not None, record.failure
    return record.verdict


async def test_two_texts_are_judged_in_both_orders_and_scores_come_back_to_the_same_text() -> None:
    record = await judge(SwappedPositions(around=SOLO), on_merit(answer_1=8, answer_2=5))
    verdict = verdict_of(record)
    assert orders(record) == [ORDER, TURNED]
    assert verdict.scores == {"overall.answer_1": 8, "overall.answer_2": 5}
    assert (verdict.winner, verdict.agreed, verdict.settled, verdict.merge) == (
        "answer_1",
        True,
        True,
        "positions",
    )
    assert [c.ballot.scores for c in verdict.ballots] == [verdict.scores, verdict.scores]
    assert {s.deviation for s in verdict.spread} == {0}


async def test_the_texts_stand_where_the_order_puts_them() -> None:
    record = await judge(SwappedPositions(around=SOLO), overall(8, 5))
    first, second = (call.request.messages[0].content for call in record.calls)
    assert first.index("Because of the rain.") < first.index("I do not know.")
    assert second.index("I do not know.") < second.index("Because of the rain.")
    assert sorted(first) == sorted(second), "nothing else differs"


async def test_a_judge_that_always_prefers_the_first_place_ends_in_a_tie() -> None:
    """Not in a win, and not in a failure: the orders did not agree, and the verdict says so."""
    verdict = verdict_of(await judge(SwappedPositions(around=SOLO), overall(9, 4)))
    assert verdict.scores == {"overall.answer_1": 6.5, "overall.answer_2": 6.5}
    assert (verdict.winners, verdict.winner, verdict.agreed, verdict.settled) == (ORDER, None, False, False)
    assert {(s.lowest, s.highest, s.deviation) for s in verdict.spread} == {(4, 9, 2.5)}


async def test_the_sum_decides_where_the_orders_disagree() -> None:
    def leaning(request: ModelRequest) -> str:
        assert request.context
        return overall(9, 4) if request.context.candidates[0].field == "answer_1" else overall(6, 5)

    verdict = verdict_of(await judge(SwappedPositions(around=SOLO), leaning))
    assert verdict.scores == {"overall.answer_1": 7, "overall.answer_2": 5}
    assert (verdict.winner, verdict.agreed) == ("answer_1", False)


async def test_a_judge_that_always_ties_agrees_with_itself() -> None:
    verdict = verdict_of(await judge(SwappedPositions(around=SOLO), overall(7, 7)))
    assert (verdict.winners, verdict.agreed) == (ORDER, True)


async def test_of_three_texts_each_stands_once_in_every_place() -> None:
    record = await judge(SwappedPositions(around=SOLO), overall(9, 6, 3), item=THREE)
    one, two, three = ANSWERS[:3]
    assert orders(record) == [(one, two, three), (two, three, one), (three, one, two)]
    assert verdict_of(record).winners == (one, two, three)
    assert set(verdict_of(record).scores.values()) == {6.0}


async def test_all_orders_of_three_texts_can_be_held() -> None:
    record = await judge(
        SwappedPositions(around=SOLO, all_orders=True),
        on_merit(answer_1=1, answer_2=9, answer_3=5),
        item=THREE,
    )
    assert orders(record) == list(permutations(ANSWERS[:3]))
    verdict = verdict_of(record)
    assert (verdict.winner, verdict.agreed, len(record.calls)) == ("answer_2", True, 6)


FIELDS = st.integers(2, 6).map(lambda count: ANSWERS[:count])


@given(FIELDS)
def test_every_text_stands_as_often_in_one_place_as_in_any_other(fields: tuple[str, ...]) -> None:
    for swapped in (SwappedPositions(around=SOLO), SwappedPositions(around=SOLO, all_orders=len(fields) < 5)):
        shown = swapped.orders(fields)
        assert shown[0] == fields
        assert len(set(shown)) == len(shown)
        for places in zip(*shown, strict=True):
            assert {places.count(field) for field in fields} == {len(shown) // len(fields)}


@given(FIELDS)
def test_swapping_as_often_as_there_are_texts_is_the_identity(fields: tuple[str, ...]) -> None:
    """For two texts: swapping twice."""
    swapped, turned = SwappedPositions(around=SOLO), fields
    for _ in fields:
        assert swapped.orders(turned)[0] == turned
        turned = swapped.orders(turned)[1]
    assert turned == fields


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

    def biased(request: ModelRequest) -> str:
        assert request.context
        shown = request.context.candidates
        return overall(*(task_scale[c.field] + round(f) for c, f in zip(shown, favours, strict=False)))

    once = SwappedPositions(around=SOLO, all_orders=all_orders)
    twice = SwappedPositions(around=once, all_orders=all_orders)
    one, two = (verdict_of(asyncio.run(judge(chosen, biased, item=item))) for chosen in (once, twice))
    assert two.scores == pytest.approx(one.scores)
    assert two.winners == one.winners


async def test_where_there_is_nothing_to_swap_it_says_so_before_anything_is_paid() -> None:
    record = await hold(SwappedPositions(around=SOLO), replying(scoring(4)))
    assert isinstance(record.error, StrategyError)
    assert "SwappedPositions swaps the positions of texts that are compared, and task 'text'" in str(
        record.error
    )
    assert record.calls == ()


async def test_every_sitting_has_fresh_memories_and_addresses_of_its_own() -> None:
    chosen = SwappedPositions(around=OneByOne(cast={"debaters": (ANN, BEN)}))
    record = await judge(chosen, {"speak": "I think so.", "vote": overall(8, 6)})
    verdict_of(record)
    memories = transcript_memories(record.transcript)
    assert list(memories) == ["ann", "ben", "ann#2", "ben#2"]
    sender = {m.seq: m.sender for m in record.transcript}
    for name, known in memories.items():
        mark = "#2" if name.endswith("#2") else ""
        assert {sender[number] for number in known} == {"floor", f"ann{mark}", f"ben{mark}"}
    briefs = [brief for brief in said(record, "brief") if isinstance(brief, Brief)]
    assert [brief.to for brief in briefs] == [("ann", "ben"), ("ann#2", "ben#2")]
    assert [memories["ann"][0], memories["ben#2"][0]] == [brief.seq for brief in briefs]
    assert [call.request.messages[-1].content for call in record.calls[:4]] == [
        call.request.messages[-1].content for call in record.calls[4:]
    ], "the talk of the first order is not heard in the second"


async def test_the_verdict_over_the_orders_holds_all_ballots_and_costs_and_the_rounds_of_one() -> None:
    chosen = SwappedPositions(around=OneByOne(cast={"debaters": (ANN, BEN)}))
    record = await judge(chosen, {"speak": "I think so.", "vote": overall(8, 6)})
    verdict = verdict_of(record)
    assert [(c.agent, c.round) for c in verdict.ballots] == [
        ("ann", 2),
        ("ben", 2),
        ("ann#2", 2),
        ("ben#2", 2),
    ]
    assert all(record.transcript[c.message - 1].sender == c.agent for c in verdict.ballots)
    assert sum(spent.usage.calls for spent in verdict.usage) == len(record.calls) == 8
    assert (verdict.rounds, verdict.ended, verdict.models) == (2, "round limit", ("replying",))


async def test_a_member_lost_in_one_order_is_named_and_the_other_order_is_whole() -> None:
    def vote(request: ModelRequest) -> str:
        assert request.context
        return UNREADABLE if request.context.agent == "ben#2" else overall(8, 6)

    chosen = SwappedPositions(around=OneByOne(cast={"debaters": (ANN, BEN)}))
    verdict = verdict_of(await judge(chosen, {"speak": "I think so.", "vote": vote}))
    assert [(lost.agent, lost.error) for lost in verdict.lost] == [("ben#2", "UnreadableReply")]
    assert len(verdict.ballots) == 3


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

    def words(request: ModelRequest) -> str:
        assert request.context
        if request.context.agent in {f"{name}{mark}" for name in ("ann", "ben", "scorer")}:
            raise ServerFailed("down", status=500)
        return overall(8, 6)

    return words


def sampled(*replies: str) -> Words:
    """The replies one after the other, by sample."""

    def words(request: ModelRequest) -> str:
        return replies[request.sample]

    return words


async def test_samples_are_averaged_and_their_spread_is_kept() -> None:
    record = await hold(Repeated(around=SOLO), replying(sampled(scoring(2), scoring(3), scoring(5))))
    verdict = verdict_of(record)
    assert verdict.score == pytest.approx(10 / 3)
    (spread,) = verdict.spread
    assert (spread.ballots, spread.lowest, spread.highest) == (3, 2, 5)
    assert spread.deviation == pytest.approx(1.2472, abs=1e-4)
    assert (verdict.merge, verdict.agreed, verdict.missing, verdict.settled) == ("samples", False, 0, False)
    assert [c.agent for c in verdict.ballots] == ["scorer", "scorer#2", "scorer#3"]


@pytest.mark.parametrize("samples", [1, 2, 5])
async def test_there_are_as_many_samples_as_are_asked_for(samples: int) -> None:
    record = await hold(Repeated(around=SOLO, samples=samples), replying(scoring(4)))
    verdict = verdict_of(record)
    assert (len(record.calls), verdict.score, verdict.agreed, verdict.settled) == (samples, 4, True, True)


async def test_samples_that_cannot_be_read_are_counted_and_left_out() -> None:
    record = await hold(Repeated(around=SOLO), replying(sampled(scoring(2), UNREADABLE, scoring(5))))
    verdict = verdict_of(record)
    assert (verdict.score, verdict.missing, len(verdict.ballots)) == (3.5, 1, 2)
    assert record.usage.calls == 1 + 3 + 1
    assert sum(spent.usage.calls for spent in verdict.usage) == 5, "what could not be read was paid for"


async def test_where_every_sample_fails_the_last_ones_failure_is_the_debates() -> None:
    record = await hold(Repeated(around=SOLO), replying(UNREADABLE))
    assert isinstance(record.error, UnreadableReply)
    assert record.failure is not None
    assert (record.failure.error, record.failure.agent) == ("UnreadableReply", "scorer#3")


async def test_a_sample_with_too_few_ballots_is_a_missing_one() -> None:
    chosen = Repeated(around=OneByOne(cast={"debaters": (ANN, BEN)}, rounds=1), samples=2)
    verdict = verdict_of(await judge(chosen, failing_for("")))
    assert (verdict.missing, [c.agent for c in verdict.ballots]) == (1, ["ann#2", "ben#2"])


async def test_a_sample_that_fails_while_several_speak_at_once_is_a_missing_one() -> None:
    async def play(floor: Floor) -> Verdict:
        first, _ = await floor.ask_all(floor.cast("debaters"), SCORE)
        return floor.verdict(first, settled=True, ended="agreement")

    inside = Played(play=play, cast={"debaters": (ANN, BEN)})
    verdict = verdict_of(await judge(Repeated(around=inside, samples=2), failing_for("#2")))
    assert (verdict.missing, verdict.winner) == (1, "answer_1")


async def test_an_error_in_code_is_no_missing_sample() -> None:
    async def play(floor: Floor) -> Verdict:
        await floor.ask(floor.cast("debaters")[0], SPEAK)
        raise LookupError("lost")

    record = await hold(Repeated(around=Played(play=play)), replying("x"))
    assert isinstance(record.error, LookupError)
    assert len(record.calls) == 1


async def test_every_sample_has_a_seed_and_a_key_of_its_own_over_the_same_words() -> None:
    """Or a cache would answer the second sample with the first."""
    record = await hold(Repeated(around=SOLO), replying(scoring(4)), sampling=Sampling(seed=7))
    assert [call.request.sampling.seed for call in record.calls] == [7, 8, 9]
    assert [call.request.sample for call in record.calls] == [0, 1, 2]
    assert len({call.request.messages for call in record.calls}) == 1
    assert len({call.request.key() for call in record.calls}) == 3


async def test_samples_without_a_seed_have_keys_of_their_own_too() -> None:
    record = await hold(Repeated(around=SOLO), replying(scoring(4)))
    assert [call.request.sampling.seed for call in record.calls] == [None] * 3
    assert len({call.request.key() for call in record.calls}) == 3


async def test_the_first_sample_has_the_key_of_a_single_one() -> None:
    """What was paid for a single debate serves as the first of several."""
    alone = await hold(SOLO, replying(scoring(4)))
    several = await hold(Repeated(around=SOLO), replying(scoring(4)))
    assert alone.calls[0].request.key() == several.calls[0].request.key()


@pytest.mark.parametrize(
    ("chosen", "expected"),
    [
        (SwappedPositions(around=Repeated(around=SOLO)), [(ORDER, 0), (ORDER, 1), (ORDER, 2), (TURNED, 0), (TURNED, 1), (TURNED, 2)]),
        (Repeated(around=SwappedPositions(around=SOLO)), [(ORDER, 0), (TURNED, 0), (ORDER, 1), (TURNED, 1), (ORDER, 2), (TURNED, 2)]),
    ],
)  # fmt: skip
async def test_both_around_each_other_hold_every_sample_of_every_order(
    chosen: Strategy, expected: list[tuple[tuple[str, ...], int]]
) -> None:
    record = await judge(chosen, on_merit(answer_1=8, answer_2=5), sampling=Sampling(seed=0))
    held = [
        (tuple(c.field for c in call.request.context.candidates), call.request.sample)
        for call in record.calls
        if call.request.context
    ]
    assert held == expected
    assert [call.request.sampling.seed for call in record.calls] == [sample for _, sample in expected]
    assert len({call.request.key() for call in record.calls}) == 6
    verdict = verdict_of(record)
    assert (verdict.scores, verdict.winner, verdict.agreed) == (
        {"overall.answer_1": 8, "overall.answer_2": 5},
        "answer_1",
        True,
    )
    assert len(verdict.ballots) == len({c.agent for c in verdict.ballots}) == 6


async def test_samples_missing_in_one_order_leave_the_orders_equal_weight() -> None:
    """The mean over the orders of the mean over their readable samples (FairEval, Section 3)."""
    replies = {"answer_1": [overall(9, 5), UNREADABLE, overall(7, 5)], "answer_2": [overall(2, 4)] * 3}

    def words(request: ModelRequest) -> str:
        assert request.context
        return replies[request.context.candidates[0].field][request.sample]

    verdict = verdict_of(await judge(SwappedPositions(around=Repeated(around=SOLO)), words))
    assert verdict.scores == {"overall.answer_1": (8 + 4) / 2, "overall.answer_2": (5 + 2) / 2}


@pytest.mark.parametrize(
    ("name", "answers", "calls"),
    [
        ("single-agent", 2, 1),
        ("faireval-mec", 2, 3),
        ("faireval", 2, 2 * 3),
        ("faireval", 3, 3 * 3),
        ("chateval-one-by-one", 2, 2 * 2),
        ("chateval-same-role", 2, 2 * 2),
        ("chateval-simultaneous", 2, 3 * 2),
        ("chateval-summarizer", 2, 3 * 2 + 1),
        ("chateval", 2, 2 * 2 * 2),
        ("chateval", 3, 3 * 2 * 2),
    ],
)
async def test_the_papers_settings_take_so_many_calls(name: str, answers: int, calls: int) -> None:
    """Orders or samples, times agents, times rounds."""
    fields = {field: f"It is {field}." for field in ANSWERS[:answers]}
    item = Item(task="comparison", id="one", fields={"question": "Why?", **fields})
    words: dict[str, Words] = {"speak": "I think so.", "summarise": "They differ.", "vote": overall(8, 6, 4)}
    record = await hold(name, replying(words), item=item, aspects=None)
    verdict = verdict_of(record)
    assert len(record.calls) == calls
    assert (record.strategy, record.aspects) == (name, ("overall",))
    assert set(verdict.scores) == {f"overall.{field}" for field in fields}
    temperature = 1 if name.startswith("faireval") else 0
    assert {call.request.sampling for call in record.calls} == {Sampling(temperature=temperature)}


async def test_chateval_is_one_by_one_in_both_orders() -> None:
    item = Item(task="comparison", id="one", fields={"question": "Why?", "answer_1": "a", "answer_2": "b"})
    record = await hold(
        "chateval", replying({"speak": "I think so.", "vote": overall(8, 6)}), item=item, aspects=None
    )
    verdict = verdict_of(record)
    assert orders(record) == [ORDER, TURNED]
    assert [(call.agent, call.round) for call in record.calls] == [
        *[("general-public", 1), ("reviewer", 1), ("general-public", 2), ("reviewer", 2)],
        *[("general-public#2", 1), ("reviewer#2", 1), ("general-public#2", 2), ("reviewer#2", 2)],
    ]
    assert (verdict.winner, verdict.agreed) == (None, False)


async def test_a_debate_with_wrappers_is_the_same_again_over_the_same_replies() -> None:
    """What a run that was stopped is replayed from."""
    words: dict[str, Words] = {"speak": "I think so.", "vote": on_merit(answer_1=8, answer_2=5)}
    one, two = await judge("chateval", words), await judge("chateval", words)
    assert [call.request.key() for call in one.calls] == [call.request.key() for call in two.calls]
    assert [replace(m, time=0.0) for m in one.transcript] == [replace(m, time=0.0) for m in two.transcript]


async def test_a_wrappers_sampling_goes_before_that_of_the_strategy_inside_and_the_cards_before_both() -> (
    None
):
    own = ANN.model_copy(update={"sampling": Sampling(top_p=0.3)})
    inside = Solo(cast={"scorer": (own,)}, sampling=Sampling(temperature=0, top_p=1, max_tokens=9))
    chosen = Repeated(around=inside, samples=1, sampling=Sampling(temperature=1))
    record = await hold(chosen, replying(scoring(4)))
    assert record.calls[0].request.sampling == Sampling(temperature=1, top_p=0.3, max_tokens=9)


async def test_a_tie_breaker_can_sit_in_every_order() -> None:
    unsettled = OneByOne(cast={"debaters": (ANN, BEN)}, rounds=1)
    chosen = SwappedPositions(around=TieBreaker(around=unsettled))

    def vote(request: ModelRequest) -> str:
        assert request.context
        return overall(8, 6) if request.context.agent.startswith("ann") else overall(6, 8)

    record = await judge(chosen, {"vote": vote, "rule": on_merit(answer_1=3, answer_2=4)})
    verdict = verdict_of(record)
    assert (verdict.winner, verdict.agreed, verdict.ended, verdict.settled) == (
        "answer_2",
        True,
        "ruling",
        False,
    )
    assert [m.sender for m in said(record, "ruling") if isinstance(m, Reply)] == [
        "tie-breaker",
        "tie-breaker#2",
    ]


@pytest.mark.parametrize(
    ("name", "panel"),
    [("chateval", "debaters"), ("chateval-summarizer", "debaters"), ("faireval", None), ("debate", None)],
)
def test_the_panel_of_a_wrapper_is_the_one_inside(name: str, panel: str | None) -> None:
    assert Layers.read(name, Project()).panel == panel


async def test_a_floor_can_be_had_anew_in_another_order() -> None:
    floors: list[Floor] = []

    async def play(floor: Floor) -> Verdict:
        floors.extend([floor, await floor.anew(), await floor.anew(TURNED)])
        await floors[0].ask(floors[0].cast("debaters")[0])
        return await end(floors[2])

    record = await judge(
        Played(play=play, cast={"debaters": (ANN, BEN)}), {"speak": "x", "score": overall(8, 6)}
    )
    assert verdict_of(record).scores == {"overall.answer_2": 8, "overall.answer_1": 6}
    assert [floor.order for floor in floors] == [ORDER, ORDER, TURNED]
    assert [floor.cast("debaters")[1].name for floor in floors] == ["ben", "ben#2", "ben#3"]
    assert [floor.cast("debaters")[1].title for floor in floors] == ["Ben"] * 3
    assert [[m.sender for m in floor.talk] for floor in floors] == [["ann"], [], ["ann#3"]]
    assert [call.request.sample for call in record.calls] == [0, 0]


async def test_a_floor_over_a_single_text_can_be_had_anew() -> None:
    async def play(floor: Floor) -> Verdict:
        assert floor.order == ()
        return await end(await floor.anew())

    record = await hold(Played(play=play), replying(scoring(4)), item=ITEM)
    assert verdict_of(record).score == 4


async def test_an_order_that_is_none_is_the_callers_mistake() -> None:
    async def play(floor: Floor) -> Verdict:
        return await end(await floor.anew(("answer_1",)))

    with pytest.raises(UsageError, match="an order has every candidate once"):
        await judge(Played(play=play), overall(8, 6))


async def test_a_failure_names_the_round_of_what_was_said_last_whoever_else_was_seated() -> None:
    async def play(floor: Floor) -> Verdict:
        again = await floor.anew()
        for _ in floor.rounds(2):
            await floor.ask(floor.cast("debaters")[0])
        assert again.round == 0
        raise LookupError("lost")

    record = await hold(Played(play=play), replying("x"))
    assert record.failure is not None
    assert (record.failure.error, record.failure.round) == ("LookupError", 2)


async def test_winners_by_votes_stay_so_when_positions_are_swapped() -> None:
    """Two of three put the first answer ahead by a point, the third puts the second ahead by nine."""

    def ballot(request: ModelRequest) -> str:
        assert request.context is not None
        merits = (
            {"answer_1": 6, "answer_2": 5}
            if request.context.seat != "cat"
            else {"answer_1": 1, "answer_2": 10}
        )
        return "\n".join(
            f"{line.aspect.title}: {merits[str(line.candidate)]}" for line in request.context.lines
        )

    panel = OneByOne(by="votes", rounds=1, cast={"debaters": (ANN, BEN, CAT)})
    alone, swapped = await judge(panel, ballot), await judge(SwappedPositions(around=panel), ballot)
    twice = await judge(Repeated(around=SwappedPositions(around=panel), samples=2), ballot)
    assert [verdict_of(record).winner for record in (alone, swapped, twice)] == ["answer_1"] * 3
    assert [verdict_of(record).merge for record in (alone, swapped)] == ["votes", "positions, votes"]
    assert verdict_of(swapped).agreed


@pytest.mark.parametrize("around", [SwappedPositions(around=SOLO), Repeated(around=SOLO)])
def test_a_tie_breaker_goes_inside_what_sits_several_times_and_not_around_it(around: Strategy) -> None:
    with pytest.raises(ValidationError, match="put the tie-breaker inside it"):
        TieBreaker(around=around)
    assert SwappedPositions.sits_again


async def test_words_for_an_agent_are_its_words_in_every_sitting() -> None:
    record = await judge(SwappedPositions(around=SOLO), {"scorer": "Answer A: 7\nAnswer B: 7"})
    assert verdict_of(record).winners == ("answer_1", "answer_2")
