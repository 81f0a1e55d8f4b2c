"""One process a run: whoever writes a run holds its lock, which the operating system takes back from a dead process."""

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from sqlalchemy import make_url

from agentdebate.errors import UsageError


@contextmanager
def hold(store: str | Path, run: str) -> Iterator[None]:
    """Hold the lock of a run, a file beside the store. Raises UsageError where another process holds it.

    A store on a database server has no folder to put a file in, and is not locked.
    """
    path = _path(store, run)
    if path is None:
        yield
        return
    handle = _locked(path, run)
    try:
        yield
    finally:
        with suppress(OSError):  # a file that is left behind locks nothing
            path.unlink()  # while it is held, so that nobody else holds what is no longer there
        os.close(handle)


def is_held(store: str | Path, run: str) -> bool | None:
    """Whether a process is at work on a run; None where that cannot be known, since the store is on a database server."""
    path = _path(store, run)
    if path is None:
        return None
    try:
        handle = os.open(path, os.O_RDONLY)
    except FileNotFoundError:
        return False
    try:
        return not _try(handle, shared=True)
    finally:
        os.close(handle)


def state(store: str | Path, run: str, *, ended: bool) -> str:
    """What can be said of a run: "ended", "running" or "stopped"; "running, or stopped" where nobody can know."""
    if ended:
        return "ended"
    return {True: "running", False: "stopped", None: "running, or stopped"}[is_held(store, run)]


def _locked(path: Path, run: str) -> int:
    """An open file that is locked. It may have been unlinked between opening and locking it: then there is another."""
    while True:
        handle = os.open(path, os.O_RDWR | os.O_CREAT, 0o644)
        if _try(handle) and _is(path, handle):
            return handle
        free = _try(handle, shared=True)  # somebody only looks, who has gone in a moment
        os.close(handle)
        if not free:
            raise UsageError(f"another process is at work on run {run}; wait for it, or stop it")


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


def _path(store: str | Path, run: str) -> Path | None:
    """The lock's file: the same however the store is named. None for a database server."""
    file = str(store)
    if "://" in file:
        url = make_url(file)
        if url.get_backend_name() != "sqlite" or not url.database:
            return None
        file = url.database.removeprefix("file:")
    return Path(f"{Path(file).resolve()}-{run}.lock")
