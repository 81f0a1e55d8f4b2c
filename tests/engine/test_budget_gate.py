"""A budget that cannot end all debates begins those that it can end, at any concurrency."""

import asyncio
import random
from collections.abc import Callable
from dataclasses import dataclass, replace
from itertools import accumulate

import pytest

import agentdebate as ad
from agentdebate.errors import BudgetSpent
from agentdebate.models.base import Completion, Model, ModelRequest
from agentdebate.models.budget import Budget, Budgeted
from agentdebate.models.cache import CompletionStore
from agentdebate.models.tokens import estimated
from agentdebate.testing import run_jumping

LIMIT = 30_000


LENGTHS: dict[str, Callable[[int], int]] = {
    "even": lambda _: 6,
    "different": lambda n: 3 + n % 9,
    "growing": lambda n: 2 + n,
    "uneven": lambda n: (2, 2, 60, 2, 5, 2, 200)[n % 7],
}
"""How long the items of a run are, by number."""


def items(number: int, lengths: str = "different") -> list[ad.Item]:
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


class Judge:
    """A model whose replies cost what an endpoint's do: `words` times as much as they show, or the `same` for each call.

    So often as `objects` says its critics object; otherwise they agree, and the debate ends earlier.
    """

    name, structured = "priced", False

    def __init__(self, words: float, *, same: int | None = None, objects: float = 0.0) -> None:
        self._words, self._chance = words, random.Random(4)
        self._same, self._objects = same, objects

    async def complete(self, request: ModelRequest) -> Completion:
        await asyncio.sleep(self._chance.uniform(0.5, 2))
        words = "It is right. " * self._chance.randint(5, 25)
        ruling = "I see a serious ISSUE here." if self._chance.random() < self._objects else "NO ISSUE"
        text = f"{words}\nConsistency: 4\n{ruling}"
        prompt, reply = int(estimated(request)), int(len(text) / 4 * self._words)
        if self._same is not None:
            prompt, reply = self._same - 20, 20
        usage = ad.Usage(calls=1, prompt_tokens=prompt, completion_tokens=reply)
        return Completion(text=text, model="priced", usage=usage)

    async def aclose(self) -> None:
        pass


@dataclass
class Bought:
    """What a budget bought."""

    costs: dict[str, int]
    """The tokens of each debate that has ended, by item."""
    spent: int
    error: str = ""
    """Why it bought no more."""


