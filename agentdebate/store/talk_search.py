"""Which debates of a run have something that no column says: words in what was said, or an agent that changed its mind."""

import re
from array import array
from collections.abc import Iterator, Mapping
from contextlib import suppress
from typing import Any

import sqlalchemy as sa

from agentdebate.store.damage import UNREADABLE, mapping
from agentdebate.store.database import Database, Unread
from agentdebate.store.schema import DEBATES, ITEMS, MESSAGES, PIECES, RUN_PIECES, RUNS, TALKS

_NUMBER = re.compile(r"\d+")


class TalkSearch:
    """Looks through the messages of one run, row after row. What it gives are the numbers of talks."""

    def __init__(self, database: Database, run: str) -> None:
        self._database = database
        number = database.scalar(sa.select(RUNS.c.number).where(RUNS.c.id == run))
        self._run: int = -1 if number is None else number

    def __repr__(self) -> str:
        return f"<TalkSearch in run {self._run}>"

    def changed(self) -> "array[int]":
        """Where an agent has cast two ballots that give different scores for the same thing."""
        query = self._messages(MESSAGES.c.kind == "verdict").order_by(MESSAGES.c.talk, MESSAGES.c.seq)
        rows = self._database.stream(query, (MESSAGES.c.talk, MESSAGES.c.seq))
        return array("q", (row["talk"] for row in rows if not isinstance(row, Unread) and _changed(row)))

    def saying(self, words: str) -> "array[int]":
        """Where these words stand in the item's texts, or in a message, whatever their case."""
        pieces = self._pieces(words)
        found = set[int]()
        if pieces:
            found.update(self._of_items(pieces))
            found.update(self._of_messages(pieces))
        found.update(self._short(words))
        return array("q", sorted(found))

    def _pieces(self, words: str) -> set[str]:
        """The pieces of the run that have these words, by their numbers as they are written in lists."""
        query = sa.select(PIECES.c.number).join(RUN_PIECES, RUN_PIECES.c.piece == PIECES.c.number)
        query = query.where(RUN_PIECES.c.run == self._run, PIECES.c.text.icontains(words, autoescape=True))
        return {str(number) for number in self._database.scalars(query)}

    def _of_items(self, pieces: set[str]) -> Iterator[int]:
        query = sa.select(ITEMS.c.id, ITEMS.c.texts, DEBATES.c.talk, DEBATES.c.id)
        same = sa.and_(DEBATES.c.run == ITEMS.c.run, DEBATES.c.item == ITEMS.c.id)
        query = query.join(DEBATES, same).where(ITEMS.c.run == self._run, ITEMS.c.texts.is_not(None))
        for row in self._database.stream(query.order_by(DEBATES.c.id), (DEBATES.c.id,)):
            if not isinstance(row, Unread) and _lists(row["texts"], pieces):
                yield row["talk"]

    def _of_messages(self, pieces: set[str]) -> Iterator[int]:
        query = self._messages(MESSAGES.c.texts.is_not(None)).order_by(MESSAGES.c.talk, MESSAGES.c.seq)
        for row in self._database.stream(query, (MESSAGES.c.talk, MESSAGES.c.seq)):
            if not isinstance(row, Unread) and _lists(row["texts"], pieces):
                yield row["talk"]

    def _short(self, words: str) -> Iterator[int]:
        """Where the words stand in a text that is too short to be a piece."""
        query = self._messages(
            MESSAGES.c.data.icontains(words, autoescape=True), MESSAGES.c.kind != "verdict"
        )
        yield from self._database.scalars(query.with_only_columns(MESSAGES.c.talk).distinct())
        same = sa.and_(DEBATES.c.run == ITEMS.c.run, DEBATES.c.item == ITEMS.c.id)
        items = sa.select(DEBATES.c.talk).join(ITEMS, same).where(ITEMS.c.run == self._run)
        yield from self._database.scalars(items.where(ITEMS.c.data.icontains(words, autoescape=True)))

    def _messages(self, *where: "sa.ColumnElement[bool]") -> "sa.Select[Any]":
        query = sa.select(MESSAGES.c.talk, MESSAGES.c.seq, MESSAGES.c.data, MESSAGES.c.texts)
        return query.join(TALKS, TALKS.c.number == MESSAGES.c.talk).where(TALKS.c.run == self._run, *where)


def _lists(texts: str, pieces: set[str]) -> bool:
    return any(number in pieces for number in _NUMBER.findall(texts))


def _changed(row: Mapping[Any, Any]) -> bool:
    """Whether an agent gave different scores for one thing in the ballots of a verdict; of what cannot be read, not."""
    with suppress(*UNREADABLE):
        given = dict[tuple[str, str, str | None], float]()
        for cast in mapping(row["data"])["ballots"]:
            for rating in cast["ballot"]["ratings"]:
                key = cast["agent"], rating["aspect"], rating.get("candidate")
                if given.setdefault(key, rating["score"]) != rating["score"]:
                    return True
    return False
