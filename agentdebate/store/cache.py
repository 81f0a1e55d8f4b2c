"""Completions that were paid for once, on disk: a file of their own, which several runs and processes may share."""

import asyncio
import time
from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from copy import copy
from dataclasses import dataclass, field
from pathlib import Path
from threading import Lock
from types import TracebackType
from typing import Self

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

_Outcome = Completion | Exception | None


@dataclass(frozen=True, eq=False, slots=True)
class _Job:
    """A look-up, or a completion to be kept, and what its caller waits for."""

    key: str
    row: tuple[str, str, str, float] | None = None
    """What is to be kept; None is a look-up."""
    done: "Future[Completion | None]" = field(default_factory=Future)

    def tell(self, outcome: _Outcome) -> None:
        """Tell the caller what came of it, in whichever event loop it waits, unless it was cancelled."""
        if self.done.set_running_or_notify_cancel():
            if isinstance(outcome, Exception):
                self.done.set_exception(outcome)
            else:
                self.done.set_result(outcome)


class CompletionCache:
    """Completions in an SQLite file, for `agentdebate.models.cache.Cached`.

    A thread of its own does what comes in, in batches: completions that come together are one commit. It is opened at the first
    use, or by `async with`, which shows at once what is wrong with it. A run's store cannot be the cache as well.

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
        self._waiting: list[_Job] = []
        self._closed = False

    def __repr__(self) -> str:
        return f"<CompletionCache {self.place}: {len(self._waiting)} waiting>"

    async def __aenter__(self) -> Self:
        try:
            await asyncio.wrap_future(self._thread.submit(self._open))
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
        return await self._done(_Job(key))

    async def put(self, key: str, completion: Completion, *, model: str) -> None:
        """Keep a completion, in the place of an earlier one; it is on disk when this returns.

        A caller who is cancelled does not take it back.
        """
        await self._done(_Job(key, (key, completion_json(completion), model, time.time())))

    async def aclose(self) -> None:
        """Do what is waiting and close the file. Safe to call twice."""
        with self._lock:
            first, self._closed = not self._closed, True
        if first:
            self._thread.submit(self._file.close)
        with anyio.move_on_after(CLOSING, shield=True):
            await anyio.to_thread.run_sync(self._thread.shutdown, abandon_on_cancel=True)

    async def _done(self, job: _Job) -> Completion | None:
        with self._lock:
            if self._closed:
                raise UsageError(f"the cache {self.place} was closed; open it again to use it")
            self._waiting.append(job)
            if len(self._waiting) == 1:
                self._thread.submit(self._do_waiting)
        return await asyncio.wrap_future(job.done)

    # From here on: in the thread.

    def _open(self) -> None:
        try:
            self._file.open()
        except StoreError as error:
            raise self._told(error) from error

    def _do_waiting(self) -> None:
        """Do what is waiting. What is put goes first, so that whoever looks then finds it."""
        with self._lock:
            jobs, self._waiting = self._waiting, []
        for work, some in (
            (self._put_many, [job for job in jobs if job.row]),
            (self._get_many, [job for job in jobs if not job.row]),
        ):
            for job, outcome in zip(some, self._outcomes(work, some) if some else (), strict=True):
                job.tell(outcome)

    def _outcomes(
        self, work: Callable[[Sequence[_Job]], Sequence[_Outcome]], jobs: Sequence[_Job]
    ) -> Sequence[_Outcome]:
        """What came of a batch. Whatever is raised, everyone who waits has to hear of it, each by an error of their own."""
        try:
            return work(jobs)
        except AgentDebateError as error:
            told = self._told(error) if isinstance(error, StoreError) else error
            return [copy(told) for _ in jobs]

    def _put_many(self, jobs: Sequence[_Job]) -> Sequence[None]:
        self._file.write_many(_PUT, [job.row for job in jobs if job.row])
        return [None for _ in jobs]

    def _get_many(self, jobs: Sequence[_Job]) -> Sequence[_Outcome]:
        rows = self._file.first_of_each(_GET, [(job.key,) for job in jobs])
        return [None if row is None else self._read(row[0]) for row in rows]

    def _read(self, text: str) -> Completion | StoreError:
        try:
            # pydantic's own reader stumbles over half a character
            return read(Completion, mapping(text))
        except (ValueError, TypeError):
            return self._unusable("a completion in it is damaged, or was written by a newer agentdebate")

    def _told(self, error: StoreError) -> AgentDebateError:
        if any(words in str(error) for words in _OTHER):
            return UsageError(f"{self.place} is not a cache of completions; name another file")
        return self._unusable(str(error))

    def _unusable(self, problem: str) -> StoreError:
        return StoreError(
            f"the cache {self.place} cannot be used: {problem}. Move it away, and what was in it is asked for again"
        )
