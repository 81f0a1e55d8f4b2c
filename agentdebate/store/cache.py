"""Completions that were paid for once, on disk: a table of their own, which several runs and processes may share."""

import asyncio
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

from agentdebate.codec import read
from agentdebate.errors import AgentDebateError, StoreError, UsageError
from agentdebate.models.base import Completion
from agentdebate.store._in_flight import completion_json
from agentdebate.store.damage import mapping
from agentdebate.store.driver import DIALECTS, engine_for, insert
from agentdebate.store.place import create_private
from agentdebate.store.sqlite_file import active_part, holder

_Result = TypeVar("_Result")

BUSY = 130_000
"""Milliseconds that a look-up or a commit waits for another process's commit."""

CLOSING = 150.0
"""Seconds that closing waits for what is under way: longer than that waits for another process. A thread that hangs is left."""

_MOST = 500
"""How many look-ups and completions go into one batch at most."""

TABLE = sa.Table(
    "completions",
    sa.MetaData(),
    sa.Column("key", sa.Text, primary_key=True),  # digest of the model, its settings and the request
    sa.Column("completion", sa.Text, nullable=False),  # the Completion as JSON
    sa.Column("model", sa.Text, nullable=False),  # the name it was asked under
    sa.Column("created", sa.Float, nullable=False),  # seconds since 1970-01-01 UTC
)


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
        try:
            await self._alone(_nothing)
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
        with anyio.move_on_after(CLOSING, shield=True):
            await anyio.to_thread.run_sync(self._thread.shutdown, abandon_on_cancel=True)

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
            self._do(partial(_get_many, place=self.place), [job for job in jobs if not job.row])

    def _take(self) -> list[_Job]:
        with self._lock:
            jobs, self._waiting = self._waiting[:_MOST], self._waiting[_MOST:]
            self._working = bool(jobs)
            return jobs

    def _do(self, work: Callable[[sa.Connection, Sequence[_Job]], None], jobs: Sequence[_Job]) -> None:
        """Do a batch. Whatever is raised, everyone who waits has to hear of it, each by an error of their own."""
        if not jobs:
            return
        try:
            self._guarded(lambda connection: work(connection, jobs))
        except AgentDebateError as error:
            for job in jobs:
                job.outcome = copy(error)
                job.outcome.__cause__ = error.__cause__
        _deliver(jobs)

    def _guarded(self, work: Callable[[sa.Connection], _Result]) -> _Result:
        """What `work` gives, in one transaction. Raises errors of ours alone, whatever goes wrong."""
        try:
            if self._engine is None:
                self._engine = self._open()
            with self._engine.begin() as connection:
                return work(connection)
        except AgentDebateError:
            raise
        except Exception as error:
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
        problem = str(getattr(error, "orig", None) or error) or repr(error)
        return _foreign(self.place) if "not a database" in problem else _unusable(self.place, problem)


def _url(text: str) -> sa.URL:
    """The URL, or that of a file. Raises UsageError."""
    try:
        url = sa.make_url(text) if "://" in text else sa.URL.create("sqlite", database=text)
        known = url.get_backend_name() in DIALECTS
    except sa.exc.ArgumentError as error:
        raise UsageError("a cache is a file or a database URL, and this URL cannot be read") from error
    if not known:
        raise UsageError(
            f"a cache is a file or a database of {' or '.join(DIALECTS)}, not of {url.get_backend_name()}"
        )
    return url


def _engine(url: sa.URL, place: str) -> sa.Engine:
    """An engine for what is there. Raises UsageError where nothing can be there."""
    try:
        engine = engine_for(url, busy=BUSY)
    except sa.exc.NoSuchModuleError as error:
        raise UsageError(f"the cache {place}: there is no such kind of database") from error
    except ModuleNotFoundError as error:
        raise UsageError(
            f"the cache {place}: install {error.name!r}, the driver for that kind of database"
        ) from error
    if engine.dialect.name == "sqlite":
        _prepare_file(url, place)
    return engine


