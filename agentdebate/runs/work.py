"""One run, any number of processes: its debates are entered in the store, and each process takes some by lease."""

import json
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import AsyncExitStack, aclosing, asynccontextmanager, closing
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any, Unpack

import anyio
import anyio.to_thread
from anyio.streams.memory import MemoryObjectSendStream

from agentdebate.agents.debate_settings import DebateChanges, DebateSettings
from agentdebate.debates.debate import Debate, ready
from agentdebate.debates.record import Record
from agentdebate.errors import UsageError, raise_only
from agentdebate.models.base import Model
from agentdebate.models.composition import Around
from agentdebate.models.event_loop import running_loop
from agentdebate.models.limits.shared import SharedLimits
from agentdebate.models.registry import model_name, opener
from agentdebate.project.project import Project
from agentdebate.runs.agenda import Agenda, Items
from agentdebate.runs.async_with import entered
from agentdebate.runs.budget_gate import budget_gate
from agentdebate.runs.code import code_of
from agentdebate.runs.configuration import check_same, configuration_of, plainly, usual_options
from agentdebate.runs.debate_cost import debate_cost
from agentdebate.runs.evaluation import Evaluation, hold_jobs
from agentdebate.runs.garbage import collecting_seldom
from agentdebate.runs.lease import Shift, new_worker
from agentdebate.runs.outlet import Outlet
from agentdebate.runs.sharing import Sharing
from agentdebate.store.crew import (
    SECONDS,
    Clock,
    Crew,
    Leases,
    close_queue,
    database_clock,
    has_queue,
    lease_entry,
    open_queue,
    queue_of,
    tell_to_stop,
)
from agentdebate.store.engine import open_database
from agentdebate.store.reader import LAST, Reader, RunHead, read_store
from agentdebate.store.resuming import requeue_failed
from agentdebate.store.writer import RunWriter, share_run, write_run
from agentdebate.strategies.base import Strategy
from agentdebate.tasks import Item

AT_ONCE = 512
"""Debates that are entered in one transaction."""

SHORTEST = 1.0
"""Seconds that a lease lasts at the least."""


async def enqueue(
    items: Items,
    strategy: Strategy | str,
    *,
    store: str | Path,
    model: Model | str = "offline",
    aspects: Sequence[str] | str | None = None,
    together: bool | None = None,
    concurrency: int = 64,
    project: Project | None = None,
    configuration: Mapping[str, Any] | None = None,
    settings: DebateSettings | None = None,
    **changes: Unpack[DebateChanges],
) -> str:
    """Enter a run and its items in the store without holding a debate; `work` does that, in any number of processes.

    The arguments are those of `evaluate`. The run's name comes back. Raises UserError and StoreError.
    """
    running_loop()
    made = ready(
        strategy, model=model, project=project, opener=opener(concurrency), settings=settings, **changes
    )
    async with made as debate:
        agenda = Agenda(items, debate, aspects, together=together)
        how = {**agenda.configuration(concurrency), **plainly(configuration or {})}
        agenda.check_setup()
        async with write_run(
            store,
            strategy=debate.strategy.title,
            tasks=tuple(agenda.tasks),
            model=model_name(model),
            configuration=how,
        ) as writer:
            await _enter(writer, agenda, debate)
        return writer.run


async def _enter(writer: RunWriter, agenda: Agenda, debate: Debate) -> None:
    """Enter every debate of the agenda, and its item."""
    code, count = code_of(debate.strategy), 0
    await writer.transact(lambda connection, number: open_queue(connection, number, code))
    async with aclosing(agenda.jobs()) as jobs:
        async for job in jobs:
            if job.opens:
                writer.item(job.item, job.item_number)
            entry = lease_entry(
                job.id,
                place=job.number,
                item=job.item.id,
                item_number=job.item_number,
                aspects=job.aspects,
            )
            writer.outbox.put(None, partial(tuple, (entry,)))
            count += 1
            if count % AT_ONCE == 0:
                await writer.commit()
    writer.describe({"debates": count})
    await writer.commit()
    await writer.transact(close_queue)


