"""Limits of one debate in tokens, money and seconds, and its shortening when it would go beyond them.

In this order: a round that would hardly fit is not begun, and the one before it is held as the last; then a turn that
would hardly fit is not begun, and the ballots that there are are merged. How much is needed is taken from the rounds and turns
before. What is begun within the limits is paid for to its end, so that a debate may be above by what its last turns
turned out to cost more. The seconds are a deadline: what is under way then is called off.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from itertools import pairwise
from math import inf

import anyio

from agentdebate.errors import DebateCurtailed, UsageError
from agentdebate.models.prices import Price, PriceTable, built_in, cost, no_price, price_of
from agentdebate.usage import Usage

FIRST_GROWTH = 1.5
"""Factor by which the second round is taken to need more than the first: there is more talk to be shown."""

FEWER_ROUNDS = "fewer rounds"
LATEST_BALLOTS = "merge of the latest ballots"
"""Note of a verdict where limits made its debate a shorter one."""


@dataclass(frozen=True, slots=True)
class DebateLimits:
    """Limits of each debate; None means no limit. Money is in the currency of the models' prices."""

    tokens: int | None = None
    """Tokens that each debate may take; it becomes shorter rather than take more."""
    money: float | None = None
    """Money that each debate may take."""
    seconds: float | None = None
    """Seconds that each debate may take."""

    def __post_init__(self) -> None:
        for name in ("tokens", "money", "seconds"):
            limit = getattr(self, name)
            if limit is not None and not 0 < limit < inf:
                raise UsageError(f"what a debate may take in {name} is more than 0, not {limit}")

    def row(self) -> dict[str, float]:
        """The limits that there are, as JSON can hold them."""
        return {name: limit for name, limit in asdict(self).items() if limit is not None}

    def price(self, model: str, table: PriceTable | None) -> Price | None:
        """Return the price of a model. Raises UsageError where money is limited and that is unknown."""
        if self.money is None:
            return None
        found = price_of(model, table or built_in())
        if found is None:
            raise UsageError(f"a debate's budget of money needs {no_price(model)}")
        return found


NO_LIMITS = DebateLimits()


class _Gauge:
    """One limited thing: how much there may be of it, and how much of it there has been."""

    def __init__(self, unit: str, limit: float) -> None:
        self.unit, self.limit = unit, limit
        self.name = "deadline" if unit == "seconds" else "budget"
        self.used = 0.0
        self.largest = 0.0
        """The largest call so far."""
        self.rounds: list[float] = []
        """Amounts that had been used when each round began."""

    def __str__(self) -> str:
        return f"the debate's {self.name} of {self.limit:g} {self.unit} is used up ({self.used:.4g})"

    def fits(self, more: float) -> bool:
        return self.used + more <= self.limit

    def expected(self, rounds: int) -> float:
        """Estimate what so many further rounds will take, each growing as those before did."""
        costs = [end - start for start, end in pairwise([*self.rounds, self.used])]
        if not costs:
            return 0.0
        last = costs[-1]
        growth = max(last - costs[-2], 0.0) if len(costs) > 1 else (FIRST_GROWTH - 1) * last
        return rounds * last + growth * rounds * (rounds + 1) / 2


class DebatePurse:
    """Purse of one debate: the tokens, money and seconds that it may still use."""

    def __init__(self, limits: DebateLimits = NO_LIMITS, prices: PriceTable | None = None) -> None:
        self.limits, self._prices = limits, prices
        self.curtailed = ""
        """FEWER_ROUNDS or LATEST_BALLOTS, where the debate became a shorter one."""
        self.ended = ""
        """Reason for its end then, in a word or two."""
        self._asked = 0
        self._begun = anyio.current_time() if limits.seconds is not None else 0.0
        self.deadline = inf if limits.seconds is None else self._begun + limits.seconds
        """Time by which the debate has to end, by anyio's clock."""
        self._gauges = [_Gauge(unit, limit) for unit, limit in limits.row().items()]

    def spend(self, model: str, usage: Usage) -> None:
        """Enter what a call did cost."""
        if not self._gauges:
            return
        price = self.limits.price(model, self._prices)
        spent = {"tokens": usage.tokens, "money": cost(usage, price) if price else 0.0}
        for gauge in self._gauges:
            amount = spent.get(gauge.unit, 0.0)
            gauge.used += amount
            gauge.largest = max(gauge.largest, amount)

    def begin_round(self) -> None:
        """Take note that a round begins."""
        for gauge in self._looked_at():
            gauge.rounds.append(gauge.used)

    def has_room(self, rounds: int) -> bool:
        """Tell whether so many further rounds will fit, as far as that can be known."""
        return all(gauge.fits(gauge.expected(rounds)) for gauge in self._looked_at())

    def shorten(self, how: str) -> None:
        """Say that the debate becomes a shorter one."""
        if self.curtailed != LATEST_BALLOTS:
            scarce = max(self._gauges, key=lambda gauge: (gauge.used + gauge.expected(1)) / gauge.limit)
            self.curtailed, self.ended = how, f"debate {scarce.name}"

    def check(self, turns: int = 1) -> None:
        """Raise DebateCurtailed where so many turns, beside those that are being held, would hardly fit."""
        for gauge in self._looked_at():
            if not gauge.fits((self._asked + turns) * gauge.largest):
                self.shorten(LATEST_BALLOTS)
                raise DebateCurtailed(str(gauge))

    @contextmanager
    def turn(self) -> Iterator[None]:
        """A turn that is held. Raises DebateCurtailed where it would hardly fit."""
        self.check()
        self._asked += 1
        try:
            yield
        finally:
            self._asked -= 1

    def out_of_time(self) -> DebateCurtailed:
        """The error of a debate that its deadline ended."""
        clock = self._looked_at()[-1]
        self.shorten(LATEST_BALLOTS)
        return DebateCurtailed(str(clock))

    def _looked_at(self) -> list[_Gauge]:
        """The gauges, that of the seconds being the last, as they stand now."""
        if self.limits.seconds is not None:
            self._gauges[-1].used = anyio.current_time() - self._begun
        return self._gauges
