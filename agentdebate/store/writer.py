"""The one writer of a run, with group commit: all who wait for the disk share a commit."""

import asyncio
import secrets
import threading
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager, nullcontext, suppress
from copy import copy
from functools import partial
from pathlib import Path
from threading import Lock
from typing import Any, TypeVar

import anyio
import anyio.to_thread
import sqlalchemy as sa

from agentdebate.debates.record import Record
from agentdebate.errors import AgentDebateError, StoreError, UsageError
from agentdebate.log import get_log
from agentdebate.store._debates import DEBATES
from agentdebate.store._in_flight import plain_json
from agentdebate.store._runs import RUNS, enter_run, found_entry, item_entry, number_of
from agentdebate.store.crew import Leases, queue_of
from agentdebate.store.damage import is_away, is_locked, mapping, reading
from agentdebate.store.database import Database, Session
from agentdebate.store.debate_writer import Batch, DebateWriter, Ending, Part, Work, enter
from agentdebate.store.engine import open_database
from agentdebate.store.lock import hold
from agentdebate.store.reader import Reader
from agentdebate.store.resume import Begun, ended_record, paid_calls, take_up
from agentdebate.store.run_tables import RunCall
from agentdebate.tasks import Item

_log = get_log(__name__)

SOON = 0.5
"""Seconds after which rows are written without a waiter: a message goes with the next call, or is seen by then."""

GATHER = 0.002
"""Seconds that a commit waits for others to share it: with 200 debates at once a call takes a sixth less CPU than without."""

WAIT = 60.0
"""Seconds that a run waits for a database server that went away, before it ends."""

LOCKED = 120.0
"""Seconds that a run waits for a SQLite file that another process has locked, after the first commit has waited for it."""

PAUSE = 1.0
"""Seconds between two tries."""

_Result = TypeVar("_Result")


