"""A judge within one event loop: a strategy made ready, places for so many debates at once, and the run that keeps them."""

import hashlib
import json
import re
from collections import deque
from collections.abc import AsyncIterator, Iterable, Iterator, Mapping
from contextlib import asynccontextmanager, closing, contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from functools import cached_property
from itertools import count
from pathlib import Path

import anyio
import anyio.to_thread

from agentdebate.debates.ready import ReadyStrategy
from agentdebate.debates.record import Record
from agentdebate.errors import NothingRead, UsageError, nearest
from agentdebate.project.project import Project
from agentdebate.prompts.prompts import load_task
from agentdebate.runs.agenda import Job, check_suits
from agentdebate.runs.configuration import configuration_of
from agentdebate.runs.run import Run
from agentdebate.runs.settings import Settings
from agentdebate.strategies.base import Strategy
from agentdebate.strategies.load import strategy as load_strategy
from agentdebate.tasks import Item, Task

AGAIN = "~"
"""What stands before the number in the id of an item that was judged once more."""
_REFERENCE = re.compile(r"references?(_\d+)?")
"""Fields that evaluators compare a text with, whatever the task."""
_ANOTHER = "resume another run of the store (resume=NAME, or None for a new one)"
"""What a judge can do about a run that was held in another way."""

_inside: ContextVar[bool] = ContextVar("inside", default=False)
"""Whether we are in a debate of a judge. One that is held for another takes no place, which that one may be holding."""


@dataclass(frozen=True)
class JudgeOptions:
    """What a judge is made of."""

    strategy: Strategy | str
    settings: Settings
    task: str | None = None
    store: str | Path | None = None
    resume: str | None = None
    """The run in the store that is gone on with; None begins one."""

    def __post_init__(self) -> None:
        if not isinstance(self.strategy, str | Strategy):
            raise UsageError(
                f"strategy takes a name such as 'debate', or a Strategy, not {self.strategy!r:.80}"
            )
        if not isinstance(self.task, str | None):
            raise UsageError(f"task takes a name such as 'summarization', or a Task, not {self.task!r:.80}")
        if self.resume is not None and self.store is None:
            raise UsageError("a run is resumed in the store that holds it: name it with store=")

    def check(self) -> None:
        """Raise UserError for a strategy, a task or an aspect that there is not, and for a task that the strategy cannot judge."""
        chosen = self.strategy
        if isinstance(chosen, str):
            chosen = load_strategy(chosen, project=self._project)
        if self.task is not None:
            check_suits(chosen, self._known_task, (self.settings.aspects,))

    def item(self, given: Item | Mapping[str, str] | None, fields: Mapping[str, str]) -> Item:
        """What is to be judged: an item, or the texts of one. Raises UsageError."""
        if isinstance(given, Item):
            if fields:
                raise UsageError(f"give an Item or its fields ({', '.join(fields)}), not both")
            return given if given.task else given.model_copy(update={"task": self._task()})
        if not isinstance(given, Mapping | None):
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
        known = (*self._known_task.fields, *self._known_task.optional)
        if name not in known and not _REFERENCE.fullmatch(name):
            hint = nearest(name, known)
            more = "" if hint.endswith("?") else " All else goes into an Item, beside its fields"
            raise UsageError(f"task {self.task!r} has no field {name!r}. {hint}{more}")

    @property
    def _project(self) -> Project:
        return self.settings.project or Project.here()

    @cached_property
    def _known_task(self) -> Task:
        name = self._task()
        return self.settings.tasks.get(name) or load_task(self._project, name)

    def _task(self) -> str:
        if self.task is None:
            raise UsageError(
                "the judge has no task: Judge(..., task='summarization'), or name one in each Item"
            )
        return self.task


