"""Holding debates: one strategy, one item, one task group, and a verdict or a typed failure."""

import time
from collections import Counter
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

import anyio

from agentdebate.agents.agent import Actor, Agent, Relay
from agentdebate.agents.card import Card, load_card
from agentdebate.agents.setting import Form, Recorder, Setting
from agentdebate.agents.turn import TurnWriter
from agentdebate.bus import Bus, Listener
from agentdebate.errors import (
    AgentDebateError,
    AgentFailed,
    DataError,
    StoreError,
    StrategyError,
    UsageError,
    UserError,
)
from agentdebate.floor import Floor, Group, Speaker
from agentdebate.messages import FLOOR, Brief, Failure, Verdict
from agentdebate.models.base import Call, Model, Sampling
from agentdebate.models.registry import model as open_model
from agentdebate.project import Project
from agentdebate.prompts import Prompts
from agentdebate.results import Record
from agentdebate.strategies.base import Strategy
from agentdebate.strategies.load import strategy as load_strategy
from agentdebate.tasks import Aspect, Item, Task
from agentdebate.usage import Ledger

DEADLINE = 300.0
"""Seconds that a turn may take, retries included."""


@dataclass(frozen=True)
class Chair:
    """A seat with everything that whoever sits on it needs."""

    speaker: Speaker
    card: Card
    relay: bool
    model: Model


@dataclass(frozen=True)
class Debate:
    """A strategy made ready to be held over any item: its cast seated, its models open, its prompts at hand."""

    strategy: Strategy
    chairs: tuple[Chair, ...]
    prompts: Prompts
    form: Form = "auto"
    patience: int = 3
    deadline: float = DEADLINE
    sampling: Sampling = Sampling()
    """Sampling parameters of the call; they go before the strategy's and the cards'."""
    tasks: Mapping[str, Task] = field(default_factory=dict)
    """Tasks that go before the project's of the same names."""

    def task(self, item: Item) -> Task:
        """The task of an item. Raises UsageError where the item names none."""
        if not item.task:
            raise UsageError(
                f"item {item.id or '?'} names no task; give it one: Item(task='summarization', ...)"
            )
        return self.tasks.get(item.task) or self.prompts.task(item.task)

    async def hold(
        self,
        item: Item,
        aspects: Sequence[str] | str | None = None,
        *,
        debate_id: str = "",
        listeners: Sequence[Listener] = (),
        record: Recorder | None = None,
    ) -> Record:
        """Debate one item and return what is left of it; a failure of the debate is in the record, not raised.

        `aspects` None means all of the task's, in one debate. `listeners` see every message, `record` every call
        before its completion is used. `debate_id` is the record's id, the item's where there is none. Raises
        UserError for a task or aspect that does not exist, and StrategyError for a role called "floor".
        """
        task = self.task(item)
        chosen = task.choose(aspects)
        name = debate_id or item.id
        try:
            sitting = Sitting(self, task, item, chosen, listeners=listeners, record=record)
        except DataError as error:
            return _unfit(self, task, item, chosen, debate_id=name, error=error)
        return await sitting.hold(name)


class Sitting:
    """One debate being held."""

    def __init__(
        self,
        debate: Debate,
        task: Task,
        item: Item,
        aspects: tuple[Aspect, ...],
        *,
        listeners: Sequence[Listener],
        record: Recorder | None,
    ) -> None:
        self._debate, self._item, self._aspects = debate, item, aspects
        self._task, self._keep = task, record
        self._brief = debate.prompts.brief(task, item, aspects)
        self._ledger, self._calls = Ledger(), list[Call]()
        self._bus = Bus()
        for listener in listeners:
            self._bus.listen(listener)
        self._actors = self._seat_all(debate.chairs)
        self._floor = Floor(
            self._bus,
            _groups(debate.chairs),
            task=task,
            item=item,
            aspects=aspects,
            ledger=self._ledger,
            deadline=debate.deadline,
        )

    async def hold(self, debate_id: str) -> Record:
        """Hold it to its end."""
        started = time.perf_counter()
        ending, error = await self._ending()
        said = await self._bus.send(ending)
        return Record(
            id=debate_id,
            item=self._item,
            task=self._task.name,
            aspects=tuple(aspect.name for aspect in self._aspects),
            strategy=self._debate.strategy.title,
            verdict=said if isinstance(said, Verdict) else None,
            failure=said if isinstance(said, Failure) else None,
            transcript=tuple(self._bus.sent),
            calls=tuple(self._calls),
            error=error,
            seconds=time.perf_counter() - started,
        )

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
            return failure(error, self._floor.round), cause
        finally:
            self._bus.discard()

    async def _talk(self) -> Verdict:
        async with anyio.create_task_group() as group:
            for actor in self._actors:
                group.start_soon(actor.run, name=actor.name)
            await self._bus.send(self._brief_message())
            verdict = await self._debate.strategy.debate(self._floor)
            self._bus.shut()
        if not isinstance(verdict, Verdict):
            raise StrategyError(
                f"{self._debate.strategy.title} returned no verdict; end with floor.verdict(...)"
            )
        return verdict

    def _seat_all(self, chairs: Sequence[Chair]) -> list[Actor]:
        try:
            return [self._seat(chair) for chair in chairs]
        except StrategyError:  # an address that is taken: those who have theirs already will not need it
            self._bus.discard()
            raise

    def _seat(self, chair: Chair) -> Actor:
        setting = self._setting()
        if chair.relay:
            return Relay(chair.speaker.name, self._bus, setting)
        sampling = self._debate.strategy.sampling.overlaid(chair.card.sampling).overlaid(
            self._debate.sampling
        )
        return Agent(self._bus, TurnWriter(chair.speaker.name, chair.card, chair.model, sampling, setting))

    def _setting(self) -> Setting:
        debate = self._debate
        titles = {chair.speaker.name: chair.speaker.title for chair in debate.chairs}
        return Setting(
            self._task,
            self._item,
            self._aspects,
            debate.prompts,
            self._record,
            titles,
            debate.form,
            debate.patience,
        )

    def _brief_message(self) -> Brief:
        return Brief(
            sender=FLOOR,
            to=tuple(actor.name for actor in self._actors),
            task=self._task.name,
            aspects=tuple(aspect.name for aspect in self._aspects),
            item=self._item.id,
            text=self._brief,
        )

    async def _record(self, call: Call) -> None:
        if self._keep is not None:
            await self._keep(call)
        self._calls.append(call)
        self._ledger.add(call.agent, call.round, call.completion.usage)


