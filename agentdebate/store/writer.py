"""The one writer of a run, with group commit: whoever waits for the disk shares the commit with everyone else who does."""

import secrets
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from contextlib import asynccontextmanager, nullcontext
from copy import copy
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

import anyio
import anyio.to_thread
import sqlalchemy as sa

from agentdebate.debates.record import Record
from agentdebate.errors import AgentDebateError, StoreError, UsageError, raise_only
from agentdebate.log import get_log
from agentdebate.models.base import Call
from agentdebate.store._debates import DEBATES
from agentdebate.store._in_flight import plain_json
from agentdebate.store._runs import RUNS, enter_run, found_entries, item_entries, number_of
from agentdebate.store.crew import Leases, has_queue
from agentdebate.store.damage import is_away, is_locked, mapping, reading, translated
from agentdebate.store.database import Database, Session
from agentdebate.store.debate_writer import Batch, Cost, DebateWriter, Ending, Guard, Outbox, enter
from agentdebate.store.engine import open_database
from agentdebate.store.lock import hold
from agentdebate.store.reader import Reader
from agentdebate.store.resume import Begun, ended_record, paid_calls, take_up
from agentdebate.store.run_tables import RunCall
from agentdebate.store.thread import WorkThread, in_thread
from agentdebate.talk.messages import Message
from agentdebate.tasks import Item

_log = get_log(__name__)

WAIT = 60.0
"""Seconds that a run waits for a database server that went away, before it ends."""

LOCKED = 120.0
"""Seconds that a run waits for a SQLite file that another process has locked, after the first commit has waited for it."""

PAUSE = 1.0
"""Seconds between two tries."""

_GIVEN_BACK = 1 << 16
"""Pages of a file that are given back at most when a run ends: more takes seconds, and is there for the next run."""

_Result = TypeVar("_Result")
_Work = Callable[[sa.Connection, int], _Result]
"""Does something on a connection for the run of a number."""


