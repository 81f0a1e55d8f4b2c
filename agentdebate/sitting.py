"""One debate being held: a bus, a task group, a cast that is seated once or several times, and a record at the end."""

import time
from collections import Counter
from collections.abc import Awaitable, Callable, Collection, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import TypeVar

import anyio
from anyio.abc import TaskGroup

from agentdebate.agents.agent import Actor, Agent, Relay
from agentdebate.agents.card import Card
from agentdebate.agents.setting import Recorder, Setting
from agentdebate.agents.turn import TurnWriter
from agentdebate.bus import Bus
from agentdebate.common import Common
from agentdebate.debate_settings import DebateSettings
from agentdebate.errors import (
    AgentDebateError,
    AgentFailed,
    BudgetSpent,
    DataError,
    DebateCurtailed,
    ModelError,
    StoreError,
    StrategyError,
    TooFewBallots,
    UserError,
)
from agentdebate.floor import Floor, Group, Kept, Speaker
from agentdebate.lineup import Candidate, ballot_lines, lineup
from agentdebate.messages import FLOOR, Brief, Failure, Message, Tell, Verdict
from agentdebate.models.base import Call
from agentdebate.models.resumed import Earlier, Resumed
from agentdebate.prompts import Prompts
from agentdebate.purse import LATEST_BALLOTS, Purse
from agentdebate.results import Record
from agentdebate.seating import Chair, Seating
from agentdebate.strategies.base import Strategy
from agentdebate.tasks import Aspect, Item, Task
from agentdebate.turn_clock import TurnClock
from agentdebate.usage import Ledger

Sent = TypeVar("Sent", bound=Message)


@dataclass(frozen=True)
class Matter:
    """What a debate is about, and how it is held."""

    strategy: Strategy
    seating: Seating
    task: Task
    item: Item
    aspects: tuple[Aspect, ...]
    prompts: Prompts
    settings: DebateSettings
    common: Common


