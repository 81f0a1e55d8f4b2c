"""Search for words in the messages of a run's debates, a stretch of debates at a time, so that the first results come early."""

import json
import time
from array import array
from contextlib import suppress
from threading import Lock
from typing import Any

import sqlalchemy as sa

from agentdebate.store._debates import DEBATES
from agentdebate.store._in_flight import DOCUMENTS, unpacked
from agentdebate.store._runs import ITEMS
from agentdebate.store.damage import UNREADABLE
from agentdebate.store.database import Database
from agentdebate.store.reader import selected
from agentdebate.talk.envelope import message_in
from agentdebate.talk.messages import Verdict, words_of

_STRETCH = 200
"""Debates that are looked through between two looks at the clock."""


class TalkSearch:
    """Looks for words in the messages of one run, whatever their case, on from where it stopped.

    A server looks through the talks itself; those of a file are decompressed here. What has the words anywhere is looked at once more,
    for they may stand in something that is not text.
    """

    def __init__(self, database: Database, run: str, words: str) -> None:
        self._database, self._run, self._words = database, run, words
        self._sought = words.casefold()
        self._written = json.dumps(self._sought, ensure_ascii=False)[1:-1]
        self._last, self._lock = 0, Lock()
        self._found = array("q")
        self.debates = 0
        """Number of debates that were looked through."""
        self.complete = False
        """True where nothing was left the last time."""

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
        talk: sa.ColumnElement[Any] = DOCUMENTS.c.talk
        if self._database.dialect != "sqlite":
            talk = sa.case((DOCUMENTS.c.talk.icontains(self._written, autoescape=True), talk))
        query = selected(self._run, DEBATES.c.number, talk.label("talk"), ITEMS.c.data)
        item = sa.and_(ITEMS.c.run == DEBATES.c.run, ITEMS.c.id == DEBATES.c.item)
        query = query.outerjoin(DOCUMENTS, DOCUMENTS.c.debate == DEBATES.c.number).outerjoin(ITEMS, item)
        query = query.where(DEBATES.c.number > self._last).order_by(DEBATES.c.number).limit(_STRETCH)
        before = self.debates
        for row in self._database.stream(query):
            self.debates += 1
            self._last = row["number"]
            if self._in_talk(row["talk"], row["data"]):
                self._found.append(self._last)
        return self.debates > before

    def _in_talk(self, document: Any, item: bytes | None) -> bool:
        """Look for the words in the messages of a debate."""
        with suppress(*UNREADABLE):
            talk = unpacked(document, item=item) if document else ""
            return self._written in talk.casefold() and any(map(self._says, talk.split("\n")))
        return False

    def _says(self, line: str) -> bool:
        """Look for the words in the text of a message; a verdict is passed over, as it repeats those of others."""
        if self._written not in line.casefold():
            return False
        message = message_in(line)
        return not isinstance(message, Verdict) and self._sought in words_of(message).casefold()