class RunWriter:
    """Writes one run. Rows are put into the batch that goes next; `commit` waits until that batch is on disk."""

    def __init__(
        self,
        database: Database,
        session: Session,
        run: str,
        *,
        tasks: Sequence[str] = (),
        begun: Begun | None = None,
        guard: Guard | None = None,
        leases: Leases | None = None,
    ) -> None:
        self.run = run
        self.begun = begun
        """What was there when a run was taken up again."""
        self.leases = leases
        self.outbox = Outbox()
        self._database, self._session, self._guard = database, session, guard
        self._thread = WorkThread(f"agentdebate-store-{run}")
        self._number = 0  # found as it begins
        self._writing = Batch()
        self._writing.end()
        self._debates: dict[str, DebateWriter] = {}
        self._tasks = tuple(tasks)
        self._with_batches: list[_Work[None]] = []
        self._last: list[_Work[None]] = []
        self._leaving = False
        self._error: AgentDebateError | None = None
        self._refused: dict[str, AgentDebateError] = {}
        self._faults: dict[str, Exception] = {}

    def __repr__(self) -> str:
        return f"<RunWriter {self.run!r}, {self.outbox!r}>"

    async def begin(self, row: Mapping[str, Any] | None = None) -> None:
        """Find the run's number; a new run's row is written first."""
        work = partial(enter_run, row=row) if row is not None else partial(number_of, run=self.run)
        self._number = await self._patiently(partial(self._session.write, work), in_thread)

    async def transact(self, work: _Work[_Result], *, durable: bool = True) -> _Result:
        """What `work` gives in a transaction of its own. What is not `durable` does not wait for the disk."""
        return await self._patiently(
            lambda: self._session.write(lambda connection: work(connection, self._number), durable=durable),
            self._thread.do,
        )

    async def read(self, work: Callable[[], _Result]) -> _Result:
        """What `work` gives, which reads the store; a server that went away is waited for. Raises StoreError."""
        return await self._patiently(work, in_thread)

    def at_last(self, work: _Work[None]) -> None:
        """Have `work` done in the last transaction, however the run is left."""
        self._last.append(work)

    def with_batches(self, work: _Work[None]) -> None:
        """Have `work` done in every transaction in which a batch is written."""
        self._with_batches.append(work)

    def let_go(self, debate: str) -> None:
        """Let go of a debate that is held by another process, or may be. What was put of it and is not on disk is dropped."""
        if self.leases is not None:
            self.leases.forget([debate])
        self._debates.pop(debate, None)

    async def paid(self, debate: str) -> list[RunCall]:
        """The calls of a debate that were paid for before this process took it up."""
        if self.begun is not None and debate not in self.begun.paid:
            return []
        return await self.read(partial(paid_calls, self._database, self.run, debate))

    async def ended(self, debate: str) -> Record:
        """The record of a debate that ended before the run was taken up again. Raises StoreError where it is damaged."""
        return await self.read(partial(ended_record, Reader(self._database), self.run, debate))

    def open(self, debate: str, *, first: int = 1) -> DebateWriter:
        """What writes one debate, opened before anything of it is written. Calls are numbered from `first` on."""
        self._refused.pop(debate, None)  # it was refused as part of an earlier taking
        writer = self._debates[debate] = DebateWriter(self, debate, first=first)
        return writer

    def _of(self, debate: str) -> DebateWriter:
        return self._debates.get(debate) or self.open(debate)

    def message(self, debate: str, message: Message) -> None:
        """Have a message written."""
        self._of(debate).message(message)

    async def call(self, debate: str, number: int, call: Call) -> None:
        """Write a call; returns when it is on disk."""
        await self._of(debate).call(number, call)

    async def record(self, record: Record, cost: Cost | None = None) -> None:
        """Write how a debate ended, and what it cost where that is known; returns when it is on disk."""
        await self._of(record.id).record(record, cost)
        self._debates.pop(record.id)

    async def found(self, name: str, debate: str, message: Message) -> None:
        """Write what was found out once for all debates; returns when it is on disk."""
        self.outbox.put(debate, partial(found_entries, name, debate, message))
        await self.commit(debate)

    def item(self, item: Item, number: int) -> None:
        """Have an item written, by its number within the run; called for the first debate about it that is still to be held."""
        if self.begun is not None and item.id in self.begun.items:
            return
        self.outbox.put(None, partial(item_entries, item, number))
        if item.task not in self._tasks:
            self._tasks = (*self._tasks, item.task)
            self.outbox.do(partial(self._set, task=", ".join(self._tasks)))

    def describe(self, parts: Mapping[str, Any]) -> None:
        """Have parts put into the run's configuration, in place of what is there under their names."""
        self.outbox.do(partial(self._describe, parts=parts))

    def complete(self) -> None:
        """Say that every debate of the run has been held: it ends as a run that came to its end, and not as one left."""
        self._last = [lambda connection, run: self._set(connection, run, ended=time.time()), *self._last]

    async def commit(self, debate: str | None = None) -> None:
        """Wait until everything put so far is on disk.

        Raises StoreError where that failed, then or earlier, what the guard says of the debate where it refused it, and what
        kept something of the debate from being made into a row. Each who hears of it has an error of their own.
        """
        await (self.outbox if self.outbox.batch else self._writing).ended()
        if self._error is not None:
            raise StoreError(
                f"{self._error}. What was written before is kept, and run {self.run} can be taken up again"
            ) from self._error
        if debate in self._refused:
            raise copy(self._refused[debate])
        if debate in self._faults:
            raise self._faults.pop(debate)

    async def serve(self) -> None:
        """Write batch after batch until cancelled."""
        while True:
            await self.outbox.due()
            await self._write(self.outbox.take())

    async def leave(self) -> None:
        """Write what is still waiting, and what comes last, with the patience of any other write. Raises StoreError."""
        if self.outbox.batch:
            await self.commit()
        await self._do_last()
        if self._database.dialect == "sqlite":
            await self.transact(_give_back)

    async def finish(self, *, broken: bool) -> None:
        """Write at once what is still waiting: where the run is broken, `leave` has not done that.

        Raises StoreError where something could not be written, unless something else broke the run already.
        """
        self._leaving = True
        with anyio.CancelScope(shield=True):
            if not self._writing.over:  # it was cancelled while a server was away
                await self._write(self._writing)
            await self._write(self.outbox.take())
            try:
                await self._do_last()
            except StoreError as error:
                self._error = error
            await anyio.to_thread.run_sync(self._session.close, abandon_on_cancel=True)
        self.outbox.close()
        self._thread.stop()
        if not broken:
            await self.commit()

    async def _do_last(self) -> None:
        """Do what comes last. After a failure nothing is written any more."""
        while self._last and self._error is None:
            await self.transact(self._last[0])
            self._last.pop(0)

    async def _write(self, batch: Batch) -> None:
        """Write a batch. After a failure nothing is written any more, so that what is there stays a beginning."""
        self._writing = batch
        try:
            if self._error is None:
                await self._patiently(partial(self._insert_batch, batch), self._thread.do)
        except AgentDebateError as error:
            self._error = error
        except (
            BaseException
        ):  # cancelled; what a server that is away has not got is tried once more at the end
            if batch.written:
                batch.end()
            raise
        batch.end()

    async def _patiently(
        self, work: Callable[[], _Result], waiting: Callable[[Callable[[], _Result], str], Awaitable[_Result]]
    ) -> _Result:
        """What `work` gives in a thread, tried again for a while where a server is away or a file is locked. Raises StoreError."""
        end: float | None = None
        while True:
            try:
                return await waiting(work, self._database.place)
            except StoreError as error:
                wait = LOCKED if is_locked(error.__cause__) else WAIT if is_away(error.__cause__) else 0.0
                if not wait or self._leaving:
                    raise
                if end is None:
                    end = anyio.current_time() + wait
                    _log.warning("%s. Trying again for up to %g s", error, wait, kind="store away")
                elif anyio.current_time() >= end:
                    raise StoreError(f"{error} (waited {wait:g} s for it)") from error
            await anyio.sleep(PAUSE)

    # From here on: in the thread.

    def _insert_batch(self, batch: Batch) -> None:
        self._make(batch)
        try:
            with translated(self._database.place, "written"):
                self._insert(batch)
            batch.written = True
        except StoreError:
            batch.again = True
            raise

    def _make(self, batch: Batch) -> None:
        """Make rows of what was put. What cannot be one is an error of its debate alone, which hears of it when it waits next."""
        unmade, batch.unmade = batch.unmade, []
        for debate, make in unmade:
            try:
                batch.parts += make()
            except Exception as error:  # raised by `commit`
                if debate is None:
                    raise
                self._faults[debate] = error

    def _insert(self, batch: Batch) -> None:
        rows = {part.debate: part.row["row"] for part in batch.parts if isinstance(part, Ending)}
        guard = partial(self.leases.guard, ending=rows.keys()) if self.leases else self._guard

        def insert(connection: sa.Connection) -> Mapping[str, AgentDebateError]:
            refused = enter(connection, self._number, batch.parts, guard=guard, again=batch.again)
            for work in (*batch.works, *self._with_batches):
                work(connection, self._number)
            return refused

        refused = self._session.write(insert)
        if self.leases is not None:
            self.leases.forget(rows.keys() - refused.keys())
        there = self._session.write(partial(self._ended_here, rows)) if refused and batch.again else ()
        self._refused.update({name: error for name, error in refused.items() if name not in there})

    def _ended_here(self, rows: Mapping[str, str], connection: sa.Connection) -> set[str]:
        """The debates that are in the store as they ended here.

        A server may have taken the end of a debate, and with it its lease, and gone before it could say so.
        """
        query = sa.select(DEBATES.c.id, DEBATES.c.row)
        query = query.where(DEBATES.c.run == self._number, DEBATES.c.id.in_(rows))
        return {name for name, row in connection.execute(query) if rows[name] == row}

    @staticmethod
    def _set(connection: sa.Connection, run: int, **values: Any) -> None:
        connection.execute(RUNS.update().where(RUNS.c.number == run).values(**values))

    def _describe(self, connection: sa.Connection, run: int, *, parts: Mapping[str, Any]) -> None:
        query = sa.select(RUNS.c.configuration).where(RUNS.c.number == run)
        with reading(self.run, "the run itself"):
            before = mapping(connection.execute(query).scalar() or "{}")
        self._set(connection, run, configuration=plain_json({**before, **parts}))


