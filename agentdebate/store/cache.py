"""Completions that were paid for once, on disk: a table of their own, which several runs and processes may share."""

import asyncio
import time
from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from copy import copy
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from threading import Lock
from types import TracebackType
from typing import Self, TypeVar

import anyio
import anyio.to_thread
import sqlalchemy as sa

from agentdebate.errors import AgentDebateError, StoreError, UsageError
from agentdebate.models.base import Completion
from agentdebate.store._in_flight import completion_json
from agentdebate.store.damage import mapping
from agentdebate.store.driver import engine_for, insert, url_of
from agentdebate.store.schema import batches
from agentdebate.store.sqlite_file import active_part, holder, make_file

_Result = TypeVar("_Result")

BUSY = 130_000
"""Milliseconds that a look-up or a commit waits for another process's commit."""

CLOSING = 150.0
"""Seconds that closing waits for what is under way: longer than that waits for another process. A thread that hangs is left."""

TABLE = sa.Table(
    "completions",
    sa.MetaData(),
    sa.Column("key", sa.Text, primary_key=True),  # digest of the model, its settings and the request
    sa.Column("completion", sa.Text, nullable=False),  # the Completion as JSON
    sa.Column("model", sa.Text, nullable=False),  # the name it was asked under
    sa.Column("created", sa.Float, nullable=False),  # seconds since 1970-01-01 UTC
)


@dataclass(frozen=True, eq=False, slots=True)
class _Job:
    """A look-up, or a completion to be kept, and what its caller waits for."""

    key: str
    row: tuple[str, Completion] | None = None
    """The model's name and the completion to be kept; None is a look-up."""
    done: "Future[Completion | None]" = field(default_factory=Future)

    def tell(self, outcome: Completion | Exception | None) -> None:
        """Tell the caller what came of it, in whichever event loop it waits, unless it was cancelled."""
        if self.done.set_running_or_notify_cancel():
            if isinstance(outcome, Exception):
                self.done.set_exception(outcome)
            else:
                self.done.set_result(outcome)


_Many = Callable[[Sequence[_Job], sa.Connection], Sequence[Completion | Exception | None]]


class CompletionCache:
    """Completions in an SQLite file, or in a database that a URL names, for `agentdebate.models.cache.Cached`.

    A thread of its own does what comes in, in batches: look-ups that come together are one query, completions that come
    together are one commit. It is opened at the first use, or by `async with`, which shows at once what is wrong with it.

    The file's journal is SQLite's plain one and no WAL: several processes may write here, and until 3.51.3 SQLite can
    spoil a WAL that two of them begin anew at once. So a run's store, which has one, cannot be the cache as well.

    Every method raises StoreError where the file cannot be used and UsageError where it is none of ours; both name it.
    """

    def __init__(self, url: str | Path) -> None:
        self._url = url_of(str(url), "cache")
        self._engine: sa.Engine | None = None  # the thread's own
        self._thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix="agentdebate-cache")
        self._lock = Lock()
        self._waiting: list[_Job] = []
        self._closed = False

    def __repr__(self) -> str:
        return f"<CompletionCache {self.place}: {len(self._waiting)} waiting>"

    @property
    def place(self) -> str:
        """The file, or the URL without its password."""
        plain = self._url.get_backend_name() == "sqlite" and not self._url.query and self._url.database
        return plain or self._url.render_as_string(hide_password=True)

    async def __aenter__(self) -> Self:
        try:
            await self._alone(lambda _: None)
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
        query = sa.select(sa.func.count()).select_from(TABLE)
        return await self._alone(lambda connection: int(connection.execute(query).scalar_one()))

    async def clear(self) -> None:
        """Forget all of them."""
        await self._alone(lambda connection: connection.execute(TABLE.delete()))

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
            if len(self._waiting) == 1:
                self._thread.submit(self._work)
        return await asyncio.wrap_future(job.done)

    async def _alone(self, work: Callable[[sa.Connection], _Result]) -> _Result:
        """What `work` gives in the thread, in a transaction of its own."""
        self._check_open()
        return await asyncio.wrap_future(self._thread.submit(self._guarded, work))

    def _check_open(self) -> None:
        if self._closed:
            raise UsageError(f"the cache {self.place} was closed; open it again to use it")

    # From here on: in the thread.

    def _work(self) -> None:
        """Do what is waiting. What is put goes first, so that whoever looks then finds it."""
        with self._lock:
            jobs, self._waiting = self._waiting, []
        self._do(_put_many, [job for job in jobs if job.row])
        self._do(partial(_get_many, self.place), [job for job in jobs if not job.row])

    def _do(self, work: _Many, jobs: Sequence[_Job]) -> None:
        """Do a batch. Whatever is raised, everyone who waits has to hear of it, each by an error of their own."""
        if not jobs:
            return
        try:
            outcomes = self._guarded(partial(work, jobs))
        except AgentDebateError as error:
            outcomes = [copy(error).with_traceback(None) for _ in jobs]
            for one in outcomes:
                one.__cause__ = error.__cause__
        for job, outcome in zip(jobs, outcomes, strict=True):
            job.tell(outcome)

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
            problem = str(getattr(error, "orig", None) or error) or repr(error)
            if "not a database" in problem:
                raise _foreign(self.place) from error
            raise _unusable(self.place, problem) from error

    def _open(self) -> sa.Engine:
        engine = engine_for(self._url, busy=BUSY)
        try:
            if self._url.get_backend_name() == "sqlite" and not self._url.query and self._url.database:
                make_file(Path(self._url.database), "cache")
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


