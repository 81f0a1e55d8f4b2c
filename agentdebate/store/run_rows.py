"""The rows of a run, table by table, as another database can take them: debates by their ids, pieces by their numbers here."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from typing import Any

import sqlalchemy as sa

from agentdebate.errors import StoreError
from agentdebate.store.database import Database, Unread
from agentdebate.store.later_lists import own_pieces
from agentdebate.store.schema import (
    CALLS,
    DEBATES,
    FOUND,
    ITEMS,
    LEASES,
    LISTING,
    MESSAGES,
    QUEUES,
    SCORES,
    TALKS,
)

CARRIED = (ITEMS, TALKS, DEBATES, SCORES, MESSAGES, CALLS, FOUND, QUEUES, LEASES)
"""The tables whose rows are a run's own, in an order in which they can be entered. Workers, and what they share, stay behind."""

_LEFT: Mapping[sa.Table, Mapping[str, Any]] = {
    QUEUES: {"stopped": None, "drain": False},
    LEASES: {"worker": None, "token": 0, "until": 0.0},
}
"""What a row says elsewhere of what holds in its own store alone: who holds a debate and until when, and who was told to stop."""

BATCH = 400
"""Rows that are read, and entered, at a time."""

_DEBATE = TALKS.c.debate.label("of_debate")


def of_talks(table: sa.Table) -> bool:
    """Whether the rows of a table are named by the number of their debate's talk."""
    return "talk" in table.c


def batches_of(database: Database, table: sa.Table, run: int) -> Iterator[list[dict[str, Any]]]:
    """The rows of a run in a table, some at a time, in the order of their keys. "of_debate" is the debate of a talk's rows.

    Raises StoreError where a row cannot be read.
    """
    rows = _rows(database, table, run)
    while some := list(islice(rows, BATCH)):
        yield some


def pieces_listed(table: sa.Table, rows: Sequence[dict[str, Any]]) -> set[int]:
    """The numbers of the pieces that rows list themselves. Raises ValueError and TypeError where a list is not one."""
    return {
        part
        for row in rows
        for name in LISTING[table]
        for parts in own_pieces(row[name]).texts
        for part in parts
        if isinstance(part, int)
    }


def _rows(database: Database, table: sa.Table, run: int) -> Iterator[dict[str, Any]]:
    for row in database.stream(_query(table, run), list(table.primary_key)):
        if isinstance(row, Unread):
            raise StoreError(
                f"the store {database.place}: a row of {table.name} is damaged: {row.problem}; store check lists what is"
            )
        yield {**row, **_LEFT.get(table, {})}


def _query(table: sa.Table, run: int) -> "sa.Select[Any]":
    query = sa.select(table).order_by(*table.primary_key)
    if not of_talks(table):
        return query.where(table.c.run == run)
    joined = query.add_columns(_DEBATE).join_from(table, TALKS, TALKS.c.number == table.c.talk)
    return joined.where(TALKS.c.run == run)