@entered("async with ad.work(run, ...) as working: async for record in working: ...")
async def work(
    run: str,
    strategy: Strategy | str,
    *,
    store: str | Path,
    model: Model | str = "offline",
    aspects: Sequence[str] | str | None = None,
    together: bool | None = None,
    concurrency: int = 64,
    project: Project | None = None,
    anyway: bool = False,
    retry_failed: bool = False,
    lease: float = SECONDS,
    around: Around | None = None,
    clock: Clock = database_clock,
    settings: DebateSettings | None = None,
    **changes: Unpack[DebateChanges],
) -> AsyncIterator[Evaluation]:
    """Work on a run that `enqueue` has entered, beside any other processes that do: iterate over it for what is held here.

    Debates are taken by lease, `concurrency` of them are held at a time, and what they come to is entered. A process that is
    gone for `lease` seconds, by the database's `clock`, loses its debates to the others, which go on from the completions that
    are on disk; nothing that it writes afterwards is entered. The context ends when no debate of the run is left anywhere, or
    when `stop` was called.

    How debates are held has to be said as `enqueue` was told, and code and content files have to be the same, unless this
    process takes part `anyway`. With `retry_failed` the debates that have failed so far are put back into the queue first.
    Where requests go, and with which keys, is this process's own matter. Limits and a budget of `around` hold over all
    processes that work on the run. Raises UserError, StoreError, and what `evaluate` raises.
    """
    running_loop()
    _check(concurrency, lease)
    around = _shared(around or Around(in_flight=concurrency))
    head, code = await anyio.to_thread.run_sync(_queued, store, run)
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
            debate = (await stack.enter_async_context(made)).with_models(around.lend)
            if head.verdicts:
                debate.common.first.end()
            if not anyway:
                how = partial(configuration_of, debate, aspects=aspects, concurrency=concurrency)
                await anyio.to_thread.run_sync(partial(_check_same, head, code, debate, how, together))
            if retry_failed:
                await anyio.to_thread.run_sync(partial(requeue, head.id, store=store))
            leases = partial(Leases, worker=new_worker(), seconds=lease, clock=clock)
            writer = await stack.enter_async_context(share_run(store, head.id, leases))
            reader = stack.enter_context(read_store(store))
            shift = await _joined(writer, reader, head, around, concurrency=concurrency)
            debate.common.search(shift.sharing.search)
            cost = debate_cost(debate, model, around.budget)
            send, receive = anyio.create_memory_object_stream[Record](concurrency)
            stack.enter_context(receive)
            gate = await stack.enter_async_context(budget_gate(debate, around))
            evaluation = Evaluation(debate, writer, receive, None, cost, gate=gate, shift=shift)
            await stack.enter_async_context(_at_work(evaluation, shift, send, concurrency))
            yield evaluation
    except BaseExceptionGroup as error:
        raise_only(error)


def _shared(around: Around) -> Around:
    """What models share, with other processes too. Models that were opened before share what they were opened with."""
    if around.shared is not None or around.known:
        return around
    limits = SharedLimits(
        requests_per_minute=around.requests_per_minute, tokens_per_minute=around.tokens_per_minute
    )
    return replace(around, shared=limits)


async def _joined(
    writer: RunWriter, reader: Reader, head: RunHead, around: Around, *, concurrency: int
) -> Shift:
    """The shift of this process, which is one of the workers of the run from now on."""
    leases = writer.leases
    assert leases is not None, "a run that is shared is written by leases"
    sharing = Sharing(writer, leases, reader, head, around)
    shift = Shift(writer, leases, partial(reader.items_of, head.id), sharing, at_once=concurrency)
    await shift.join()
    return shift


