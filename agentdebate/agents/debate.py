"""One debate being held: its bus, everyone who sits there, and what they have taken so far."""

from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager

import anyio
from anyio.abc import TaskGroup

from agentdebate.agents.agent import Actor, Agent, Relay
from agentdebate.agents.common import Common
from agentdebate.agents.debate_settings import DebateSettings
from agentdebate.agents.purse import DebatePurse
from agentdebate.agents.seat import Cast, Seat
from agentdebate.agents.subject import Subject
from agentdebate.models.base import Call
from agentdebate.models.checked import checked
from agentdebate.models.resumed import Earlier, Resumed
from agentdebate.talk.bus import Bus
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
        self.bus, self.ledger, self.purse = (
            Bus(),
            Ledger(),
            DebatePurse(settings.debate_limits, settings.prices),
        )
        self.calls: list[Call] = []
        """Every call so far, in the order in which they were answered."""
        self.actors: dict[str, Actor] = {}
        """Everyone who has sat down, of all sittings, by address."""
        self._record, self._earlier = record, earlier

    @asynccontextmanager
    async def open(self) -> AsyncIterator[None]:
        """Hold the turns of agents while this lasts. Turns that are under way at its end are called off."""
        async with anyio.create_task_group() as self.group:
            yield
            if any(actor.answering for actor in self.actors.values()):
                self.group.cancel_scope.cancel()

    def seat(self, seat: Seat, subject: Subject) -> None:
        """Have an actor sit down."""
        if seat.plan.relay:
            self.actors[seat.name] = Relay(self, seat, subject)
            return
        model = checked(seat.model)
        if self._earlier is not None:
            model = Resumed(model, seat.name, self._earlier)
        self.actors[seat.name] = Agent(self, seat, subject, model)

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
