"""The same budget buys the same number of verdicts, however models are given: by name, as objects, or in a table of seats."""

from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import AsyncExitStack, aclosing, asynccontextmanager
from datetime import date

import pytest
from dialects.dialect_server import DialectServer
from dialects.prompt_cache import PromptCache

import agentdebate as ad
from agentdebate.errors import BudgetSpent, UsageError
from agentdebate.models.base import Model
from agentdebate.models.budget import Budget
from agentdebate.models.prices import Entry, Price, PriceTable
from agentdebate.runs.forecast import forecast
from agentdebate.testing import replying

MAIN, CRITIC = "openai/gpt-4o-mini", "openai/gpt-4o"
"""Both have a price, and not the same one: only what is limited may count."""
PRICES = PriceTable(
    (
        Entry((MAIN,), Price(input=0.15, output=0.6, date=date(2026, 11, 1))),
        Entry((CRITIC,), Price(input=2.5, output=10.0, date=date(2026, 11, 1))),
    )
)
"""Of the user's own: a provider's prices do not hold at another host."""
ITEM = ad.Item(
    task="summarization",
    fields={"source": "The bridge at Kelby closes for eleven weeks in March. " * 20, "summary": "It closes."},
)
ITEMS = [ITEM.model_copy(update={"id": str(number)}) for number in range(20)]
OBJECTION = "The summary leaves out the month, which is wrong.\nConsistency: 4"
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
    async with DialectServer(replies=lambda _: OBJECTION) as one:
        yield one


async def judged(seats: Seats, budget: Budget, concurrency: int) -> int:
    """How many verdicts a Judge buys."""
    model, table = seats
    strategy, verdicts = ad.strategy("debate", models=table), 0
    judge = ad.Judge(
        strategy,
        task="summarization",
        aspects="consistency",
        model=model,
        budget=budget,
        prices=PRICES,
        concurrency=concurrency,
    )
    async with judge:
        try:
            async for record in judge.map(ITEMS):
                verdicts += record.verdict is not None
        except BudgetSpent:
            pass
    return verdicts


async def evaluated(seats: Seats, budget: Budget, concurrency: int) -> int:
    """How many verdicts an evaluation buys."""
    model, table = seats
    strategy, verdicts = ad.strategy("debate", models=table), 0
    try:
        async with ad.evaluate(
            ITEMS,
            strategy,
            model=model,
            aspects="consistency",
            concurrency=concurrency,
            budget=budget,
            prices=PRICES,
        ) as run:
            async for record in run:
                verdicts += record.verdict is not None
    except BudgetSpent:
        pass
    return verdicts


@asynccontextmanager
async def seated(server: DialectServer, way: str) -> AsyncIterator[Seats]:
    """Models given in that way; those that were opened here are closed here."""
    model, table = WAYS[way](*(f"{name}:base_url={server.base_url}" for name in (MAIN, CRITIC)))
    async with AsyncExitStack() as stack:
        for one in (model, *table.values()):
            if not isinstance(one, str):
                await stack.enter_async_context(aclosing(one))
        yield model, table


async def cost_of_one(seats: Seats) -> tuple[int, float]:
    """What one debate costs, in tokens and money."""
    budget = Budget(tokens=10**9, money=10**6)
    model, table = seats
    strategy = ad.strategy("debate", models=table)
    async with ad.evaluate(
        ITEMS[:1], strategy, model=model, aspects="consistency", budget=budget, prices=PRICES
    ) as run:
        async for record in run:
            assert record.usage.tokens == budget.spent.tokens, (
                "every call is counted, whoever opened its model"
            )
    return budget.spent.tokens, budget.spent.money


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("unit", ["tokens", "money"])
@pytest.mark.parametrize(("hold", "concurrency"), [(judged, 1), (evaluated, 16)])
async def test_a_budget_buys_what_fits_or_one_verdict_less(
    way: str,
    unit: str,
    hold: Callable[[Seats, Budget, int], Awaitable[int]],
    concurrency: int,
    server: DialectServer,
) -> None:
    async with seated(server, way) as seats:
        tokens, money = await cost_of_one(seats)
        budget = Budget(tokens=int(FIT * tokens)) if unit == "tokens" else Budget(money=FIT * money)
        verdicts = await hold(seats, budget, concurrency)
    assert int(FIT) - 1 <= verdicts <= int(FIT)
    assert budget.spent.tokens <= FIT * tokens
    assert budget.spent.money <= FIT * money


@pytest.mark.parametrize("hold", [judged, evaluated])
async def test_money_needs_the_price_of_a_model_that_sits_in_a_table(
    hold: Callable[[Seats, Budget, int], Awaitable[int]], server: DialectServer
) -> None:
    seats = f"{MAIN}:base_url={server.base_url}", {"critic": replying("NO ISSUE", name="mine")}
    with pytest.raises(UsageError, match=r"the model of the agent 'critic': .* needs the price of mine"):
        await hold(seats, Budget(money=1.0), 1)
    assert not server.requests


@pytest.mark.parametrize("hidden", [0, 400])
@pytest.mark.parametrize("name", ["anthropic/claude-sonnet-5-5"])
async def test_a_forecast_is_not_below_what_is_paid_where_prompts_are_written_into_a_cache(
    name: str, hidden: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ANTHROPIC_API_KEY", "none")
    item = ITEM.model_copy(update={"fields": {**ITEM.fields, "source": ITEM.fields["source"] * (4 + hidden)}})
    price = Price(input=3.0, cached_input=0.3, cache_write=3.75, output=15.0)
    prices = PriceTable((Entry((name,), price),))  # at any host
    told = await forecast([item], "solo", model=name, aspects="consistency", prices=prices)
    budget = Budget(tokens=10**9)
    forgetting = PromptCache(1024, lifetime=0.0)
    async with DialectServer(
        replies=lambda _: "Supported.\nConsistency: 4", prompt_cache=forgetting
    ) as server:
        model = f"{name}:base_url={server.root}"
        async with ad.evaluate(
            [item], "solo", model=model, aspects="consistency", budget=budget, prices=prices
        ) as run:
            async for record in run:
                assert record.usage.cache_write_tokens > record.usage.prompt_tokens / 2
    assert told.money is not None
    assert told.money >= budget.spent.money > 0
