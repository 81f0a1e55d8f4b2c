"""Which debates of a run have words in what was said: looked through a stretch of debates at a time, so that nobody waits for all."""

import json
import time
from array import array
from collections.abc import Iterator, Sequence
from contextlib import suppress
from threading import Lock
from typing import Any

import sqlalchemy as sa

from agentdebate.store._debates import DEBATES
from agentdebate.store._in_flight import DOCUMENTS, unpacked
from agentdebate.store._runs import ITEMS, RUNS
from agentdebate.store.damage import UNREADABLE, mapping
from agentdebate.store.database import Database, Unread
from agentdebate.talk.envelope import message_in
from agentdebate.talk.messages import Verdict, words_of

_STRETCH = 200
"""Debates that are looked through between two looks at the clock."""


class TalkSearch:
    """Looks for words in the items' texts and the messages of one run, whatever their case, on from where it stopped.

    A server looks through the talks itself; those of a file are decompressed here. What has the words anywhere is looked at once more,
    for they may stand in what is no text.
    """

    def __init__(self, database: Database, run: str, words: str) -> None:
        self._database, self._words = database, words
        self._sought = words.casefold()
        self._written = json.dumps(self._sought, ensure_ascii=False)[1:-1]
        number = database.scalar(sa.select(RUNS.c.number).where(RUNS.c.id == run))
        self._run: int = -1 if number is None else number
        self._last, self._lock = 0, Lock()
        self._items: dict[str, bool] = {}
        self._found = array("q")
        self.debates = 0
        """How many were looked through."""
        self.complete = False
        """Whether there was nothing left the last time."""

    def __repr__(self) -> str:
        return f"<TalkSearch for {self._words!r} in {self.debates} debates>"

    @property
    def numbers(self) -> tuple[int, ...]:
        """The numbers of the debates that have the words, as far as they are known: of debates that have ended."""
        return tuple(self._found)

    def look(self, seconds: float | None = None) -> None:
        """Look on, for about so many seconds, but through one stretch at least; to the end where that is None. Raises StoreError."""
        until = None if seconds is None else time.monotonic() + seconds
        with self._lock:  # two pages may ask at once
            self.complete = self.complete or not self._stretch()
            while not self.complete and (until is None or time.monotonic() < until):
                self.complete = not self._stretch()

    def _stretch(self) -> bool:
        """Look through a few debates; whether there were any."""
        query = sa.select(DEBATES.c.number, DEBATES.c.item)
        query = query.where(DEBATES.c.run == self._run, DEBATES.c.number > self._last)
        some = self._database.rows(query.order_by(DEBATES.c.number).limit(_STRETCH))
        if not some:
            return False
        numbers = [number for number, _ in some]
        said = set(self._said(numbers))
        self._learn(list(dict.fromkeys(item for _, item in some if item not in self._items)))
        self._found.extend(number for number, item in some if number in said or self._items.get(item))
        self._last, self.debates = numbers[-1], self.debates + len(numbers)
        return True

    def _said(self, numbers: Sequence[int]) -> Iterator[int]:
        """Those of these debates in which the words were said."""
        query = sa.select(DOCUMENTS.c.debate, DOCUMENTS.c.talk).where(DOCUMENTS.c.debate.in_(numbers))
        if self._database.dialect != "sqlite":
            query = query.where(DOCUMENTS.c.talk.icontains(self._written, autoescape=True))
        for row in self._rows(query.order_by(DOCUMENTS.c.debate), DOCUMENTS.c.debate):
            with suppress(*UNREADABLE):
                talk = unpacked(row["talk"])
                if self._written in talk.casefold() and any(map(self._says, talk.split("\n"))):
                    yield row["debate"]

    def _says(self, line: str) -> bool:
        """Whether a message has the words in its text; a verdict repeats those of others."""
        if self._written not in line.casefold():
            return False
        message = message_in(line)
        return not isinstance(message, Verdict) and self._sought in words_of(message).casefold()

    def _learn(self, items: Sequence[str]) -> None:
        """Look into the texts of items that were not met before."""
        query = sa.select(ITEMS.c.id, ITEMS.c.data).where(ITEMS.c.run == self._run, ITEMS.c.id.in_(items))
        for row in self._rows(query.order_by(ITEMS.c.id), ITEMS.c.id):
            with suppress(*UNREADABLE):
                texts = mapping(unpacked(row["data"]))["fields"].values()
                self._items[row["id"]] = any(self._sought in str(text).casefold() for text in texts)

    def _rows(self, query: "sa.Select[Any]", key: "sa.Column[Any]") -> Iterator[sa.RowMapping]:
        return (row for row in self._database.stream(query, (key,), _STRETCH) if not isinstance(row, Unread))
