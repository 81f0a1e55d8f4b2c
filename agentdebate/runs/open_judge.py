"""A judge within one event loop: a strategy made ready, places for so many debates at once, and the run that keeps them."""

import re
from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from contextlib import AsyncExitStack, asynccontextmanager, closing, contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING

import anyio
import anyio.to_thread

from agentdebate.agents.debate_settings import DebateSettings
from agentdebate.debates.debate import Debate, ready
from agentdebate.debates.record import Record
from agentdebate.errors import NothingRead, UsageError, nearest, raise_only
from agentdebate.models.base import Model
from agentdebate.models.budget import Budget
from agentdebate.models.composition import Around
from agentdebate.models.registry import opener
from agentdebate.project.project import Project
from agentdebate.prompts.prompts import load_task
from agentdebate.runs.agenda import Job
from agentdebate.runs.asked_before import AGAIN, AskedBefore
from agentdebate.runs.budget_gate import budget_gate
from agentdebate.runs.configuration import configuration_of
from agentdebate.runs.debate_cost import debate_cost
from agentdebate.runs.debate_setup import check_suits
from agentdebate.runs.evaluation import Evaluation
from agentdebate.runs.run_store import begin_run, reopen_run
from agentdebate.strategies.base import Strategy
from agentdebate.strategies.load import strategy as load_strategy
from agentdebate.talk.bus import Listener
from agentdebate.tasks import Item, Task

if TYPE_CHECKING:
    from agentdebate.store.writer import RunWriter

_ANOTHER = "resume another run of the store (resume=NAME, or None for a new one)"
"""What a judge can do about a run that was held in another way."""

_inside: ContextVar[bool] = ContextVar("inside", default=False)
"""Whether we are in a debate of a judge. One that is held for another takes no place, which that one may be holding."""


@dataclass(frozen=True)
class JudgeOptions:
    """What a judge is made of."""

    strategy: Strategy | str
    model: Model | str
    settings: DebateSettings
    task: str | None = None
    aspects: Sequence[str] | str | None = None
    concurrency: int = 64
    store: str | Path | None = None
    resume: str | None = None
    """The run in the store that is gone on with; None begins one."""
    project: Project | None = None
    around: Around = field(default_factory=Around)
    cache: str | Path | None = None
    listeners: Sequence[Listener] = ()

    def __post_init__(self) -> None:
        if not isinstance(self.concurrency, int) or self.concurrency < 1:
            raise UsageError(
                f"concurrency is how many debates are held at a time: 1 or more, not {self.concurrency!r}"
            )
        _check("model", self.model, (str, Model), "a name such as 'openai/gpt-6-luna', or a Model")
        _check("strategy", self.strategy, (str, Strategy), "a name such as 'debate', or a Strategy")
        _check("task", self.task, (str, type(None)), "a name such as 'summarization', or a Task")
        if self.resume is not None and self.store is None:
            raise UsageError("a run is resumed in the store that holds it: name it with store=")
        _check("budget", self.around.budget, (Budget, type(None)), "a budget such as Budget(tokens=30_000)")

    def check(self) -> None:
        """Raise UserError for a strategy, a task or an aspect that there is not, and for a task that the strategy cannot judge."""
        found = self.project or Project.here()
        chosen = (
            load_strategy(self.strategy, project=found) if isinstance(self.strategy, str) else self.strategy
        )
        if self.task is not None:
            check_suits(chosen, self._known_task, (self.aspects,))

    def item(self, given: Item | Mapping[str, str] | None, fields: Mapping[str, str]) -> Item:
        """What is to be judged: an item, or the texts of one. Raises UsageError."""
        if isinstance(given, Item):
            if fields:
                raise UsageError(f"give an Item or its fields ({', '.join(fields)}), not both")
            return given if given.task else given.model_copy(update={"task": self._task()})
        if not isinstance(given, Mapping | type(None)):
            raise UsageError(
                f"an item is an Item or its fields by name, such as source=article and summary=text, not {type(given).__name__}"
            )
        texts = {**(given or {}), **fields}
        for name, text in texts.items():
            self._check_field(name)
            if not isinstance(text, str):
                raise UsageError(f"the field {name!r} is text, not {type(text).__name__}")
        return Item(fields=texts, task=self._task())

    def _check_field(self, name: str) -> None:
        """Raise UsageError for a field that the task does not have: a misspelt one that is optional would never be missed."""
        known = self._known_fields
        if name not in known and not _REFERENCE.fullmatch(name):
            hint = nearest(name, known)
            more = "" if hint.endswith("?") else " All else goes into an Item, beside its fields"
            raise UsageError(f"task {self.task!r} has no field {name!r}. {hint}{more}")

    @cached_property
    def _known_task(self) -> Task:
        name = self._task()
        return self.settings.tasks.get(name) or load_task(self.project or Project.here(), name)

    @cached_property
    def _known_fields(self) -> tuple[str, ...]:
        return (*self._known_task.fields, *self._known_task.optional)

    def _task(self) -> str:
        if self.task is None:
            raise UsageError(
                "the judge has no task: Judge(..., task='summarization'), or name one in each Item"
            )
        return self.task