@asynccontextmanager
async def ready(
    strategy: Strategy | str,
    *,
    model: Model | str = "offline",
    project: Project | None = None,
    form: Form = "auto",
    patience: int = 3,
    deadline: float = DEADLINE,
    sampling: Sampling | None = None,
    tasks: Mapping[str, Task] | None = None,
) -> AsyncIterator[Debate]:
    """A debate made ready. Models that were named rather than given are opened here and closed at the end.

    `tasks` go before the project's tasks of the same names (other scales, tasks made in code). Raises UserError.
    """
    found = project or Project.here()
    chosen = load_strategy(strategy, project=found) if isinstance(strategy, str) else strategy
    opened: dict[str, Model] = {}
    try:
        chairs, prompts = _chairs(chosen, found, model, opened), Prompts(found)
        for chair in chairs:
            prompts.persona(chair.card.name, chair.card.persona)  # what is wrong with it shows before the first call
        yield Debate(
            chosen,
            chairs,
            prompts,
            form,
            patience,
            deadline,
            sampling or Sampling(),
            dict(tasks or {}),
        )
    finally:
        with anyio.CancelScope(shield=True):
            for one in opened.values():
                await one.aclose()


async def debate(
    item: Item,
    strategy: Strategy | str,
    *,
    model: Model | str = "offline",
    aspects: Sequence[str] | str | None = None,
    project: Project | None = None,
    listeners: Sequence[Listener] = (),
    deadline: float = DEADLINE,
    sampling: Sampling | None = None,
    tasks: Mapping[str, Task] | None = None,
) -> Verdict:
    """Judge one item by debate.

    `aspects` are the task's aspects to be judged; several are judged together in one debate, None means all. Raises
    the error that ended the debate where it ends without a verdict: a DebateError or a ModelError.
    """
    async with ready(
        strategy, model=model, project=project, deadline=deadline, sampling=sampling, tasks=tasks
    ) as made_ready:
        record = await made_ready.hold(item, aspects, listeners=listeners)
    if record.error is not None:
        raise record.error
    assert record.verdict is not None, "a debate ends with a verdict or an error"
    return record.verdict


def _unfit(
    debate: Debate, task: Task, item: Item, aspects: tuple[Aspect, ...], *, debate_id: str, error: DataError
) -> Record:
    """The record of a debate that could not begin, since the item does not fit its task."""
    return Record(
        id=debate_id,
        item=item,
        task=task.name,
        aspects=tuple(aspect.name for aspect in aspects),
        strategy=debate.strategy.title,
        verdict=None,
        failure=failure(error, 0),
        transcript=(),
        error=error,
    )


def ending_of(error: Exception) -> Exception:
    """The error behind what a task group raised: an agent's before the floor's, which only felt it."""
    leaves = _leaves(error)
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


def _leaves(error: Exception) -> list[Exception]:
    if isinstance(error, ExceptionGroup):
        return [leaf for inner in error.exceptions for leaf in _leaves(inner)]
    return [error]


def _chairs(
    strategy: Strategy, project: Project, model: Model | str, opened: dict[str, Model]
) -> tuple[Chair, ...]:
    """Seat the cast. Every model is opened once, under its name in `opened`."""
    names, titles = Counter[str](), Counter[str]()
    chairs: list[Chair] = []
    for role, seats in strategy.seats().items():
        for seat in seats:
            card = seat.card if isinstance(seat.card, Card) else load_card(project, seat.card)
            name = _numbered(role if len(seats) == 1 else card.name, names, "{}-{}")
            speaker = Speaker(name, role, _numbered(card.title, titles, "{} ({})"))
            chairs.append(Chair(speaker, card, seat.relay, _model(card.model or model, opened)))
    return tuple(chairs)


def _model(model: Model | str, opened: dict[str, Model]) -> Model:
    if not isinstance(model, str):
        return model
    if model not in opened:
        opened[model] = open_model(model)
    return opened[model]


def _numbered(name: str, taken: Counter[str], form: str) -> str:
    """The name, with a number behind it for everyone who bears it after the first."""
    taken[name] += 1
    return form.format(name, taken[name]) if taken[name] > 1 else name


def _groups(chairs: Sequence[Chair]) -> dict[str, Group]:
    roles = dict.fromkeys(chair.speaker.role for chair in chairs)
    return {role: Group(chair.speaker for chair in chairs if chair.speaker.role == role) for role in roles}
