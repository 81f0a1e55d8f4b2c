"""A budget that cannot end all debates begins those that it can end, at any concurrency."""

import asyncio
import random
from collections.abc import Callable
from dataclasses import dataclass
from itertools import accumulate

import pytest

import agentdebate as ad
from agentdebate.errors import BudgetSpent
from agentdebate.models.base import Completion, Model, ModelRequest
from agentdebate.models.budget import Budget
from agentdebate.models.function import Function
from agentdebate.models.tokens import estimated
from agentdebate.testing import run_jumping

LENGTHS: dict[str, Callable[[int], int]] = {"even": lambda _: 6, "growing": lambda n: 2 + n}
"""How long the items of a run are, by number."""


def items(number: int, lengths: str) -> list[ad.Item]:
    """Items of such lengths."""
    source = "The bridge at Kelby closes for eleven weeks in March. "
    return [
        ad.Item(
            id=str(n),
            task="summarization",
            fields={"source": source * LENGTHS[lengths](n), "summary": "It closes."},
        )
        for n in range(number)
    ]


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

    return Function("priced", reply)


def restless() -> Model:
    """A judge of whom every debate takes all rounds: its score is another one each time, and its critic always objects."""
    calls = iter(range(1, 10**6))

    def reply(request: ModelRequest) -> Completion:
        week = next(calls) % 5
        text = f"The summary leaves out week {week} of the source, which is wrong.\nConsistency: {1 + week}"
        return priced(text, request)

    return Function("restless", reply)


def priced(text: str, request: ModelRequest) -> Completion:
    usage = ad.Usage(calls=1, prompt_tokens=int(estimated(request)), completion_tokens=len(text) // 4)
    return Completion(text=text, model="priced", usage=usage)


@dataclass
class Bought:
    """What a budget bought."""

    costs: dict[str, int]
    """The tokens of each debate that has ended, by item."""
    spent: int


async def bought(model: Model, texts: list[ad.Item], concurrency: int, limit: int = 10**9) -> Bought:
    """What a budget of so many tokens buys."""
    budget, costs = Budget(tokens=limit), dict[str, int]()
    try:
        async with ad.evaluate(
            texts, "debate", model=model, budget=budget, aspects="consistency", concurrency=concurrency
        ) as run:
            async for record in run:
                assert record.verdict is not None
                costs[record.item.id] = record.usage.tokens
    except BudgetSpent:
        pass
    return Bought(costs, budget.spent.tokens)


def fitting(costs: dict[str, int], limit: int) -> int:
    """How many debates fit into a budget one by one."""
    sums = accumulate(costs[str(n)] for n in range(len(costs)))
    return sum(total <= limit for total in sums)


@pytest.mark.parametrize("lengths", LENGTHS)
@pytest.mark.parametrize("concurrency", [1, 64])
@pytest.mark.parametrize("same", [None, 250])
def test_any_budget_buys_what_fits_one_by_one(lengths: str, concurrency: int, same: int | None) -> None:
    async def main() -> None:
        texts = items(24, lengths)
        whole = await bought(judge(same), texts, 8)
        for limit in (12_000, 30_000):
            came = await bought(judge(same), texts, concurrency, limit)
            assert came.spent <= limit
            # The last may leave its reservation.
            assert len(came.costs) >= 0.75 * fitting(whole.costs, limit) - 1

    run_jumping(main())


@pytest.mark.parametrize("concurrency", [1, 64])
def test_a_budget_smaller_than_one_debate_is_spent_on_that_one_alone(concurrency: int) -> None:
    async def main() -> None:
        texts = items(3, "even")
        whole = (await bought(restless(), texts[:1], 1)).costs["0"]
        came = await bought(restless(), texts, concurrency, whole // 2)
        assert came.costs == {}
        assert came.spent <= whole // 2
        enough = await bought(restless(), texts, concurrency, 2 * whole)
        assert len(enough.costs) >= 1

    run_jumping(main())