@asynccontextmanager
async def _at_work(
    evaluation: Evaluation, shift: Shift, send: MemoryObjectSendStream[Record], concurrency: int
) -> AsyncIterator[None]:
    """The worker at work. The others are told why it leaves."""
    try:
        async with send, aclosing(shift.jobs()) as jobs, anyio.create_task_group() as group:
            group.start_soon(shift.watch)
            group.start_soon(hold_jobs, evaluation, jobs, concurrency, Outlet(send))
            yield
            group.cancel_scope.cancel()
    except BaseException:
        if evaluation.stopped is not None:
            shift.departed = f"{type(evaluation.stopped).__name__}: {evaluation.stopped}"
        raise


def stop(run: str = LAST, *, store: str | Path, drain: bool = False) -> int:
    """Tell all processes that work on a run to stop; how many there are comes back. Those who begin later are not meant.

    They stop within a second or two, and give their debates back; with `drain` they first hold what they have begun to its
    end. Raises UsageError for a run that has no queue, and StoreError.
    """
    with closing(open_database(store)) as database:
        name = Reader(database).run_name(run)
        if not database.look(partial(has_queue, run=name)):
            raise _no_queue(name)
        return database.change(partial(tell_to_stop, run=name, drain=drain))


def requeue(run: str = LAST, *, store: str | Path) -> int:
    """Put the debates of a queue that failed back into it; how many there are comes back. Raises UsageError and StoreError."""
    head, _ = _queued(store, run)
    with closing(open_database(store)) as database:
        return requeue_failed(database, head.id)


def crew(run: str = LAST, *, store: str | Path) -> Crew | None:
    """Who works on a run, and how much of it is left; None for a run that has no queue. Raises UsageError and StoreError."""
    with read_store(store) as reader:
        return reader.crew(reader.run_name(run))


def _check(concurrency: int, lease: float) -> None:
    if not isinstance(concurrency, int) or concurrency < 1:
        raise UsageError(
            f"concurrency is how many debates are held at a time: 1 or more, not {concurrency!r}"
        )
    if not SHORTEST <= lease < float("inf"):
        raise UsageError(f"a lease lasts {SHORTEST:g} second or more, not {lease:g}")


def _queued(store: str | Path, run: str) -> tuple[RunHead, Mapping[str, Any]]:
    """The run, and the code that its workers need to have. Raises UsageError where it cannot be worked on."""
    with closing(open_database(store, reading=True)) as database:
        head = Reader(database).run(run)
        queue = database.look(partial(queue_of, run=head.id))
    if queue is None:
        raise _no_queue(head.id)
    if not queue.entered:
        raise UsageError(
            f"the items of run {head.id} are still being entered, or that was stopped: wait until it is done, or begin a new run"
        )
    return head, json.loads(queue.code)


def _no_queue(run: str) -> UsageError:
    return UsageError(
        f"run {run} has no queue: one process holds it, which Ctrl-C stops and agentdebate resume goes on with; enter a run with "
        "a queue (queue=True) for several processes to work on it"
    )


def _check_same(
    head: RunHead,
    code: Mapping[str, Any],
    debate: Debate,
    how: Callable[..., dict[str, Any]],
    together: bool | None,
) -> None:
    """Raise UsageError, which names what differs, where this process would hold the run in another way than it was entered."""
    check_same(head.id, {"code": code}, {"code": code_of(debate.strategy)}, here=True)
    known = {name: debate.task(Item(task=name, fields={})) for name in head.task.split(", ") if name}
    at_once = debate.strategy.judges_together() if together is None else together
    before = _without_addresses(head.configuration)
    now = _without_addresses(how(together=at_once, tasks=known))
    check_same(head.id, before, now, usual_options(debate.strategy), here=True)


def _without_addresses(configuration: Mapping[str, Any]) -> dict[str, Any]:
    """A configuration without what is each worker's own matter: where requests go, and how."""
    models = [
        {name: value for name, value in one.items() if name not in _OWN} if isinstance(one, Mapping) else one
        for one in configuration.get("models", ())
    ]
    free = {name: part for name, part in configuration.items() if name not in ("data", "command")}
    return {**free, "models": models}


_OWN = frozenset({"base_url", "connections", "timeout", "headers", "max_retries"})
"""What of a model's settings says how it is reached, and nothing of what it answers."""
