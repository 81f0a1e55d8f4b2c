"""One debate being held: its bus, everyone who sits there, and what they have taken so far."""

from types import TracebackType
from typing import Self

import anyio
from anyio.abc import TaskGroup

from agentdebate.agents.agent import Actor, Agent, Recorder, Relay
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


class Debate:
    """One item's debate: its seats, its bus, its purse, its calls and what these cost. All its floors share it.

    `async with debate:`, once. `record` takes note of each call before its completion is used, and `earlier` holds completions
    that are on disk.
    """

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
        self.actors: list[Actor] = []
        """Everyone who has sat down, of all sittings."""
        self._record, self._earlier = record, earlier
        self._models: dict[str, str] = {}
        self._group: TaskGroup

    def __repr__(self) -> str:
        return f"<Debate {self.name!r}: {len(self.actors)} seated, {len(self.calls)} calls>"

    async def __aenter__(self) -> Self:
        """While this lasts, each agent reads what it is sent. At the end all have left."""
        self._group = anyio.create_task_group()
        await self._group.__aenter__()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> bool:
        if kind is None:
            for actor in self.actors:
                actor.leave()
            if any(actor.answering for actor in self.actors):  # the debate has ended without these answers
                self._group.cancel_scope.cancel()
        return bool(await self._group.__aexit__(kind, error, trace))

    def seat(self, seat: Seat, subject: Subject) -> None:
        """Have an actor sit down."""
        self._models[seat.name] = seat.model.name
        if seat.plan.relay:
            self.actors.append(Relay(seat, self.bus, subject))
            return
        model = checked(seat.model)
        if self._earlier is not None:
            model = Resumed(model, seat.name, self._earlier)
        agent = Agent(
            seat,
            model,
            self.bus,
            subject,
            settings=self.settings,
            record=self._keep,
            first=self.common.first,
        )
        self.actors.append(agent)
        self._group.start_soon(agent.run, name=agent.name)

    def dissolve(self) -> None:
        """Release all agents, so that the debate's memory is free at once, and not when cycles are next looked for."""
        self.actors.clear()
        self.bus.close()

    async def _keep(self, call: Call) -> None:
        if self._record is not None:
            await self._record(call)
        self.calls.append(call)
        if not call.completion.cached:
            self.ledger.add(call.agent, call.round, call.completion.usage)
            self.purse.spend(self._models[call.agent], call.completion.usage)