_REFERENCE = re.compile(r"references?(_\d+)?")
"""Fields that evaluators compare a text with, whatever the task."""


def _check(name: str, given: object, kinds: tuple[type, ...], wanted: str) -> None:
    if not isinstance(given, kinds):
        raise UsageError(f"{name} takes {wanted}, not {given!r:.80}")


class OpenJudge:
    """Holds debates, so many at a time. Each is about one item and all of the judge's aspects."""

    def __init__(
        self,
        debate: Debate,
        evaluation: Evaluation,
        options: JudgeOptions,
        before: AskedBefore,
    ) -> None:
        self.evaluation = evaluation
        self._debate, self._aspects = debate, options.aspects
        self._places = anyio.Semaphore(options.concurrency)
        self._numbers = count(1)
        self._before = before
        self._names: set[str] = set(before.names)

    def __repr__(self) -> str:
        return f"<OpenJudge {self._debate.strategy.title!r}, {self.evaluation.progress.ended} debates ended>"

    async def hold(self, item: Item) -> Record:
        """Debate one item, or give the record of a run that was taken up again where the same was asked in it.

        Raises UserError, and what every other debate would meet too.
        """
        name = self._before.take(item)
        if name is not None:
            job = self._job(item, name)
            if job.id in self.evaluation.earlier and (record := await self.evaluation.ended(job)):
                return record
            if job.id not in self.evaluation.earlier:
                return await self._hold(job)
        return await self._hold(self._job(item, None))

    def _job(self, item: Item, name: str | None) -> Job:
        """The debate about an item, under the name that it had before or a new one."""
        number = next(self._numbers)
        named = item.model_copy(update={"id": self._name(item.id, number) if name is None else name})
        aspects = tuple(aspect.name for aspect in self._debate.task(named).choose(self._aspects))
        return Job(f"{named.id}/{'+'.join(aspects)}", named, aspects, number, number)

    async def _hold(self, job: Job) -> Record:
        try:
            if _inside.get():
                return await self.evaluation.hold(job)
            async with self._places:
                with _debating():
                    return await self.evaluation.hold(job)
        except NothingRead:
            self._debate.common.read_anew()  # the next call may find the endpoint repaired
            raise

    def _name(self, name: str, number: int) -> str:
        """An id that no item before had: what is judged once more has its number behind it."""
        wanted = name or str(number)
        while wanted in self._names:
            wanted = f"{wanted}{AGAIN}{number}"
        self._names.add(wanted)
        return wanted


@contextmanager
def _debating() -> Iterator[None]:
    token = _inside.set(True)
    try:
        yield
    finally:
        _inside.reset(token)