def _give_back(connection: sa.Connection, _: int) -> None:
    """Give back to the disk the room that was taken by what debates said while they were held."""
    driven = connection.connection.driver_connection
    assert driven is not None
    # A script takes every step: a statement that is stepped once gives back a page.
    driven.executescript(f"PRAGMA incremental_vacuum({_GIVEN_BACK})")


@asynccontextmanager
async def write_run(
    url: str | Path,
    *,
    strategy: str,
    model: str,
    configuration: Mapping[str, Any],
    tasks: Sequence[str] = (),
    guard: Guard | None = None,
) -> AsyncIterator[RunWriter]:
    """A new run in the store at a path or URL; what was put is on disk when the context ends, however it ends.

    `tasks` are those that its items are known to be of; those of further items that are written come to them. The `guard` is
    asked, within each transaction, which debates may be written.
    """
    # A name that sorts by time and can be typed: 20261120-091200-debate-3f9a.
    run = f"{time.strftime('%Y%m%d-%H%M%S')}-{strategy}-{secrets.token_hex(2)}"
    async with _session(url, run, create=True) as (database, session):
        writer = RunWriter(database, session, run, tasks=tasks, guard=guard)
        row = {
            "id": run,
            "created": time.time(),
            "strategy": strategy,
            "task": ", ".join(tasks),
            "model": model,
            "configuration": plain_json(configuration),
        }
        async with _serving(writer, row):
            yield writer


