"""A budget that cannot end all debates begins those that it can end, at any concurrency."""

import asyncio
import random

import pytest

import agentdebate as ad
from agentdebate.errors import BudgetSpent
from agentdebate.models.base import Completion, ModelRequest
from agentdebate.models.composition import Around
from agentdebate.models.limits.budget import Budget, Budgeted
from agentdebate.models.prompt_tokens import estimated
from agentdebate.testing import run_jumping

LIMIT = 30_000


def items(number: int) -> list[ad.Item]:
    """Items of different lengths."""
    source = "The bridge at Kelby closes for eleven weeks in March. "
    return [
        ad.Item(
            id=str(n), task="summarization", fields={"source": source * (3 + n % 9), "summary": "It closes."}
        )
        for n in range(number)
    ]


class Judge:
    """A model whose replies cost what an endpoint's do: `words` times as much as they show."""

    name, structured = "priced", False

    def __init__(self, words: float) -> None:
        self._words, self._chance = words, random.Random(4)

    async def complete(self, request: ModelRequest) -> Completion:
        await asyncio.sleep(self._chance.uniform(0.5, 2))
        text = "It is right. " * self._chance.randint(5, 25) + "\nConsistency: 4\nI see a serious ISSUE here."
        usage = ad.Usage(
            calls=1, prompt_tokens=int(estimated(request)), completion_tokens=int(len(text) / 4 * self._words)
        )
        return Completion(text=text, model="priced", usage=usage)

    async def aclose(self) -> None:
        pass


async def judged(words: float, concurrency: int, limit: int | None) -> tuple[int, int, int]:
    """How many verdicts and failures there are within a budget, and the tokens that were spent."""
    budget = Budget(tokens=limit or 10**9)
    model, verdicts, failures = Budgeted(Judge(words), budget), 0, 0
    try:
        around = Around(budget=budget)
        async with ad.evaluate(
            items(60), "debate", model=model, aspects="consistency", concurrency=concurrency, around=around
        ) as run:
            async for record in run:
                verdicts += record.verdict is not None
                failures += record.failure is not None
    except BudgetSpent:
        pass
    return verdicts, failures, budget.spent.tokens


@pytest.mark.parametrize("words", [0.5, 1.0, 6.0])
@pytest.mark.parametrize("concurrency", [1, 4, 64])
def test_about_as_many_verdicts_are_bought_as_fit(words: float, concurrency: int) -> None:
    async def main() -> None:
        _, _, all_of_it = await judged(words, 8, None)
        limit = max(LIMIT, all_of_it // 6)
        verdicts, failures, spent = await judged(words, concurrency, limit)
        assert failures == 0
        assert spent <= limit
        fit = limit / (all_of_it / 60)
        assert verdicts >= fit - 2  # items differ in length, and so do replies
        assert limit - spent <= 2.5 * all_of_it / 60

    run_jumping(main())


def test_a_budget_for_not_even_one_debate_begins_none() -> None:
    async def main() -> None:
        assert await judged(1.0, 64, 500) == (0, 0, 0)

    run_jumping(main())


def test_a_budget_that_suffices_holds_nothing_up() -> None:
    async def main() -> None:
        verdicts, failures, _ = await judged(1.0, 64, 10**7)
        assert (verdicts, failures) == (60, 0)

    run_jumping(main())