class Sitting:
    """Holds one debate. Raises DataError where the item does not fit its task."""

    def __init__(
        self, matter: Matter, bus: Bus, record: Recorder | None, earlier: Earlier | None = None
    ) -> None:
        self._matter, self._bus, self._keep, self._earlier = matter, bus, record, earlier
        self.debate = ""
        """The debate's id."""
        matter.task.check(matter.item)
        lineup(matter.task, matter.item)
        self._ledger, self._calls = Ledger(), list[Call]()
        self._purse = Purse(matter.settings.limits)
        self._models: dict[str, str] = {}
        self._errors: dict[int, Exception] = {}
        self._clocks: dict[str, TurnClock] = {}
        self._floors: list[Floor] = []
        self._actors: list[Actor] = []
        self._orders = Counter[tuple[str, ...]]()
        self._group: TaskGroup

    async def hold(self, debate_id: str) -> Record:
        """Hold the debate to its end."""
        self.debate = debate_id
        started = time.perf_counter()
        ending, error = await self._ending()
        said = await self._bus.send(ending)
        return Record(
            id=debate_id,
            item=self._matter.item,
            task=self._matter.task.name,
            aspects=tuple(aspect.name for aspect in self._matter.aspects),
            strategy=self._matter.strategy.title,
            verdict=said if isinstance(said, Verdict) else None,
            failure=said if isinstance(said, Failure) else None,
            transcript=tuple(self._bus.sent),
            calls=tuple(self._calls),
            error=error,
            seconds=time.perf_counter() - started,
        )

    def dissolve(self) -> None:
        """Let go of everyone, so that the debate's memory is free at once, and not when cycles are next looked for."""
        self._actors.clear()
        self._floors.clear()
        self._bus.dissolve()

    async def seat(
        self,
        order: Sequence[str] | None = None,
        recruits: Sequence[Card] | None = None,
        public: Sequence[Message] = (),
    ) -> Floor:
        """Seat the cast, with memories that hold nothing but the brief, and return its floor.

        The first cast has the addresses of its roles, every later one has them with a number behind. `order` is that
        in which the candidates are shown; `recruits` fill the roles that wait for some, and everyone knows what
        is `public`.
        """
        candidates = lineup(self._matter.task, self._matter.item, order)
        shown = tuple(candidate.field for candidate in candidates)
        table = Table(self, self._setting(candidates, sample=self._orders[shown]), len(self._floors) + 1)
        self._orders[shown] += 1
        floor = self._floor(await table.lay(public), shown, table)
        self._floors.append(floor)
        if recruits is not None:
            await floor.fill(recruits)
        return floor

    @property
    def matter(self) -> Matter:
        """What is debated, and how."""
        return self._matter

    async def send(self, message: Sent) -> Sent:
        """Send a message over the debate's bus."""
        return await self._bus.send(message)

    def start(self, chair: Chair, speaker: Speaker, setting: Setting) -> None:
        """Let somebody take a chair."""
        actor = self._actor(chair, speaker, setting)
        self._actors.append(actor)
        self._group.start_soon(actor.run, name=actor.name)

    async def _ending(self) -> tuple[Verdict, None] | tuple[Failure, Exception]:
        """How the debate ends, and the error that ended it.

        What would end every other debate too (a prompt to be mended, a refused key, a full disk) is raised.
        """
        try:
            return await self._talk(), None
        except Exception as raised:  # noqa: BLE001 - a debate ends with a verdict or a failure that holds the cause
            error = ending_of(raised)
            cause = _cause(error)
            if _ends_run(cause):
                raise cause from None
            return failure(error, self._bus.sent[-1].round if self._bus.sent else 0), cause
        finally:
            self._bus.discard()

    async def _talk(self) -> Verdict:
        strategy = self._matter.strategy
        async with anyio.create_task_group() as self._group:
            strategy.check(self._matter.task, self._matter.aspects)
            try:
                verdict = await self._in_time(strategy)
            except DebateCurtailed as short:
                verdict = self._salvaged(short)
            self._bus.shut()
            for actor in self._actors:
                actor.dismiss()
        if not isinstance(verdict, Verdict):
            raise StrategyError(f"{strategy.title} returned no verdict; end with floor.verdict(...)")
        return verdict

    async def _in_time(self, strategy: Strategy) -> Verdict:
        """What the strategy comes to. Raises DebateCurtailed at the debate's deadline."""
        with anyio.CancelScope(deadline=self._purse.deadline) as clock:
            return await strategy.debate(await self.seat())
        assert clock.cancelled_caught, "nothing else leaves the scope without a verdict"
        raise self._purse.out_of_time()

    def _salvaged(self, short: DebateCurtailed) -> Verdict:
        """The verdict over the ballots that there are, those of every sitting. Raises DebateCurtailed where there are none."""
        verdicts: list[Verdict] = []
        for floor in self._floors:
            with suppress(TooFewBallots):
                verdicts.append(self._matter.strategy.salvage(floor))
        if not verdicts:
            raise DebateCurtailed(f"{short}, and there are too few ballots for a verdict") from None
        missing = len(self._floors) - len(verdicts)
        if len(self._floors) == 1:
            return verdicts[0]
        return self._floors[0].combined(verdicts, how=LATEST_BALLOTS, missing=missing)

    def _actor(self, chair: Chair, speaker: Speaker, setting: Setting) -> Actor:
        setting.titles[speaker.name] = speaker.title
        self._models[speaker.name] = chair.model.name
        if chair.relay:
            return Relay(speaker.name, self._bus, setting)
        writer = TurnWriter(
            speaker.name,
            chair.card,
            Resumed(chair.model, speaker.name, self._earlier) if self._earlier else chair.model,
            chair.sampling.overlaid(chair.card.sampling).overlaid(self._matter.settings.sampling),
            setting,
            chair.history,
            chair.plays,
        )
        return Agent(self._bus, writer)

    def _setting(self, candidates: tuple[Candidate, ...], *, sample: int) -> Setting:
        matter = self._matter
        return Setting(
            matter.task,
            matter.item,
            matter.aspects,
            matter.prompts,
            self._record,
            errors=self._errors,
            clocks=self._clocks,
            settings=matter.settings,
            candidates=candidates,
            lines=ballot_lines(matter.aspects, candidates),
            sample=sample,
        )

    def _floor(self, speakers: Sequence[Speaker], order: tuple[str, ...], table: "Table") -> Floor:
        roles = dict.fromkeys(speaker.role for speaker in speakers)
        return Floor(
            self._bus,
            {role: Group(speaker for speaker in speakers if speaker.role == role) for role in roles},
            task=self._matter.task,
            item=self._matter.item,
            aspects=self._matter.aspects,
            order=order,
            ledger=self._ledger,
            purse=self._purse,
            settings=self._matter.settings,
            errors=self._errors,
            clocks=self._clocks,
            table=table,
        )

    async def _record(self, call: Call) -> None:
        if self._keep is not None:
            await self._keep(call)
        self._calls.append(call)
        if not call.completion.cached:
            self._ledger.add(call.agent, call.round, call.completion.usage)
            self._purse.spend(call.agent, self._models[call.agent], call.completion.usage)


