"""One process a run: who writes a run holds its lock, which the operating system or the server takes back from a dead process.

The lock is a file beside a store that is a file. On a database server the session that writes has it, so that who lost it writes no more.
"""

import hashlib
import os
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import TypeVar

import sqlalchemy as sa

from agentdebate.errors import StoreError, UsageError
from agentdebate.store.damage import FOREIGN, translated
from agentdebate.store.database import SERVER, Database, transaction
from agentdebate.store.place import create_private

_Result = TypeVar("_Result")

_AGAIN = 8
"""Number of attempts at a lock before it counts as held by another process: one that only looks is gone at once."""
_WAIT = 0.01
"""Seconds between two tries."""

_HELD = (
    "SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND objsubid = 1 AND granted "
    "AND (CAST(classid AS bigint) << 32 | CAST(objid AS bigint)) = {} "
    "AND database = (SELECT oid FROM pg_database WHERE datname = current_database())"
)


class Session:
    """Writes a run over one connection, alone, as long as it is open. One thread uses it at a time."""

    def __init__(self, database: Database, run: str) -> None:
        self.database, self._run = database, run
        self._connection: sa.Connection | None = None
        self._opened_before = False
        self._lock: tuple[Path, int] | None = None

    def open(self) -> None:
        """Take the lock. Raises UsageError where another process holds it, and StoreError; to be closed then too."""
        if self.database.dialect == SERVER:
            with translated(self.database.place, "opened"):
                self._connected()
        else:
            path = _lock_of(self.database, self._run)
            if path is None:
                raise StoreError(
                    f"{self._run!r} is not the name of a run: its lock would be a file elsewhere"
                )
            self._lock = path, _locked(path, self._run)

    def close(self) -> None:
        """Release the lock. Safe to call twice."""
        self._disconnect()
        if self._lock is not None:
            (path, handle), self._lock = self._lock, None
            with suppress(OSError):  # a file that is left behind locks nothing
                path.unlink()  # while it is held, so that nobody else holds what is no longer there
            os.close(handle)

    def write(self, work: Callable[[sa.Connection], _Result]) -> _Result:
        """Return the result of `work`, which is on disk afterwards. Raises StoreError; a connection that is lost is made anew the next time."""
        with translated(self.database.place, "written"):
            try:
                connection = self._connected()
                with transaction(connection):
                    return work(connection)
            except FOREIGN:
                self._disconnect()  # the next one is made anew, and on a server locked anew
                raise

    def _disconnect(self) -> None:
        """End the connection, and with it a server's lock."""
        connection, self._connection = self._connection, None
        if connection is not None:
            with suppress(*FOREIGN):  # what is lost already is as good as closed
                if self.database.dialect == SERVER:
                    connection.invalidate()  # or its pool would keep the session, and the session the lock
                connection.close()

    def _connected(self) -> sa.Connection:
        if self._connection is None:
            self._connection = self.database.connect()
            if self.database.dialect == SERVER:
                self._lock_on_server(self._connection)
            self._opened_before = True
        return self._connection

    def _lock_on_server(self, connection: sa.Connection) -> None:
        taken = connection.exec_driver_sql(f"SELECT pg_try_advisory_lock({_key(self._run)})").scalar()
        connection.commit()
        if taken:
            return
        if self._opened_before:  # by another process meanwhile, or by our own lost session for a moment
            raise TimeoutError(f"another session holds run {self._run}")
        raise _at_work(self._run)


def is_held(database: Database, run: str) -> bool:
    """Tell whether a process is at work on a run. A lock that is not ours to read is held. Raises StoreError where a server does not answer."""
    if database.dialect == SERVER:
        return bool(database.scalar(sa.text(_HELD.format(_key(run)))))
    path = _lock_of(database, run)
    if path is None:
        return False  # no process of ours could hold it
    try:
        handle = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    except FileNotFoundError:
        return False
    except OSError:
        return True  # by another user
    try:
        return not _try(handle, shared=True)
    finally:
        os.close(handle)


def _lock_of(database: Database, run: str) -> Path | None:
    """The file of a lock, the same however the store is named; None for a name that leads elsewhere, which somebody else's store may have."""
    if not run.isprintable() or {"/", "\\"} & set(run):
        return None
    return Path(f"{Path(database.place).resolve()}-{run}.lock")


def _locked(path: Path, run: str) -> int:
    """An open file that is locked, made for its owner alone where there is none; a link is not followed."""
    for _ in range(_AGAIN):
        try:
            create_private(path)
            handle = os.open(path, os.O_RDWR | os.O_NOFOLLOW | os.O_CLOEXEC)
        except FileNotFoundError:
            continue  # its holder removed it at this moment
        except OSError as error:
            raise StoreError(
                f"the lock {path} cannot be made: {error.strerror}; the store's folder has to be one where you may write"
            ) from error
        with suppress(
            FileNotFoundError
        ):  # it may have been unlinked before it was locked: then there is another
            if _try(handle) and os.path.samestat(path.stat(), os.fstat(handle)):
                return handle
        os.close(handle)
        time.sleep(_WAIT)
    raise _at_work(run)


def _try(handle: int, *, shared: bool = False) -> bool:
    """Lock an open file. Those who only look share it, so that they do not take each other for somebody at work."""
    import fcntl

    try:
        fcntl.flock(handle, (fcntl.LOCK_SH if shared else fcntl.LOCK_EX) | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def _at_work(run: str) -> UsageError:
    return UsageError(f"another process is at work on run {run}; wait for it, or stop it")


def _key(run: str) -> int:
    """The number under which the server knows the lock of a run: 64 bits with a sign."""
    return int.from_bytes(hashlib.sha256(f"agentdebate run {run}".encode()).digest()[:8], "big", signed=True)
