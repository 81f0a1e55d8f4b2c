"""Many debates at once: bounded concurrency, progress, and one item's failure that ends nothing but itself."""

import itertools
import logging
import time
from collections import Counter
from collections.abc import AsyncGenerator, AsyncIterable, AsyncIterator, Iterable, Mapping, Sequence
from contextlib import AsyncExitStack, aclosing, asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import anyio
from anyio.streams.memory import MemoryObjectReceiveStream, MemoryObjectSendStream

from agentdebate.agents.setting import Form
from agentdebate.configuration import check_same, configuration_of
from agentdebate.debates import DEADLINE, Debate, ready
from agentdebate.errors import BudgetSpent, DataError, UsageError, raise_only
from agentdebate.messages import Message
from agentdebate.models.base import Call, Model, Sampling
from agentdebate.models.limit import turn_order
from agentdebate.models.registry import opener
from agentdebate.models.resumed import Earlier
from agentdebate.project import Project
from agentdebate.results import Record
from agentdebate.strategies.base import Strategy
from agentdebate.tasks import Item, Task

if TYPE_CHECKING:
    from agentdebate.models.composition import Around
    from agentdebate.store.resuming import Paid
    from agentdebate.store.writer import RunWriter

_log = logging.getLogger(__name__)


@dataclass
class Progress:
    """How far a run has come. `total` counts debates and is None where the items come from a stream."""

    total: int | None = None
    done: int = 0
    """Debates that ended with a verdict."""
    failed: int = 0
    """Debates that ended with a failure."""
    calls: int = 0
    tokens: int = 0
    saved: int = 0
    """Calls whose completions came out of a cache, and are not among the others."""
    started: float = field(default_factory=time.monotonic)

    @property
    def ended(self) -> int:
        """Debates that have ended."""
        return self.done + self.failed

    @property
    def rate(self) -> float:
        """Debates a second since the start."""
        elapsed = time.monotonic() - self.started
        return self.ended / elapsed if elapsed > 0 else 0.0

    @property
    def left(self) -> float | None:
        """Seconds to go at this rate; None where that cannot be known."""
        if self.total is None or not self.ended:
            return None
        return (self.total - self.ended) / self.rate

    def count(self, record: Record) -> None:
        """Count a debate that has ended."""
        usage = record.usage
        self.calls += usage.calls
        self.tokens += usage.tokens
        self.saved += record.saved.calls
        if record.verdict is not None:
            self.done += 1
        else:
            self.failed += 1


@dataclass(frozen=True)
class Job:
    """One debate to be held."""

    id: str
    item: Item
    aspects: tuple[str, ...]


class Evaluation:
    """A run under way: iterate over it for its records, which come as their debates end."""

    def __init__(
        self,
        debate: Debate,
        writer: "RunWriter | None",
        results: MemoryObjectReceiveStream[Record],
        total: int | None,
    ) -> None:
        self.progress = Progress(total)
        self.spent: BudgetSpent | None = None
        """What a debate met the end of the budget with."""
        self._debate, self._writer, self._results = debate, writer, results
        self._numbers = itertools.count()
        self._common = _earlier(writer.begun.common if writer and writer.begun else ())

    def __repr__(self) -> str:
        return f"<Evaluation {self.id or 'without a store'}: {self.progress.ended} of {self.progress.total}>"

    @property
    def id(self) -> str | None:
        """The run's name in the store."""
        return self._writer.run if self._writer else None

    def __aiter__(self) -> AsyncIterator[Record]:
        return self._results.__aiter__()

    async def hold(self, job: Job) -> Record:
        """Hold one debate of the run, and have everything of it on disk before it counts."""
        turn_order.set(next(self._numbers))  # debates in progress go before new ones
        record = await self._hold(job)
        if record.failure is not None:
            about = {"kind": "debate failed", "run": self.id, "debate": job.id}
            why = record.failure.error, record.failure.reason
            _log.warning("the debate %s failed: %s: %s", job.id, *why, extra=about)
        self.progress.count(record)
        return record

    def complete(self) -> None:
        """Say that every debate has been held. A run that was left before has no end in the store."""
        if self._writer is not None:
            self._writer.complete()

    async def _hold(self, job: Job) -> Record:
        writer = self._writer
        if writer is None:
            return await self._debate.hold(job.item, job.aspects, debate_id=job.id)
        paid = await writer.earlier(job.id)
        earlier = _earlier(paid, self._common)
        numbers = itertools.count(1 + max((call.number for call in paid), default=0))

        def write(message: Message) -> None:
            writer.message(job.id, message)

        async def keep(call: Call) -> None:
            if not earlier.gave(call.completion):
                await writer.call(job.id, next(numbers), call)

        writer.item(job.item)
        record = await self._debate.hold(
            job.item,
            job.aspects,
            debate_id=job.id,
            listeners=[write],
            record=keep,
            earlier=earlier if writer.begun else None,
        )
        await writer.record(record)
        return record


