"""One debate being held: a bus, a task group, a cast that is seated once or several times, and a record at the end."""

import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

import anyio
from anyio.abc import TaskGroup

from agentdebate.agents.agent import Actor, Agent, Relay
from agentdebate.agents.card import Card
from agentdebate.agents.setting import Form, Recorder, Setting
from agentdebate.agents.turn import TurnWriter
from agentdebate.bus import Bus
from agentdebate.errors import AgentDebateError, AgentFailed, StoreError, StrategyError, UserError
from agentdebate.floor import Floor, Group, Speaker
from agentdebate.lineup import Candidate, ballot_lines, lineup
from agentdebate.messages import FLOOR, Brief, Failure, Verdict
from agentdebate.models.base import Call, Model, Sampling
from agentdebate.prompts import Prompts
from agentdebate.results import Record
from agentdebate.strategies.base import Strategy
from agentdebate.tasks import Aspect, Item, Task
from agentdebate.usage import Ledger


@dataclass(frozen=True)
class Chair:
    """A seat with everything that whoever sits on it needs."""

    speaker: Speaker
    card: Card
    model: Model
    sampling: Sampling
    relay: bool = False
    history: int | None = None


@dataclass(frozen=True)
class Matter:
    """What a debate is about, and how it is held."""

    strategy: Strategy
    chairs: tuple[Chair, ...]
    task: Task
    item: Item
    aspects: tuple[Aspect, ...]
    prompts: Prompts
    form: Form
    patience: int
    deadline: float
    sampling: Sampling = field(default_factory=Sampling)


class Sitting:
    """Holds one debate. Raises DataError where the item does not fit its task."""

    def __init__(self, matter: Matter, bus: Bus, record: Recorder | None) -> None:
        self._matter, self._bus, self._keep = matter, bus, record
        matter.task.check(matter.item)
        lineup(matter.task, matter.item)
        self._ledger, self._calls = Ledger(), list[Call]()
        self._errors: dict[int, Exception] = {}
        self._floors: list[Floor] = []
        self._actors: list[Actor] = []
        self._orders = Counter[tuple[str, ...]]()
        self._group: TaskGroup

    async def hold(self, debate_id: str) -> Record:
        """Hold the debate to its end."""
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

    async def seat(self, order: Sequence[str] | None = None) -> Floor:
        """Seat the cast, with memories that hold nothing but the brief, and return its floor.

        The first cast has the addresses of its roles, every later one has them with a number behind. `order` is that
        in which the candidates are shown.
        """
        candidates = lineup(self._matter.task, self._matter.item, order)
        shown = tuple(candidate.field for candidate in candidates)
        setting = self._setting(candidates, sample=self._orders[shown])
        self._orders[shown] += 1
        speakers = [self._speaker(chair) for chair in self._matter.chairs]
        actors = [
            self._actor(chair, speaker, setting)
            for chair, speaker in zip(self._matter.chairs, speakers, strict=True)
        ]
        for actor in actors:
            self._actors.append(actor)
            self._group.start_soon(actor.run, name=actor.name)
        await self._bus.send(self._brief(actors, candidates))
        floor = self._floor(speakers, shown)
        self._floors.append(floor)
        return floor

    async def _ending(self) -> tuple[Verdict, None] | tuple[Failure, Exception]:
        """How the debate ends, and the error that ended it.

        What would end every other debate too (a prompt to be mended, a full disk) is raised.
        """
        try:
            return await self._talk(), None
        except Exception as raised:  # noqa: BLE001 - a debate ends with a verdict or a failure that holds the cause
            error = ending_of(raised)
            cause = _cause(error)
            if isinstance(cause, UserError | StoreError):
                raise cause from None
            return failure(error, self._bus.sent[-1].round if self._bus.sent else 0), cause
        finally:
            self._bus.discard()

    async def _talk(self) -> Verdict:
        strategy = self._matter.strategy
        async with anyio.create_task_group() as self._group:
            verdict = await strategy.debate(await self.seat())
            self._bus.shut()
            for actor in self._actors:
                actor.dismiss()
        if not isinstance(verdict, Verdict):
            raise StrategyError(f"{strategy.title} returned no verdict; end with floor.verdict(...)")
        return verdict

    def _speaker(self, chair: Chair) -> Speaker:
        again = len(self._floors)
        name = f"{chair.speaker.name}#{again + 1}" if again else chair.speaker.name
        return Speaker(name, chair.speaker.role, chair.speaker.title)

    def _actor(self, chair: Chair, speaker: Speaker, setting: Setting) -> Actor:
        setting.titles[speaker.name] = speaker.title
        if chair.relay:
            return Relay(speaker.name, self._bus, setting)
        writer = TurnWriter(
            speaker.name,
            chair.card,
            chair.model,
            chair.sampling.overlaid(chair.card.sampling).overlaid(self._matter.sampling),
            setting,
            chair.history,
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
            form=matter.form,
            patience=matter.patience,
            candidates=candidates,
            lines=ballot_lines(matter.aspects, candidates),
            sample=sample,
        )

    def _brief(self, actors: Sequence[Actor], candidates: Sequence[Candidate]) -> Brief:
        matter = self._matter
        return Brief(
            sender=FLOOR,
            to=tuple(actor.name for actor in actors),
            task=matter.task.name,
            aspects=tuple(aspect.name for aspect in matter.aspects),
            item=matter.item.id,
            candidates=tuple(candidate.field for candidate in candidates),
            text=matter.prompts.brief(matter.task, matter.item, matter.aspects, candidates),
        )

    def _floor(self, speakers: Sequence[Speaker], order: tuple[str, ...]) -> Floor:
        roles = dict.fromkeys(speaker.role for speaker in speakers)
        return Floor(
            self._bus,
            {role: Group(speaker for speaker in speakers if speaker.role == role) for role in roles},
            task=self._matter.task,
            item=self._matter.item,
            aspects=self._matter.aspects,
            order=order,
            ledger=self._ledger,
            deadline=self._matter.deadline,
            errors=self._errors,
            seat=self.seat,
        )

    async def _record(self, call: Call) -> None:
        if self._keep is not None:
            await self._keep(call)
        self._calls.append(call)
        self._ledger.add(call.agent, call.round, call.completion.usage)


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
