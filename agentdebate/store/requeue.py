"""Putting the failed debates of a queue back into it."""

from functools import partial
from typing import Any

import sqlalchemy as sa

from agentdebate.debates.outcome import FAILURE
from agentdebate.store.database import Database
from agentdebate.store.entry import number_of
from agentdebate.store.leases import begin, lease_entry
from agentdebate.store.piece_table import PieceShelf
from agentdebate.store.resuming import forget_failures
from agentdebate.store.rows import debate_row
from agentdebate.store.schema import DEBATES, ITEMS, LEASES, RUNS
from agentdebate.store.statements import insert_rows


def requeue_failed(database: Database, run: str) -> int:
    """Have the debates of a run that failed held once more by whoever works on it; how many there are comes back.

    What is on disk of them is not paid for again, but for what an agent answered in vain. Raises StoreError, and changes
    nothing, where a record that is needed is damaged.
    """
    return database.change(partial(_requeue, run=run, shelf=PieceShelf(database)))


def _requeue(connection: sa.Connection, *, run: str, shelf: PieceShelf) -> int:
    begin(connection)
    number = number_of(connection, run)
    failed = _failed(connection, run, number)
    if failed:
        forget_failures(connection, run, number, shelf)
        insert_rows(connection, LEASES, failed)
        connection.execute(RUNS.update().where(RUNS.c.number == number).values(ended=None))
    return len(failed)


def _failed(connection: sa.Connection, run: str, number: int) -> list[dict[str, Any]]:
    """The rows of the queue that debates have which failed. They were taken before, so that calls of theirs are looked for."""
    query = (
        sa.select(DEBATES.c.id, DEBATES.c.item, DEBATES.c.row, ITEMS.c.number)
        .join(ITEMS, sa.and_(ITEMS.c.run == DEBATES.c.run, ITEMS.c.id == DEBATES.c.item))
        .where(DEBATES.c.run == number, DEBATES.c.outcome == FAILURE.name)
        .order_by(ITEMS.c.number, DEBATES.c.id)
    )
    if connection.dialect.name != "sqlite":  # two who do this at once come one after the other
        query = query.with_for_update(of=DEBATES)
    return [_row(run, number, place, row) for place, row in enumerate(connection.execute(query))]


def _row(run: str, number: int, place: int, row: Any) -> dict[str, Any]:
    aspects = debate_row(run, row.id, row.row)["aspects"]
    entry = lease_entry(row.id, place=place, item=row.item, item_number=row.number, aspects=aspects)
    return {**entry.values, "run": number, "taken": 1}
