"""What a run comes to, in whatever store it lies: how many rows it has, and a digest of them that no numbering changes.

Databases number runs, debates and texts as they come. So the digest is taken over the debates' ids and the texts' own digests in
the place of their numbers, and it adds up over the rows, so that their order does not count.
"""

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import sqlalchemy as sa

from agentdebate.errors import StoreError
from agentdebate.store.damage import UNREADABLE, reading
from agentdebate.store.database import Database
from agentdebate.store.later_lists import OwnPieces, own_pieces
from agentdebate.store.run_rows import CARRIED, batches_of, pieces_listed
from agentdebate.store.schema import CALLS, ITEMS, LISTING, MESSAGES, PIECES, RUNS, TALKS
from agentdebate.store.statements import batches

_SIZE = 16
_KEPT = 200_000
"""Digests of texts that are kept in memory."""

_NUMBERS = frozenset({"talk", "run"})
"""Columns of numbers that each database gives out itself."""


@dataclass(frozen=True)
class RunSum:
    """How much of a run a store holds, and the digest of it."""

    run: str
    items: int
    debates: int
    """Those that were begun."""
    messages: int
    calls: int
    digest: str
    """32 hexadecimal digits, the same in every store that holds the same."""


def sum_of(database: Database, run: str) -> RunSum:
    """What a run of that id comes to. Raises StoreError where a row of it cannot be read or lists a text that is not there."""
    (head,) = database.look(lambda connection: _heads(connection, run))
    total, counts = _digest(RUNS, head, {}), dict.fromkeys(CARRIED, 0)
    digests = _Digests(database)
    for table in CARRIED:
        for rows in batches_of(database, table, head["number"]):
            known = digests.of(run, table, rows)
            counts[table] += len(rows)
            total += sum(_digest(table, row, known) for row in rows)
    digest = (total % (1 << 8 * _SIZE)).to_bytes(_SIZE, "big").hex()
    return RunSum(run, counts[ITEMS], counts[TALKS], counts[MESSAGES], counts[CALLS], digest)


class _Digests:
    """The digests of the texts that rows list, by their numbers in one store."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._known: dict[int, str] = {}

    def of(self, run: str, table: sa.Table, rows: Sequence[dict[str, Any]]) -> Mapping[int, str]:
        wanted = _listed(run, table, rows)
        if len(self._known) > _KEPT:
            self._known = {}
        for some in batches(sorted(wanted - self._known.keys())):
            query = sa.select(PIECES.c.number, PIECES.c.digest).where(PIECES.c.number.in_(some))
            self._known.update({number: bytes(value).hex() for number, value in self._database.rows(query)})
        lost = sorted(wanted - self._known.keys())
        if lost:
            raise StoreError(f"run {run}: its {table.name} list text {lost[0]}, which is not in the store")
        return self._known


def _heads(connection: sa.Connection, run: str) -> list[dict[str, Any]]:
    return [dict(row) for row in connection.execute(sa.select(RUNS).where(RUNS.c.id == run)).mappings()]


def _listed(run: str, table: sa.Table, rows: Sequence[dict[str, Any]]) -> set[int]:
    try:
        return pieces_listed(table, rows)
    except UNREADABLE:
        for row in rows:
            with reading(run, _named(table, row)):
                pieces_listed(table, [row])
        raise


def _named(table: sa.Table, row: Mapping[str, Any]) -> str:
    """What a row that lists texts is called within its run."""
    if table is ITEMS:
        return f"the item {row['id']!r}"
    what, number = ("call", row["number"]) if table is CALLS else ("message", row["seq"])
    return f"{what} {number!r} of the debate {row['of_debate']!r}"


def _digest(table: sa.Table, row: Mapping[str, Any], known: Mapping[int, str]) -> int:
    """The digest of one row as a number."""
    values = [table.name, row.get("of_debate")]
    for column in table.c:
        value = row[column.name]
        if column.name in LISTING[table]:
            value = value and _of_list(own_pieces(value), known)
        elif column.name in _NUMBERS or (column.name == "number" and table in {RUNS, TALKS}):
            continue
        values.append(value)
    text = json.dumps(values, default=repr)
    return int.from_bytes(hashlib.blake2b(text.encode(), digest_size=_SIZE).digest(), "big")


def _of_list(own: OwnPieces, known: Mapping[int, str]) -> list[object]:
    texts: list[object] = [[_of_part(part, known) for part in parts] for parts in own.texts]
    return texts if own.beginning is None else ["begins", *own.beginning, texts]


def _of_part(part: int | str, known: Mapping[int, str]) -> list[str]:
    return ["piece", known[part]] if isinstance(part, int) else ["word", part]
