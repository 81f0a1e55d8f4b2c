"""A judge within one event loop: a strategy made ready, places for so many debates at once, and the run that keeps them."""

import hashlib
import json
import re
from collections import Counter
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager, closing
from dataclasses import dataclass
from functools import cached_property
from itertools import count
from pathlib import Path

import anyio
import anyio.to_thread

from agentdebate.debates.record import Record
from agentdebate.errors import NothingRead, UsageError, nearest
from agentdebate.runs.agenda import Job, check_suits
from agentdebate.runs.configuration import configuration_of
from agentdebate.runs.run import Run
from agentdebate.runs.settings import Settings
from agentdebate.strategies.base import Strategy
from agentdebate.tasks import Item, Task

AGAIN = "~"
"""Text before the number in the id of an item that was judged again."""
_REFERENCE = re.compile(r"references?(_\d+)?")
"""Fields that evaluators compare a text with, whatever the task."""
_ANOTHER = (
    "Start a new run, put it back, or resume another run of the store (resume=NAME, or None for a new one)"
)
"""Advice about a judge's run with another configuration."""


@dataclass(frozen=True)
class JudgeOptions:
    """Options of a judge."""

    strategy: Strategy | str
    settings: Settings
    task: str | None = None
    store: str | Path | None = None
    resume: str | None = None
    """The run in the store to resume; None begins one."""

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
        """Raise UserError for a strategy, an unknown task or aspect, and for a task that the strategy cannot judge."""
        chosen = self.settings.strategy(self.strategy)
        if self.task is not None:
            check_suits(chosen, self._known_task, (self.settings.aspects,))

    def item(self, given: Item | Mapping[str, str] | None, fields: Mapping[str, str]) -> Item:
        """Make the item to be judged from an item or its texts. Raises UsageError."""
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
            raise UsageError(f"task {self.task!r} has no field {name!r}. {nearest(name, known)}")

    @cached_property
    def _known_task(self) -> Task:
        return self.settings.task(self._task())

    def _task(self) -> str:
        if self.task is None:
            raise UsageError(
                "the judge has no task: Judge(..., task='summarization'), or name one in each Item"
            )
        return self.task


class OpenJudge:
    """Holds debates of a run, so many at a time. Each is about one item and all of the judge's aspects.

    An item without an id is called by what tells its question from another one, and one that is judged once more has a number behind
    its id. So the same questions have the same names when the run is resumed; `asked` has those of its items.
    """

    def __init__(self, run: Run, asked: Mapping[str, str]) -> None:
        self.run, self._asked = run, asked
        self._places = anyio.Semaphore(run.settings.concurrency)
        self._numbers, self._times = count(1), Counter[str]()

    async def hold(self, item: Item) -> Record:
        """Judge one item, or give the record of a resumed run where the same was asked in it.

        Raises UserError, and what every other debate would meet too.
        """
        job = self._job(item)
        if job.id in self.run.earlier:
            # A record that is damaged is left out, and its item is judged under another name.
            return await self.run.ended(job) or await self._hold(self._job(item))
        return await self._hold(job)

    def _job(self, item: Item) -> Job:
        """The debate about an item, under a name of its own."""
        number = next(self._numbers)
        named = item.model_copy(update={"id": self._name(item)})
        task = self.run.debate.task(named)
        aspects = tuple(aspect.name for aspect in task.choose(self.run.settings.aspects))
        return Job(f"{named.id}/{'+'.join(aspects)}", named, aspects, number, number)

    def _name(self, item: Item) -> str:
        """The next name for the item that no other question has."""
        question = _question(item)
        name = item.id or question
        while True:
            self._times[name] += 1
            times = self._times[name]
            wanted = name if times == 1 else f"{name}{AGAIN}{times}"
            if self._asked.get(wanted, question) == question:
                return wanted

    async def _hold(self, job: Job) -> Record:
        try:
            async with self._places:
                return await self.run.hold(job)
        except NothingRead:
            self.run.debate.common.read_anew()  # the next call may find the endpoint repaired
            raise


def _question(item: Item) -> str:
    """Return the key of a question: task and texts."""
    said = json.dumps([item.task, sorted(item.fields.items())])
    return hashlib.sha256(said.encode()).hexdigest()[:12]


@asynccontextmanager
async def open_judge(options: JudgeOptions) -> AsyncIterator[OpenJudge]:
    """A judge, for as long as the context lasts: its connections, limits, budget, cache and run. Raises UserError and StoreError."""
    async with Run.prepared(options.strategy, options.settings) as run:
        asked: Mapping[str, str] = {}
        if options.store is not None:
            asked = await _stored(run, options, options.store)
        yield OpenJudge(run, asked)
        run.complete()


async def _stored(run: Run, options: JudgeOptions, store: str | Path) -> Mapping[str, str]:
    """Begin the judge's run in its store, or go on with it and say what it was asked. What failed in it is held again."""
    tasks = dict(run.debate.settings.tasks)
    if options.task is not None:
        tasks = {options.task: run.debate.task(Item(task=options.task, fields={}))}
    run.configuration = configuration_of(run.debate, options.settings, tasks, together=True)
    if options.resume is None or await anyio.to_thread.run_sync(_is_first, store, options.resume):
        await run.begin(store, tasks)
        return {}
    await run.reopen(store, options.resume, retry_failed=True, instead=_ANOTHER)
    return await anyio.to_thread.run_sync(_asked_before, store, run.id or "")


def _is_first(store: str | Path, run: str) -> bool:
    """Tell whether `run` means the last run in a store that has none yet."""
    from agentdebate.store.engine import open_database  # bring SQLAlchemy along
    from agentdebate.store.reader import LAST, Reader

    if run != LAST:
        return False
    with closing(open_database(store, create=True)) as database:
        return not Reader(database).listed()


def _asked_before(store: str | Path, run: str) -> Mapping[str, str]:
    """The questions of a run by the ids of their items."""
    from agentdebate.store.reader import read_store  # brings SQLAlchemy along

    with read_store(store) as reader:
        return {item.id: _question(item) for item in reader.items(run)}
