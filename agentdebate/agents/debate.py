"""One debate being held: its bus, everyone who sits there, and what they have taken so far."""

from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Any

import anyio
from anyio.abc import TaskGroup

from agentdebate.agents.common import Common
from agentdebate.agents.debate_settings import DebateSettings
from agentdebate.agents.memory import Memory
from agentdebate.agents.purse import DebatePurse
from agentdebate.agents.seat import Cast, Seat
from agentdebate.agents.subject import Subject
from agentdebate.models.base import Call
from agentdebate.models.resumed import Earlier
from agentdebate.talk.bus import Bus, Delivery
from agentdebate.talk.messages import FLOOR, Ask
from agentdebate.usage import Ledger

Recorder = Callable[[Call], Awaitable[None]]
"""Takes note of a call before its completion is used."""


class Debate:
    """One item's debate: its seats, its bus, its purse, its calls and what these cost. All its floors share it.

    `async with debate.open():`, once. `record` takes note of each call before its completion is used, and `earlier` holds completions
    that are on disk.
    """

    group: TaskGroup
    """Holds the turns of all agents while the debate is open."""

    def __init__(
        self,
        name: str,
        subject: Subject,
        cast: Cast,
        settings: DebateSettings,
        common: Common,
        *,
        record: Recorder | None = None,
        earlier: Earlier | None = None,
    ) -> None:
        self.name, self.subject, self.cast, self.settings, self.common = name, subject, cast, settings, common
        self.bus, self.ledger = Bus(), Ledger()
        self.purse = DebatePurse(settings.debate_limits, settings.prices)
        self.calls: list[Call] = []
        """Every call so far, in the order in which they were answered."""
        self.actors: dict[str, Actor] = {}
        """Everyone who has sat down, of all sittings, by address."""
        self._record, self.earlier = record, earlier

    @asynccontextmanager
    async def open(self) -> AsyncIterator[None]:
        """Hold the turns of agents while this lasts. Turns that are under way at its end are called off."""
        async with anyio.create_task_group() as self.group:
            yield
            self.group.cancel_scope.cancel()

    async def keep(self, call: Call) -> None:
        """Take note of a call, and of what it cost."""
        if self._record is not None:
            await self._record(call)
        self.calls.append(call)
        if not call.completion.cached:
            self.ledger.add(call.agent, call.round, call.completion.usage)
            self.purse.spend(self.actors[call.agent].seat.model.name, call.completion.usage)

    def dissolve(self) -> None:
        """Release all agents, so that the debate's memory is free at once, and not when cycles are next looked for."""
        self.actors.clear()
        self.bus.close()


class Actor:
    """Someone in a seat, with a memory. What it is told it remembers; what it is asked it answers, to the floor."""

    def __init__(self, debate: Debate, seat: Seat, subject: Subject) -> None:
        self.seat, self.name, self.subject = seat, seat.name, subject
        self.memory = Memory()
        self.bus = debate.bus
        self.bus.open(self.name, seat.called, self.hear)

    def hear(self, delivery: Delivery) -> None:
        """Remember what is delivered."""
        self.memory.take(delivery.message, delivery.heard)

    def envelope(self, ask: Ask) -> dict[str, Any]:
        """Return the fields of every answer to an Ask."""
        return {"sender": self.name, "to": (FLOOR,), "round": ask.round, "answers": ask.seq}
