"""The model calls of a debate: what each came to, without its prompt, and one of them with everything."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache, partial
from typing import Any

import sqlalchemy as sa

from agentdebate.errors import UsageError
from agentdebate.store.damage import DamageLog, mapping, reading
from agentdebate.store.database import Database, Unread
from agentdebate.store.piece_table import PieceShelf
from agentdebate.store.reader import StoredCall
from agentdebate.store.rows import call_values, listed_pieces
from agentdebate.store.schema import CALLS, RUNS, TALKS
from agentdebate.store.whole_lists import NEEDED, WholeLists, with_lists
from agentdebate.usage import Usage


@dataclass(frozen=True, slots=True)
class CallHead:
    """What is told of a call in a line."""

    number: int
    agent: str
    round: int
    ask: int
    attempt: int
    shown: tuple[int, ...]
    model: str
    usage: Usage
    cached: bool
    seconds: float
    finish: str


_HEAD = (
    TALKS.c.debate,
    CALLS.c.number,
    CALLS.c.agent,
    CALLS.c.round,
    CALLS.c.ask,
    CALLS.c.attempt,
    CALLS.c.shown,
    CALLS.c.completion,
)


class CallList:
    """Lists the calls of one debate. Every method raises StoreError."""

    def __init__(self, database: Database, run: str, debate: str) -> None:
        self._database, self._run, self._debate = database, run, debate
        self.damage = DamageLog(database.place)

    def __repr__(self) -> str:
        return f"<CallList of {self._debate!r}>"

    def heads(self) -> list[CallHead]:
        """All of them, in order. What cannot be read is left out, and noted in `damage`."""
        rows = self._database.stream(self._query(*_HEAD), (CALLS.c.number,))
        return [head for row, lists in with_lists(self._read(rows)) for head in self._head(row, lists)]

    def call(self, number: int) -> StoredCall:
        """One of them. Raises UsageError where there is none of that number."""
        query = self._query(TALKS.c.debate, *CALLS.c).where(CALLS.c.number == number)
        for row in self._database.stream(query, (CALLS.c.number,)):
            if not isinstance(row, Unread):
                shelf = PieceShelf(self._database)
                shelf.fetch(listed_pieces(row, ("sampling", "prompt", "texts")))
                # Once each: what it was shown and what it was sent go on from the same calls.
                lists = WholeLists(cache(self._lists))
                return StoredCall(**call_values(self._run, row, shelf, lists))
        raise UsageError(f"the debate {self._debate!r} has no call {number}")

    def _lists(self, number: int) -> Mapping[Any, Any] | None:
        """Who made one of them, and what it was shown and sent; None where it is not there or cannot be read."""
        query = self._query(*(CALLS.c[name] for name in NEEDED)).where(CALLS.c.number == number)
        found = list(self._database.stream(query, (CALLS.c.number,)))
        return found[0] if found and not isinstance(found[0], Unread) else None

    def _query(self, *columns: "sa.Column[Any]") -> "sa.Select[Any]":
        talk = (
            sa.select(TALKS.c.number)
            .join(RUNS, RUNS.c.number == TALKS.c.run)
            .where(RUNS.c.id == self._run, TALKS.c.debate == self._debate)
            .scalar_subquery()
        )
        source = CALLS.join(TALKS, TALKS.c.number == CALLS.c.talk)
        return sa.select(*columns).select_from(source).where(CALLS.c.talk == talk).order_by(CALLS.c.number)

    def _read(self, rows: Iterable[sa.RowMapping | Unread]) -> Iterator[sa.RowMapping]:
        """The rows that can be read; the others are noted."""
        for row in rows:
            if isinstance(row, Unread):
                self.damage.note(
                    f"run {self._run}: call {row.key[0]!r} of {self._debate!r} is damaged: {row.problem}"
                )
            else:
                yield row

    def _head(self, row: Mapping[Any, Any], lists: WholeLists) -> Iterator[CallHead]:
        yield from self.damage.kept(partial(_head_of, self._run, self._debate, row, lists))


def _head_of(run: str, debate: str, row: Mapping[Any, Any], lists: WholeLists) -> CallHead:
    with reading(run, f"call {row['number']!r} of the debate {debate!r}"):
        said = mapping(row["completion"])
        names = ("number", "agent", "round", "ask", "attempt")
        return CallHead(
            **{name: row[name] for name in names},
            shown=lists.shown(row),
            model=str(said["model"]),
            usage=Usage.model_validate(said["usage"]),
            cached=bool(said.get("cached")),
            seconds=float(said.get("latency", 0.0)),
            finish=str(said.get("finish", "stop")),
        )
