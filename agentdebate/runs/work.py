"""One run, any number of processes: its debates are entered in the store, and each process takes some by lease."""

import json
from collections.abc import AsyncIterator, Mapping
from contextlib import aclosing, asynccontextmanager, closing
from functools import partial
from pathlib import Path
from typing import Any, Unpack

import anyio.to_thread

from agentdebate.debates.ready import ReadyStrategy
from agentdebate.errors import UsageError
from agentdebate.models.event_loop import running_loop
from agentdebate.runs.agenda import Agenda, Data, opened
from agentdebate.runs.configuration import check_same, code_of, configuration_of
from agentdebate.runs.evaluation import Evaluation, under_way
from agentdebate.runs.run import Run, book
from agentdebate.runs.settings import Settings, SettingsChanges
from agentdebate.runs.worker import Shift, new_worker
from agentdebate.store.crew import (
    SECONDS,
    Crew,
    Leases,
    close_queue,
    lease_entry,
    open_queue,
    queue_of,
    tell_to_stop,
)
from agentdebate.store.engine import open_database
from agentdebate.store.reader import LAST, Reader, read_store
from agentdebate.store.resume import requeue_failed
from agentdebate.store.run_head import RunHead
from agentdebate.store.writer import RunWriter, share_run
from agentdebate.strategies.base import Strategy
from agentdebate.tasks import Item

AT_ONCE = 512
"""Debates that are entered in one transaction."""

SHORTEST = 1.0
"""Shortest lease, in seconds."""


async def enqueue(
    items: Data,
    strategy: Strategy | str,
    *,
    store: str | Path,
    settings: Settings | None = None,
    **changes: Unpack[SettingsChanges],
) -> str:
    """Enter a run and its items in the store without holding a debate; `work` does that, in any number of processes.

    How the run is held is said as to `evaluate`. The run's name comes back. Raises UserError and StoreError.
    """
    running_loop()
    given, how = await opened(items, Settings.given(settings, changes, to=enqueue))
    async with Run.prepared(strategy, how) as run:
        agenda = Agenda(given, run.debate, how)
        run.configuration = agenda.configuration()
        agenda.check_setup()
        await run.begin(store, agenda.tasks)
        assert run.writer is not None, "it was begun in a store"
        await _enter(run.writer, agenda, run.debate)
        return run.writer.run


async def _enter(writer: RunWriter, agenda: Agenda, debate: ReadyStrategy) -> None:
    """Enter every debate of the agenda, and its item."""
    code, count = {"strategy": code_of(debate.strategy)}, 0
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
            writer.put(entry)
            count += 1
            if count % AT_ONCE == 0:
                await writer.commit()
    writer.describe({"debates": count})
    await writer.commit()
    await writer.transact(close_queue)


@asynccontextmanager
async def work(
    run: str,
    strategy: Strategy | str,
    *,
    store: str | Path,
    anyway: bool = False,
    retry_failed: bool = False,
    lease: float = SECONDS,
    settings: Settings | None = None,
    **changes: Unpack[SettingsChanges],
) -> AsyncIterator[Evaluation]:
    """Work on a run that `enqueue` has entered, beside any other processes that do: iterate over it for what is held here.

    Debates are taken by lease, `concurrency` of them are held at a time, and what they come to is entered. A process that is
    gone for `lease` seconds, by the database's clock, loses its debates to the others, which go on from the completions that
    are on disk; nothing that it writes afterwards is entered. The context ends when no debate of the run is left anywhere, or
    when `stop` was called.

    How debates are held has to be said as `enqueue` was told, and code and content files have to be the same, unless this
    process takes part `anyway`. With `retry_failed` the debates that have failed so far are put back into the queue first.
    Where requests go, and with which keys, is this process's own matter. The budget holds over all processes
    that work on the run, each of which hears within a second or two what the others have spent; limits a minute are each process's own. Raises UserError, StoreError, and what `evaluate` raises.
    """
    running_loop()
    if not SHORTEST <= lease < float("inf"):
        raise UsageError(f"a lease lasts {SHORTEST:g} second or more, not {lease:g}")
    how = Settings.given(settings, changes, to=work)
    head, code = await anyio.to_thread.run_sync(_queued, store, run)
    async with Run.prepared(strategy, how) as held:
        if not anyway:
            await anyio.to_thread.run_sync(_check_same, head, code, held)
        if retry_failed:
            await anyio.to_thread.run_sync(_requeue, store, head.id)
        if head.verdicts:
            held.debate.common.first.end()
        leases = partial(Leases, worker=new_worker(), seconds=lease)
        writer = await held.stack.enter_async_context(share_run(store, head.id, leases))
        held.write_by(writer)  # what is found out once for all is shared
        reader = held.stack.enter_context(read_store(store))
        held.shift = shift = Shift(writer, reader, head, held.around, at_once=how.concurrency)
        await shift.join(partial(book, held.around.budget, head, reader))
        async with under_way(held, shift.jobs(), shift.watch) as evaluation:
            yield evaluation


def stop(run: str = LAST, *, store: str | Path) -> int:
    """Tell all processes that work on a run to stop; how many there are comes back. Those who begin later are not meant.

    They stop within a second or two, and give their debates back. Raises UsageError for a run that has no queue, and StoreError.
    """
    with closing(open_database(store)) as database:
        name = Reader(database).run_name(run)
        if database.look(partial(queue_of, run=name)) is None:
            raise _no_queue(name)
        return database.change(partial(tell_to_stop, run=name))


def crew(run: str = LAST, *, store: str | Path) -> Crew | None:
    """List the workers of a run and the number of debates left; None for a run without a queue. Raises UsageError and StoreError."""
    with read_store(store) as reader:
        return reader.crew(reader.run_name(run))


def _queued(store: str | Path, run: str) -> tuple[RunHead, Mapping[str, Any]]:
    """The run, and the code that its workers need to have. Raises UsageError where it cannot be worked on."""
    with read_store(store) as reader:
        head = reader.run(run)
        queue = reader.database.look(partial(queue_of, run=head.id))
    if queue is None:
        raise _no_queue(head.id)
    if not queue.entered:
        raise UsageError(
            f"the items of run {head.id} are still being entered, or that was stopped: wait until it is done, or begin a new run"
        )
    return head, json.loads(queue.code)


def _requeue(store: str | Path, run: str) -> None:
    with closing(open_database(store)) as database:
        database.change(partial(requeue_failed, run=run))


def _no_queue(run: str) -> UsageError:
    return UsageError(
        f"run {run} has no queue, and is held by one process: go on with agentdebate resume, or enter a run with a queue (queue=True)"
    )


def _check_same(head: RunHead, code: Mapping[str, Any], run: Run) -> None:
    """Raise UsageError, which names what differs, where this process would hold the run in another way than it was entered."""
    debate, settings = run.debate, run.settings
    known = {name: debate.task(Item(task=name, fields={})) for name in head.task.split(", ") if name}
    now = configuration_of(debate, settings, known, together=settings.at_once(debate.strategy))
    now["code"] = code_of(debate.strategy)
    check_same(head.id, {**head.configuration, "code": code.get("strategy", {})}, now, here=True)
