"""Completions that were paid for once, on disk: a table of their own, which several runs and processes may share."""

import asyncio
import json
import time
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from copy import copy
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from threading import Lock
from types import TracebackType
from typing import Any, Self, TypeVar

import anyio
import anyio.to_thread
import sqlalchemy as sa
from sqlalchemy.dialects import postgresql, sqlite

from agentdebate.errors import AgentDebateError, StoreError, UsageError
from agentdebate.models.base import Completion
from agentdebate.store.encoding import data_json, model_json

_Result = TypeVar("_Result")

BUSY = 60_000
"""Milliseconds that a look-up or a commit waits for another process's commit."""

_MOST = 500
"""How many look-ups and completions go into one batch at most."""

TABLE = sa.Table(
    "completions",
    sa.MetaData(),
    sa.Column("key", sa.Text, primary_key=True, comment="digest of the model, its settings and the request"),
    sa.Column("completion", sa.Text, nullable=False, comment="the Completion as JSON"),
    sa.Column("model", sa.Text, nullable=False, comment="the name it was asked under"),
    sa.Column("created", sa.Float, nullable=False, comment="seconds since 1970-01-01 UTC"),
)

_INSERTS: dict[str, Callable[[sa.Table], Any]] = {"sqlite": sqlite.insert, "postgresql": postgresql.insert}
"""By dialect, the insert that knows what to do about a key that is there."""


@dataclass(eq=False, slots=True)
class _Job:
    """A look-up, or a completion to be kept, and the caller who waits for it."""

    key: str
    row: tuple[str, Completion] | None = None
    """The model's name and the completion to be kept; None is a look-up."""
    loop: asyncio.AbstractEventLoop = field(default_factory=asyncio.get_running_loop)
    done: "asyncio.Future[None]" = field(init=False)
    outcome: Completion | Exception | None = None

    def __post_init__(self) -> None:
        self.done = self.loop.create_future()


class CompletionCache:
    """Completions in an SQLite file, or in a database that a URL names, for `agentdebate.models.cache.Cached`.

    A thread of its own does what comes in, in batches: look-ups that come together are one query, completions that come
    together are one commit. It is opened at the first use, or by `async with`, which shows at once what is wrong with it.

    The file's journal is SQLite's plain one and no WAL: several processes may write here, and until 3.51.3 SQLite can
    spoil a WAL that two of them begin anew at once. So a run's store, which has one, cannot be the cache as well.

    Every method raises StoreError where the file cannot be used and UsageError where it is none of ours; both name it.
    """

    def __init__(self, url: str | Path) -> None:
        self._url = _url(str(url))
        self._engine: sa.Engine | None = None  # the thread's own
        self._thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix="agentdebate-cache")
        self._lock = Lock()
        self._waiting: list[_Job] = []
        self._working = False
        self._closed = False

    def __repr__(self) -> str:
        return f"<CompletionCache {self.place}: {len(self._waiting)} waiting>"

    @property
    def place(self) -> str:
        """The file, or the URL without its password."""
        shown = self._url.render_as_string(hide_password=True)
        plain = self._url.get_backend_name() == "sqlite" and not self._url.query
        return (self._url.database or shown) if plain else shown

    async def __aenter__(self) -> Self:
        await self._alone(_nothing)
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.aclose()

    async def get(self, key: str) -> Completion | None:
        """The completion that is kept under a key, if there is one."""
        return await self._batched(_Job(key))

    async def put(self, key: str, completion: Completion, *, model: str) -> None:
        """Keep a completion, in the place of an earlier one; it is on disk when this returns.

        A caller who is cancelled does not take it back.
        """
        await self._batched(_Job(key, (model, completion)))

    async def count(self) -> int:
        """How many completions there are."""
        return await self._alone(_count)

    async def clear(self) -> None:
        """Forget all of them."""
        await self._alone(_clear)

    async def aclose(self) -> None:
        """Do what is waiting and close the file. Safe to call twice."""
        with self._lock:
            first, self._closed = not self._closed, True
        if first:
            self._thread.submit(self._dispose)
        with anyio.CancelScope(shield=True):
            await anyio.to_thread.run_sync(self._thread.shutdown)

    async def _batched(self, job: _Job) -> Completion | None:
        with self._lock:
            self._check_open()
            self._waiting.append(job)
            if not self._working:
                self._working = True
                self._thread.submit(self._work)
        await job.done
        if isinstance(job.outcome, Exception):
            raise job.outcome
        return job.outcome

    async def _alone(self, work: Callable[[sa.Connection], _Result]) -> _Result:
        """What `work` gives in the thread, in a transaction of its own."""
        self._check_open()
        return await asyncio.get_running_loop().run_in_executor(self._thread, self._guarded, work)

    def _check_open(self) -> None:
        if self._closed:
            raise UsageError(f"the cache {self.place} was closed; open it again to use it")

    # From here on: in the thread.

    def _work(self) -> None:
        """Do what is waiting, batch after batch. What is put goes first, so that whoever looks then finds it."""
        while jobs := self._take():
            self._do(_put_many, [job for job in jobs if job.row])
            self._do(_get_many, [job for job in jobs if not job.row])

    def _take(self) -> list[_Job]:
        with self._lock:
            jobs, self._waiting = self._waiting[:_MOST], self._waiting[_MOST:]
            self._working = bool(jobs)
            return jobs

    def _do(self, work: Callable[[sa.Connection, Sequence[_Job]], None], jobs: Sequence[_Job]) -> None:
        """Do a batch, and tell its callers: whatever it raises, they have to hear of it, each by an error of their own."""
        if not jobs:
            return
        try:
            self._guarded(partial(work, jobs=jobs))
        except Exception as error:  # noqa: BLE001 - nobody else would raise it
            for job in jobs:
                job.outcome = copy(error)
                job.outcome.__cause__ = error.__cause__
        for job in jobs:
            if isinstance(job.outcome, StoreError):  # of one row
                job.outcome = StoreError(f"the cache {self.place}: {job.outcome}") if not job.outcome.__cause__ else job.outcome
        _deliver(jobs)

    def _guarded(self, work: Callable[[sa.Connection], _Result]) -> _Result:
        try:
            if self._engine is None:
                self._engine = self._open()
            with self._engine.begin() as connection:
                return work(connection)
        except (sa.exc.SQLAlchemyError, UnicodeError) as error:
            raise self._told(error) from error

    def _open(self) -> sa.Engine:
        engine = _engine(self._url, self.place)
        try:
            with engine.begin() as connection:
                _prepare(connection, self.place)
        except BaseException:
            engine.dispose()
            raise
        return engine

    def _dispose(self) -> None:
        if self._engine is not None:
            self._engine.dispose()
            self._engine = None

    def _told(self, error: Exception) -> AgentDebateError:
        problem = str(getattr(error, "orig", None) or error)
        if "not a database" in problem:
            return _none_of_ours(self.place)
        return StoreError(
            f"the cache {self.place} cannot be used: {problem}. Move it away, and what was in it is asked for again"
        )
