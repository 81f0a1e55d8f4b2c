"""What a debate may take: it becomes a shorter one, in a stated order, rather than take more."""

from dataclasses import replace
from typing import Any

import anyio
import pytest
from engine_cases import ANN, BEN, CAT, OBJECTION, hold, scoring
from hypothesis import given, settings
from hypothesis import strategies as st

from agentdebate.agents.debate import FEWER_ROUNDS, LATEST_BALLOTS
from agentdebate.agents.debate_settings import DebateLimits
from agentdebate.debates.record import Record
from agentdebate.errors import DebateCurtailed
from agentdebate.models.base import Completion, ModelRequest
from agentdebate.models.function import Function
from agentdebate.models.prices import Entry, Price, PriceTable
from agentdebate.strategies.base import Strategy
from agentdebate.strategies.devils_advocate import DevilsAdvocate
from agentdebate.strategies.one_by_one import OneByOne
from agentdebate.strategies.repetition import Repeated
from agentdebate.strategies.simultaneous_talk import SimultaneousTalk
from agentdebate.testing import replying, run_jumping
from agentdebate.usage import Usage

CAST = {"debaters": (ANN, BEN, CAT)}
TALK = {
    "speak": "I think so.",
    "vote": scoring(4),
    "score": scoring(3),
    "revise": scoring(2),
    "criticise": OBJECTION,
}
TALK["summarise"] = "They agree."


def costing(tokens: int, *, seconds: float = 0.0, cached: bool = False) -> Function:
    """A model whose every reply costs so many tokens and takes so long."""
    words = replying(TALK)

    async def reply(request: ModelRequest) -> Completion:
        await anyio.sleep(seconds)
        said = await words.complete(request)
        usage = Usage(calls=1, prompt_tokens=tokens - 1, completion_tokens=1)
        return replace(said, usage=usage, cached=cached)

    return Function("costing", reply)


async def held(strategy: Strategy, limits: DebateLimits, *, each: int = 100, **more: Any) -> Record:
    return await hold(strategy, costing(each, **more), debate_limits=limits)


def ending(record: Record) -> tuple[int, str, str]:
    assert record.verdict is not None, record.failure
    return record.verdict.rounds, record.verdict.ended, record.verdict.curtailed


@pytest.mark.parametrize("talk", [OneByOne, SimultaneousTalk])
async def test_the_round_that_is_the_last_one_asks_for_the_ballots(talk: type[Any]) -> None:
    """A round costs 300, and the third and fourth together would not fit behind the second."""
    record = await held(talk(cast=CAST, rounds=4), DebateLimits(tokens=700))
    assert ending(record) == (2, "debate budget", FEWER_ROUNDS)
    assert record.usage.tokens == 600
    assert record.verdict is not None
    assert [ballot.round for ballot in record.verdict.ballots] == [2, 2, 2]


async def test_where_a_turn_does_not_fit_the_latest_ballots_are_merged() -> None:
    record = await held(DevilsAdvocate(rounds=6), DebateLimits(tokens=250))
    assert ending(record) == (1, "debate budget", LATEST_BALLOTS)
    assert record.verdict is not None
    assert (record.usage.tokens, record.verdict.scores) == (200, {"fluency": 3})


async def test_several_who_would_speak_at_once_are_asked_only_where_all_of_them_fit() -> None:
    record = await held(SimultaneousTalk(cast=CAST, rounds=3, ballots="every"), DebateLimits(tokens=500))
    assert ending(record) == (1, "debate budget", FEWER_ROUNDS)
    assert record.usage.tokens == 300


async def test_sittings_share_what_the_debate_may_take() -> None:
    inside = OneByOne(cast=CAST, rounds=1)
    record = await held(Repeated(around=inside, samples=3), DebateLimits(tokens=500))
    assert ending(record) == (1, "debate budget", LATEST_BALLOTS)
    assert record.verdict is not None
    assert len(record.verdict.ballots) == 5


def test_at_its_deadline_a_debate_ends_with_the_latest_ballots() -> None:
    record = run_jumping(held(DevilsAdvocate(rounds=1), DebateLimits(seconds=2.5), seconds=1.0))
    assert ending(record) == (1, "debate deadline", LATEST_BALLOTS)


PRICES = PriceTable((Entry(("costing",), Price(input=10.0, output=10.0)),))


async def test_money_is_counted_by_the_price_of_each_model() -> None:
    """100 tokens cost 0.001."""
    record = await hold(
        OneByOne(cast=CAST, rounds=4), costing(100), debate_limits=DebateLimits(money=0.007), prices=PRICES
    )
    assert ending(record) == (2, "debate budget", FEWER_ROUNDS)


@settings(max_examples=60, deadline=None)
@given(st.integers(1, 2000), st.integers(1, 6), st.integers(1, 200))
def test_a_debate_takes_at_most_one_turn_more_than_it_may(limit: int, rounds: int, each: int) -> None:
    """Each turn costs the same here, so what the first one costs is what every other one does."""
    record = anyio.run(
        lambda: held(OneByOne(cast=CAST, rounds=rounds), DebateLimits(tokens=limit), each=each)
    )
    assert record.usage.tokens <= max(limit, each)
    assert (record.verdict is None) == isinstance(record.error, DebateCurtailed)