class Restless:
    """A judge of whom every debate takes all rounds: its score is another one each time, and its critic always objects."""

    name, structured = "restless", False

    def __init__(self) -> None:
        self.calls = 0

    async def complete(self, request: ModelRequest) -> Completion:
        self.calls += 1
        number = self.calls % 5
        text = (
            f"The summary leaves out week {number} of the source, which is wrong.\nConsistency: {1 + number}"
        )
        usage = ad.Usage(calls=1, prompt_tokens=int(estimated(request)), completion_tokens=len(text) // 4)
        return Completion(text=text, model=self.name, usage=usage)

    async def aclose(self) -> None:
        pass


async def bought(judge: Model, texts: list[ad.Item], concurrency: int, limit: int = 10**9) -> Bought:
    """What a budget of so many tokens buys."""
    return await bought_of(Budget(tokens=limit), judge, texts, concurrency)


async def bought_of(
    budget: Budget,
    judge: Model,
    texts: list[ad.Item],
    concurrency: int,
    *,
    cache: CompletionStore | None = None,
) -> Bought:
    """What is left of a budget buys."""
    costs, error = dict[str, int](), ""
    try:
        async with ad.evaluate(
            texts,
            "debate",
            model=judge,
            aspects="consistency",
            concurrency=concurrency,
            budget=budget,
            cache="off" if cache is None else "on",
            cache_file=cache,
        ) as run:
            async for record in run:
                assert record.verdict is not None
                costs[record.item.id] = record.usage.tokens
    except BudgetSpent as caught:
        error = str(caught)
    return Bought(costs, budget.spent.tokens, error)


def fitting(costs: dict[str, int], limit: int) -> int:
    """How many debates fit into a budget one by one."""
    sums = accumulate(costs[str(n)] for n in range(len(costs)))
    return sum(total <= limit for total in sums)


async def judged(words: float, concurrency: int, limit: int | None) -> tuple[int, int, int]:
    """How many verdicts and failures there are within a budget, and the tokens that were spent."""
    budget = Budget(tokens=limit or 10**9)
    model, verdicts, failures = Budgeted(Judge(words), budget), 0, 0  # it is put around once
    try:
        async with ad.evaluate(
            items(60), "debate", model=model, aspects="consistency", concurrency=concurrency, budget=budget
        ) as run:
            async for record in run:
                verdicts += record.verdict is not None
                failures += record.failure is not None
    except BudgetSpent:
        pass
    return verdicts, failures, budget.spent.tokens


@pytest.mark.parametrize("words", [0.5, 6.0])
@pytest.mark.parametrize("concurrency", [1, 64])
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


@pytest.mark.parametrize("lengths", ["even", "growing"])
@pytest.mark.parametrize("concurrency", [1, 64])
@pytest.mark.parametrize("same", [None, 250])
def test_any_budget_buys_what_fits_one_by_one(lengths: str, concurrency: int, same: int | None) -> None:
    async def main() -> None:
        texts = items(24, lengths)
        whole = await bought(Judge(1.0, same=same), texts, 8)
        for limit in (12_000, 30_000):
            came = await bought(Judge(1.0, same=same), texts, concurrency, limit)
            assert came.spent <= limit
            assert (
                len(came.costs) >= 0.75 * fitting(whole.costs, limit) - 1
            )  # the last may leave its reservation

    run_jumping(main())


class RestlessAfterwards(Restless):
    """A judge that agrees about the first item at once, so that its debate is a fifth of the others."""

    async def complete(self, request: ModelRequest) -> Completion:
        completion = await super().complete(request)
        assert request.context is not None
        if request.context.item.id != "0":
            return completion
        return replace(completion, text="Consistency: 4\nNO ISSUE")


@pytest.mark.parametrize("concurrency", [1, 64])
async def test_a_short_first_debate_does_not_let_more_begin_than_can_end(concurrency: int) -> None:
    texts = items(8, "even")
    whole = await bought(RestlessAfterwards(), texts, 8)
    assert 4 * whole.costs["0"] < whole.costs["1"]
    came = await bought(
        RestlessAfterwards(), texts, concurrency, whole.costs["0"] + 3 * whole.costs["1"] + 1_000
    )
    assert len(came.costs) >= 3


@pytest.mark.parametrize(("lengths", "objects"), [("even", 0.25), ("uneven", 0.25)])
@pytest.mark.parametrize("concurrency", [1, 64])
def test_uneven_debates_do_not_take_the_budget_from_one_another(
    lengths: str, objects: float, concurrency: int
) -> None:
    async def main() -> None:
        texts = items(40, lengths)
        whole = await bought(Judge(1.0, objects=objects), texts, 8)
        limit = sum(whole.costs.values()) // 2
        came = await bought(Judge(1.0, objects=objects), texts, concurrency, limit)
        assert came.spent <= limit
        assert sum(came.costs.values()) >= 0.5 * limit, "most of what was begun has ended"

    run_jumping(main())


@pytest.mark.parametrize("concurrency", [1, 64])
def test_a_budget_smaller_than_one_debate_is_spent_on_that_one_alone(concurrency: int) -> None:
    async def main() -> None:
        texts = items(3, "even")
        whole = (await bought(Restless(), texts[:1], 1)).costs["0"]
        judge = Restless()
        came = await bought(judge, texts, concurrency, whole // 2)
        assert came.costs == {}
        assert came.spent <= whole // 2
        enough = await bought(Restless(), texts, concurrency, 2 * whole)
        assert len(enough.costs) >= 1

    run_jumping(main())
