"""Place of a store, its form in messages, and files that only their owner can read and write, whatever the umask."""

import errno
import os
import re
from pathlib import Path

from agentdebate.models.secrets import plain_address

USUAL_STORE = "agentdebate.db"
"""The store in the current folder."""

DAMAGED, MIGRATED = "store damaged", "store migrated"
"""The kinds of the log records of damage, and of stores that older versions cannot read from now on."""

PRIVATE = 0o600
"""The mode of every store, cache, lock and log file that is created here."""

POSIX = all(hasattr(os, name) for name in ("fchmod", "O_CLOEXEC", "O_NOFOLLOW"))
"""True if the system has files with modes, and links that can be left alone, as Windows does not."""

ELSEWHERE = (
    "files for their owner alone, and locks on them, need Linux or macOS; on Windows use agentdebate in WSL"
)


def create_private(path: str | Path) -> None:
    """Create an empty file with mode 600. A file that is there keeps its content and its mode; a link is not followed.

    Raises OSError, also where the system has no such files.
    """
    if not POSIX:
        raise OSError(errno.ENOTSUP, ELSEWHERE)
    try:
        handle = os.open(path, os.O_RDWR | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, PRIVATE)
    except FileExistsError:
        return
    try:
        os.fchmod(handle, PRIVATE)  # a umask may have taken away what the owner needs
    finally:
        os.close(handle)


_PASSWORD = re.compile(r"(?<=://)([^:/@]*):.*@")


def shown(store: str | Path) -> str:
    """A store's path or URL, without the password that may stand in a URL, also one with characters that should be escaped."""
    text = str(store)
    return plain_address(_PASSWORD.sub(r"\1:***@", text, count=1)) if is_url(text) else text


def is_url(store: str | Path) -> bool:
    """Tell whether it is a database's URL and not a file's path."""
    return "://" in str(store)
