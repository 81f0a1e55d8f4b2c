"""How rows get into a store: every row of a debate goes through `enter`, in one transaction, behind one guard."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from operator import attrgetter, itemgetter
from typing import Any, NamedTuple

import sqlalchemy as sa

from agentdebate.errors import AgentDebateError
from agentdebate.store.piece_table import enter_pieces
from agentdebate.store.pieces import is_plain
from agentdebate.store.schema import FOUND, ITEMS, LISTING, RUNS, TALKS
from agentdebate.store.statements import insert_columns, insert_rows, rows_of

Guard = Callable[[sa.Connection, Sequence[str]], Mapping[str, AgentDebateError]]
"""Says which debates may not be written any more, and why. It is called within the transaction that would write them."""

REMEMBERED = 1 << 20
"""Characters of pieces of which a writer remembers to have entered them, twice: the latest, and those before them. Others are
looked up again."""


class Entry(NamedTuple):
    """One row that goes into a table. The number of its debate, and those of its pieces, are found when it is entered."""

    table: sa.Table
    values: dict[str, Any]
    debate: str | None = None
    """The debate that it is of; None for a row of the run."""


class Known:
    """The numbers that rows refer to, as far as they are known to be on disk."""

    def __init__(self) -> None:
        self.talks: dict[str, int] = {}
        self._pieces: dict[str, str] = {}
        self._before: dict[str, str] = {}
        self._size = 0

    def __repr__(self) -> str:
        return f"<Known: {len(self.talks)} talks, {len(self._pieces) + len(self._before)} pieces>"

    def pieces(self, texts: Iterable[str]) -> dict[str, str]:
        """The numbers of pieces, in digits; without those that are not known."""
        latest, before = self._pieces, self._before
        return {text: number for text in texts if (number := latest.get(text) or before.get(text))}

    def learn(self, talks: Mapping[str, int], pieces: Mapping[str, str]) -> None:
        """Take in numbers that a commit has made sure of. What has not been used for long goes."""
        self.talks.update(talks)
        self._size += sum([len(text) for text in pieces if text not in self._pieces])
        self._pieces.update(pieces)
        if self._size > REMEMBERED:
            self._before, self._pieces, self._size = self._pieces, {}, 0

    def forget(self, debate: str) -> None:
        """Let go of a debate that has ended."""
        self.talks.pop(debate, None)


@dataclass(frozen=True)
class Entered:
    """What came of entering rows: the numbers that count once it is committed, and the debates that the guard refused."""

    talks: Mapping[str, int]
    pieces: Mapping[str, str]
    refused: Mapping[str, AgentDebateError]


def enter(
    connection: sa.Connection,
    run: int,
    entries: Sequence[Entry],
    *,
    known: Known,
    guard: Guard | None = None,
    again: bool = False,
) -> Entered:
    """Enter rows of a run, within the transaction of the connection.

    Of a debate that the guard refuses nothing is entered. `again` passes by what is there already: a server may have taken the
    rows and gone before it could say so.
    """
    debates = [one for one in dict.fromkeys(map(attrgetter("debate"), entries)) if one is not None]
    refused = guard(connection, debates) if guard and debates else {}
    if refused:
        entries = [entry for entry in entries if entry.debate not in refused]
        debates = [debate for debate in debates if debate not in refused]
    talks = _talks(connection, run, debates, known)
    tables = [_Rows(table, some) for table, some in _by_table(entries).items()]
    pieces = _pieces(connection, run, set().union(*map(_Rows.listed, tables)), known)
    for rows in tables:
        columns = rows.columns(run, talks, pieces)
        insert_columns(connection, rows.table, columns, again=again or rows.table in _SHARED)
    return Entered(talks, pieces, refused)


_SHARED = (ITEMS, FOUND)
"""What several debates come with: the first one enters it."""


def _talks(connection: sa.Connection, run: int, debates: Sequence[str], known: Known) -> dict[str, int]:
    """The numbers of debates; those that begin are entered."""
    talks = {debate: known.talks[debate] for debate in debates if debate in known.talks}
    new = [debate for debate in debates if debate not in talks]
    if new:
        insert_rows(connection, TALKS, [{"run": run, "debate": debate} for debate in new], again=True)
        talks.update(rows_of(connection, TALKS.c.debate, TALKS.c.number, new, (TALKS.c.run, run)))
    return talks


def _pieces(connection: sa.Connection, run: int, parts: AbstractSet[str], known: Known) -> dict[str, str]:
    """The numbers of the pieces among the parts of texts, in digits; those that are new are entered."""
    pieces = known.pieces(parts)
    new = filter(is_plain, parts - pieces.keys())
    for text, number in enter_pieces(connection, run, new).items():
        pieces[text] = str(number)
    return pieces


def _by_table(entries: Sequence[Entry]) -> dict[sa.Table, list[Entry]]:
    tables = defaultdict[sa.Table, list[Entry]](list)
    for entry in entries:
        tables[entry.table].append(entry)
    return tables


class _Rows:
    """The rows of one table, column by column, so that what is done to a value is done to all of a column at once."""

    def __init__(self, table: sa.Table, entries: Sequence[Entry]) -> None:
        self.table, self._entries = table, entries
        values = [entry.values for entry in entries]
        names = tuple(values[0])
        self._columns = dict(zip(names, zip(*map(itemgetter(*names), values), strict=True), strict=True))

    def listed(self) -> set[str]:
        """The parts of all texts that they list."""
        parts = set[str]()
        for name in LISTING[self.table]:
            for one in self._columns[name]:
                if one is not None:
                    parts.update(*one.texts)
        return parts

    def columns(
        self, run: int, talks: Mapping[str, int], pieces: Mapping[str, str]
    ) -> dict[str, Sequence[Any]]:
        """The columns as the table has them, by the numbers of the run, of the talks and of the pieces.

        The entries stay as they are: they may have to be entered once more.
        """
        columns: dict[str, Sequence[Any]] = {**self._columns}
        for name in LISTING[self.table]:
            columns[name] = [None if one is None else one.column(pieces) for one in columns[name]]
        if self.table in _OF_RUNS:
            columns["run"] = [run] * len(self._entries)
        if self.table in _OF_TALKS:
            columns["talk"] = [talks[entry.debate or ""] for entry in self._entries]
        return columns


_OF_RUNS = frozenset(table for table in LISTING if "run" in table.c)
_OF_TALKS = frozenset(table for table in LISTING if "talk" in table.c)


def enter_run(connection: sa.Connection, row: Mapping[str, Any]) -> int:
    """Enter a run, and return its number."""
    insert_rows(connection, RUNS, [row], again=True)
    return number_of(connection, row["id"])


def number_of(connection: sa.Connection, run: str) -> int:
    """The number of a run that is in the store."""
    return int(connection.execute(sa.select(RUNS.c.number).where(RUNS.c.id == run)).scalar_one())
