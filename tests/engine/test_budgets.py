"""What a run and a debate may take: a budget buys what fits into it, and a debate becomes a shorter one rather than take more."""

import asyncio
import random
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import AsyncExitStack, aclosing, asynccontextmanager
from dataclasses import replace
from itertools import accumulate
from typing import Any

import anyio
import pytest
from dialects.dialect_server import DialectServer
from dialects.prompt_cache import PromptCache
from engine_cases import OBJECTION, ROLES, hold, scoring
from hypothesis import given, settings
from hypothesis import strategies as st

import agentdebate as ad
from agentdebate.agents.debate import FEWER_ROUNDS, LATEST_BALLOTS
from agentdebate.errors import BudgetSpent, DebateCurtailed, UsageError
from agentdebate.models.base import Completion, Model, ModelRequest
from agentdebate.models.prices import Entry, Price, PriceTable
from agentdebate.models.tokens import estimated
from agentdebate.strategies.base import Strategy
from agentdebate.strategies.devils_advocate import DevilsAdvocate
from agentdebate.strategies.one_by_one import OneByOne
from agentdebate.strategies.repetition import Repeated
from agentdebate.strategies.simultaneous_talk import SimultaneousTalk
from agentdebate.testing import replying, run_jumping

SENTENCE = "The bridge at Kelby closes for eleven weeks in March. "
PLENTY = 10**9


def items(*lengths: int) -> list[ad.Item]:
    """Items whose sources have so many sentences."""
    return [
        ad.Item(
            id=str(n), task="summarization", fields={"source": SENTENCE * length, "summary": "It closes."}
        )
        for n, length in enumerate(lengths)
    ]


async def bought(
    some: list[ad.Item], budget: ad.Budget, strategy: Any = "debate", **options: Any
) -> dict[str, ad.Usage]:
    """Return what each debate that a budget buys has taken, by item."""
    costs: dict[str, ad.Usage] = {}
    try:
        async with ad.evaluate(some, strategy, budget=budget, aspects="consistency", **options) as run:
            async for record in run:
                assert record.verdict is not None
                costs[record.item.id] = record.usage
    except BudgetSpent:
        pass
    return costs


# By how long items are, and how much their debates differ.


