"""The one connection by which a process writes a run.

On a database server it holds the run's lock, which the server takes back when it ends, unless several processes may write.
"""

import hashlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import TypeVar

import sqlalchemy as sa

from agentdebate.errors import UsageError
from agentdebate.store.database import Database
from agentdebate.store.driver import SERVER, limit_transactions
from agentdebate.store.problems import FOREIGN, is_away, translated
from agentdebate.store.sqlite_file import wait_for_disk

_Result = TypeVar("_Result")

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
        self._durable = True
        """Whether the commits of a file wait for the disk at the moment."""

    def __repr__(self) -> str:
        return f"<Session of run {self._run!r} in {self._database.place}>"

    def open(self) -> None:
        """Connect, and lock the run where that is the server's business. Raises UsageError where another process holds it."""
        with translated(self._database.place, "opened"):
            self._connected()

    def write(self, work: Callable[[sa.Connection], _Result], *, durable: bool = True) -> _Result:
        """What `work` gives; it is on disk afterwards. Raises StoreError; a connection that is lost is made anew the next time.

        What is not `durable` is seen by all others at once, but need not be on disk yet: where the machine of the database
        fails within the next second, it may be as if it had not been done.
        """
        with translated(self._database.place, "written"):
            try:
                connection = self._connected()
                with self._transaction(connection, durable=durable):
                    return work(connection)
            except FOREIGN as error:
                if is_away(error):
                    self.close()
                raise

    @contextmanager
    def _transaction(self, connection: sa.Connection, *, durable: bool) -> Iterator[None]:
        """A transaction whose commit waits for the disk, or does not."""
        on_file = self._database.dialect == "sqlite"
        if on_file and durable != self._durable:
            wait_for_disk(connection.connection.driver_connection, wait=durable)
            self._durable = durable
        with connection.begin():
            if not (on_file or durable):
                connection.exec_driver_sql("SET LOCAL synchronous_commit = off")
            yield

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
            self._connection, self._opened_before, self._durable = connection, True, True
        return self._connection

    def _lock(self, connection: sa.Connection) -> None:
        if not self._alone:
            limit_transactions(connection)
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
    """Whether a session of the server holds the lock of a run. Raises StoreError."""
    key = _key(run) % (1 << 64)
    return bool(database.scalar(_HELD, {"high": key >> 32, "low": key & 0xFFFFFFFF}))


def _key(run: str) -> int:
    """The number under which the server knows the lock of a run: 64 bits with a sign."""
    return int.from_bytes(hashlib.sha256(f"agentdebate run {run}".encode()).digest()[:8], "big", signed=True)
