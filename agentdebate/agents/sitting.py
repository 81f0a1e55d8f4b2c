"""One debate being held: its bus, everyone who sits there, and what they have taken so far. All its floors share it."""

from dataclasses import replace
from operator import attrgetter
from types import TracebackType

import anyio
from anyio.abc import TaskGroup

from agentdebate.agents.agent import Actor, Agent, Recorder, Relay
from agentdebate.agents.chair import Chair
from agentdebate.agents.common import Common
from agentdebate.agents.debate_settings import DebateSettings
from agentdebate.agents.purse import Purse
from agentdebate.agents.seating import Seating
from agentdebate.agents.subject import Subject
from agentdebate.models.base import Call
from agentdebate.models.checked import checked
from agentdebate.models.resumed import Earlier, Resumed
from agentdebate.talk.bus import Bus
from agentdebate.usage import Ledger

_answering = attrgetter("answering")


class Sitting:
    """Seats the agents of one debate, and keeps their calls and what these cost: `async with sitting:`, once.

    `record` takes note of each call before its completion is used, and `earlier` holds completions that are on disk.
    """

    def __init__(
        self,
        debate: str,
        subject: Subject,
        seating: Seating,
        settings: DebateSettings,
        common: Common,
        *,
        bus: Bus,
        record: Recorder | None = None,
        earlier: Earlier | None = None,
    ) -> None:
        self.debate, self.subject, self.seating, self.settings = debate, subject, seating, settings
        self.common, self.bus = common, bus
        self.ledger, self.purse = Ledger(), Purse(settings.debate_limits)
        self.calls: list[Call] = []
        """Every call so far, in the order in which they were answered."""
        self.actors: list[Actor] = []
        """Everyone who has sat down, of all floors."""
        self._record, self._earlier = record, earlier
        self._models: dict[str, str] = {}
        self._group: TaskGroup

    def __repr__(self) -> str:
        return f"<Sitting {self.debate!r}: {len(self.actors)} seated, {len(self.calls)} calls>"

    async def __aenter__(self) -> None:
        """While this lasts, each agent reads what it is sent. At the end all have left."""
        self._group = anyio.create_task_group()
        await self._group.__aenter__()

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> bool:
        if kind is None:
            self.bus.shut()
            if any(map(_answering, self.actors)):  # the debate has ended without these answers
                self._group.cancel_scope.cancel()
        try:
            return bool(await self._group.__aexit__(kind, error, trace))
        finally:
            self.bus.discard()

    def seat(self, chair: Chair, subject: Subject) -> None:
        """Seat an actor on a chair."""
        actor = Relay(chair, self.bus, subject) if chair.relay else self._agent(chair, subject)
        self._models[actor.name] = chair.model.name
        self.actors.append(actor)
        actor.sit(self._group)

    def dissolve(self) -> None:
        """Let go of everyone, so that the debate's memory is free at once, and not when cycles are next looked for."""
        self.actors.clear()
        self.bus.dissolve()

    def _agent(self, chair: Chair, subject: Subject) -> Agent:
        model = checked(chair.model)
        if self._earlier is not None:
            model = Resumed(model, chair.speaker.name, self._earlier)
        if model is not chair.model:
            chair = replace(chair, model=model)
        return Agent(chair, self.bus, subject, self.settings, self._keep, first=self.common.first)

    async def _keep(self, call: Call) -> None:
        if self._record is not None:
            await self._record(call)
        self.calls.append(call)
        if not call.completion.cached:
            self.ledger.add(call.agent, call.round, call.completion.usage)
            if self.purse.limited:
                self.purse.spend(call.agent, self._models[call.agent], call.completion.usage)