class Table:
    """One seating of a debate: a cast with memories of its own, and the recruits that joined it."""

    def __init__(self, sitting: Sitting, setting: Setting, number: int) -> None:
        self._sitting, self._setting, self._number = sitting, setting, number
        self._seating = sitting.matter.seating
        self._brief: Brief
        self._recruits: Sequence[Card] | None = None
        self._public: list[Message] = []

    async def lay(self, public: Sequence[Message]) -> list[Speaker]:
        """Seat everyone who need not be recruited, and give them the brief and what is public."""
        chairs = self._seating.chairs
        speakers = self._take(chairs)
        briefed = [speaker for chair, speaker in zip(chairs, speakers, strict=True) if chair.briefed]
        self._brief = await self._sitting.send(self._written(briefed))
        self._public.extend(public)
        await self._tell(speakers, public)
        return speakers

    def published(self, message: Message) -> None:
        """Have everyone who sits down later hear this."""
        self._public.append(message)

    @property
    def vacant(self) -> Collection[str]:
        """The roles that wait for recruits."""
        return self._seating.vacant

    @property
    def standing(self) -> tuple[Card, ...]:
        """Who sits in these roles whoever is recruited."""
        return self._seating.standing

    @property
    def filled(self) -> bool:
        """Whether recruits sit there already."""
        return self._recruits is not None

    async def fill(self, recruits: Sequence[Card]) -> list[Speaker]:
        """Seat the roles that wait for recruits, and give everyone there the brief. Raises StrategyError the second time."""
        if self._recruits is not None:
            raise StrategyError("the roles that waited for recruits are filled already")
        self._recruits = tuple(recruits)
        speakers = self._take(self._seating.fill(recruits))
        await self._tell(speakers, [self._brief, *self._public])
        return speakers

    @property
    def public(self) -> tuple[Message, ...]:
        """What was published."""
        return tuple(self._public)

    async def anew(self, order: Sequence[str] | None, public: Sequence[Message]) -> Floor:
        """Seat the same cast once more, the recruits among them."""
        return await self._sitting.seat(order, self._recruits, public)

    async def shared(self, name: str, make: Callable[[], Kept]) -> Kept:
        """What all debates share."""
        return await self._sitting.matter.common.get(name, make)

    async def once(self, name: str, make: Callable[[], Awaitable[Kept]]) -> Kept:
        """What is found out once for all debates."""
        return await self._sitting.matter.common.once(name, self._sitting.debate, make)

    async def _tell(self, speakers: Sequence[Speaker], messages: Sequence[Message]) -> None:
        names = tuple(speaker.name for speaker in speakers)
        if names and messages:
            heard = tuple(message.seq for message in messages)
            await self._sitting.send(Tell(sender=FLOOR, to=names, heard=heard))

    def _take(self, chairs: Sequence[Chair]) -> list[Speaker]:
        """Start everyone; what they are called is known before anybody speaks."""
        speakers = [self._numbered(chair.speaker) for chair in chairs]
        for chair, speaker in zip(chairs, speakers, strict=True):
            self._sitting.start(chair, speaker, self._setting)
        return speakers

    def _numbered(self, speaker: Speaker) -> Speaker:
        return speaker if self._number == 1 else replace(speaker, name=f"{speaker.name}#{self._number}")

    def _written(self, speakers: Sequence[Speaker]) -> Brief:
        setting = self._setting
        return Brief(
            sender=FLOOR,
            to=tuple(speaker.name for speaker in speakers),
            task=setting.task.name,
            aspects=tuple(aspect.name for aspect in setting.aspects),
            item=setting.item.id,
            candidates=tuple(candidate.field for candidate in setting.candidates),
            text=setting.prompts.brief(setting.task, setting.item, setting.aspects, setting.candidates),
        )


def ending_of(error: Exception) -> Exception:
    """The error behind what a task group raised: an agent's before what it made the strategy raise."""
    leaves = [_root(leaf) for leaf in _leaves(error)]
    return next((leaf for leaf in leaves if isinstance(leaf, AgentFailed)), leaves[0])


def failure(error: Exception, round_: int) -> Failure:
    """The message that says what ended a debate."""
    cause = _cause(error)
    agent = getattr(error, "agent", None)
    return Failure(round=round_, error=type(cause).__name__, reason=str(cause) or repr(cause), agent=agent)


def _cause(error: Exception) -> Exception:
    """What an agent raised, where it is an error of ours; AgentFailed holds the others."""
    if isinstance(error, AgentFailed) and isinstance(error.__cause__, AgentDebateError):
        return error.__cause__
    return error


def _ends_run(error: Exception) -> bool:
    """Whether every other debate would end with it too. An item that lacks something is the only UserError to fail alone."""
    if isinstance(error, ModelError):
        return error.ends_run
    return isinstance(error, UserError | StoreError | BudgetSpent) and not isinstance(error, DataError)


def _root(error: Exception) -> Exception:
    """The agent's error over which a strategy stumbled; what a strategy raises on purpose stands for itself."""
    earlier: BaseException | None = error
    while earlier is not None and not isinstance(earlier, AgentDebateError):
        earlier = earlier.__context__
    return earlier if isinstance(earlier, AgentFailed) else error


def _leaves(error: Exception) -> list[Exception]:
    if isinstance(error, ExceptionGroup):
        return [leaf for inner in error.exceptions for leaf in _leaves(inner)]
    return [error]
