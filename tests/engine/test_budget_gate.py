"""A budget that cannot end all debates begins those that it can end, at any concurrency."""

import asyncio
import random
from collections.abc import Callable
from dataclasses import dataclass
from itertools import accumulate
from pathlib import Path
from statistics import fmean, pstdev

import pytest
from hypothesis import given
from hypothesis import strategies as st

import agentdebate as ad
from agentdebate.errors import BudgetSpent
from agentdebate.models.base import Completion, Model, ModelRequest
from agentdebate.models.budget import Budget, Budgeted
from agentdebate.models.cache import CompletionStore
from agentdebate.models.tokens import estimated
from agentdebate.runs.budget_gate import Factors
from agentdebate.store.cache import CompletionCache
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
            cache=cache,
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


@pytest.mark.parametrize("lengths", ["even", "growing"])
@pytest.mark.parametrize("concurrency", [1, 4, 64])
@pytest.mark.parametrize("same", [None, 125, 250])
def test_any_budget_buys_what_fits_one_by_one(lengths: str, concurrency: int, same: int | None) -> None:
    """A rehearsal takes every round, so here it is up to sixteen times as much as a debate; it fits, with its margin, into these."""

    async def main() -> None:
        texts = items(24, lengths)
        whole = await bought(Judge(1.0, same=same), texts, 8)
        for limit in (12_000, 15_000, 30_000):
            came = await bought(Judge(1.0, same=same), texts, concurrency, limit)
            assert came.spent <= limit
            assert (
                len(came.costs) >= 0.9 * fitting(whole.costs, limit) - 1
            )  # the last may leave its reservation

    run_jumping(main())


@pytest.mark.parametrize(("lengths", "objects"), [("even", 0.25), ("uneven", 1.0), ("uneven", 0.25)])
@pytest.mark.parametrize("concurrency", [1, 4, 64])
def test_uneven_debates_do_not_take_the_budget_from_one_another(
    lengths: str, objects: float, concurrency: int
) -> None:
    async def main() -> None:
        texts = items(40, lengths)
        whole = await bought(Judge(1.0, objects=objects), texts, 8)
        limit = sum(whole.costs.values()) // 2
        came = await bought(Judge(1.0, objects=objects), texts, concurrency, limit)
        assert came.spent <= limit
        assert sum(came.costs.values()) >= 0.75 * limit, "what was begun has ended, but for one at the most"

    run_jumping(main())


@pytest.mark.parametrize("concurrency", [1, 64])
def test_of_a_budget_that_has_paid_before_one_begins_alone_where_its_rehearsal_does_not_fit(
    concurrency: int,
) -> None:
    async def main() -> None:
        budget = Budget(tokens=3_400)
        budget.book("priced", ad.Usage(calls=1, prompt_tokens=1_000))
        came = await bought_of(budget, Judge(1.0, same=250), items(40, "even"), concurrency)
        assert 3 <= len(came.costs) <= 5
        assert came.error.startswith("the budget is spent: ")

    run_jumping(main())


@pytest.mark.parametrize("share", [0.1, 0.3, 0.6, 0.9, 0.99])
@pytest.mark.parametrize("concurrency", [1, 64])
def test_a_budget_smaller_than_one_debate_asks_for_nothing(share: float, concurrency: int) -> None:
    async def main() -> None:
        texts = items(3, "even")
        whole = (await bought(Restless(), texts[:1], 1)).costs["0"]
        judge = Restless()
        came = await bought(judge, texts, concurrency, int(share * whole))
        assert (came.costs, came.spent, judge.calls) == ({}, 0, 0)
        assert "no debate is sure to fit into what is left" in came.error
        enough = await bought(Restless(), texts, concurrency, 2 * whole)
        assert len(enough.costs) >= 1

    run_jumping(main())


async def test_a_debate_that_a_cache_has_takes_no_budget_and_another_one_pays_for_nothing(
    tmp_path: Path,
) -> None:
    texts, judge = items(2), Restless()
    async with CompletionCache(tmp_path / "cache.db") as cache:
        await bought_of(Budget(tokens=10**9), judge, texts[:1], 1, cache=cache)
        before = judge.calls
        came = await bought_of(Budget(tokens=900), judge, texts[:1], 1, cache=cache)
        assert (list(came.costs), came.spent, came.error) == (["0"], 0, "")
        came = await bought_of(Budget(tokens=900), judge, texts[1:], 1, cache=cache)
    assert (came.costs, came.spent, judge.calls) == ({}, 0, before)
    assert "no debate is sure to fit" in came.error


def test_what_does_not_fit_is_told_as_it_is() -> None:
    async def main() -> None:
        came = await bought(Judge(1.0), items(2), 1, 500)
        assert (came.costs, came.spent) == ({}, 0)
        assert "0 of 500 tokens spent" in came.error
        assert "no debate is sure to fit into what is left: one may take " in came.error

    run_jumping(main())


@given(st.lists(st.floats(0.01, 100), min_size=1, max_size=30))
def test_a_debate_beside_others_is_kept_with_a_margin_that_shrinks(found: list[float]) -> None:
    factors = Factors()
    for one in found:
        factors.add(one)
    mean = fmean(found)
    assert factors.count == len(found)
    assert factors.likely == pytest.approx(1.05 * mean + pstdev(found), rel=1e-6, abs=1e-6)
    assert factors.most > factors.likely - pstdev(found)
    same = Factors()
    widths = []
    for _ in range(10):
        same.add(mean)
        widths.append(same.most)
    assert widths == sorted(widths, reverse=True)
    assert widths[-1] < widths[0]
