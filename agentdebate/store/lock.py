"""One process a run: the process that writes a run holds its lock, which the operating system takes back from a dead process."""

import os
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from agentdebate.errors import StoreError, UsageError
from agentdebate.store.database import Database, is_locked
from agentdebate.store.engine import engine_for, url_of
from agentdebate.store.place import create_private, is_url, shown

_AGAIN = 8
"""Number of attempts at a lock before it counts as held by another process: one that only looks is gone at once."""
_WAIT = 0.01
"""Seconds between two tries."""


@contextmanager
def hold(store: str | Path, run: str) -> Iterator[None]:
    """Hold the lock of a run, a file beside the store. Raises UsageError where another process holds it, StoreError.

    A store on a database server has no folder to put a file in. There the session that writes holds a lock of the server's.
    """
    path = _path(store, run)
    if path is None:
        yield
        return
    if not _is_name(run):
        raise StoreError(f"{run!r} is not the name of a run: its lock would be a file elsewhere")
    handle = _locked(path, run)
    try:
        yield
    finally:
        with suppress(OSError):  # a file that is left behind locks nothing
            path.unlink()  # while it is held, so that nobody else holds what is no longer there
        os.close(handle)


def is_held(store: str | Path, run: str) -> bool:
    """Tell whether a process is at work on a run. A lock that is not ours to read is held. Raises StoreError where a server does not answer."""
    path = _path(store, run)
    if path is None:
        return _is_held_on_server(store, run)
    if not _is_name(run):
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


def _locked(path: Path, run: str) -> int:
    """An open file that is locked. It may have been unlinked between opening and locking it: then there is another."""
    for _ in range(_AGAIN):
        handle = _opened(path)
        if _try(handle) and _is(path, handle):
            return handle
        os.close(handle)
        time.sleep(_WAIT)
    raise UsageError(f"another process is at work on run {run}; wait for it, or stop it")


def _opened(path: Path) -> int:
    """The file, created for its owner alone where there is none; a link is not followed."""
    try:
        while True:
            create_private(path)
            with suppress(FileNotFoundError):  # its holder removed it at this moment
                return os.open(path, os.O_RDWR | os.O_NOFOLLOW | os.O_CLOEXEC)
    except OSError as error:
        raise StoreError(
            f"the lock {path} cannot be made: {error.strerror}; the store's folder has to be one where you may write"
        ) from error


def _try(handle: int, *, shared: bool = False) -> bool:
    """Lock an open file. Those who only look share it, so that they do not take each other for somebody at work."""
    import fcntl

    try:
        fcntl.flock(handle, (fcntl.LOCK_SH if shared else fcntl.LOCK_EX) | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def _is(path: Path, handle: int) -> bool:
    try:
        return os.path.samestat(path.stat(), os.fstat(handle))
    except FileNotFoundError:
        return False


def _is_held_on_server(store: str | Path, run: str) -> bool:
    database = Database(engine_for(url_of(str(store))), shown(store))
    try:
        return is_locked(database, run)
    finally:
        database.close()


def _path(store: str | Path, run: str) -> Path | None:
    """The lock's file: the same however the store is named. None for a database server."""
    return None if is_url(store) else Path(f"{Path(store).resolve()}-{run}.lock")


def _is_name(run: str) -> bool:
    """Tell whether a run's name can be part of a file's: a store that somebody else made may say anything."""
    return run.isprintable() and not {"/", "\\"} & set(run)
