"""Many debates at once: bounded concurrency, progress, and one item's failure that ends nothing but itself."""

from collections.abc import AsyncGenerator, AsyncIterator, Callable, Coroutine
from contextlib import aclosing, asynccontextmanager
from functools import partial
from pathlib import Path
from typing import Any, Unpack

import anyio
import anyio.to_thread
from anyio.streams.memory import MemoryObjectReceiveStream, MemoryObjectSendStream

from agentdebate.debates.record import Record
from agentdebate.errors import BudgetSpent, LeaseLost, ModelError, UsageError
from agentdebate.log import get_log
from agentdebate.models.event_loop import running_loop
from agentdebate.runs.agenda import Agenda, Data, Items, Job, opened
from agentdebate.runs.progress import Progress
from agentdebate.runs.run import Run
from agentdebate.runs.settings import Settings, SettingsChanges
from agentdebate.strategies.base import Strategy
from agentdebate.telemetry import Span

_log = get_log(__name__)


class Evaluation:
    """A run under way: iterate over it for its records, which come as their debates end."""

    def __init__(self, run: Run, results: MemoryObjectReceiveStream[Record]) -> None:
        self.run, self._results = run, results

    def __repr__(self) -> str:
        return f"<Evaluation {self.id or 'without a store'}: {self.progress.ended} of {self.progress.total}>"

    @property
    def id(self) -> str | None:
        """The run's name in the store."""
        return self.run.id

    @property
    def progress(self) -> Progress:
        """Progress of the run."""
        return self.run.progress

    def __aiter__(self) -> AsyncIterator[Record]:
        return self

    async def __anext__(self) -> Record:
        try:
            return await self._results.receive()
        except anyio.EndOfStream:
            if self.run.stopped is not None:  # after the last record, so that the reader gets all of them
                raise self.run.stopped from None
            raise StopAsyncIteration from None


@asynccontextmanager
async def evaluate(
    items: Data | None,
    strategy: Strategy | str,
    *,
    store: str | Path | None = None,
    resume: str | None = None,
    retry_failed: bool = False,
    anyway: bool = False,
    earlier: bool = True,
    progress: bool = False,
    settings: Settings | None = None,
    **changes: Unpack[SettingsChanges],
) -> AsyncIterator[Evaluation]:
    """Judge many items, `concurrency` debates at a time. Items are a list, a `DataSource`, or a stream, of which none is kept.

    How the run is held is said by `settings`, by the fields of Settings as keywords, such as `model="openai/gpt-6-luna"`, or by both:
    keywords go before. Every aspect of an item is a debate of its own, as in the papers, unless `together` puts them into one; None leaves
    that to the strategy, some of which judge all aspects at once.

    `store` is a path or database URL; how the run is held and everything said, answered and decided is kept there. A run that is left
    before its last debate has no end there. A debate that fails is a record with a failure. Records come as their debates end.

    `resume` names a run of the store that was left, or its beginning, or "last": its debates that have ended are not held
    again, but for those that failed where `retry_failed` is set, and no completion that is on disk is paid for again; the
    budget is that of the whole run. `items` None are those of the run, where it was begun with all of them at hand. A run with another configuration, or over other items, is
    refused, unless it is resumed `anyway`. The records of
    those that have ended come with the others, unless `earlier` is false; they count in no progress.

    A debate begins only where the budget can end it, as far as the debates before tell. Where it cannot, those that are
    being held go on, and BudgetSpent is raised. So it is with the ModelError of an endpoint that would answer no debate. Raises UserError and
    StoreError for what would end every debate.

    With `progress` a line on standard error says how far the run has come.

    While it runs, the process's garbage collector looks for cycles seldom (`gc.set_threshold(50_000, 20, 100)`), since debates make none and
    every look walks all that are in flight. Thresholds that are zero or higher already stay, as do those that you set meanwhile.
    """
    running_loop()
    how = Settings.given(settings, changes, to=evaluate)
    given, how = await opened(await _stored(store, resume) if items is None else items, how)
    async with Run.prepared(strategy, how) as run:
        agenda = Agenda(given, run.debate, how)
        run.configuration = agenda.configuration()
        if resume is not None:
            known = None if items is None else agenda
            await run.reopen(store, resume, retry_failed=retry_failed, anyway=anyway, agenda=known)
        else:
            agenda.check_setup()
            if store is not None:
                await run.begin(store, agenda.tasks)
        if agenda.total is not None:
            run.progress.total = max(agenda.total - len(run.earlier), 0)
        if progress:
            from agentdebate.runs.progress_line import showing  # brings rich along

            run.shown = run.stack.enter_context(showing(run.progress))
        jobs = agenda.jobs(run.earlier, again=earlier)
        async with under_way(run, jobs, partial(run.write_items, agenda)) as evaluation:
            yield evaluation


