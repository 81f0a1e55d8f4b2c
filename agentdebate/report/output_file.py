"""A file that a report, an export or a plot is written to: it takes its place when it is whole, never that of a store or its source."""

import os
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO

from agentdebate.errors import UsageError
from agentdebate.store.reader import read_store
from agentdebate.store.run_head import data_files

_STORE = b"SQLite format 3\0"
"""Magic bytes of a SQLite file."""


def sources_of(*runs: str, store: str | Path) -> list[Path]:
    """The files that the items of runs came from; runs are named as in a store, or as LABEL=RUN. Raises UsageError and StoreError."""
    if not runs:
        return []
    with read_store(store) as reader:
        return data_files(reader.run(one.rpartition("=")[2]) for one in runs)


def check_free(path: Path, sources: Iterable[Path] = ()) -> None:
    """Raise UsageError for a folder, and where a store, another SQLite file or one of the `sources` would be written over."""
    if path.is_dir():
        raise UsageError(f"{path} is a folder: name a file in it to write to")
    for source in sources:
        if path.exists() and source.exists() and path.samefile(source):
            raise UsageError(
                f"{path} is a file that the output is made from, which would be lost: name another file to write to"
            )
    head = b""
    if path.is_file():
        with suppress(OSError), path.open("rb") as stream:  # what cannot be read is told where it is written
            head = stream.read(len(_STORE))
    if head == _STORE:
        raise UsageError(f"{path} is a store, which would be lost: name another file to write to")


@contextmanager
def written(path: Path, sources: Iterable[Path] = ()) -> Iterator[IO[str]]:
    """A file beside the one that is wanted, whose place it takes when it is whole; `sources` are not written over. Raises UsageError."""
    check_free(path, sources)
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
            with suppress(OSError):  # what it cannot be removed for has been told above
                beside.unlink(missing_ok=True)
