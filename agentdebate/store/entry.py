"""How rows get into a store: every row of a debate goes through `enter`, in one transaction, behind one guard."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import sqlalchemy as sa

from agentdebate.errors import AgentDebateError
from agentdebate.store.piece_table import enter_pieces
from agentdebate.store.pieces import is_plain
from agentdebate.store.schema import FOUND, ITEMS, LISTING, RUNS, TALKS
from agentdebate.store.statements import insert_rows, rows_of

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
        self._pieces: dict[str, int] = {}
        self._before: dict[str, int] = {}
        self._size = 0

    def __repr__(self) -> str:
        return f"<Known: {len(self.talks)} talks, {len(self._pieces) + len(self._before)} pieces>"

    def piece(self, text: str) -> int | None:
        """The number of a piece."""
        number = self._pieces.get(text)
        return self._before.get(text) if number is None else number

    def learn(self, talks: Mapping[str, int], pieces: Mapping[str, int]) -> None:
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
    pieces: Mapping[str, int]
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
    debates = [one for one in dict.fromkeys(entry.debate for entry in entries) if one is not None]
    refused = guard(connection, debates) if guard and debates else {}
    taken = [entry for entry in entries if entry.debate not in refused]
    talks = _talks(connection, run, [one for one in debates if one not in refused], known)
    pieces = _pieces(connection, run, taken, known)
    for table, rows in _by_table(taken, run, talks, pieces).items():
        insert_rows(connection, table, rows, again=again or table in _SHARED)
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


def _pieces(connection: sa.Connection, run: int, entries: Sequence[Entry], known: Known) -> dict[str, int]:
    """The numbers of the pieces that rows list; those that are new are entered."""
    pieces: dict[str, int] = {}
    new: dict[str, None] = {}
    for entry in entries:
        for name in LISTING[entry.table]:
            for part in entry.values[name] or ():
                if part in pieces or part in new:
                    continue
                number = known.piece(part)
                if number is not None:
                    pieces[part] = number
                elif is_plain(part):
                    new[part] = None
    return pieces | enter_pieces(connection, run, new)


def _by_table(
    entries: Sequence[Entry], run: int, talks: Mapping[str, int], pieces: Mapping[str, int]
) -> dict[sa.Table, list[dict[str, Any]]]:
    tables: dict[sa.Table, list[dict[str, Any]]] = {}
    for table, values, debate in entries:
        row = values.copy()  # the entry may have to be entered once more
        for name in LISTING[table]:
            listed = row[name]
            if listed is not None:
                row[name] = listed.encoded(pieces)
        if table in _OF_RUNS:
            row["run"] = run
        if table in _OF_TALKS:
            row["talk"] = talks[debate or ""]
        tables.setdefault(table, []).append(row)
    return tables


_OF_RUNS = frozenset(table for table in LISTING if "run" in table.c)
_OF_TALKS = frozenset(table for table in LISTING if "talk" in table.c)


def enter_run(connection: sa.Connection, row: Mapping[str, Any]) -> int:
    """Enter a run, and return its number."""
    insert_rows(connection, RUNS, [row], again=True)
    return number_of(connection, row["id"])


def number_of(connection: sa.Connection, run: str) -> int:
    """The number of a run that is in the store."""
    return int(connection.execute(sa.select(RUNS.c.number).where(RUNS.c.id == run)).scalar_one())
