"""A run of the store that is looked at, as calls of the library take it."""

from dataclasses import dataclass

from agentdebate.store.reader import Reader, RunHead


@dataclass(frozen=True)
class Stored:
    """A run with the reader of its store."""

    reader: Reader
    head: RunHead