async def _stored(store: str | Path | None, resume: str | None) -> Items:
    """The items of a resumed run, out of its store. Raises UsageError."""
    if store is None or resume is None:
        raise UsageError(
            "items are needed, except where a stored run is resumed: evaluate(None, ..., store=..., resume=...)"
        )
    from agentdebate.runs.stored_items import stored_items  # brings SQLAlchemy along

    return await anyio.to_thread.run_sync(stored_items, store, resume)


@asynccontextmanager
async def under_way(
    run: Run, jobs: AsyncGenerator[Job], beside: Callable[[], Coroutine[Any, Any, None]]
) -> AsyncIterator[Evaluation]:
    """Hold the debates of a run, and do what is done `beside` them, while somebody reads the records."""
    send, receive = anyio.create_memory_object_stream[Record](run.settings.concurrency)
    async with receive, send, aclosing(jobs), anyio.create_task_group() as group:
        group.start_soon(beside)
        group.start_soon(_hold_all, run, jobs, send)
        yield Evaluation(run, receive)
        group.cancel_scope.cancel()


async def _hold_all(run: Run, jobs: AsyncGenerator[Job], records: MemoryObjectSendStream[Record]) -> None:
    """Start as many workers as debates may be held at once; each takes the next job. The error that stops the run is raised where its records are read.

    Each begins when the one before it has found a job, so that no more begin than there are jobs, whatever number was said.
    """
    taking, places = anyio.Lock(), iter(range(run.settings.concurrency))
    about: dict[str, Any] = {} if run.id is None else {"run": run.id}
    async with records:
        with Span("run", **about):
            _log.info("the run begins", kind="run begins")
            async with anyio.create_task_group() as group:

                def begin() -> None:
                    if next(places, None) is not None:
                        group.start_soon(_worker, run, jobs, taking, records, begin)

                begin()
            if run.stopped is not None:
                return
            run.complete()  # before the last record's reader learns that there are no more
            done, failed = run.progress.done, run.progress.failed
            words = "the run ended: %d verdicts, %d failures"
            _log.info(words, done, failed, kind="run ended", verdicts=done, failures=failed)


async def _worker(
    run: Run,
    jobs: AsyncGenerator[Job],
    taking: anyio.Lock,
    records: MemoryObjectSendStream[Record],
    begin: Callable[[], None],
) -> None:
    """Hold the next debate, and the one after it, for as long as there are any; `begin` has one more worker do the same."""
    while (job := await _next(run, jobs, taking)) is not None:
        begin()
        record: Record | None = None
        try:
            record = await (run.ended(job) if job.ended else run.hold(job))
        except LeaseLost:  # another process holds it, or will
            pass
        except (BudgetSpent, ModelError) as error:
            # Calls of other debates are under way, and are paid for: these go on for as long as they can.
            run.stopped = error
        if record is not None:
            await records.send(record)
        del job, record  # nothing of a debate is kept while the next one is held


async def _next(run: Run, jobs: AsyncGenerator[Job], taking: anyio.Lock) -> Job | None:
    """The next debate; None where there is none, and where the run was stopped."""
    async with taking:
        return None if run.stopped else await anext(jobs, None)