@asynccontextmanager
async def rewrite_run(
    url: str | Path, run: str, *, retry_failed: bool = False, guard: Guard | None = None
) -> AsyncIterator[RunWriter]:
    """A run that was left, taken up again. Raises UsageError where another process is at work on it, and StoreError."""
    async with _session(url, run) as (database, session):
        if await in_thread(partial(database.look, partial(has_queue, run=run)), database.place):
            raise UsageError(f"run {run} is one of a queue: go on with agentdebate work {run}")
        begin = partial(take_up, database, run, retry_failed=retry_failed)
        begun = await in_thread(begin, database.place)
        tasks = tuple(filter(None, begun.tasks.split(", ")))
        async with _serving(
            RunWriter(database, session, run, tasks=tasks, begun=begun, guard=guard)
        ) as writer:
            yield writer


@asynccontextmanager
async def share_run(url: str | Path, run: str, leases: Callable[[int], Leases]) -> AsyncIterator[RunWriter]:
    """A run of a queue, which other processes may write at the same time: each writes the debates whose leases it holds.

    `leases` makes the leases of the run of that number. Raises UsageError and StoreError.
    """
    async with _session(url, run, alone=False) as (database, session):
        number = await in_thread(partial(database.look, partial(number_of, run=run)), database.place)
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
            await in_thread(session.open, database.place)
            yield database, session
    finally:
        session.close()
        database.close()


@asynccontextmanager
async def _serving(writer: RunWriter, row: Mapping[str, Any] | None = None) -> AsyncIterator[RunWriter]:
    """The writer at work; the `row` of a new run is written first. What is raised inside comes out as it was, and not in a group."""
    await writer.begin(row)
    broken = True
    try:
        async with anyio.create_task_group() as group:
            group.start_soon(writer.serve)
            yield writer
            await writer.leave()
            broken = False
            group.cancel_scope.cancel()
    except BaseExceptionGroup as error:
        raise_only(error)
    finally:
        await writer.finish(broken=broken)
