"""What a debate may take: it becomes a shorter one, in a stated order, rather than take more."""

from dataclasses import replace
from typing import Any

import anyio
import pytest
from engine_cases import OBJECTION, ROLES, hold, scoring
from hypothesis import given, settings
from hypothesis import strategies as st

from agentdebate.agents.purse import FEWER_ROUNDS, LATEST_BALLOTS, DebateLimits
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

TALK = {
    "speak": "I think so.",
    "vote": scoring(4),
    "score": scoring(3),
    "revise": scoring(2),
    "criticise": OBJECTION,
    "summarise": "They agree.",
}


def costing(tokens: int, *, seconds: float = 0.0) -> Function:
    """A model whose every reply costs so many tokens and takes so long."""
    words = replying(TALK)

    async def reply(request: ModelRequest) -> Completion:
        await anyio.sleep(seconds)
        said = await words.complete(request)
        usage = Usage(calls=1, prompt_tokens=tokens - 1, completion_tokens=1)
        return replace(said, usage=usage)

    return Function("costing", reply)


async def held(strategy: Strategy, limits: DebateLimits, *, each: int = 100, **more: Any) -> Record:
    return await hold(strategy, costing(each, **more), debate_limits=limits)


def ending(record: Record) -> tuple[int, str, str]:
    assert record.verdict is not None, record.failure
    return record.verdict.rounds, record.verdict.ended, record.verdict.curtailed


@pytest.mark.parametrize(
    ("strategy", "limit", "expected", "taken"),
    [
        # A round costs 300, and the third and fourth together would not fit behind the second.
        (OneByOne(cast=ROLES, rounds=4), 700, (2, "debate budget", FEWER_ROUNDS), 600),
        (SimultaneousTalk(cast=ROLES, rounds=4), 700, (2, "debate budget", FEWER_ROUNDS), 600),
        # Several who would speak at once are asked only where all of them fit.
        (SimultaneousTalk(cast=ROLES, rounds=3, ballots="every"), 500, (1, "debate budget", FEWER_ROUNDS), 300),
        (DevilsAdvocate(rounds=6), 250, (1, "debate budget", LATEST_BALLOTS), 200),
        # Sittings share what the debate may take.
        (Repeated(around=OneByOne(cast=ROLES, rounds=1), samples=3), 500, (1, "debate budget", LATEST_BALLOTS), 500),
    ],
)  # fmt: skip
async def test_a_debate_whose_next_turns_would_not_fit_has_fewer_rounds_or_merges_its_latest_ballots(
    strategy: Strategy, limit: int, expected: tuple[int, str, str], taken: int
) -> None:
    record = await held(strategy, DebateLimits(tokens=limit))
    assert ending(record) == expected
    assert record.usage.tokens == taken
    assert record.verdict is not None
    assert {ballot.round for ballot in record.verdict.ballots} <= {0, expected[0]}


def test_at_its_deadline_a_debate_ends_with_the_latest_ballots() -> None:
    record = run_jumping(held(DevilsAdvocate(rounds=1), DebateLimits(seconds=2.5), seconds=1.0))
    assert ending(record) == (1, "debate deadline", LATEST_BALLOTS)


async def test_money_is_counted_by_the_price_of_each_model() -> None:
    """100 tokens cost 0.001."""
    prices = PriceTable((Entry(("costing",), Price(input=10.0, output=10.0)),))
    limits = DebateLimits(money=0.007)
    record = await hold(OneByOne(cast=ROLES, rounds=4), costing(100), debate_limits=limits, prices=prices)
    assert ending(record) == (2, "debate budget", FEWER_ROUNDS)


@settings(max_examples=60, deadline=None)
@given(st.integers(1, 2000), st.integers(1, 6), st.integers(1, 200))
def test_a_debate_takes_at_most_one_turn_more_than_it_may(limit: int, rounds: int, each: int) -> None:
    """Each turn costs the same here, so what the first one costs is what every other one does."""
    record = anyio.run(
        lambda: held(OneByOne(cast=ROLES, rounds=rounds), DebateLimits(tokens=limit), each=each)
    )
    assert record.usage.tokens <= max(limit, each)
    assert (record.verdict is None) == isinstance(record.error, DebateCurtailed)