class OpenJudge:
    """Holds debates of a run, so many at a time. Each is about one item and all of the judge's aspects."""

    def __init__(self, run: Run, before: "AskedBefore") -> None:
        self.run = run
        self._places = anyio.Semaphore(run.settings.concurrency)
        self._numbers = count(1)
        self._before = before
        self._names: set[str] = set(before.names)

    def __repr__(self) -> str:
        return f"<OpenJudge {self.run.debate.strategy.title!r}, {self.run.progress.ended} debates ended>"

    async def hold(self, item: Item) -> Record:
        """ReadyStrategy one item, or give the record of a run that was taken up again where the same was asked in it.

        Raises UserError, and what every other debate would meet too.
        """
        name = self._before.take(item)
        if name is None:
            return await self._hold(self._job(item, None))
        job = self._job(item, name)
        if job.id in self.run.earlier:
            # A record that is damaged is left out, and its item is judged under another name.
            return await self.run.ended(job) or await self._hold(self._job(item, None))
        return await self._hold(job)

    def _job(self, item: Item, name: str | None) -> Job:
        """The debate about an item, under the name that it had before or a new one."""
        number = next(self._numbers)
        named = item.model_copy(update={"id": self._name(item.id, number) if name is None else name})
        task = self.run.debate.task(named)
        aspects = tuple(aspect.name for aspect in task.choose(self.run.settings.aspects))
        return Job(f"{named.id}/{'+'.join(aspects)}", named, aspects, number, number)

    async def _hold(self, job: Job) -> Record:
        try:
            if _inside.get():
                return await self.run.hold(job)
            async with self._places:
                with _debating():
                    return await self.run.hold(job)
        except NothingRead:
            self.run.debate.common.read_anew()  # the next call may find the endpoint repaired
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
    async with Run.prepared(options.strategy, options.settings) as run:
        tasks = _tasks(run.debate, options)
        if options.store is not None:
            await _store(run, options, options.store, tasks)
        yield OpenJudge(run, await _asked_before(run, options.store))
        run.complete()


async def _store(run: Run, options: JudgeOptions, store: str | Path, tasks: Mapping[str, Task]) -> None:
    """Begin the judge's run in its store, or go on with it. What failed in it is held again."""
    how = configuration_of(run.debate, options.settings, tasks, together=True)
    if options.resume is None or await anyio.to_thread.run_sync(_is_first, store, options.resume):
        await run.begin(store, tasks, how)
    else:
        await run.reopen(store, options.resume, how, retry_failed=True, instead=_ANOTHER)


def _is_first(store: str | Path, run: str) -> bool:
    """Whether the last run is to be gone on with, of a store that has none yet."""
    from agentdebate.store.engine import open_database  # bring SQLAlchemy along
    from agentdebate.store.reader import LAST, Reader

    if run != LAST:
        return False
    with closing(open_database(store, create=True)) as database:
        return not Reader(database).listed()


def _tasks(debate: ReadyStrategy, options: JudgeOptions) -> dict[str, Task]:
    """The judge's task, where it has one. Raises UsageError for a task that there is not, or that the strategy cannot judge."""
    if options.task is None:
        return dict(debate.settings.tasks)
    task = debate.task_named(options.task)
    check_suits(debate.strategy, task, (options.settings.aspects,))
    return {task.name: task}


async def _asked_before(run: Run, store: str | Path | None) -> "AskedBefore":
    """What the run was asked before it was taken up again."""
    if store is None or run.writer is None or run.writer.begun is None:
        return AskedBefore()
    return await anyio.to_thread.run_sync(_read_items, store, run.writer.run)


def _read_items(store: str | Path, run: str) -> "AskedBefore":
    from agentdebate.store.reader import read_store  # brings SQLAlchemy along

    with read_store(store) as reader:
        return AskedBefore(reader.items(run))


class AskedBefore:
    """The items of a run by what they say. Each is given back once: who asks a third time meets the third of them."""

    def __init__(self, items: Iterable[Item] = ()) -> None:
        self.names: set[str] = set()
        """The ids of the items."""
        self._ids: dict[bytes, deque[str]] = {}
        for item in items:
            self.names.add(item.id)
            self._ids.setdefault(_digest(item), deque()).append(item.id)

    def __repr__(self) -> str:
        return f"<AskedBefore: {len(self.names)} items, {sum(map(len, self._ids.values()))} to come>"

    def take(self, item: Item) -> str | None:
        """The id under which the same texts were judged before; None where they were not, or not under this id."""
        kept = self._ids.get(_digest(item), deque[str]())
        for name in kept:
            if _is_same(name, item.id):
                kept.remove(name)
                return name
        return None


def _is_same(stored: str, given: str) -> bool:
    """Whether an item that was given so had that id: it had a number where it was given none."""
    first = stored.partition(AGAIN)[0]
    return first.isdecimal() if not given else given in (first, stored)


def _digest(item: Item) -> bytes:
    said = json.dumps([item.task, sorted(item.fields.items())])
    return hashlib.sha256(said.encode()).digest()
