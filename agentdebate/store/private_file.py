"""Files that only their owner can read and write, whatever the umask of the process says."""

import os
from pathlib import Path

PRIVATE = 0o600
"""The mode of every store, cache, lock and log file that is created here."""


def create_private(path: str | Path) -> None:
    """Create an empty file with mode 600. A file that is there keeps its content and its mode; a link is not followed.

    Raises OSError.
    """
    try:
        handle = os.open(path, os.O_RDWR | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, PRIVATE)
    except FileExistsError:
        return
    try:
        os.fchmod(handle, PRIVATE)  # a umask may have taken away what the owner needs
    finally:
        os.close(handle)
