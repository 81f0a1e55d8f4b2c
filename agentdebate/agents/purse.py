"""Limits of one debate in tokens, money and seconds, and its shortening when it would go beyond them.

In this order: a round that would hardly fit is not begun, and the one before it is held as the last; then a turn that
would hardly fit is not begun, and the ballots that there are are merged. How much is needed is taken from the rounds and turns
before. What is begun within the limits is paid for to its end, so that a debate may be above by what its last turns
turned out to cost more. The seconds are a deadline: what is under way then is called off.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from math import inf

import anyio

from agentdebate.errors import DebateCurtailed, UsageError
from agentdebate.models.prices import Price, PriceTable, built_in, cost, no_price, price_of
from agentdebate.usage import Usage

GROWTH = 1.5
"""Factor by which a further round is taken to need more than the last: there is more talk to be shown."""

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
        self.curtailed = ""
        """FEWER_ROUNDS or LATEST_BALLOTS, where the debate became a shorter one."""
        self.ended = ""
        """Reason for its end then, in a word or two."""
        self._limits, self._prices, self._bounds = limits, prices, limits.row()
        self._asked = 0
        self._begun = anyio.current_time()
        self.deadline = self._begun + (limits.seconds or inf)
        """Time by which the debate has to end, by anyio's clock."""
        self._spent = {"tokens": 0.0, "money": 0.0}
        self._largest = {**self._spent, "seconds": 0.0}
        """The largest call so far."""
        self._begun_round: dict[str, float] | None = None
        """Amounts that had been used when the last round began."""

    def spend(self, model: str, usage: Usage) -> None:
        """Enter what a call did cost."""
        price = self._limits.price(model, self._prices)
        for unit, amount in (("tokens", usage.tokens), ("money", cost(usage, price) if price else 0.0)):
            self._spent[unit] += amount
            self._largest[unit] = max(self._largest[unit], amount)

    def begin_round(self) -> None:
        """Take note that a round begins."""
        self._begun_round = self._used()

    def has_room(self, rounds: int) -> bool:
        """Tell whether so many further rounds will fit, as far as that can be known."""
        return all(share <= 1 for share in self._shares(rounds).values())

    def shorten(self, how: str) -> None:
        """Say that the debate becomes a shorter one."""
        if self.curtailed != LATEST_BALLOTS:
            shares = self._shares(1)
            self.curtailed, self.ended = how, f"debate {_name(max(shares, key=shares.__getitem__))}"

    def check(self, turns: int = 1) -> None:
        """Raise DebateCurtailed where so many turns, beside those that are being held, would hardly fit."""
        for unit, used in self._used().items():
            if used + (self._asked + turns) * self._largest[unit] > self._bounds[unit]:
                raise self.used_up(unit)

    @contextmanager
    def turn(self) -> Iterator[None]:
        """A turn that is held. Raises DebateCurtailed where it would hardly fit."""
        self.check()
        self._asked += 1
        try:
            yield
        finally:
            self._asked -= 1

    def used_up(self, unit: str) -> DebateCurtailed:
        """The error of a debate that one of its limits ends."""
        self.shorten(LATEST_BALLOTS)
        used, limit = self._used()[unit], self._bounds[unit]
        return DebateCurtailed(f"the debate's {_name(unit)} of {limit:g} {unit} is used up ({used:.4g})")

    def _used(self) -> dict[str, float]:
        """The amounts used so far of what is limited, by unit."""
        used = {**self._spent, "seconds": anyio.current_time() - self._begun}
        return {unit: used[unit] for unit in self._bounds}

    def _shares(self, rounds: int) -> dict[str, float]:
        """Estimate the shares of the limits that will have been used after so many further rounds."""
        used = self._used()
        start = self._begun_round or used
        return {
            unit: (used[unit] + rounds * GROWTH * (used[unit] - start[unit])) / limit
            for unit, limit in self._bounds.items()
        }


def _name(unit: str) -> str:
    return "deadline" if unit == "seconds" else "budget"