@asynccontextmanager
async def evaluate(
    items: Iterable[Item] | AsyncIterable[Item],
    strategy: Strategy | str,
    *,
    model: Model | str = "offline",
    aspects: Sequence[str] | str | None = None,
    together: bool | None = None,
    concurrency: int = 64,
    store: str | Path | None = None,
    project: Project | None = None,
    tasks: Mapping[str, Task] | None = None,
    form: Form = "auto",
    patience: int = 3,
    deadline: float = DEADLINE,
    sampling: Sampling | None = None,
    configuration: Mapping[str, Any] | None = None,
    resume: str | None = None,
    retry_failed: bool = False,
    anyway: bool = False,
    around: "Around | None" = None,
) -> AsyncIterator[Evaluation]:
    """Judge many items, `concurrency` debates at a time.

    Every aspect of an item is a debate of its own, as in the papers, unless `together` puts them into one; None leaves
    that to the strategy, some of which judge all aspects at once. A model that is named rather than given has as many connections as there are debates at a time.

    `store` is a path or database URL; how the run is held and everything said, answered and decided is kept there, and
    `configuration` beside it. A run that is left before its last debate has no end there. A debate that fails is a record
    with a failure.

    `resume` names a run of the store that was left, or its beginning, or "last": its debates that have ended are not held
    again, but for those that failed where `retry_failed` is set, and no completion that is on disk is paid for again. A
    run that was held in another way is refused, unless it is taken up `anyway`.

    `around` is what models that are opened by name share: limits, a budget, a cache. Where the budget is spent no debate
    begins any more, those that are being held go on up to a call that does not fit, and BudgetSpent is raised. Raises
    UserError and StoreError for what would end every debate.
    """
    if concurrency < 1:
        raise UsageError(f"concurrency is how many debates are held at a time: 1 or more, not {concurrency}")
    try:
        async with AsyncExitStack() as stack:
            debate = await stack.enter_async_context(
                ready(
                    strategy,
                    model=model,
                    project=project,
                    tasks=tasks,
                    form=form,
                    patience=patience,
                    deadline=deadline,
                    sampling=sampling,
                    opener=opener(concurrency, around),
                )
            )
            at_once = debate.strategy.judges_together() if together is None else together
            total = _total(items, debate, aspects, together=at_once)
            known = _tasks(items, debate)
            how = configuration_of(
                debate, aspects=aspects, together=at_once, concurrency=concurrency, tasks=known
            )
            whole = {**how, **(configuration or {})}
            if resume is None:
                writer = await _writer(stack, store, debate, model=model, tasks=known, configuration=whole)
            else:
                writer = await _reopened(
                    stack, store, resume, whole, retry_failed=retry_failed, anyway=anyway
                )
            if writer is not None:
                found = writer.begun.found if writer.begun else {}
                debate.common.remember(found, writer.found)
            ended = writer.begun.ended if writer and writer.begun else frozenset()
            jobs = await stack.enter_async_context(
                aclosing(_left(_jobs(items, debate, aspects, together=at_once), ended))
            )
            send, receive = anyio.create_memory_object_stream[Record](concurrency)
            run = Evaluation(debate, writer, receive, None if total is None else max(total - len(ended), 0))
            async with receive, send, anyio.create_task_group() as group:
                group.start_soon(_workers, run, jobs, concurrency, send)
                yield run
                group.cancel_scope.cancel()
    except BaseExceptionGroup as error:  # of the run's task group, or of the store's around it
        raise_only(error)


def _earlier(paid: "Iterable[Paid]", common: Earlier | None = None) -> Earlier:
    return Earlier(((call.agent, call.key, call.completion) for call in paid if call.key), common)


async def _writer(
    stack: AsyncExitStack,
    store: str | Path | None,
    debate: Debate,
    *,
    model: Model | str,
    tasks: Mapping[str, Task],
    configuration: Mapping[str, Any],
) -> "RunWriter | None":
    if store is None:
        return None
    from agentdebate.store.writer import write_run  # brings SQLAlchemy along, which only a stored run needs

    return await stack.enter_async_context(
        write_run(
            store,
            strategy=debate.strategy.title,
            tasks=tuple(tasks),
            model=model if isinstance(model, str) else model.name,
            configuration=configuration,
        )
    )


