"""The store that is looked at: opened once for reading, with what takes long to find out kept while a run does not change."""

from collections import OrderedDict
from collections.abc import Callable, Hashable
from concurrent.futures import Future, ThreadPoolExecutor
from functools import partial
from pathlib import Path
from threading import Lock
from typing import Any, TypeVar

from agentdebate.store.database import Database
from agentdebate.store.debate_list import DebateList
from agentdebate.store.engine import open_database
from agentdebate.store.place import USUAL_STORE, shown
from agentdebate.store.reader import Reader, RunHead, state_of
from agentdebate.store.run_pairs import RunPairs
from agentdebate.store.run_tables import Share
from agentdebate.store.talk_search import TalkSearch

_Found = TypeVar("_Found")

GOES_ON = frozenset({"running", "queued", "stopping"})
"""The states of a run that may grow."""
GOING_ON = 12
"""Debates that are going on and are named."""
_PATIENCE = 0.04
"""Seconds for which a page waits for what takes longer; it is drawn again when that is there."""
_KEPT = 64
"""Findings that are kept; the one that was not asked for longest goes."""


class Shelf:
    """Hands out readers of one store, for several threads at once."""

    def __init__(self, store: str | Path) -> None:
        self.store = store
        self._database: Database = open_database(store, reading=True)
        self._findings = OrderedDict[tuple[Any, ...], Any]()
        self._lock = Lock()
        self._begun = dict[tuple[Any, ...], Future[Any]]()
        self._worker = ThreadPoolExecutor(1, "agentdebate-view")

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
        """Close the store. What is being worked out is waited for, as it reads the store; what waits behind it is given up."""
        self._worker.shutdown(wait=True, cancel_futures=True)
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
        """Whether a run has ended, is running or was stopped; of one that many processes work at, also "queued" or "stopping"."""
        state = state_of(self.reader(), self.store, run)
        # It may have ended, and let go of its lock, between the two looks that this takes.
        return state_of(self.reader(), self.store, run) if state == "stopped" else state

    def saying(self, head: RunHead, words: str) -> TalkSearch:
        """The search for words in a run's messages and its items' texts, as far as it came."""
        return self.kept("saying", head, words, lambda: TalkSearch(self._database, head.id, words))

    def costs(self, head: RunHead, *, wait: bool) -> list[Share] | None:
        """The sums of a run's calls; None while they are added up, unless one is to `wait` for them."""
        found = partial(self.reader().shares, head.id)
        return (self.kept if wait else self.at_work)("costs", head, "", found)

    def at_work(self, what: str, head: RunHead, about: Hashable, find: Callable[[], _Found]) -> _Found | None:
        """The same of what takes seconds, worked out beside; None as long as it is not there."""
        key = what, head.id, head.ended_debates, about
        with self._lock:
            begun = self._begun.get(key)
            if begun is None:
                begun = self._begun[key] = self._worker.submit(self.kept, what, head, about, find)
        try:
            found: _Found = begun.result(_PATIENCE)
        except TimeoutError:
            return None
        finally:
            if begun.done():
                with self._lock:
                    self._begun.pop(key, None)
        return found

    def kept(self, what: str, head: RunHead, about: Hashable, find: Callable[[], _Found]) -> _Found:
        """What was found out about a run, as long as no further debate of it ends."""
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
