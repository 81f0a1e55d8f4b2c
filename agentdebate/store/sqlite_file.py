"""One way to open a SQLite file: private, with waits that end, and with no trust in what somebody may have put into it."""

import os
import sqlite3
from pathlib import Path
from typing import Any

from agentdebate.errors import UsageError
from agentdebate.store.place import create_private

LARGEST = 64 << 20
"""Bytes that one value of a row may have. A larger one is not read, whatever the file holds."""

_ACTIVE = (
    "SELECT type || ' ' || quote(name) FROM sqlite_master "
    "WHERE type IN ('trigger', 'view') OR sql LIKE 'create virtual%' LIMIT 1"
)


def connect(name: str | Path, *options: Any, busy: int, **more: Any) -> sqlite3.Connection:
    """A connection to a file: every SQLite file of the package is opened here. `options` are those of sqlite3.connect.

    `busy` is how many milliseconds a statement waits for another process. FULL has a commit on disk before it returns.
    Nothing here changes the file, which may belong to something else; what a stranger's schema calls on is not trusted.
    """
    connection: sqlite3.Connection = sqlite3.connect(name, *options, **more)
    try:
        for pragma in (
            f"busy_timeout = {busy}",
            "synchronous = FULL",
            "trusted_schema = OFF",
            "cell_size_check = ON",
        ):
            connection.execute(f"PRAGMA {pragma}").close()
        connection.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, LARGEST)
        connection.text_factory = _text
    except BaseException:
        connection.close()
        raise
    return connection


def _text(data: bytes) -> str:
    """A text of the file. What is not UTF-8 in it is escaped, as no JSON is, so that it damages its own record and no other."""
    return data.decode(errors="backslashreplace")


def active_part(connection: sqlite3.Connection) -> str | None:
    """A trigger, view or virtual table of the file, which none of ours has: it would act when the file is used."""
    found = connection.execute(_ACTIVE).fetchone()
    return str(found[0]) if found else None


def make_file(path: Path, what: str) -> None:
    """Make an empty file for a store or cache where there is none. Raises UsageError where no file can be, and OSError."""
    if path.is_dir():
        raise UsageError(f"the {what} {path} is a folder; name a file in it")
    if not path.parent.is_dir():
        raise UsageError(f"the {what} {path} cannot be made: there is no folder {path.parent}")
    create_private(path.resolve())


def is_writable(path: Path) -> bool:
    """Whether this process may change the file, and make SQLite's own files beside it."""
    return os.access(path, os.W_OK) and os.access(path.resolve().parent, os.W_OK)


def read_only_query(path: Path) -> dict[str, str]:
    """How a URL says that a file which cannot be changed is to be read.

    Where nothing waits in a journal beside it, SQLite needs no file of its own; else it has to take the journal into account.
    """
    beside = (Path(f"{path.resolve()}{ending}") for ending in ("-wal", "-journal"))
    waiting = any(one.exists() and one.stat().st_size for one in beside)
    return {"uri": "true", "mode": "ro", **({} if waiting else {"immutable": "1"})}
