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
        for name, limit in self.row().items():
            if not 0 < limit < inf:
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


class DebatePurse:
    """Purse of one debate: the tokens, money and seconds that it may still use."""

    def __init__(self, limits: DebateLimits = NO_LIMITS, prices: PriceTable | None = None) -> None:
        self.limits, self._prices = limits, prices
        self.curtailed = ""
        """FEWER_ROUNDS or LATEST_BALLOTS, where the debate became a shorter one."""
        self.ended = ""
        """Reason for its end then, in a word or two."""
        self._asked = 0
        self._begun = 0.0 if limits.seconds is None else anyio.current_time()
        self.deadline = inf if limits.seconds is None else self._begun + limits.seconds
        """Time by which the debate has to end, by anyio's clock."""
        self._limits = limits.row()
        self._spent = dict.fromkeys(self._limits, 0.0)
        self._largest = dict.fromkeys(self._limits, 0.0)
        """The largest call so far."""
        self._rounds: list[dict[str, float]] = []
        """Amounts that had been used when each round began."""

    def spend(self, model: str, usage: Usage) -> None:
        """Enter what a call did cost."""
        price = self.limits.price(model, self._prices)
        for unit, amount in (("tokens", usage.tokens), ("money", cost(usage, price) if price else 0.0)):
            if unit in self._limits:
                self._spent[unit] += amount
                self._largest[unit] = max(self._largest[unit], amount)

    def begin_round(self) -> None:
        """Take note that a round begins."""
        self._rounds.append(self._used())

    def has_room(self, rounds: int) -> bool:
        """Tell whether so many further rounds will fit, as far as that can be known."""
        used = self._used()
        return all(self._after(rounds, unit, used) <= limit for unit, limit in self._limits.items())

    def shorten(self, how: str) -> None:
        """Say that the debate becomes a shorter one."""
        if self.curtailed != LATEST_BALLOTS:
            used = self._used()
            scarce = max(used, key=lambda unit: self._after(1, unit, used) / self._limits[unit])
            self.curtailed, self.ended = how, f"debate {_name(scarce)}"

    def check(self, turns: int = 1) -> None:
        """Raise DebateCurtailed where so many turns, beside those that are being held, would hardly fit."""
        for unit, used in self._used().items():
            if used + (self._asked + turns) * self._largest[unit] > self._limits[unit]:
                raise self._curtailed(unit)

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
        return self._curtailed("seconds")

    def _curtailed(self, unit: str) -> DebateCurtailed:
        self.shorten(LATEST_BALLOTS)
        used, limit = self._used()[unit], self._limits[unit]
        return DebateCurtailed(f"the debate's {_name(unit)} of {limit:g} {unit} is used up ({used:.4g})")

    def _used(self) -> dict[str, float]:
        """What has been used so far, by unit."""
        if self.limits.seconds is None:
            return self._spent.copy()
        return {**self._spent, "seconds": anyio.current_time() - self._begun}

    def _after(self, rounds: int, unit: str, used: dict[str, float]) -> float:
        """Estimate how much will be used after so many further rounds, each growing as those before did."""
        costs = [end[unit] - start[unit] for start, end in pairwise([*self._rounds, used])] or [0.0]
        growth = max(costs[-1] - costs[-2], 0.0) if self._rounds[1:] else (FIRST_GROWTH - 1) * costs[-1]
        return used[unit] + rounds * costs[-1] + growth * rounds * (rounds + 1) / 2


def _name(unit: str) -> str:
    return "deadline" if unit == "seconds" else "budget"