def priced(text: str, request: ModelRequest) -> Completion:
    usage = ad.Usage(calls=1, prompt_tokens=int(estimated(request)), completion_tokens=len(text) // 4)
    return Completion(text=text, model="priced", usage=usage)


def judge(same: int | None) -> Model:
    """A model whose critics agree, and whose replies cost what they show, or the `same` for each call."""
    chance = random.Random(4)

    async def reply(request: ModelRequest) -> Completion:
        await asyncio.sleep(chance.uniform(0.5, 2))
        text = f"{'It is right. ' * chance.randint(5, 25)}\nConsistency: 4\nNO ISSUE"
        if same is None:
            return priced(text, request)
        usage = ad.Usage(calls=1, prompt_tokens=same - 20, completion_tokens=20)
        return Completion(text=text, model="priced", usage=usage)

    return ad.Function("priced", reply)


def restless() -> Model:
    """A judge of whom every debate takes all rounds: its score is another one each time, and its critic always objects."""
    calls = iter(range(1, 10**6))

    def reply(request: ModelRequest) -> Completion:
        week = next(calls) % 5
        text = f"The summary leaves out week {week} of the source, which is wrong.\nConsistency: {1 + week}"
        return priced(text, request)

    return ad.Function("restless", reply)


@pytest.mark.parametrize("lengths", [[6] * 24, range(2, 26)], ids=["even", "growing"])
@pytest.mark.parametrize("concurrency", [1, 64])
@pytest.mark.parametrize("same", [None, 250])
def test_any_budget_buys_what_fits_one_by_one(lengths: list[int], concurrency: int, same: int | None) -> None:
    async def main() -> None:
        texts = items(*lengths)
        whole = await bought(texts, ad.Budget(tokens=PLENTY), model=judge(same), concurrency=8)
        sums = list(accumulate(whole[str(n)].tokens for n in range(len(texts))))
        for limit in (12_000, 30_000):
            budget = ad.Budget(tokens=limit)
            came = await bought(texts, budget, model=judge(same), concurrency=concurrency)
            assert budget.spent.tokens <= limit
            # The last may leave its reservation.
            assert len(came) >= 0.75 * sum(total <= limit for total in sums) - 1

    run_jumping(main())


@pytest.mark.parametrize("concurrency", [1, 64])
def test_a_budget_smaller_than_one_debate_is_spent_on_that_one_alone(concurrency: int) -> None:
    async def main() -> None:
        texts = items(6, 6, 6)
        whole = (await bought(texts[:1], ad.Budget(tokens=PLENTY), model=restless()))["0"].tokens
        half, double = ad.Budget(tokens=whole // 2), ad.Budget(tokens=2 * whole)
        assert await bought(texts, half, model=restless(), concurrency=concurrency) == {}
        assert half.spent.tokens <= whole // 2
        assert await bought(texts, double, model=restless(), concurrency=concurrency)

    run_jumping(main())


# By how models are given: by name, as objects, or in a table of seats.

MAIN, CRITIC = "openai/gpt-4o-mini", "openai/gpt-4o"
"""Both have a price, and not the same one: only what is limited may count."""
PRICES = PriceTable(
    (Entry((MAIN,), Price(input=0.15, output=0.6)), Entry((CRITIC,), Price(input=2.5, output=10.0)))
)
"""Of the user's own: a provider's prices do not hold at another host."""
TWENTY = items(*[20] * 20)
LEFT_OUT = "The summary leaves out the month, which is wrong.\nConsistency: 4"
FIT = 5.5
"""Debates for which a budget is enough."""

Given = str | Model
Seats = tuple[Given, Mapping[str, Given]]
WAYS: Mapping[str, Callable[[str, str], Seats]] = {
    "a name": lambda main, _: (main, {}),
    "an object": lambda main, _: (ad.model(main), {}),
    "objects in a table": lambda main, critic: (ad.model(main), {"critic": ad.model(critic)}),
    "all in a table": lambda main, critic: ("offline", {"critic": ad.model(critic), "scorer": main}),
}


@pytest.fixture
async def server(monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[DialectServer]:
    """An endpoint whose debates all take every round, and cost the same."""
    monkeypatch.setenv("OPENAI_API_KEY", "none")
    async with DialectServer(replies=lambda _: LEFT_OUT) as one:
        yield one


async def seated(
    seats: Seats, budget: ad.Budget, some: list[ad.Item] = TWENTY, concurrency: int = 1
) -> list[ad.Usage]:
    """Return what each verdict has taken that an evaluation buys."""
    model, table = seats
    chosen = ad.strategy("debate", models=table)
    came = await bought(some, budget, chosen, model=model, prices=PRICES, concurrency=concurrency)
    return list(came.values())


@asynccontextmanager
async def opened(server: DialectServer, way: str) -> AsyncIterator[Seats]:
    """Models given in that way; those that were opened here are closed here."""
    model, table = WAYS[way](*(f"{name}:base_url={server.base_url}" for name in (MAIN, CRITIC)))
    async with AsyncExitStack() as stack:
        for one in (model, *table.values()):
            if not isinstance(one, str):
                await stack.enter_async_context(aclosing(one))
        yield model, table


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("unit", ["tokens", "money"])
@pytest.mark.parametrize("concurrency", [1, 16])
async def test_a_budget_buys_what_fits_or_one_verdict_less(
    way: str, unit: str, concurrency: int, server: DialectServer
) -> None:
    async with opened(server, way) as seats:
        one = ad.Budget(tokens=PLENTY, money=10**6)
        (usage,) = await seated(seats, one, TWENTY[:1])
        tokens, money = one.spent.tokens, one.spent.money
        assert usage.tokens == tokens, "every call is counted, whoever opened its model"
        budget = ad.Budget(tokens=int(FIT * tokens)) if unit == "tokens" else ad.Budget(money=FIT * money)
        verdicts = await seated(seats, budget, concurrency=concurrency)
    assert int(FIT) - 1 <= len(verdicts) <= int(FIT)
    assert budget.spent.tokens <= FIT * tokens
    assert budget.spent.money <= FIT * money


async def test_money_needs_the_price_of_a_model_that_sits_in_a_table(server: DialectServer) -> None:
    seats = f"{MAIN}:base_url={server.base_url}", {"critic": replying("NO ISSUE", name="mine")}
    with pytest.raises(UsageError, match=r"the model of the agent 'critic': .* needs the price of mine"):
        await seated(seats, ad.Budget(money=1.0))
    assert not server.requests


@pytest.mark.parametrize("length", [80, 8080])
async def test_a_forecast_is_not_below_what_is_paid_where_prompts_are_written_into_a_cache(
    length: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ANTHROPIC_API_KEY", "none")
    name, some = "anthropic/claude-sonnet-5-5", items(length)
    price = Price(input=3.0, cached_input=0.3, cache_write=3.75, output=15.0)
    prices = PriceTable((Entry((name,), price),))  # at any host
    told = await ad.forecast(some, "solo", model=name, aspects="consistency", prices=prices)
    budget, forgetting = ad.Budget(tokens=PLENTY), PromptCache(1024, lifetime=0.0)
    async with DialectServer(
        replies=lambda _: "Supported.\nConsistency: 4", prompt_cache=forgetting
    ) as server:
        model = f"{name}:base_url={server.root}"
        usage = (await bought(some, budget, "solo", model=model, prices=prices))["0"]
    assert usage.cache_write_tokens > usage.prompt_tokens / 2
    assert told.money is not None
    assert told.money >= budget.spent.money > 0


TALK = {
    "speak": "I think so.",
    "vote": scoring(4),
    "score": scoring(3),
    "revise": scoring(2),
    "criticise": OBJECTION,
    "summarise": "They agree.",
}


def costing(tokens: int, *, seconds: float = 0.0) -> ad.Function:
    """A model whose every reply costs so many tokens and takes so long."""
    words = replying(TALK)

    async def reply(request: ModelRequest) -> Completion:
        await anyio.sleep(seconds)
        said = await words.complete(request)
        usage = ad.Usage(calls=1, prompt_tokens=tokens - 1, completion_tokens=1)
        return replace(said, usage=usage)

    return ad.Function("costing", reply)


async def held(strategy: Strategy, limits: ad.DebateLimits, *, each: int = 100, **more: Any) -> ad.Record:
    return await hold(strategy, costing(each, **more), debate_limits=limits)


def ending(record: ad.Record) -> tuple[int, str, str]:
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
    record = await held(strategy, ad.DebateLimits(tokens=limit))
    assert ending(record) == expected
    assert record.usage.tokens == taken
    assert record.verdict is not None
    assert {ballot.round for ballot in record.verdict.ballots} <= {0, expected[0]}


def test_at_its_deadline_a_debate_ends_with_the_latest_ballots() -> None:
    record = run_jumping(held(DevilsAdvocate(rounds=1), ad.DebateLimits(seconds=2.5), seconds=1.0))
    assert ending(record) == (1, "debate deadline", LATEST_BALLOTS)


async def test_money_is_counted_by_the_price_of_each_model() -> None:
    """100 tokens cost 0.001."""
    prices = PriceTable((Entry(("costing",), Price(input=10.0, output=10.0)),))
    limits = ad.DebateLimits(money=0.007)
    record = await hold(OneByOne(cast=ROLES, rounds=4), costing(100), debate_limits=limits, prices=prices)
    assert ending(record) == (2, "debate budget", FEWER_ROUNDS)


@settings(max_examples=60, deadline=None)
@given(st.integers(1, 2000), st.integers(1, 6), st.integers(1, 200))
def test_a_debate_takes_at_most_one_turn_more_than_it_may(limit: int, rounds: int, each: int) -> None:
    """Each turn costs the same here, so what the first one costs is what every other one does."""
    record = anyio.run(
        lambda: held(OneByOne(cast=ROLES, rounds=rounds), ad.DebateLimits(tokens=limit), each=each)
    )
    assert record.usage.tokens <= max(limit, each)
    assert (record.verdict is None) == isinstance(record.error, DebateCurtailed)
