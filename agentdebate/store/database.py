"""A store's database as the rest of the package uses it: the one place where SQL is sent, and where its errors are translated.

A process writes a run by one connection. On a database server that holds the run's lock, which the server takes back when it ends, unless
several processes may write.
"""

import hashlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from typing import Any, TypeVar

import sqlalchemy as sa

from agentdebate.errors import StoreError, UsageError
from agentdebate.store.damage import FOREIGN, is_away, translated

_Result = TypeVar("_Result")

SERVER = "postgresql"
"""The dialect of the database server."""

PAGE = 500
"""Rows that are fetched at once where a query gives many."""

_GIVEN_BACK = 1 << 16
"""Pages of a file that are given back at most at a time: more takes seconds, and is there for the next run."""

Values = Mapping[str, Any]


class Database:
    """A database and how it is called in messages. Every method raises StoreError, and nothing of the driver's."""

    def __init__(self, engine: sa.Engine, place: str) -> None:
        self._engine, self.place = engine, place
        self._streams = set[sa.Connection]()
        """Connections from which rows are being read, one after the other. A reader that an error ends may leave its stream half read."""
        self._closed = False

    def __repr__(self) -> str:
        return f"<Database {self.place!r}>"

    @property
    def dialect(self) -> str:
        """The name of the database: sqlite or postgresql."""
        return self._engine.dialect.name

    def scalar(self, query: sa.Executable, values: Values | None = None) -> Any:
        """The first column of the first row; None where there is no row."""
        return self.look(lambda connection: connection.execute(query, values).scalar())

    def scalars(self, query: sa.Executable, values: Values | None = None) -> Sequence[Any]:
        """The first column of every row."""
        return self.look(lambda connection: connection.execute(query, values).scalars().all())

    def rows(self, query: sa.Executable, values: Values | None = None) -> Sequence[Any]:
        """Every row."""
        return self.look(lambda connection: connection.execute(query, values).all())

    def stream(self, query: "sa.Select[Any]", page: int = PAGE) -> Iterator[sa.RowMapping]:
        """Row after row of a query, by column, `page` rows at a time."""
        with self._reading() as connection:
            self._streams.add(connection)
            try:
                if (
                    self.dialect == SERVER
                ):  # a caller may take its time between rows, and keeps nobody waiting
                    connection.exec_driver_sql("SET LOCAL idle_in_transaction_session_timeout = 0")
                with connection.execution_options(yield_per=page).execute(query) as found:
                    yield from found.mappings()
            finally:
                self._streams.discard(connection)

    def look(self, work: Callable[[sa.Connection], _Result]) -> _Result:
        """Return the result of `work`, which only reads."""
        with self._reading() as connection:
            return work(connection)

    def change(self, work: Callable[[sa.Connection], _Result]) -> _Result:
        """Return the result of `work` in one transaction, which is on disk afterwards."""
        with (
            translated(self.place, "written"),
            self._engine.connect() as connection,
            transaction(connection),
        ):
            return work(connection)

    def connect(self) -> sa.Connection:
        """A connection of its own, which the caller closes. Raises what the driver raises: use it within `translated`."""
        return self._engine.connect()

    def close(self) -> None:
        """Close every connection, those of streams that are not read to the end included. To read on is a StoreError."""
        self._closed = True
        for connection in tuple(self._streams):
            connection.close()
        self._engine.dispose()

    @contextmanager
    def _reading(self) -> Iterator[sa.Connection]:
        if self._closed:
            raise StoreError(f"the store {self.place} has been closed: open it again with open_store()")
        with translated(self.place, "read"), self._engine.connect() as connection:
            yield connection


@contextmanager
def transaction(connection: sa.Connection) -> Iterator[None]:
    """A transaction in which what is read still holds when something is written: SQLite lets in no other writer, a server locks rows."""
    with connection.begin():
        if connection.dialect.name == "sqlite":
            connection.exec_driver_sql("BEGIN IMMEDIATE")
        yield


_BY_INDEX = ("enable_seqscan = off", "enable_bitmapscan = off", "enable_sort = off")
"""Has the server look up leases by their index. A queue that was just entered has no statistics, and without them each taking
would sort the whole of it."""

_LOCK = sa.text("SELECT pg_try_advisory_lock(:key)")
_HELD = sa.text(
    "SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND objsubid = 1 AND granted "
    "AND classid = CAST(:high AS oid) AND objid = CAST(:low AS oid) "
    "AND database = (SELECT oid FROM pg_database WHERE datname = current_database())"
)


class Session:
    """Does what writes a run, each time in one transaction. It is used by one thread at a time.

    Where it is not `alone` it takes no lock: leases say which debates it may write.
    """

    def __init__(self, database: Database, run: str, *, alone: bool = True) -> None:
        self._database, self._run, self._alone = database, run, alone
        self._connection: sa.Connection | None = None
        self._opened_before = False

    def __repr__(self) -> str:
        return f"<Session of run {self._run!r} in {self._database.place}>"

    def open(self) -> None:
        """Connect, and lock the run where that is the server's business. Raises UsageError where another process holds it."""
        with translated(self._database.place, "opened"):
            self._connected()

    def write(self, work: Callable[[sa.Connection], _Result]) -> _Result:
        """Return the result of `work`, which is on disk afterwards. Raises StoreError; a connection that is lost is made anew the next time."""
        with translated(self._database.place, "written"):
            try:
                connection = self._connected()
                with transaction(connection):
                    return work(connection)
            except FOREIGN as error:
                if is_away(error):
                    self.close()
                raise

    def give_back(self) -> None:
        """Give back to the disk the room in a file that nothing takes up any more. A server does so by itself. Raises StoreError."""
        if self._database.dialect == "sqlite":
            with translated(self._database.place, "written"):
                # A script takes every step: a statement that is stepped once gives back a page.
                driven: Any = self._connected().connection.driver_connection
                driven.executescript(f"PRAGMA incremental_vacuum({_GIVEN_BACK})")

    def close(self) -> None:
        """End the connection, and with it the lock."""
        connection, self._connection = self._connection, None
        if connection is not None:
            with suppress(*FOREIGN):  # what is lost already is as good as closed
                if self._database.dialect == SERVER:
                    connection.invalidate()  # or its pool would keep the session, and the session the lock
                connection.close()

    def _connected(self) -> sa.Connection:
        if self._connection is None:
            connection = self._database.connect()
            try:
                if self._database.dialect == SERVER:
                    self._lock(connection)
            except BaseException:
                connection.invalidate()
                connection.close()
                raise
            self._connection, self._opened_before = connection, True
        return self._connection

    def _lock(self, connection: sa.Connection) -> None:
        if not self._alone:
            for setting in _BY_INDEX:
                connection.exec_driver_sql(f"SET {setting}")
            connection.commit()
            return
        taken = connection.execute(_LOCK, {"key": _key(self._run)}).scalar()
        connection.commit()
        if taken:
            return
        if self._opened_before:  # by another process meanwhile, or by our own lost session for a moment
            raise TimeoutError(f"another session holds run {self._run}")
        raise UsageError(f"another process is at work on run {self._run}; wait for it, or stop it")


def is_locked(database: Database, run: str) -> bool:
    """Tell whether a session of the server holds the lock of a run. Raises StoreError."""
    key = _key(run) % (1 << 64)
    return bool(database.scalar(_HELD, {"high": key >> 32, "low": key & 0xFFFFFFFF}))


def _key(run: str) -> int:
    """The number under which the server knows the lock of a run: 64 bits with a sign."""
    return int.from_bytes(hashlib.sha256(f"agentdebate run {run}".encode()).digest()[:8], "big", signed=True)
