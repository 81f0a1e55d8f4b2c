"""The one writer of a run, with group commit: all who wait for the disk share a commit."""

import asyncio
import secrets
import threading
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager, suppress
from copy import copy
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from shutil import disk_usage
from threading import Lock
from typing import Any, TypeVar

import anyio
import anyio.to_thread
import sqlalchemy as sa

from agentdebate.codec import plain_json
from agentdebate.debates.record import Record
from agentdebate.errors import AgentDebateError, StoreError
from agentdebate.log import get_log
from agentdebate.store.crew import Leases
from agentdebate.store.damage import is_away, is_locked, mapping
from agentdebate.store.database import Database
from agentdebate.store.debate_writer import DebateWriter, Ending, Entry, Part, enter, item_entry
from agentdebate.store.engine import open_database
from agentdebate.store.place import is_url
from agentdebate.store.reader import Reader
from agentdebate.store.resume import Begun, begun_run, ended_record, take_up
from agentdebate.store.run_tables import RunCall
from agentdebate.store.schema import FOUND, RUNS, enter_run, number_of
from agentdebate.store.session import Session
from agentdebate.talk.envelope import message_line
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

ROOM = 16_000_000
"""Bytes free on the disk of a file without which nothing is begun: what is in flight would be paid for and could not be kept."""

_Result = TypeVar("_Result")

Work = Callable[[sa.Connection, int], object]
"""Work for the run of a number, in a transaction."""


Write = Callable[[Callable[[sa.Connection], Any]], Any]
"""Returns the result of work that is on disk afterwards."""


@dataclass(eq=False)
class Batch:
    """Writes that share a commit."""

    parts: list[Part] = field(default_factory=list)
    works: list[Work] = field(default_factory=list)
    again: bool = False
    """True if a server that went away may have it already."""
    over: asyncio.Event = field(default_factory=asyncio.Event)
    """Set when it is on disk, or cannot be written."""

    def __bool__(self) -> bool:
        return bool(self.parts or self.works)


class RunWriter:
    """Writes one run. Rows are put into the batch that goes next; `commit` waits until that batch is on disk.

    A thread of its own does one thing after the other: what is put before it begins a batch shares the commit.
    """

    def __init__(self, database: Database, write: Write, run: str) -> None:
        self.run = run
        self.number = 0
        """The run's number in its store."""
        self.tasks: tuple[str, ...] = ()
        """The tasks of its items."""
        self.begun: Begun | None = None
        """Stored content of a run when it was resumed."""
        self.leases: Leases | None = None
        """The debates that may be written here, of a run that others write too."""
        self.reader = Reader(database)
        """Reads the store in which it is written."""
        self._database, self._write_all = database, write
        self._thread, self._loop = ThreadPoolExecutor(1, f"store {run}"), asyncio.get_running_loop()
        self._lock, self._hurry = Lock(), threading.Event()
        self._batch, self._going = Batch(), Batch()
        self._going.over.set()
        self._timer: asyncio.TimerHandle | None = None
        self._last: list[Work] = []
        self._error: Exception | None = None
        self._refused: dict[str, AgentDebateError] = {}

    async def change(self, work: Callable[[sa.Connection], _Result]) -> _Result:
        """Return the result of `work` in a transaction of its own."""
        return await self.read(partial(self._write_all, work))

    async def transact(self, work: Callable[[sa.Connection, int], _Result]) -> _Result:
        """Return the result of `work` for the run's number in a transaction of its own."""
        return await self.change(lambda connection: work(connection, self.number))

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
        return await self.read(partial(self.reader.paid_calls, self.run, debate))

    async def ended(self, debate: str) -> Record:
        """The record of a debate that ended before the run was resumed. Raises StoreError where it is damaged."""
        return await self.read(partial(ended_record, self.reader, self.run, debate))

    def open(self, debate: str, *, paid: Sequence[RunCall] = ()) -> DebateWriter:
        """Open the writer of one debate, before anything of it is written. Its calls are numbered on from those that were `paid`."""
        self._refused.pop(debate, None)  # it was refused as part of an earlier taking
        return DebateWriter(debate, self.put, self.commit, paid=paid)

    async def search(self, name: str, debate: str, find: Callable[[], Awaitable[Any]]) -> tuple[str, Any]:
        """Find something out once for all debates of the run; who found it comes with it. Of two who do so at once the first one counts.

        The debate that found it out finds it out again where it is held again, from what was paid for then.
        """
        found = partial(self.reader.found, self.run, name)
        before = await self.read(found)
        if before is not None and before[0] != debate:
            return before
        message = await find()
        self.put(Entry(FOUND, {"name": name, "debate": debate, "data": message_line(message)}, debate))
        await self.commit(debate)
        return await self.read(found) or (debate, message)

    def item(self, item: Item, number: int) -> None:
        """Have an item written, if it is not there, by its number within the run; called for the first debate about it that is to be held."""
        self.put(item_entry(item, number))
        if item.task not in self.tasks:
            self.tasks = (*self.tasks, item.task)
            self._do(partial(_set, task=", ".join(self.tasks)))

    def describe(self, parts: Mapping[str, Any]) -> None:
        """Have parts put into the run's configuration, in place of what is there under their names."""
        self._do(partial(self._describe, parts=parts))

    def complete(self) -> None:
        """Say that every debate of the run has been held: it ends as a run that came to its end, and not as one left."""
        self.at_last(lambda connection, run: _set(connection, run, ended=time.time()))

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
                f"{self._error}. What was written before is kept, and run {self.run} can be resumed"
            ) from self._error
        if debate in self._refused:
            raise copy(self._refused[debate])

    async def leave(self) -> None:
        """Write what is still waiting, and what comes last, with the patience of any other write. Raises StoreError."""
        await self.commit()
        await self._do_last()
        await self.read(self._database.give_back)

    async def finish(self) -> None:
        """Write what `leave` has not, without patience. What cannot be written now is known to the caller that broke the run."""
        self._hurry.set()
        with anyio.CancelScope(shield=True):
            self._go()
            await self._going.over.wait()
            with suppress(StoreError):
                await self._do_last()
        self._thread.shutdown(wait=False)

    async def _do_last(self) -> None:
        """Do what comes last. After a failure nothing is written any more."""
        if self._last and self._error is None:
            await self.transact(lambda *given: [work(*given) for work in self._last])
            self._last.clear()

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
        debates = {part.debate for part in batch.parts if part.debate is not None}
        endings = {part.debate for part in batch.parts if isinstance(part, Ending)}

        def insert(connection: sa.Connection) -> Mapping[str, AgentDebateError]:
            refused = self.leases.guard(connection, debates, ending=endings) if self.leases else {}
            parts = [part for part in batch.parts if part.debate not in refused]
            enter(connection, self.number, parts, again=batch.again)
            for work in batch.works:
                work(connection, self.number)
            return refused

        try:
            refused = self._write_all(insert)
        except StoreError:
            batch.again = True
            raise
        if self.leases is not None:
            self.leases.forget(endings - refused.keys())
        self._refused.update(refused)

    def _describe(self, connection: sa.Connection, run: int, *, parts: Mapping[str, Any]) -> None:
        query = sa.select(RUNS.c.configuration).where(RUNS.c.number == run)
        before = mapping(connection.execute(query).scalar_one())
        _set(connection, run, configuration=plain_json({**before, **parts}).decode())


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
        "configuration": plain_json(configuration).decode(),
    }
    async with _writer(url, run, create=True) as writer:
        writer.number, writer.tasks = await writer.change(partial(enter_run, row=row)), tuple(tasks)
        yield writer