async def _reopened(
    stack: AsyncExitStack,
    store: str | Path | None,
    resume: str,
    configuration: Mapping[str, Any],
    *,
    retry_failed: bool,
    anyway: bool,
) -> "RunWriter":
    """The writer of a run that is taken up again. Raises UsageError where it was held in another way."""
    if store is None:
        raise UsageError("a run is resumed in the store that holds it: name it with store=")
    from agentdebate.store.reader import read_store  # bring SQLAlchemy along
    from agentdebate.store.writer import rewrite_run

    with read_store(store) as reader:
        head = reader.run(resume)
    if not anyway:
        check_same(head.id, head.configuration, configuration)
    return await stack.enter_async_context(rewrite_run(store, head.id, retry_failed=retry_failed))


async def _left(jobs: AsyncGenerator[Job], ended: frozenset[str]) -> AsyncGenerator[Job]:
    """The jobs that are still to be done."""
    async with aclosing(jobs):
        async for job in jobs:
            if job.id not in ended:
                yield job


async def _workers(
    run: Evaluation, jobs: AsyncIterator[Job], concurrency: int, send: MemoryObjectSendStream[Record]
) -> None:
    """As many workers as debates may be held at once, each taking the next job. Raises BudgetSpent when all have stopped."""
    taking = anyio.Lock()
    async with send:
        async with anyio.create_task_group() as group:
            for _ in range(concurrency):
                group.start_soon(_worker, run, jobs, taking, send)
        if run.spent is not None:
            raise run.spent
        run.complete()  # before the last record's reader learns that there are no more


async def _worker(
    run: Evaluation, jobs: AsyncIterator[Job], taking: anyio.Lock, send: MemoryObjectSendStream[Record]
) -> None:
    while True:
        async with taking:
            job = None if run.spent else await anext(jobs, None)
        if job is None:
            return
        try:
            record = await run.hold(job)
        except BudgetSpent as spent:
            # Calls of other debates are under way, and are paid for: these go on for as long as they can.
            run.spent = spent
            return
        await send.send(record)


async def _jobs(
    items: Iterable[Item] | AsyncIterable[Item],
    debate: Debate,
    aspects: Sequence[str] | str | None,
    *,
    together: bool,
) -> AsyncGenerator[Job]:
    seen: set[str] = set()
    async with aclosing(_one_by_one(items)) as given:
        number = 0
        async for item in given:
            number += 1
            named = item if item.id else item.model_copy(update={"id": str(number)})
            if named.id in seen:
                raise _twins(named.id)
            seen.add(named.id)
            for chosen in _aspect_sets(named, debate, aspects, together=together):
                yield Job(f"{named.id}/{'+'.join(chosen)}", named, chosen)


async def _one_by_one(items: Iterable[Item] | AsyncIterable[Item]) -> AsyncGenerator[Item]:
    if isinstance(items, AsyncGenerator):
        async with aclosing(items):
            async for item in items:
                yield item
    elif isinstance(items, AsyncIterable):
        async for item in items:
            yield item
    else:
        for item in items:
            yield item


def _twins(name: str) -> DataError:
    return DataError(f"two items have the id {name!r}; the id is what tells their debates apart", field="id")


def _aspect_sets(
    item: Item, debate: Debate, aspects: Sequence[str] | str | None, *, together: bool
) -> list[tuple[str, ...]]:
    """What each debate about an item is about."""
    names = tuple(aspect.name for aspect in debate.task(item).choose(aspects))
    return [names] if together else [(name,) for name in names]


def _tasks(items: Iterable[Item] | AsyncIterable[Item], debate: Debate) -> dict[str, Task]:
    """The tasks of the items, where they are all at hand."""
    if not isinstance(items, Sequence):
        return {}
    return {item.task: debate.task(item) for item in items}


def _total(
    items: Iterable[Item] | AsyncIterable[Item],
    debate: Debate,
    aspects: Sequence[str] | str | None,
    *,
    together: bool,
) -> int | None:
    """How many debates there will be, where the items are all at hand; what is wrong with them is raised at once."""
    if not isinstance(items, Sequence):
        return None
    twins = [name for name, count in Counter(item.id for item in items if item.id).items() if count > 1]
    if twins:
        raise _twins(twins[0])
    return sum(len(_aspect_sets(item, debate, aspects, together=together)) for item in items)
