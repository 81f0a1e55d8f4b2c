"""One process a run: whoever writes a run holds its lock, which the operating system takes back from a dead process."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from agentdebate.errors import UsageError


@contextmanager
def hold(store: str | Path, run: str) -> Iterator[None]:
    """Hold the lock of a run, a file beside the store. Raises UsageError where another process holds it.

    A store on a database server has no folder to put a file in, and is not locked.
    """
    if "://" in str(store):
        yield
        return
    import fcntl

    path = Path(f"{store}-{run}.lock")
    handle = os.open(path, os.O_RDWR | os.O_CREAT, 0o644)
    try:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            raise UsageError(f"another process is at work on run {run}; wait for it, or stop it") from error
        yield
        path.unlink(missing_ok=True)  # while it is held, so that nobody else holds what is no longer there
    finally:
        os.close(handle)
