"""Many debates at once: bounded concurrency, progress, and one item's failure that ends nothing but itself."""

import logging
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Iterable, Mapping, Sequence
from contextlib import AsyncExitStack, aclosing
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Unpack

import anyio
from anyio.streams.memory import MemoryObjectReceiveStream

from agentdebate.agents.debate_settings import DebateChanges, DebateSettings
from agentdebate.debates.debate import Debate, ready
from agentdebate.debates.record import Record
from agentdebate.errors import BudgetSpent, LeaseLost, ModelError, StoreError, UsageError, raise_only
from agentdebate.log import get_log
from agentdebate.models.base import Call, Model
from agentdebate.models.event_loop import running_loop
from agentdebate.models.limits.limit import turn_order
from agentdebate.models.registry import opener
from agentdebate.models.resumed import Earlier
from agentdebate.project.project import Project
from agentdebate.runs.agenda import Agenda, Items, Job
from agentdebate.runs.async_with import entered
from agentdebate.runs.budget_gate import BudgetGate, budget_gate
from agentdebate.runs.configuration import plainly
from agentdebate.runs.debate_cost import debate_cost
from agentdebate.runs.garbage import collecting_seldom
from agentdebate.runs.outlet import OrderedOutlet, Outlet
from agentdebate.runs.progress import Progress
from agentdebate.runs.run_store import begin_run, items_of_run, reopen_run, write_items
from agentdebate.strategies.base import Strategy
from agentdebate.talk.bus import Listener, listeners_in
from agentdebate.telemetry import Span

if TYPE_CHECKING:
    from agentdebate.models.composition import Around
    from agentdebate.runs.lease import Shift
    from agentdebate.runs.progress_line import Line
    from agentdebate.store.debate_writer import DebateWriter
    from agentdebate.store.resuming import Paid
    from agentdebate.store.writer import RunWriter

_log = get_log(__name__)


class Evaluation:
    """A run under way: iterate over it for its records, which come as their debates end."""

    def __init__(
        self,
        debate: Debate,
        writer: "RunWriter | None",
        results: MemoryObjectReceiveStream[Record],
        total: int | None,
        cost: Callable[[Record], float | None],
        *,
        listeners: Sequence[Listener] = (),
        gate: BudgetGate | None = None,
        shift: "Shift | None" = None,
        anyway: bool = False,
    ) -> None:
        self._debate, self._writer, self._results, self._cost = debate, writer, results, cost
        self.progress = Progress(None if total is None else max(total - len(self.earlier), 0))
        self.stopped: BudgetSpent | ModelError | None = None
        """What stops the run, since every other debate would meet it too: the end of the budget, a key that is refused."""
        self._listeners, self._gate, self._anyway = tuple(listeners), gate, anyway
        self._line: Line | None = None
        self.shift = shift
        """The part of this process in the run, where others may work on it too."""
        self._common = _earlier(writer.begun.common if writer and writer.begun else ())

    def __repr__(self) -> str:
        return f"<Evaluation {self.id or 'without a store'}: {self.progress.ended} of {self.progress.total}>"

    @property
    def id(self) -> str | None:
        """The run's name in the store."""
        return self._writer.run if self._writer else None

    def __aiter__(self) -> AsyncIterator[Record]:
        return self

    async def __anext__(self) -> Record:
        try:
            return await self._results.receive()
        except anyio.EndOfStream:
            if self.stopped is not None:  # after the last record, so that the reader gets all of them
                raise self.stopped from None
            raise StopAsyncIteration from None

    @property
    def earlier(self) -> frozenset[str]:
        """The debates that had ended when the run was taken up again, by id."""
        return self._writer.begun.ended if self._writer and self._writer.begun else frozenset()

    async def ended(self, job: Job) -> Record | None:
        """The record of a debate that had ended when the run was taken up again; None, and a warning, where it is damaged.

        Raises UsageError where it was about another item.
        """
        assert self._writer is not None, "no debate has ended before in a run that is not stored"
        try:
            record = await self._writer.ended(job.id)
        except StoreError as error:
            _log.warning("the debate %s was held before, and its record is left out: %s", job.id, error)
            return None
        if not self._anyway and dict(record.item.fields) != dict(job.item.fields):
            raise UsageError(
                f"the item {job.item.id!r} of run {self.id} had other texts when it was judged: give the items that the run was begun "
                "with, or begin a new run"
            )
        return record

    async def hold(self, job: Job) -> Record:
        """Hold one debate of the run, and have everything of it on disk before it counts."""
        turn_order.set(job.number)  # debates in progress go before new ones
        hold = self._hold if self._gate is None else partial(self._gate.hold, hold=self._hold)
        record = await (hold(job) if self.shift is None else self.shift.hold(job, partial(hold, job)))
        _tell(record, self.id)
        self.progress.count(record)
        if self._line is not None:
            self._line.update()
        return record

    def show_progress(self, stack: AsyncExitStack) -> None:
        """Show how far it has come while the stack lasts."""
        from agentdebate.runs.progress_line import showing  # brings rich along

        self._line = stack.enter_context(showing(self.progress))

    def expect(self, debates: int) -> None:
        """Say how many debates there will be in all, where that is found out while the run goes on."""
        self.progress.total = max(debates - len(self.earlier), self.progress.ended)
        self.describe(debates=debates)

    def describe(self, **parts: Any) -> None:
        """Put more into the configuration that is stored: what is found out while the run goes on."""
        if self._writer is not None:
            self._writer.describe(parts)

    def complete(self) -> None:
        """Say that every debate has been held. A run that was left before has no end in the store."""
        if self._writer is not None and (self.shift is None or self.shift.finished):
            self._writer.complete()

    async def _hold(self, job: Job) -> Record:
        writer = self._writer
        if writer is None:
            return await self._debate.hold(job.item, job.aspects, debate_id=job.id, listeners=self._listeners)
        if job.opens:
            writer.item(job.item, job.item_number)
        if writer.begun is None and not job.again:
            earlier, talk = None, writer.open(job.id)
            keep = talk.keep
        else:
            paid = await writer.paid(job.id)
            earlier = _earlier(paid, self._common)
            talk = writer.open(job.id, first=1 + max((call.number for call in paid), default=0))
            keep = partial(_keep_new, talk, earlier)
        record = await self._debate.hold(
            job.item,
            job.aspects,
            debate_id=job.id,
            listeners=(talk.message, *self._listeners),
            record=keep,
            earlier=earlier,
        )
        await writer.record(record, self._cost)
        return record


