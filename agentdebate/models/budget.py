"""Budget of a run, in tokens and money: reserved before every call, settled after it.

The bound: what is spent in the end is at most what is allowed, and what the calls that were in flight when the last
reservation was granted turned out to cost above their reservations. A completion cannot be longer than `max_tokens`, so
with that set nothing but a prompt that has more tokens than was thought can be above. A call that fails counts as costing
nothing, since its cost is unknown.
"""

from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from fractions import Fraction
from math import ceil

import anyio

from agentdebate.errors import BudgetSpent, ReplyTooLong, UsageError
from agentdebate.models.base import Completion, Effort, Model, ModelRequest
from agentdebate.models.prices import Price, PriceTable, built_in, cost, highest_cost, no_price
from agentdebate.models.tokens import THINKING, count, counted, estimated, in_bytes
from agentdebate.models.wrapper import WrapperModel, sampling_of, tier_of, writes_of
from agentdebate.talk.turn_clock import in_line
from agentdebate.usage import Usage

FIRST = 1000
"""Tokens that a completion is taken to have before there was any: more than most scores with their reasons."""

HEADROOM = 2
"""Factor over the mean completion so far that the next one is taken to have."""

MARGIN = 1.5
"""Factor on the estimate of a prompt: vocabularies differ, and so do languages."""

_UNITS = 10**12
"""Money is counted in whole trillionths, so that what was reserved and released adds up to nothing."""


@dataclass(frozen=True, slots=True)
class Amount:
    """Tokens, and money in whole trillionths."""

    tokens: int = 0
    units: int = 0

    def __add__(self, other: "Amount") -> "Amount":
        return Amount(self.tokens + other.tokens, self.units + other.units)

    def __sub__(self, other: "Amount") -> "Amount":
        return Amount(self.tokens - other.tokens, self.units - other.units)

    def __or__(self, other: "Amount") -> "Amount":
        """The larger of each."""
        return Amount(max(self.tokens, other.tokens), max(self.units, other.units))

    def times(self, factor: float) -> "Amount":
        """Multiply the amount, rounded up."""
        return Amount(ceil(self.tokens * factor), ceil(self.units * factor))

    @property
    def money(self) -> float:
        """The money, in whole units of its currency."""
        return self.units / _UNITS

    @classmethod
    def of(
        cls, usage: Usage, price: Price | None, costing: Callable[[Usage, Price], float] = cost
    ) -> "Amount":
        """Price a usage; no money where the price is unknown."""
        units = 0 if price is None else round(costing(usage, price) * _UNITS)
        return cls(usage.prompt_tokens + usage.completion_tokens, units)

    @classmethod
    def at_most(cls, usage: Usage, price: Price | None) -> "Amount":
        """Bound the price of a foreseen usage, whatever a cache of prompts makes of it."""
        return cls.of(usage, price, highest_cost)


NOTHING = Amount()


class Pledge:
    """Expected cost of a debate in progress. It grows less with each of its calls."""

    __slots__ = ("amount", "spent")

    def __init__(self, amount: Amount) -> None:
        self.amount, self.spent = amount, NOTHING

    def __repr__(self) -> str:
        return f"<Pledge {self.spent.tokens} of {self.amount.tokens} tokens>"

    @property
    def left(self) -> Amount:
        """Amount that the debate still needs, as far as is known."""
        return (self.amount - self.spent) | NOTHING


_pledge: ContextVar[Pledge | None] = ContextVar("pledge", default=None)
"""Commitment of the debate that makes the call."""