def _prepare(connection: sa.Connection, place: str) -> None:
    """See that our table is there. A file that holds something else is left alone; a server's database may be shared."""
    inspector = sa.inspect(connection)
    names = inspector.get_table_names()
    on_file = connection.dialect.name == "sqlite"
    if on_file and active_part(connection.connection.driver_connection):
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


def _foreign(place: str) -> UsageError:
    return UsageError(f"{place} is not a cache of completions; name another file")


def _unusable(place: str, problem: object) -> StoreError:
    moved = "Move it away, and what was in it is asked for again"
    advice = (holder(place) if "database is locked" in str(problem) else None) or moved
    return StoreError(f"the cache {place} cannot be used: {problem}. {advice}")


def _put_many(jobs: Sequence[_Job], connection: sa.Connection) -> Sequence[None]:
    rows = [
        {"key": job.key, "completion": completion_json(completion), "model": model, "created": time.time()}
        for job in jobs
        if job.row
        for model, completion in [job.row]
    ]
    connection.execute(upsert(connection.dialect.name), rows)
    return [None for _ in jobs]


def upsert(dialect: str) -> sa.Insert:
    """The statement that keeps a completion, in the place of an earlier one."""
    statement = insert(dialect, TABLE)
    over = {name: statement.excluded[name] for name in ("completion", "model", "created")}
    changed: sa.Insert = statement.on_conflict_do_update(index_elements=[TABLE.c.key], set_=over)
    return changed


def _get_many(
    place: str, jobs: Sequence[_Job], connection: sa.Connection
) -> Sequence[Completion | Exception | None]:
    query, texts = sa.select(TABLE.c.key, TABLE.c.completion), dict[str, str]()
    for keys in batches({job.key for job in jobs}):
        texts.update(
            (row.key, row.completion) for row in connection.execute(query.where(TABLE.c.key.in_(keys)))
        )
    return [_read(texts[job.key], place) if job.key in texts else None for job in jobs]


def _read(text: str, place: str) -> Completion | StoreError:
    try:
        return Completion.model_validate(
            mapping(text)
        )  # pydantic's own reader stumbles over half a character
    except (ValueError, TypeError) as error:
        problem = _unusable(place, "a completion in it is damaged, or was written by a newer agentdebate")
        problem.__cause__ = error
        return problem