async def _keep_new(talk: "DebateWriter", earlier: Earlier, call: Call) -> None:
    """Write a call, unless it is on disk."""
    if not earlier.gave(call.agent, call.request.key()):
        await talk.keep(call)


@entered("async with ad.evaluate(items, ...) as run: async for record in run: ...")
async def evaluate(
    items: Items | None,
    strategy: Strategy | str,
    *,
    model: Model | str = "offline",
    aspects: Sequence[str] | str | None = None,
    together: bool | None = None,
    concurrency: int = 64,
    in_order: bool = False,
    store: str | Path | None = None,
    project: Project | None = None,
    configuration: Mapping[str, Any] | None = None,
    resume: str | None = None,
    retry_failed: bool = False,
    anyway: bool = False,
    earlier: bool = True,
    around: "Around | None" = None,
    listeners: Sequence[Listener] = (),
    progress: bool = False,
    settings: DebateSettings | None = None,
    **changes: Unpack[DebateChanges],
) -> AsyncIterator[Evaluation]:
    """Judge many items, `concurrency` debates at a time. Items may come as a stream, and none is kept.

    Every aspect of an item is a debate of its own, as in the papers, unless `together` puts them into one; None leaves
    that to the strategy, some of which judge all aspects at once. A model that is named rather than given has as many connections as there are debates at a time.

    `store` is a path or database URL; how the run is held and everything said, answered and decided is kept there, and
    `configuration` beside it. A run that is left before its last debate has no end there. A debate that fails is a record
    with a failure. Records come as their debates end, or `in_order` of the items; a debate that is far ahead then waits.
    How debates are held is said by `settings`, by the fields of DebateSettings as keywords, or by both: keywords go before.

    `resume` names a run of the store that was left, or its beginning, or "last": its debates that have ended are not held
    again, but for those that failed where `retry_failed` is set, and no completion that is on disk is paid for again; the
    budget is that of the whole run. `items` None are those of the run, where it was begun with all of them at hand. A run that was held in another way, or over
    other items, is refused, unless it is taken up `anyway`. The records of
    those that have ended come with the others, unless `earlier` is false; they count in no progress.

    `around` is what models that are opened by name share: limits, a budget, a cache. Budget and cache go around models that are
    given as well, wherever they sit. A debate begins only
    where the budget can end it, as far as rehearsals and the debates before tell. Where it cannot, those that are being held go on,
    and BudgetSpent is raised. So it is
    with the ModelError of an endpoint that would answer no debate. Raises UserError and StoreError for what would end every
    debate.

    `listeners` see every message of every debate; `agentdebate.telemetry.about()` says to them of which. With `progress` a line on
    standard error, or in a notebook's cell, says how far the run has come.

    While it runs, the process's garbage collector looks for cycles seldom (`gc.set_threshold(50_000, 20, 100)`), since debates make
    none and every look walks all that are in flight. Thresholds that are zero or higher already stay, as do those that you set
    meanwhile; the last evaluation to end puts the others back.
    """
    running_loop()
    _check_concurrency(concurrency)
    listeners = listeners_in(listeners)
    given = await items_of_run(store, resume) if items is None else items
    budget = around.budget if around else None
    made = ready(
        strategy,
        model=model,
        project=project,
        opener=opener(concurrency, around),
        settings=settings,
        **changes,
    )
    try:
        async with AsyncExitStack() as stack:
            stack.enter_context(collecting_seldom())
            debate = await stack.enter_async_context(made)
            if around is not None:
                debate = debate.with_models(around.lend)
            agenda = Agenda(given, debate, aspects, together=together)
            how = {**agenda.configuration(concurrency), **plainly(configuration or {})}
            if resume is None:
                agenda.check_setup()
                begun = partial(begin_run, model=model, tasks=agenda.tasks, configuration=how)
                writer = None if store is None else await begun(stack, store, debate)
            else:
                checked = None if items is None else agenda
                reopened = partial(reopen_run, retry_failed=retry_failed, anyway=anyway, agenda=checked)
                writer = await reopened(stack, store, resume, debate, how, budget=budget)
            gate = await stack.enter_async_context(budget_gate(debate, around))
            send, receive = anyio.create_memory_object_stream[Record](concurrency)
            outlet = OrderedOutlet(send, concurrency) if in_order else Outlet(send)
            cost = debate_cost(debate, model, budget)
            run = Evaluation(
                debate, writer, receive, agenda.total, cost, listeners=listeners, gate=gate, anyway=anyway
            )
            jobs = await stack.enter_async_context(aclosing(agenda.jobs(run.earlier, again=earlier)))
            if progress:
                run.show_progress(stack)
            async with receive, send, anyio.create_task_group() as group:
                if writer is not None:
                    group.start_soon(write_items, writer, agenda)
                group.start_soon(hold_jobs, run, jobs, concurrency, outlet)
                yield run
                group.cancel_scope.cancel()
    except BaseExceptionGroup as error:  # of the run's task group, or of the store's around it
        raise_only(error)