@asynccontextmanager
async def rewrite_run(url: str | Path, run: str, *, retry_failed: bool = False) -> AsyncIterator[RunWriter]:
    """Resume a run that was left. Raises UsageError where another process is at work on it, and StoreError."""
    async with _writer(url, run) as writer:
        writer.number = await writer.change(partial(take_up, run=run, retry_failed=retry_failed))
        writer.begun = begun = await writer.read(partial(begun_run, writer.reader, run))
        writer.tasks = begun.tasks
        yield writer


@asynccontextmanager
async def share_run(url: str | Path, run: str, leases: Callable[[int], Leases]) -> AsyncIterator[RunWriter]:
    """A run of a queue, which other processes may write at the same time: each writes the debates whose leases it holds.

    `leases` makes the leases of the run of that number. Raises UsageError and StoreError.
    """
    async with _writer(url, run, alone=False) as writer:
        writer.number = await writer.change(partial(number_of, run=run))
        writer.leases = leases(writer.number)
        yield writer


def _check_room(url: str | Path) -> None:
    """Raise StoreError where the disk of a file has no room for a run, before the file is made."""
    path = Path(str(url))
    there = path if path.exists() else path.parent
    if not is_url(url) and there.exists() and (free := disk_usage(there).free) < ROOM:
        raise StoreError(f"make room on the disk of {url}: {free:,} of {ROOM:,} bytes are free")


@asynccontextmanager
async def _writer(
    url: str | Path, run: str, *, create: bool = False, alone: bool = True
) -> AsyncIterator[RunWriter]:
    """The writer of a run at work. Where one process `alone` may write the run, it is locked; else leases say who may write what."""
    _check_room(url)
    work = partial(open_database, url, create=create)
    database = await anyio.to_thread.run_sync(work, abandon_on_cancel=True)
    session = Session(database, run)
    try:
        if alone:
            await anyio.to_thread.run_sync(session.open)
        writer = RunWriter(database, session.write if alone else database.change, run)
        try:
            yield writer
            await writer.leave()
        finally:
            await writer.finish()
    finally:
        session.close()
        database.close()
