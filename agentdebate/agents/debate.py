"""One debate being held: its bus, everyone who sits there, and its purse."""

from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass, field
from math import inf
from typing import Any

import anyio
from anyio.abc import TaskGroup

from agentdebate.agents.common import Common
from agentdebate.agents.debate_settings import DebateLimits, DebateSettings
from agentdebate.agents.memory import Memory
from agentdebate.agents.seat import Cast, Seat, quoted
from agentdebate.agents.subject import Subject
from agentdebate.errors import DebateCurtailed
from agentdebate.models.base import Call
from agentdebate.models.prices import PriceTable, cost
from agentdebate.models.replay import Earlier
from agentdebate.project.model_spec import beside
from agentdebate.talk.bus import Bus, Delivery
from agentdebate.talk.messages import FLOOR, Ask
from agentdebate.usage import Ledger, Usage

Recorder = Callable[[Call], Awaitable[None]]
"""Takes note of a call before its completion is used."""


GROWTH = 1.5
"""Factor by which a further round is taken to need more than the last: there is more talk to be shown."""

FEWER_ROUNDS = "fewer rounds"
LATEST_BALLOTS = "merge of the latest ballots"
"""Note of a verdict where limits made its debate a shorter one."""


class DebatePurse:
    """Purse of one debate: the tokens, money and seconds that it may still use, and its shortening when it would use more.

    In this order: a round that would hardly fit is not begun, and the one before it is held as the last; then a turn that
    would hardly fit is not begun, and the ballots that there are are merged. How much is needed is taken from the rounds and turns
    before. What is begun within the limits is paid for to its end, so that a debate may be above by what its last turns
    turned out to cost more. The seconds are a deadline: what is under way then is called off.
    """

    def __init__(self, limits: DebateLimits, prices: PriceTable | None) -> None:
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
        return max(self._shares(rounds).values(), default=0) <= 1

    def shorten(self, how: str) -> None:
        """Say that the debate becomes a shorter one."""
        if self.curtailed != LATEST_BALLOTS:
            shares = self._shares(1)
            seconds = max(shares, key=shares.__getitem__) == "seconds"
            self.curtailed, self.ended = how, "debate deadline" if seconds else "debate budget"

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
        return DebateCurtailed(f"the debate's limit of {limit:g} {unit} is used up ({used:.4g})")

    def _used(self) -> dict[str, float]:
        """The amounts used so far of what is limited, by unit."""
        return {
            unit: anyio.current_time() - self._begun if unit == "seconds" else self._spent[unit]
            for unit in self._bounds
        }

    def _shares(self, rounds: int) -> dict[str, float]:
        """Estimate the shares of the limits that will have been used after so many further rounds."""
        used = self._used()
        start = self._begun_round or used
        return {
            unit: (used[unit] + rounds * GROWTH * (used[unit] - start[unit])) / limit
            for unit, limit in self._bounds.items()
        }


@dataclass(eq=False)
class Debate:
    """One item's debate: its seats, its bus, its purse, its calls and what these cost. All its floors share it.

    `async with debate.open():`, once.
    """

    name: str
    subject: Subject
    cast: Cast
    settings: DebateSettings
    common: Common
    record: Recorder | None = None
    """Takes note of each call before its completion is used."""
    earlier: Earlier | None = None
    """Completions that are on disk."""

    group: TaskGroup = field(init=False)
    """Holds the turns of all agents while the debate is open."""

    def __post_init__(self) -> None:
        self.bus, self.ledger = Bus(), Ledger()
        self.purse = DebatePurse(self.settings.debate_limits, self.settings.prices)
        self.calls: list[Call] = []
        """Every call so far, in the order in which they were answered."""
        self.actors: dict[str, Actor] = {}
        """Actors of all sittings, by address."""

    @asynccontextmanager
    async def open(self) -> AsyncIterator[None]:
        """Hold the turns of agents while this lasts. Turns that are under way at its end are called off."""
        async with anyio.create_task_group() as self.group:
            yield
            for actor in self.actors.values():
                actor.close()

    async def keep(self, call: Call) -> None:
        """Take note of a call, and of what it cost."""
        if self.record:
            await self.record(call)
        self.calls.append(call)
        if not call.completion.cached:
            self.ledger.add(call.agent, call.round, call.completion.usage)
            name = self.actors[call.agent].seat.model.name
            self.purse.spend(beside(name, call.completion.model), call.completion.usage)

    def dissolve(self) -> None:
        """Release all agents, so that the debate's memory is free at once, and not when cycles are next looked for."""
        self.actors.clear()
        self.bus.close()


class Actor:
    """Someone in a seat, with a memory. What it is told it remembers; what it is asked it answers, to the floor."""

    def __init__(self, debate: Debate, seat: Seat, subject: Subject) -> None:
        self.seat, self.name, self.subject = seat, seat.name, subject
        self.memory, self.bus = Memory(), debate.bus
        self.bus.open(self.name, quoted(seat.title, seat.card), self.hear)
        debate.actors[self.name] = self

    def hear(self, delivery: Delivery) -> None:
        """Remember what is delivered."""
        self.memory.take(delivery.message, delivery.heard)

    def close(self) -> None:
        """Read no more."""

    def envelope(self, ask: Ask) -> dict[str, Any]:
        """Return the fields of every answer to an Ask."""
        return {"sender": self.name, "to": (FLOOR,), "round": ask.round, "answers": ask.seq}