class Budget:
    """Limit on what all debates of a run spend together. None means no limit.

    Money is in the currency of the models' prices, which are those of the run (`prices=...`).
    """

    def __init__(self, *, tokens: int | None = None, money: float | None = None) -> None:
        for name, limit in (("tokens", tokens), ("money", money)):
            if limit is not None and not (isinstance(limit, int | float) and 0 < limit < float("inf")):
                raise UsageError(f"a budget of {name} is more than 0, not {limit!r:.80}")
        self.tokens, self.money = tokens, money
        # Exact: no float is too large.
        self._units = None if money is None else round(Fraction(money) * _UNITS)
        self.prices: PriceTable = built_in()
        """Prices of the models, which the run gives it."""
        self._currency: str | None = None
        self.spent = NOTHING
        """Amount spent. Its money is not all there is where `spent_money` is None."""
        self.elsewhere = NOTHING
        """Amount spent by other processes that work on the same run, as far as is known."""
        self.reserved = NOTHING
        """Amount that calls in flight may take."""
        self._unpriced = False
        self._pledges: list[Pledge] = []
        self._beyond = NOTHING
        """Excess of the newest reservation over the cost of its call."""
        self._turn = anyio.Lock()
        self._released: anyio.Event | None = None

    def __repr__(self) -> str:
        return f"<Budget {self._account()}>"

    @property
    def spent_money(self) -> float | None:
        """The money that has been spent; None, unknown, where a model without a price has answered."""
        return None if self._unpriced else self.spent.money

    @property
    def currency(self) -> str:
        """Currency of the money."""
        return self._currency or "USD"

    @property
    def limited(self) -> bool:
        """Tell whether there is a limit at all."""
        return self.tokens is not None or self._units is not None

    @property
    def _all_spent(self) -> Amount:
        return self.spent + self.elsewhere

    def price(self, model: str) -> Price | None:
        """The price of a model that is about to spend of it.

        Raises UsageError where money is limited and the model has no price, or one in another currency than a model
        before it.
        """
        found = self.prices.price_of(model)
        if found is None:
            if self._units is not None:
                raise UsageError(f"a budget of money needs {no_price(model)}")
            return None
        if found.free:
            return found
        if self._currency not in (None, found.currency):
            raise UsageError(
                f"the price of {model} is in {found.currency}, and that of a model before it in {self._currency}: give "
                "the prices of one run in one currency"
            )
        self._currency = found.currency
        return found

    def knows(self, model: str) -> bool:
        """Tell whether a model has a price."""
        return self.prices.price_of(model) is not None

    def book(self, model: str, usage: Usage) -> None:
        """Enter what was spent before: by the first half of a run that goes on, say. Raises UsageError as `price` does."""
        price = self.price(model)
        self.settle(NOTHING, Amount.of(usage, price), priced=price is not None)

    async def reserve(self, amount: Amount, model: str = "a model") -> None:
        """Take an amount out of what is left, before a call.

        Where it does not fit only because of calls in flight, this waits until they have said what they cost, first
        come first served. Raises BudgetSpent where it does not fit into what is not spent yet.
        """
        if self._turn.locked() or not self._fits(self.reserved + amount):
            async with self._turn:
                await self._make_fit(amount, model)
        self.reserved += amount

    async def _make_fit(self, amount: Amount, model: str) -> None:
        """Wait until an amount fits. Raises BudgetSpent where it will never fit."""
        while not self._fits(self.reserved + amount):
            if not self._fits(amount):
                raise self._spent_up(f"a call of {model} may take {self._in_words(amount)}")
            self._released = anyio.Event()
            with in_line():
                await self._released.wait()

    def has_room(self, amount: Amount) -> bool:
        """Tell whether a debate of that amount can begin and end, beside those that are in progress."""
        return self._fits(self._promised(amount))

    def _promised(self, amount: Amount) -> Amount:
        """Add up what the debates in progress still need, and one more of that amount, whose last call is reserved more than it costs."""
        return sum((pledge.left for pledge in self._pledges), amount + self._beyond)

    def pledge(self, amount: Amount) -> Pledge:
        """Keep an amount for a debate that begins. It is kept until it is `kept` no more."""
        pledge = Pledge(amount)
        self._pledges.append(pledge)
        return pledge

    @contextmanager
    def kept(self, pledge: Pledge) -> Iterator[None]:
        """The debate for which an amount is kept: what is spent meanwhile, by its tasks, is of its pledge."""
        token = _pledge.set(pledge)
        try:
            yield
        finally:
            _pledge.reset(token)
            self._pledges.remove(pledge)

    def too_little(self, amount: Amount) -> BudgetSpent:
        """The error of a debate that cannot begin, since it could not be ended."""
        return self._spent_up(
            f"no debate is sure to fit into what is left: one may take {self._in_words(self._promised(amount))}"
        )

    def settle(self, reserved: Amount, real: Amount = NOTHING, *, priced: bool = True) -> None:
        """Give a reservation back, and enter what the call did cost: nothing where it failed."""
        self.reserved -= reserved
        self.spent += real
        if real != NOTHING != reserved:
            self._beyond = (reserved - real) | NOTHING
        pledge = _pledge.get()
        if pledge is not None:
            pledge.spent += real
        self._unpriced = self._unpriced or (real.tokens > 0 and not priced)
        if self._released is not None:
            self._released.set()

    def _fits(self, amount: Amount) -> bool:
        """Tell whether an amount fits beside what is spent."""
        whole = self._all_spent + amount
        if self.tokens is not None and whole.tokens > self.tokens:
            return False
        return self._units is None or whole.units <= self._units

    def _spent_up(self, why: str) -> BudgetSpent:
        shared = " that all workers share" if self.elsewhere != NOTHING else ""
        state = "spent" if self._all_spent.tokens else "too small"
        return BudgetSpent(
            f"the budget{shared} is {state}: {self._account()}; {why}. Allow more, and the run can go on"
        )

    def _in_words(self, amount: Amount) -> str:
        money = "" if self._units is None else f" or {_money(amount.money)} {self.currency}"
        return f"{amount.tokens:,} tokens{money}"

    def _account(self) -> str:
        tokens = "" if self.tokens is None else f" of {self.tokens:,}"
        money = "" if self.money is None else f" of {_money(self.money)}"
        spent = f"{self._all_spent.tokens:,}{tokens} tokens"
        if money:
            spent += f" and {_money(self._all_spent.money)}{money} {self.currency}"
        return f"{spent} spent, {self._in_words(self.reserved)} reserved"


