"""The store that is looked at: opened once for reading, with what takes long to find out kept while a run does not change."""

from collections import OrderedDict
from collections.abc import Callable, Hashable
from dataclasses import dataclass
from pathlib import Path
from threading import Lock
from typing import Any, TypeVar

from agentdebate.store.database import Database
from agentdebate.store.debate_list import DebateList, RunPairs
from agentdebate.store.engine import open_database
from agentdebate.store.place import USUAL_STORE, shown
from agentdebate.store.reader import Reader, state_of
from agentdebate.store.run_head import RunHead

_Found = TypeVar("_Found")

GOES_ON = frozenset({"running", "queued", "stopping"})
"""The states of a run that may grow."""
GOING_ON = 12
"""Debates that are going on and are named."""
_KEPT = 512
"""Findings that are kept; the one that was not asked for longest goes."""


@dataclass(frozen=True)
class Stored:
    """A run with the reader of its store, as calls of the library take it."""

    reader: Reader
    head: RunHead


class Shelf:
    """Hands out readers of one store, for several threads at once."""

    def __init__(self, store: str | Path) -> None:
        self.store = store
        self._database: Database = open_database(store, reading=True)
        self._findings = OrderedDict[tuple[Any, ...], Any]()
        self._lock = Lock()

    def __repr__(self) -> str:
        return f"<Shelf of {self.place}>"

    @property
    def place(self) -> str:
        """The store, as it can be shown."""
        return self._database.place

    @property
    def where(self) -> tuple[str, ...]:
        """The words by which a command line finds the store; none for the usual one."""
        return () if str(self.store) == USUAL_STORE else ("--store", shown(self.store))

    def close(self) -> None:
        """Close the store."""
        self._database.close()

    def reader(self) -> Reader:
        """A reader for one page; it keeps the texts that it reads, so a page takes one of its own."""
        return Reader(self._database)

    def debates(self, run: str) -> DebateList:
        """The list of a run's debates."""
        return DebateList(self.reader(), run)

    def pairs(self, first: str, second: str) -> RunPairs:
        """Two runs, debate by debate."""
        return RunPairs(self._database, first, second)

    def state(self, run: str) -> str:
        """The state of a run: "ended", "running" or "stopped"; of one that many processes work at, also "queued" or "stopping"."""
        state = state_of(self.reader(), run)
        # It may have ended, and let go of its lock, between the two looks that this takes.
        return state_of(self.reader(), run) if state == "stopped" else state

    def saying(self, head: RunHead, words: str) -> tuple[int, ...]:
        """Numbers of the ended debates that have these words in their messages or their items' texts."""
        return self.kept("saying", head, words, lambda: tuple(self.debates(head.id).saying(words)))

    def kept(self, what: str, head: RunHead, about: Hashable, find: Callable[[], _Found]) -> _Found:
        """Find something out about a run, once as long as no further debate of it ends."""
        key = what, head.id, head.ended_debates, about
        with self._lock:
            if key in self._findings:
                self._findings.move_to_end(key)
                found: _Found = self._findings[key]
                return found
        found = find()
        with self._lock:
            self._findings[key] = found
            if len(self._findings) > _KEPT:
                self._findings.popitem(last=False)
        return found