class RunWriter:
    """Writes one run. Rows are put into the batch that goes next; `commit` waits until that batch is on disk.

    A thread of its own does one thing after the other: what is put before it begins a batch shares the commit.
    """

    def __init__(
        self,
        database: Database,
        session: Session,
        run: str,
        *,
        tasks: Sequence[str] = (),
        begun: Begun | None = None,
        leases: Leases | None = None,
    ) -> None:
        self.run = run
        self.begun = begun
        """Stored content of a run when it was resumed."""
        self.leases = leases
        self._database, self._session = database, session
        self._thread, self._loop = ThreadPoolExecutor(1, f"store {run}"), asyncio.get_running_loop()
        self._lock, self._hurry = Lock(), threading.Event()
        self._number = 0  # found as it begins
        self._batch, self._going = Batch(), Batch()
        self._going.over.set()
        self._timer: asyncio.TimerHandle | None = None
        self._tasks = tuple(tasks)
        self._last: list[Work] = []
        self._error: Exception | None = None
        self._refused: dict[str, AgentDebateError] = {}

    def __repr__(self) -> str:
        return f"<RunWriter {self.run!r}: {len(self._batch.parts)} rows waiting>"

    async def begin(self, row: Mapping[str, Any] | None = None) -> None:
        """Find the run's number; a new run's row is written first."""
        work = partial(enter_run, row=row) if row is not None else partial(number_of, run=self.run)
        self._number = await self.read(partial(self._session.write, work))

    async def transact(self, work: Callable[[sa.Connection, int], _Result]) -> _Result:
        """Return the result of `work` in a transaction of its own."""
        return await self.read(lambda: self._session.write(lambda connection: work(connection, self._number)))

    async def read(self, work: Callable[[], _Result]) -> _Result:
        """Return the result of `work` in the thread, waiting for a server that went away. A cancelled caller waits for its end. Raises StoreError."""
        over = self._loop.run_in_executor(self._thread, self._patiently, work)
        try:
            return await asyncio.shield(over)
        except asyncio.CancelledError:
            self._hurry.set()
            with anyio.CancelScope(shield=True):
                await asyncio.wait([over])
            self._hurry.clear()
            over.exception()
            raise

    def at_last(self, work: Work) -> None:
        """Have `work` done in the last transaction, however the run is left."""
        self._last.append(work)

    async def paid(self, debate: str) -> list[RunCall]:
        """The calls of a debate that were paid for before this process took it up."""
        if self.begun is not None and debate not in self.begun.paid:
            return []
        return await self.read(partial(paid_calls, self._database, self.run, debate))

    async def ended(self, debate: str) -> Record:
        """The record of a debate that ended before the run was resumed. Raises StoreError where it is damaged."""
        return await self.read(partial(ended_record, Reader(self._database), self.run, debate))

    def open(self, debate: str, *, paid: Sequence[RunCall] = ()) -> DebateWriter:
        """Open the writer of one debate, before anything of it is written. Its calls are numbered on from those that were `paid`."""
        self._refused.pop(debate, None)  # it was refused as part of an earlier taking
        return DebateWriter(debate, self.put, self.commit, paid=paid)

    async def search(self, name: str, debate: str, find: Callable[[], Awaitable[Any]]) -> tuple[str, Any]:
        """Find something out once for all debates of the run; who found it comes with it. Of two who do so at once the first one counts.

        The debate that found it out finds it out again where it is held again, from what was paid for then.
        """
        found = partial(Reader(self._database).found, self.run, name)
        before = await self.read(found)
        if before is not None and before[0] != debate:
            return before
        message = await find()
        self.put(found_entry(name, debate, message))
        await self.commit(debate)
        return await self.read(found) or (debate, message)

    def item(self, item: Item, number: int) -> None:
        """Have an item written, by its number within the run; called for the first debate about it that is still to be held."""
        if self.begun is not None and item.id in self.begun.items:
            return
        self.put(item_entry(item, number))
        if item.task not in self._tasks:
            self._tasks = (*self._tasks, item.task)
            self._do(partial(_set, task=", ".join(self._tasks)))

    def describe(self, parts: Mapping[str, Any]) -> None:
        """Have parts put into the run's configuration, in place of what is there under their names."""
        self._do(partial(self._describe, parts=parts))

    def complete(self) -> None:
        """Say that every debate of the run has been held: it ends as a run that came to its end, and not as one left."""
        self._last.insert(0, lambda connection, run: _set(connection, run, ended=time.time()))

    def put(self, part: Part) -> None:
        """Have a row, or the end of a debate, written with the next commit: when somebody waits for it, and else soon."""
        with self._lock:
            self._batch.parts.append(part)
        if self._timer is None:
            self._timer = self._loop.call_later(SOON, self._go)

    def _do(self, work: Work) -> None:
        """Have something done in the transaction of the next commit, which comes now."""
        with self._lock:
            self._batch.works.append(work)
        self._go()

    def _go(self) -> None:
        """Have the thread write the batch that waits; what is put until it begins goes along."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        with self._lock:
            if not self._batch or self._batch is self._going:
                return
            self._going = self._batch
        self._loop.call_later(GATHER, self._thread.submit, self._write)

    async def commit(self, debate: str | None = None) -> None:
        """Wait until everything put so far is on disk.

        Raises StoreError where that failed, then or earlier, and LeaseLost where nothing more of the debate may be written
        here. Each who hears of it has an error of their own.
        """
        self._go()
        await self._going.over.wait()
        if self._error is not None:
            raise StoreError(
                f"{self._error}. What was written before is kept, and run {self.run} can be taken up again"
            ) from self._error
        if debate in self._refused:
            raise copy(self._refused[debate])

    async def leave(self) -> None:
        """Write what is still waiting, and what comes last, with the patience of any other write. Raises StoreError."""
        await self.commit()
        await self._do_last()
        await self.read(self._session.give_back)

    async def finish(self) -> None:
        """Write what `leave` has not, without patience, and close. What cannot be written now is known to the caller that broke the run."""
        self._hurry.set()
        with anyio.CancelScope(shield=True):
            self._go()
            await self._going.over.wait()
            with suppress(StoreError):
                await self._do_last()
            await self.read(self._session.close)
        self._thread.shutdown(wait=False)

    async def _do_last(self) -> None:
        """Do what comes last. After a failure nothing is written any more."""
        while self._last and self._error is None:
            await self.transact(self._last[0])
            self._last.pop(0)

    # From here on: in the thread.

    def _write(self) -> None:
        """Write the batch. After a failure nothing is written any more, so that what is there stays a beginning."""
        with self._lock:
            batch, self._batch = self._batch, Batch()
        try:
            if self._error is None:
                self._patiently(partial(self._insert, batch))
        except Exception as error:  # noqa: BLE001 - whoever commits is told
            self._error = error
        self._loop.call_soon_threadsafe(batch.over.set)

    def _patiently(self, work: Callable[[], _Result]) -> _Result:
        """Return the result of `work`, retried for a while where a server is away or a file is locked. Raises StoreError."""
        end: float | None = None
        while True:
            try:
                return work()
            except StoreError as error:
                wait = LOCKED if is_locked(error.__cause__) else WAIT if is_away(error.__cause__) else 0.0
                if not wait or self._hurry.is_set():
                    raise
                if end is None:
                    end = time.monotonic() + wait
                    _log.warning("%s. Trying again for up to %g s", error, wait, kind="store away")
                elif time.monotonic() >= end:
                    raise StoreError(f"{error} (waited {wait:g} s for it)") from error
            self._hurry.wait(PAUSE)

    def _insert(self, batch: Batch) -> None:
        """Enter a batch. What this worker does not hold any more is left out, and refused to those who wait for it."""
        endings = {part.debate: part.row["row"] for part in batch.parts if isinstance(part, Ending)}

        def insert(connection: sa.Connection) -> Mapping[str, AgentDebateError]:
            refused = self._lost(connection, batch, endings)
            parts = [part for part in batch.parts if part.debate not in refused]
            enter(connection, self._number, parts, again=batch.again)
            for work in batch.works:
                work(connection, self._number)
            return refused

        try:
            refused = self._session.write(insert)
        except StoreError:
            batch.again = True
            raise
        if self.leases is not None:
            self.leases.forget(endings.keys() - refused.keys())
        self._refused.update(refused)

    def _lost(
        self, connection: sa.Connection, batch: Batch, endings: Mapping[str, str]
    ) -> Mapping[str, AgentDebateError]:
        """The debates of a batch whose leases this worker has lost.

        A server may have taken the end of a debate, and with it its lease, and gone before it could say so: such a debate is not lost.
        """
        if self.leases is None:
            return {}
        debates = dict.fromkeys(part.debate for part in batch.parts if part.debate is not None)
        refused = self.leases.guard(connection, [*debates], ending=endings)
        if not (refused and batch.again):
            return refused
        query = sa.select(DEBATES.c.id, DEBATES.c.row)
        query = query.where(DEBATES.c.run == self._number, DEBATES.c.id.in_(endings))
        here = {name for name, row in connection.execute(query) if endings[name] == row}
        return {name: error for name, error in refused.items() if name not in here}

    def _describe(self, connection: sa.Connection, run: int, *, parts: Mapping[str, Any]) -> None:
        query = sa.select(RUNS.c.configuration).where(RUNS.c.number == run)
        with reading(self.run, "the run itself"):
            before = mapping(connection.execute(query).scalar() or "{}")
        _set(connection, run, configuration=plain_json({**before, **parts}))


def _set(connection: sa.Connection, run: int, **values: Any) -> None:
    connection.execute(RUNS.update().where(RUNS.c.number == run).values(**values))


@asynccontextmanager
async def write_run(
    url: str | Path, *, strategy: str, model: str, configuration: Mapping[str, Any], tasks: Sequence[str] = ()
) -> AsyncIterator[RunWriter]:
    """A new run in the store at a path or URL; what was put is on disk when the context ends, however it ends.

    `tasks` are those that its items are known to be of; those of further items that are written come to them.
    """
    # A name that sorts by time and can be typed: 20261120-091200-debate-3f9a.
    run = f"{time.strftime('%Y%m%d-%H%M%S')}-{strategy}-{secrets.token_hex(2)}"
    row = {
        "id": run,
        "created": time.time(),
        "strategy": strategy,
        "task": ", ".join(tasks),
        "model": model,
        "configuration": plain_json(configuration),
    }
    async with (
        _session(url, run, create=True) as (database, session),
        _serving(RunWriter(database, session, run, tasks=tasks), row) as writer,
    ):
        yield writer


@asynccontextmanager
async def rewrite_run(url: str | Path, run: str, *, retry_failed: bool = False) -> AsyncIterator[RunWriter]:
    """Resume a run that was left. Raises UsageError where another process is at work on it, and StoreError."""
    async with _session(url, run) as (database, session):
        if await anyio.to_thread.run_sync(database.look, partial(queue_of, run=run)):
            raise UsageError(f"run {run} is one of a queue: go on with agentdebate work {run}")
        begin = partial(take_up, database, run, retry_failed=retry_failed)
        begun = await anyio.to_thread.run_sync(begin)
        tasks = tuple(filter(None, begun.tasks.split(", ")))
        async with _serving(RunWriter(database, session, run, tasks=tasks, begun=begun)) as writer:
            yield writer


@asynccontextmanager
async def share_run(url: str | Path, run: str, leases: Callable[[int], Leases]) -> AsyncIterator[RunWriter]:
    """A run of a queue, which other processes may write at the same time: each writes the debates whose leases it holds.

    `leases` makes the leases of the run of that number. Raises UsageError and StoreError.
    """
    async with _session(url, run, alone=False) as (database, session):
        number = await anyio.to_thread.run_sync(database.look, partial(number_of, run=run))
        async with _serving(RunWriter(database, session, run, leases=leases(number))) as writer:
            yield writer


@asynccontextmanager
async def _session(
    url: str | Path, run: str, *, create: bool = False, alone: bool = True
) -> AsyncIterator[tuple[Database, Session]]:
    """A store that is open, and in it a session that writes a run, which is locked where one process `alone` may write it."""
    work = partial(open_database, url, create=create)
    database = await anyio.to_thread.run_sync(work, abandon_on_cancel=True)
    session = Session(database, run, alone=alone)
    try:
        with hold(url, run) if alone else nullcontext():
            await anyio.to_thread.run_sync(session.open)
            yield database, session
    finally:
        session.close()
        database.close()


@asynccontextmanager
async def _serving(writer: RunWriter, row: Mapping[str, Any] | None = None) -> AsyncIterator[RunWriter]:
    """The writer at work; the `row` of a new run is written first."""
    try:
        await writer.begin(row)
        yield writer
        await writer.leave()
    finally:
        await writer.finish()
