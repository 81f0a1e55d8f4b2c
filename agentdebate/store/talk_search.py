"""Which debates of a run have words in what was said: looked through a stretch of debates at a time, so that nobody waits for all."""

import re
import time
from array import array
from collections.abc import Collection, Iterable, Sequence
from threading import Lock
from typing import Any

import sqlalchemy as sa

from agentdebate.store.database import Database, Unread
from agentdebate.store.debate_filter import among
from agentdebate.store.schema import DEBATES, ITEMS, MESSAGES, PIECES, RUNS, TALKS

_NUMBER = re.compile(r"\d+")
_STRETCH = 200
"""Debates that are looked through between two looks at the clock."""


class TalkSearch:
    """Looks for words in the items' texts and the messages of one run, whatever their case, on from where it stopped."""

    def __init__(self, database: Database, run: str, words: str) -> None:
        self._database, self._words = database, words
        number = database.scalar(sa.select(RUNS.c.number).where(RUNS.c.id == run))
        self._run: int = -1 if number is None else number
        self._last, self._lock = 0, Lock()
        self._pieces: dict[str, bool] = {}
        """Whether the words stand in a piece, by its number as it is written in lists."""
        self._found = array("q")
        self.debates = 0
        """How many were looked through."""
        self.complete = False
        """Whether there was nothing left the last time."""

    def __repr__(self) -> str:
        return f"<TalkSearch for {self._words!r} in {self.debates} debates>"

    @property
    def talks(self) -> tuple[int, ...]:
        """The numbers of the talks that have the words, as far as they are known: of debates that have ended."""
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
        following = sa.select(TALKS.c.number).where(TALKS.c.run == self._run, TALKS.c.number > self._last)
        talks = self._database.scalars(following.order_by(TALKS.c.number).limit(_STRETCH))
        if not talks:
            return False
        rows = [*self._messages(talks), *self._items(talks)]
        self._learn({number for _, texts, _ in rows for number in texts})
        found = {talk for talk, texts, said in rows if said or any(self._pieces[number] for number in texts)}
        self._found.extend(self._ended(found))
        self._last, self.debates = talks[-1], self.debates + len(talks)
        return True

    def _ended(self, talks: Collection[int]) -> Sequence[int]:
        """Those whose debates have ended, in order."""
        over = sa.exists().where(DEBATES.c.run == TALKS.c.run, DEBATES.c.id == TALKS.c.debate)
        query = sa.select(TALKS.c.number).where(self._among(TALKS.c.number, talks), over)
        return self._database.scalars(query.order_by(TALKS.c.number))

    def _messages(self, talks: Sequence[int]) -> Iterable[tuple[int, Sequence[str], bool]]:
        """The messages of talks: the pieces that each lists, and whether the words stand in what is too short to be a piece."""
        said = sa.and_(MESSAGES.c.kind != "verdict", self._holds(MESSAGES.c.data))
        query = sa.select(MESSAGES.c.talk, MESSAGES.c.seq, MESSAGES.c.texts, said.label("said"))
        query = query.where(self._among(MESSAGES.c.talk, talks))
        return self._rows(query.order_by(MESSAGES.c.talk, MESSAGES.c.seq), (MESSAGES.c.talk, MESSAGES.c.seq))

    def _items(self, talks: Sequence[int]) -> Iterable[tuple[int, Sequence[str], bool]]:
        """The same of the items that the talks are about."""
        of_talk = sa.and_(DEBATES.c.run == TALKS.c.run, DEBATES.c.id == TALKS.c.debate)
        of_item = sa.and_(ITEMS.c.run == DEBATES.c.run, ITEMS.c.id == DEBATES.c.item)
        query = sa.select(
            TALKS.c.number.label("talk"), ITEMS.c.texts, self._holds(ITEMS.c.data).label("said")
        )
        query = query.select_from(TALKS.join(DEBATES, of_talk).join(ITEMS, of_item))
        query = query.where(self._among(TALKS.c.number, talks)).order_by(TALKS.c.number)
        return self._rows(query, (TALKS.c.number,))

    def _rows(
        self, query: "sa.Select[Any]", key: Sequence["sa.Column[Any]"]
    ) -> Iterable[tuple[int, Sequence[str], bool]]:
        for row in self._database.stream(query, key):
            if not isinstance(row, Unread) and (row["texts"] or row["said"]):
                yield row["talk"], _NUMBER.findall(row["texts"] or ""), bool(row["said"])

    def _learn(self, numbers: Collection[str]) -> None:
        """Look into the pieces that were not met before."""
        new = [int(number) for number in numbers if number not in self._pieces]
        if not new:
            return
        query = sa.select(PIECES.c.number).where(
            self._among(PIECES.c.number, new), self._holds(PIECES.c.text)
        )
        found = set(self._database.scalars(query))
        self._pieces.update((str(number), number in found) for number in new)

    def _among(self, column: "sa.Column[int]", numbers: Collection[int]) -> "sa.ColumnElement[bool]":
        return among(column, numbers, self._database.dialect)

    def _holds(self, column: "sa.Column[str]") -> "sa.ColumnElement[bool]":
        return column.icontains(self._words, autoescape=True)
