"""Completions that were paid for once, on disk: a table of a store, which several runs and processes may share."""

import asyncio
import time
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from threading import Lock
from types import TracebackType
from typing import Any, Self, TypeVar

import anyio
import anyio.to_thread
import sqlalchemy as sa

from agentdebate.codec import read
from agentdebate.errors import AgentDebateError, StoreError, UsageError, own_copy
from agentdebate.models.base import Completion
from agentdebate.store.damage import mapping
from agentdebate.store.database import Database
from agentdebate.store.documents import completion_json
from agentdebate.store.engine import open_database
from agentdebate.store.place import shown
from agentdebate.store.schema import COMPLETIONS, batches, insert_rows

CLOSING = 150.0
"""Seconds that closing waits for what is under way: longer than that waits for another process. A thread that hangs is left."""

_Result = TypeVar("_Result")


@dataclass(eq=False)
class _Batch:
    """Completions that go to disk in one commit, by their keys."""

    rows: dict[str, dict[str, Any]] = field(default_factory=dict)
    done: "Future[None]" = field(default_factory=Future)


class CompletionCache:
    """Completions in a store of their own, for `agentdebate.models.cache.Cached`.

    A thread does what comes in; completions that come together are one commit. It is opened at the first use, or by `async with`,
    which shows at once what is wrong with it. Every method raises StoreError where it cannot be used, and UsageError where it is
    none of ours; both name it.
    """

    def __init__(self, path: str | Path) -> None:
        self.place = shown(path)
        """The file."""
        self._path = path
        self._database: Database | None = None
        self._thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix="agentdebate-cache")
        self._lock = Lock()
        self._batch = _Batch()
        self._closed = False

    def __repr__(self) -> str:
        return f"<CompletionCache {self.place}: {len(self._batch.rows)} waiting>"

    async def __aenter__(self) -> Self:
        try:
            await self._in_thread(self._opened)
        except BaseException:
            await self.aclose()
            raise
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.aclose()

    async def get(self, key: str) -> Completion | None:
        """The completion that is kept under a key, if there is one."""
        query = sa.select(COMPLETIONS.c.completion).where(COMPLETIONS.c.key == key)
        found = await self._in_thread(lambda: self._opened().scalar(query))
        try:
            return None if found is None else read(Completion, mapping(found))
        except (ValueError, TypeError) as error:
            raise StoreError(
                f"the cache {self.place}: a completion in it is damaged, or was written by a newer agentdebate. Move it away, "
                "and what was in it is asked for again"
            ) from error

    async def put(self, key: str, completion: Completion, *, model: str) -> None:
        """Keep a completion, in the place of an earlier one; it is on disk when this returns.

        A caller who is cancelled does not take it back.
        """
        row = {"key": key, "completion": completion_json(completion), "model": model, "created": time.time()}
        with self._lock:
            self._check_open()
            batch = self._batch
            batch.rows[key] = row
            if len(batch.rows) == 1:
                self._thread.submit(self._write)
        await _done(batch.done)

    async def aclose(self) -> None:
        """Do what is waiting and close it. Safe to call twice."""
        with self._lock:
            first, self._closed = not self._closed, True
        if first:
            self._thread.submit(self._close)
        with anyio.move_on_after(CLOSING, shield=True):
            await anyio.to_thread.run_sync(self._thread.shutdown, abandon_on_cancel=True)

    async def _in_thread(self, work: Callable[[], _Result]) -> _Result:
        with self._lock:
            self._check_open()
            future = self._thread.submit(work)
        return await _done(future)

    def _check_open(self) -> None:
        if self._closed:
            raise UsageError(f"the cache {self.place} was closed; open it again to use it")

    # From here on: in the thread.

    def _opened(self) -> Database:
        if self._database is None:
            self._database = open_database(self._path, create=True)
        return self._database

    def _close(self) -> None:
        if self._database is not None:
            self._database.close()

    def _write(self) -> None:
        """Write the batch."""
        with self._lock:
            batch, self._batch = self._batch, _Batch()

        def replace(connection: sa.Connection) -> None:
            for keys in batches(batch.rows):
                connection.execute(COMPLETIONS.delete().where(COMPLETIONS.c.key.in_(keys)))
            insert_rows(connection, COMPLETIONS, [*batch.rows.values()], again=True)

        try:
            self._opened().change(replace)
        except AgentDebateError as error:
            batch.done.set_exception(error)
        else:
            batch.done.set_result(None)


async def _done(future: "Future[_Result]") -> _Result:
    """Await a result in the running event loop. Each waiter gets an own copy of an error."""
    try:
        return await asyncio.shield(asyncio.wrap_future(future))
    except AgentDebateError as error:
        raise own_copy(error) from error