@asynccontextmanager
async def open_judge(options: JudgeOptions) -> AsyncIterator[OpenJudge]:
    """A judge, for as long as the context lasts: its connections, limits, budget, cache and run. Raises UserError and StoreError."""
    try:
        async with AsyncExitStack() as stack:
            around = await _with_cache(stack, options)
            debate = await stack.enter_async_context(
                ready(
                    options.strategy,
                    model=options.model,
                    project=options.project,
                    # in a rehearsal an opener stands in for all models, those that were given too
                    opener=None if options.settings.rehearsal else opener(options.concurrency, around),
                    settings=options.settings,
                )
            )
            debate = debate.with_models(around.lend)
            if options.task is not None:
                check_suits(debate.strategy, debate.task_named(options.task), (options.aspects,))
            writer = await _writer(stack, debate, options)
            evaluation = await _evaluation(stack, debate, options, around, writer)
            yield OpenJudge(debate, evaluation, options, await _asked_before(options, writer))
            evaluation.complete()
    except BaseExceptionGroup as error:  # of the store's task group
        raise_only(error)


async def _with_cache(stack: AsyncExitStack, options: JudgeOptions) -> Around:
    if options.cache is None:
        return options.around
    from agentdebate.store.cache import CompletionCache  # brings SQLAlchemy along

    cache = await stack.enter_async_context(CompletionCache(options.cache))
    return replace(options.around, cache=cache)


async def _writer(stack: AsyncExitStack, debate: Debate, options: JudgeOptions) -> "RunWriter | None":
    """What writes the judge's run down, begun or taken up again; None without a store. What failed in it is held again."""
    tasks = _tasks(debate, options)
    if options.store is None:
        return None
    how = configuration_of(
        debate, aspects=options.aspects, together=True, concurrency=options.concurrency, tasks=tasks
    )
    if options.resume is None or await anyio.to_thread.run_sync(_is_first, options.store, options.resume):
        return await begin_run(
            stack, options.store, debate, model=options.model, tasks=tasks, configuration=how
        )
    return await reopen_run(
        stack,
        options.store,
        options.resume,
        debate,
        how,
        retry_failed=True,
        anyway=False,
        budget=options.around.budget,
        instead=_ANOTHER,
    )


def _is_first(store: str | Path, run: str) -> bool:
    """Whether the last run is to be gone on with, of a store that has none yet."""
    from agentdebate.store.engine import open_database
    from agentdebate.store.reader import LAST, Reader

    if run != LAST:
        return False
    with closing(open_database(store, create=True)) as database:
        return not Reader(database).listed()


async def _asked_before(options: JudgeOptions, writer: "RunWriter | None") -> AskedBefore:
    """What the run was asked before it was taken up again."""
    if options.store is None or writer is None or writer.begun is None:
        return AskedBefore()
    return await anyio.to_thread.run_sync(_read_items, options.store, writer.run)


def _read_items(store: str | Path, run: str) -> AskedBefore:
    from agentdebate.store.reader import read_store  # brings SQLAlchemy along

    with read_store(store) as reader:
        return AskedBefore(reader.items(run))


async def _evaluation(
    stack: AsyncExitStack,
    debate: Debate,
    options: JudgeOptions,
    around: Around,
    writer: "RunWriter | None",
) -> Evaluation:
    """What holds the debates, and writes them down where there is a store."""
    send, receive = anyio.create_memory_object_stream[Record](0)
    send.close()
    stack.enter_context(receive)
    cost = debate_cost(debate, options.model, around.budget)
    gate = await stack.enter_async_context(budget_gate(debate, around))
    return Evaluation(debate, writer, receive, None, cost, listeners=options.listeners, gate=gate)


def _tasks(debate: Debate, options: JudgeOptions) -> dict[str, Task]:
    """The judge's task, where it has one. Raises UsageError for a task or an aspect that there is not."""
    if options.task is None:
        return dict(debate.settings.tasks)
    task = debate.task(Item(fields={}, task=options.task))
    task.choose(options.aspects)
    return {task.name: task}