def _prepare_file(url: sa.URL, place: str) -> None:
    """See that there is a file, or a folder for it."""
    if url.query or not url.database:
        return
    path = Path(url.database)
    if path.is_dir():
        raise UsageError(f"the cache {place} is a folder; name a file in it")
    if not path.parent.is_dir():
        raise UsageError(f"the cache {place} cannot be made: there is no folder {path.parent}")
    create_private(path.resolve())


def _prepare(connection: sa.Connection, place: str) -> None:
    """See that our table is there. A file that holds something else is left alone; a server's database may be shared."""
    inspector = sa.inspect(connection)
    names = inspector.get_table_names()
    on_file = connection.dialect.name == "sqlite"
    if on_file and active_part(_driven(connection)):
        raise _foreign(place)
    if TABLE.name not in names:
        if names and on_file:
            raise _foreign(place)
        # Another process may make it at this moment.
        connection.execute(sa.schema.CreateTable(TABLE, if_not_exists=True))
    elif {column["name"] for column in inspector.get_columns(TABLE.name)} != set(TABLE.columns.keys()):
        raise _foreign(place)
    if on_file:
        # The journal is kept and emptied, which is as safe as making a new one for every commit, and quicker.
        connection.exec_driver_sql("PRAGMA journal_mode = TRUNCATE")


def _driven(connection: sa.Connection) -> Any:
    """The driver's own connection."""
    return connection.connection.driver_connection


def _foreign(place: str) -> UsageError:
    return UsageError(f"{place} is not a cache of completions; name another file")


def _unusable(place: str, problem: object) -> StoreError:
    moved = "Move it away, and what was in it is asked for again"
    advice = (holder(place) if "database is locked" in str(problem) else None) or moved
    return StoreError(f"the cache {place} cannot be used: {problem}. {advice}")


def _nothing(_connection: sa.Connection) -> None:
    """Opened is all it has to be."""


def _count(connection: sa.Connection) -> int:
    return int(connection.execute(sa.select(sa.func.count()).select_from(TABLE)).scalar_one())


def _clear(connection: sa.Connection) -> None:
    connection.execute(TABLE.delete())


def _put_many(connection: sa.Connection, jobs: Sequence[_Job]) -> None:
    connection.execute(upsert(connection.dialect.name), [_row(job) for job in jobs])


def upsert(dialect: str) -> sa.Insert:
    """The statement that keeps a completion, in the place of an earlier one."""
    statement = insert(dialect, TABLE)
    over = {name: statement.excluded[name] for name in ("completion", "model", "created")}
    changed: sa.Insert = statement.on_conflict_do_update(index_elements=[TABLE.c.key], set_=over)
    return changed


def _row(job: _Job) -> dict[str, object]:
    assert job.row
    model, completion = job.row
    return {"key": job.key, "completion": completion_json(completion), "model": model, "created": time.time()}


def _get_many(connection: sa.Connection, jobs: Sequence[_Job], *, place: str) -> None:
    keys = {job.key for job in jobs}
    found = connection.execute(sa.select(TABLE.c.key, TABLE.c.completion).where(TABLE.c.key.in_(keys)))
    texts = {row.key: row.completion for row in found}
    for job in jobs:
        if job.key in texts:
            job.outcome = _read(texts[job.key], place)


def _read(text: str, place: str) -> Completion | StoreError:
    try:
        return read(Completion, mapping(text))  # pydantic's own reader stumbles over half a character
    except (ValueError, TypeError) as error:
        problem = _unusable(place, "a completion in it is damaged, or was written by a newer agentdebate")
        problem.__cause__ = error
        return problem


def _deliver(jobs: Iterable[_Job]) -> None:
    """Tell those who wait, in their own event loops."""
    loops: dict[asyncio.AbstractEventLoop, list[_Job]] = {}
    for job in jobs:
        loops.setdefault(job.loop, []).append(job)
    for loop, waiting in loops.items():
        with suppress(RuntimeError):  # the loop has been closed: nobody waits there any more
            loop.call_soon_threadsafe(_wake, waiting)


def _wake(jobs: Iterable[_Job]) -> None:
    for job in jobs:
        if not job.done.done():  # its caller may have been cancelled
            job.done.set_result(None)