class Budgeted(WrapperModel):
    """A model that spends of a budget. Raises BudgetSpent instead of a call that does not fit into it.

    Raises UsageError when it is made for a model without a price, where the budget limits money.
    """

    def __init__(self, model: Model, budget: Budget) -> None:
        super().__init__(model)
        self.budget = budget
        self._price, self._sampling = budget.price(model.name), sampling_of(model)
        self._other = self._price and self._price.at(f" {tier_of(model)}")
        self._writes = writes_of(model)
        self._replies, self._written = Counter[Effort | None](), Counter[Effort | None]()

    def __repr__(self) -> str:
        return f"<Budgeted {self.model!r}: {self.budget!r}>"

    async def complete(self, request: ModelRequest) -> Completion:
        """Answer the request. Raises BudgetSpent and ModelError."""
        reserved = real = NOTHING
        if self.budget.limited:
            reserved = self._most(request)
            await self.budget.reserve(reserved, self.name)
        try:
            completion = await self.model.complete(request)
            real = self._real(request, completion)
        except ReplyTooLong as error:
            if error.usage is not None:  # it was written, and is paid for
                real = Amount.of(error.usage, self._price)
            raise
        else:
            return completion
        finally:  # also where it was cancelled: what was reserved is for others
            self.budget.settle(reserved, real, priced=self._price is not None)

    def _most(self, request: ModelRequest) -> Amount:
        """Estimate the most that a call takes."""
        sampling = self._sampling.overlaid(request.sampling)
        effort = sampling.effort
        first = FIRST + THINKING.get(effort, 0)
        written, replies = self._written[effort], self._replies[effort]
        each = sampling.max_tokens or (ceil(HEADROOM * written / replies) if replies else first)
        prompt, kept = ceil(MARGIN * estimated(request)), self._writes(request)
        usage = Usage(
            prompt_tokens=prompt,
            completion_tokens=each * sampling.n,
            cache_write_tokens=prompt if kept is None else ceil(MARGIN * in_bytes(kept)),
        )
        return Amount.at_most(usage, self._price) | Amount.at_most(usage, self._other)

    def _real(self, request: ModelRequest, completion: Completion) -> Amount:
        """Compute the cost of a call; our own count where the endpoint keeps silent about it."""
        if completion.cached:
            return NOTHING
        usage = completion.usage if completion.usage.tokens else _counted(request, completion, self.name)
        effort = self._sampling.overlaid(request.sampling).effort
        self._replies[effort] += 1 + len(completion.others)
        self._written[effort] += usage.completion_tokens
        return Amount.of(usage, self._price and self._price.at(completion.model))


def _counted(request: ModelRequest, completion: Completion, model: str) -> Usage:
    """The usage as we count it."""
    return Usage(
        calls=completion.usage.calls,
        prompt_tokens=counted(request, model),
        completion_tokens=sum(count(text, model).n for text in (completion.text, *completion.others)),
    )


def _money(amount: float) -> str:
    return f"{amount:.4f}" if amount >= 0.01 or not amount else f"{amount:.2g}"  # noqa: PLR2004 - a cent
