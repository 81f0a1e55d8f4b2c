"""Budgets: reserved before a call, settled after it, and never overdrawn by more than calls in flight turn out to cost."""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal

import anyio
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import agentdebate as ad
from agentdebate.codec import read
from agentdebate.errors import BudgetSpent, ServerFailed, UsageError
from agentdebate.models.base import ChatMessage, Completion, ModelRequest, Sampling
from agentdebate.models.budget import NOTHING, Amount, Budget, Budgeted
from agentdebate.models.prices import Entry, Price, PriceTable
from agentdebate.models.tokens import AROUND
from agentdebate.testing import run_jumping

PRICES = PriceTable(
    (
        Entry(("priced",), Price(input=2, output=8, cached_input=1)),
        Entry(("free",), Price(input=0, output=0)),
        Entry(("euro",), Price(input=2, output=8, currency="EUR")),
    )
)
TEXT = "x" * 80
PROMPT = (80 // 4 + AROUND) * 3 // 2
"""What is reserved for the prompt."""


def asking(max_tokens: int | None = None, n: int = 1, text: str = TEXT) -> ModelRequest:
    return ModelRequest((ChatMessage("user", text),), Sampling(max_tokens=max_tokens, n=n))


def answer(prompt: int, completion: int, **more: object) -> Completion:
    usage = ad.Usage(calls=1, prompt_tokens=prompt, completion_tokens=completion)
    return read(Completion, {"text": "fine", "model": "m", "usage": usage, **more})


def allowing(**limits: Any) -> Budget:
    """A budget in these prices."""
    budget = Budget(**limits)
    budget.prices = PRICES
    return budget


def speaking(budget: Budget, *lines: Completion | Exception, name: str = "priced") -> Budgeted:
    return Budgeted(ad.Scripted(lines, name=name), budget)


async def test_a_call_that_does_not_fit_is_not_made() -> None:
    budget = allowing(tokens=PROMPT + 100)
    inner = ad.Scripted([answer(20, 30), "never"], name="priced")
    model = Budgeted(inner, budget)
    await model.complete(asking(max_tokens=100))
    with pytest.raises(BudgetSpent) as caught:
        await model.complete(asking(max_tokens=100))
    assert len(inner.requests) == 1
    assert "50 of 136 tokens spent, 0 tokens reserved; a call of priced may take 136 tokens" in str(
        caught.value
    )
    assert budget.reserved == NOTHING


async def test_where_the_endpoint_says_nothing_of_usage_our_own_count_is_spent() -> None:
    """Or a budget would never end there."""
    budget = allowing(tokens=10_000)
    reply = Completion(text="y" * 40, model="m", others=("z" * 20,))
    await speaking(budget, reply).complete(asking(n=2))
    assert budget.spent.tokens == (80 // 4 + AROUND) + 40 // 4 + 20 // 4


def test_a_budget_of_money_needs_prices_before_the_first_call() -> None:
    with pytest.raises(
        UsageError, match=r'price of openai/llama3.*unknown.*prices\.toml.*match = "openai/llama3"'
    ):
        speaking(allowing(money=1), name="openai/llama3")
    speaking(allowing(money=1), name="free")
    speaking(allowing(tokens=1), name="openai/llama3")


async def test_money_spent_on_a_model_without_a_price_is_unknown_and_not_nothing() -> None:
    budget = allowing(tokens=10_000)
    await speaking(budget, answer(10, 10)).complete(asking())
    assert budget.spent_money == pytest.approx(100e-6)
    unpriced = speaking(budget, ServerFailed("busy"), answer(10, 10), name="who")
    with pytest.raises(ServerFailed):
        await unpriced.complete(asking())
    assert budget.spent_money is not None, "nothing was spent there yet"
    await unpriced.complete(asking())
    assert budget.spent_money is None


def test_prices_of_one_run_are_in_one_currency() -> None:
    """What costs nothing goes with any of them."""
    budget = allowing(money=1)
    speaking(budget, name="free")
    speaking(budget, name="euro")
    speaking(budget, name="free")
    assert budget.currency == "EUR"
    with pytest.raises(UsageError, match=r"priced is in USD.*EUR"):
        speaking(budget, name="priced")


def slowly(seconds: float, reply: Callable[[ModelRequest], Completion]) -> ad.Function:
    async def wait(request: ModelRequest) -> Completion:
        await anyio.sleep(seconds)
        return reply(request)

    return ad.Function("priced", wait)


def test_calls_wait_for_those_in_flight_instead_of_ending_a_run_that_has_money_left() -> None:
    """Four calls reserve more than there is, and cost much less."""
    budget = allowing(tokens=2 * (PROMPT + 100) + 60)
    model = Budgeted(slowly(1, lambda _: answer(10, 5)), budget)

    async def main() -> float:
        async with anyio.create_task_group() as group:
            for _ in range(4):
                group.start_soon(model.complete, asking(max_tokens=100))
        return asyncio.get_running_loop().time()

    assert 1.5 < run_jumping(main()) < 2.5, "two at a time"
    assert (budget.spent, budget.reserved) == (Amount(60, 4 * (10 * 2 + 5 * 8) * 10**6), NOTHING)


@dataclass(frozen=True)
class Attempt:
    """One call of a run: when it begins, how long it takes, how it ends, what it was thought to cost and does."""

    begins: int
    takes: int
    ends: Literal["answer", "error", "cancelled", "cached"]
    at_most: int
    prompt: int
    completion: int


ATTEMPTS = st.builds(
    Attempt,
    st.integers(0, 20),
    st.integers(0, 10),
    st.sampled_from(["answer", "answer", "error", "cancelled", "cached"]),
    st.integers(1, 200),
    st.integers(0, 150),
    st.integers(1, 300),
)


class Run:
    """Attempts made at the same time, and what is checked at each step."""

    def __init__(self, budget: Budget) -> None:
        self.budget, self.ended = budget, 0
        self._flying: dict[int, int] = {}
        self.overrun_of_last: list[int] = []
        self._cost: dict[int, int] = {}

    async def attempt(self, number: int, one: Attempt) -> None:
        await anyio.sleep(one.begins)
        model = Budgeted(ad.Function("priced", lambda request: self._answer(number, one)), self.budget)
        request = asking(max_tokens=one.at_most)
        with anyio.move_on_after(one.takes / 2 if one.ends == "cancelled" else None):
            try:
                await model.complete(request)
            except ServerFailed:
                assert one.ends == "error"
            except BudgetSpent:
                most = PROMPT + one.at_most
                assert not self._fits(self.budget.spent + Amount(most, self._units(PROMPT, one.at_most)))
        self.check()
        self.ended += 1

    async def _answer(self, number: int, one: Attempt) -> Completion:
        self.check()
        assert self._fits(self.budget.spent + self.budget.reserved), "at a call's start it all fits"
        self._flying[number] = PROMPT + one.at_most
        self.overrun_of_last = list(self._flying)
        try:
            await anyio.sleep(one.takes)
            if one.ends == "error":
                raise ServerFailed("busy")
            cached = one.ends == "cached"
            self._cost[number] = 0 if cached else one.prompt + one.completion
            return answer(one.prompt, one.completion, cached=cached)
        finally:
            del self._flying[number]

    def check(self) -> None:
        for amount in (self.budget.reserved, self.budget.spent):
            assert amount.tokens >= 0
            assert amount.units >= 0

    def overrun(self, attempts: list[Attempt]) -> int:
        """Return what the calls in flight at the last grant cost above their reservations."""
        over = (self._cost.get(one, 0) - PROMPT - attempts[one].at_most for one in self.overrun_of_last)
        return sum(max(0, one) for one in over)

    def _fits(self, total: Amount) -> bool:
        tokens, money = self.budget.tokens, self.budget.money
        return (tokens is None or total.tokens <= tokens) and (
            money is None or total.units <= round(money * 10**12)
        )

    @staticmethod
    def _units(prompt: int, completion: int) -> int:
        return (prompt * 2 + completion * 8) * 10**6


@settings(max_examples=150)
@given(st.lists(ATTEMPTS, max_size=12), st.none() | st.integers(1, 1500), st.none() | st.integers(1, 8000))
def test_whatever_happens_reservations_come_back_and_the_bound_holds(
    attempts: list[Attempt], tokens: int | None, micros: int | None
) -> None:
    """Calls of random lengths and costs that begin, fail and are cancelled at random; every one of them ends."""
    budget = allowing(tokens=tokens, money=None if micros is None else micros / 1e6)
    run = Run(budget)

    async def main() -> None:
        async with anyio.create_task_group() as group:
            for number, one in enumerate(attempts):
                group.start_soon(run.attempt, number, one)

    run_jumping(main())
    assert run.ended == len(attempts)
    assert budget.reserved == NOTHING
    if tokens is not None:
        assert budget.spent.tokens <= tokens + run.overrun(attempts)
    if tokens is None and micros is None:
        paid = [one for one in attempts if one.ends == "answer"]
        assert budget.spent.tokens == sum(one.prompt + one.completion for one in paid)
