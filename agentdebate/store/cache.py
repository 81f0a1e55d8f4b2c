"""Completions that were paid for once, on disk: a file of their own, which several runs and processes may share."""

import asyncio
import time
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from threading import Lock
from types import TracebackType
from typing import Self, TypeVar

import anyio
import anyio.to_thread

from agentdebate.codec import read
from agentdebate.errors import AgentDebateError, StoreError, UsageError
from agentdebate.models.base import Completion
from agentdebate.store._in_flight import completion_json
from agentdebate.store.damage import mapping
from agentdebate.store.place import is_url
from agentdebate.store.sqlite_file import SqliteFile

BUSY = 130_000
"""Milliseconds that a look-up or a commit waits for another process's commit."""

CLOSING = 150.0
"""Seconds that closing waits for what is under way: longer than that waits for another process. A thread that hangs is left."""

# The digest of the model, its settings and the request; the Completion as JSON; the model's name; seconds since 1970-01-01 UTC.
_COLUMNS = "key TEXT PRIMARY KEY, completion TEXT NOT NULL, model TEXT NOT NULL, created REAL NOT NULL"
_GET = "SELECT completion FROM completions WHERE key = ?"
_PUT = "INSERT OR REPLACE INTO completions (key, completion, model, created) VALUES (?, ?, ?, ?)"
_OTHER = ("not a database", "without the table", "which no file of agentdebate has")
"""Words of the problems of a file that is none of ours."""

_Result = TypeVar("_Result")


@dataclass(eq=False)
class _Batch:
    """Completions that go to disk in one commit."""

    rows: list[tuple[str, str, str, float]] = field(default_factory=list)
    done: "Future[None]" = field(default_factory=Future)


class CompletionCache:
    """Completions in an SQLite file, for `agentdebate.models.cache.Cached`.

    A thread of its own does what comes in; completions that come together are one commit. It is opened at the first use, or by
    `async with`, which shows at once what is wrong with it. A run's store cannot be the cache as well.

    Every method raises StoreError where the file cannot be used and UsageError where it is none of ours; both name it.
    """

    def __init__(self, path: str | Path) -> None:
        if is_url(path):
            raise UsageError("a cache is a file, and not a database's URL: name a file")
        self.place = str(path)
        """The file."""
        self._file = SqliteFile(Path(path), "completions", _COLUMNS, busy=BUSY)
        self._thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix="agentdebate-cache")
        self._lock = Lock()
        self._batch = _Batch()
        self._closed = False

    def __repr__(self) -> str:
        return f"<CompletionCache {self.place}: {len(self._batch.rows)} waiting>"

    async def __aenter__(self) -> Self:
        try:
            await self._done(self._thread.submit(self._file.open))
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
        with self._lock:
            self._check_open()
            found = self._thread.submit(self._file.first_of_each, _GET, [(key,)])
        (row,) = await self._done(found)
        try:
            return None if row is None else read(Completion, mapping(row[0]))
        except (ValueError, TypeError) as error:
            raise self._unusable(
                "a completion in it is damaged, or was written by a newer agentdebate"
            ) from error

    async def put(self, key: str, completion: Completion, *, model: str) -> None:
        """Keep a completion, in the place of an earlier one; it is on disk when this returns.

        A caller who is cancelled does not take it back.
        """
        row = key, completion_json(completion), model, time.time()
        with self._lock:
            self._check_open()
            batch = self._batch
            batch.rows.append(row)
            if len(batch.rows) == 1:
                self._thread.submit(self._write)
        await self._done(batch.done)

    async def aclose(self) -> None:
        """Do what is waiting and close the file. Safe to call twice."""
        with self._lock:
            first, self._closed = not self._closed, True
        if first:
            self._thread.submit(self._file.close)
        with anyio.move_on_after(CLOSING, shield=True):
            await anyio.to_thread.run_sync(self._thread.shutdown, abandon_on_cancel=True)

    def _check_open(self) -> None:
        if self._closed:
            raise UsageError(f"the cache {self.place} was closed; open it again to use it")

    def _write(self) -> None:
        """Write the batch, in the thread."""
        with self._lock:
            batch, self._batch = self._batch, _Batch()
        try:
            self._file.write_many(_PUT, batch.rows)
        except AgentDebateError as error:
            batch.done.set_exception(error)
        else:
            batch.done.set_result(None)

    async def _done(self, future: "Future[_Result]") -> _Result:
        """What came of it, in whichever event loop that is waited for. Each who waits has an error of their own."""
        try:
            return await asyncio.shield(asyncio.wrap_future(future))
        except StoreError as error:
            if any(words in str(error) for words in _OTHER):
                raise UsageError(f"{self.place} is not a cache of completions; name another file") from error
            raise self._unusable(str(error)) from error

    def _unusable(self, problem: str) -> StoreError:
        return StoreError(
            f"the cache {self.place} cannot be used: {problem}. Move it away, and what was in it is asked for again"
        )
