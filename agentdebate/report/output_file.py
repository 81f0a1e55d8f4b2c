"""A file that a report, an export or a plot is written to: it takes its place when it is whole, and never that of a store."""

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO

from agentdebate.errors import UsageError

_STORE = b"SQLite format 3\0"
"""How every SQLite file begins."""


def check_no_store(path: Path) -> None:
    """Raise UsageError where a store, or another SQLite file, would be written over."""
    head = b""
    if path.is_file():
        with suppress(OSError), path.open("rb") as stream:  # what cannot be read is told where it is written
            head = stream.read(len(_STORE))
    if head == _STORE:
        raise UsageError(f"{path} is a store, which would be lost: name another file to write to")


@contextmanager
def written(path: Path) -> Iterator[IO[str]]:
    """A file beside the one that is wanted, whose place it takes when it is whole. Raises UsageError."""
    check_no_store(path)
    plain = path.is_file() or not path.exists()  # and no pipe
    beside = path.with_name(f".{path.name}.{os.getpid()}") if plain else path
    try:
        with beside.open("w", encoding="utf-8", errors="backslashreplace", newline="") as stream:
            yield stream
        if plain:
            beside.replace(path)
    except OSError as error:
        raise UsageError(f"{path} cannot be written: {error.strerror}") from error
    finally:
        if plain:
            beside.unlink(missing_ok=True)
