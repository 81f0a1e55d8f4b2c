"""A run of a store: by its name, or as it was opened to be read."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Protocol

from agentdebate.store.reader import Reader, RunHead, read_store


class StoredRun(Protocol):
    """A run that was opened already, with the reader of its store."""

    @property
    def reader(self) -> Reader:
        """What reads the store."""

    @property
    def head(self) -> RunHead:
        """The run, and how far it came."""


@contextmanager
def opened(run: str | StoredRun, store: str | Path) -> Iterator[tuple[Reader, RunHead]]:
    """The reader and the head of a run; `store` is where one that is named is. Raises UsageError and StoreError."""
    if isinstance(run, str):
        with read_store(store) as reader:
            yield reader, reader.run(run)
    else:
        yield run.reader, run.head