def _check_concurrency(concurrency: object) -> None:
    if not isinstance(concurrency, int) or concurrency < 1:
        raise UsageError(
            f"concurrency is how many debates are held at a time: 1 or more, not {concurrency!r}"
        )


def _tell(record: Record, run: str | None) -> None:
    """Log how a debate ended."""
    about = {"run": run, "debate": record.id, "item": record.item.id}
    if record.failure is not None:
        why = record.failure.error, record.failure.reason
        told = {"kind": "debate failed", "error": record.failure.error, **about}
        _log.warning("the debate %s failed: %s: %s", record.id, *why, **told)
    elif _log.is_enabled_for(logging.INFO):
        usage = record.usage
        facts = record.id, record.scores, usage.calls, usage.tokens, record.seconds
        words = "the debate %s ended: %s, %d calls, %d tokens, %.3f s"
        names = ("scores", "calls", "tokens", "seconds")
        _log.info(words, *facts, kind="debate ended", **dict(zip(names, facts[1:], strict=True)), **about)


def _earlier(paid: "Iterable[Paid]", common: Earlier | None = None) -> Earlier:
    return Earlier(((call.agent, call.key, call.completion) for call in paid if call.key), common)


async def hold_jobs(run: Evaluation, jobs: AsyncGenerator[Job], concurrency: int, outlet: Outlet) -> None:
    """As many workers as debates may be held at once, each taking the next job. What stopped the run is raised where its records are read."""
    taking = anyio.Lock()
    about: dict[str, Any] = {} if run.id is None else {"run": run.id}
    async with outlet:
        with Span("run", **about):
            _log.info("the run begins", kind="run begins")
            async with anyio.create_task_group() as group:
                for _ in range(concurrency):
                    group.start_soon(_worker, run, jobs, taking, outlet)
            if run.stopped is not None:
                return
            run.complete()  # before the last record's reader learns that there are no more
            done = run.progress.done, run.progress.failed
            told = dict(zip(("verdicts", "failures"), done, strict=True))
            _log.info("the run ended: %d verdicts, %d failures", *done, kind="run ended", **told)


async def _worker(run: Evaluation, jobs: AsyncGenerator[Job], taking: anyio.Lock, outlet: Outlet) -> None:
    """Hold the next debate, and the one after it, for as long as there are any."""
    while (job := await _next(run, jobs, taking, outlet)) is not None:
        record: Record | None
        try:
            record = await (run.ended(job) if job.ended else run.hold(job))
        except LeaseLost:  # another process holds it, or will
            record = None
        except (BudgetSpent, ModelError) as error:
            # Calls of other debates are under way, and are paid for: these go on for as long as they can.
            record, run.stopped = None, error
        await outlet.put(job.number, record)
        del job, record  # nothing of a debate is kept while the next one is held


async def _next(run: Evaluation, jobs: AsyncGenerator[Job], taking: anyio.Lock, outlet: Outlet) -> Job | None:
    """The next debate, when there is room for its record; None where there is none, and where the run was stopped."""
    if run.stopped:
        return None
    await outlet.ready()
    async with taking:
        return None if run.stopped else await anext(jobs, None)
