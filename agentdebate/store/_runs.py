"""The tables of runs, of their items, and of what a run finds out once for all debates."""

from collections.abc import Iterable, Mapping
from typing import Any

import sqlalchemy as sa

from agentdebate.store._in_flight import LONG, packed, plain_json
from agentdebate.store.schema import METADATA, NUMBER, Entry, insert_rows, run_column
from agentdebate.talk.envelope import message_line
from agentdebate.talk.messages import Message
from agentdebate.tasks import Item

RUNS = sa.Table(
    "runs",
    METADATA,
    sa.Column("number", NUMBER, primary_key=True),
    sa.Column("id", sa.Text, nullable=False, unique=True),
    sa.Column("created", sa.Double, nullable=False),  # seconds since 1970-01-01 UTC
    sa.Column("ended", sa.Double),  # null while it runs and after it was stopped
    sa.Column("strategy", sa.Text, nullable=False),
    sa.Column("task", sa.Text, nullable=False),  # the tasks of its items, with commas
    sa.Column("model", sa.Text, nullable=False),
    sa.Column("configuration", sa.Text, nullable=False),  # JSON
    sqlite_autoincrement=True,  # the number of a run that was deleted means no other one
)

ITEMS = sa.Table(
    "items",
    METADATA,
    run_column(),
    sa.Column("id", sa.Text, primary_key=True),
    sa.Column("number", sa.Integer, nullable=False),  # of the item within its run, from 1
    sa.Column("data", sa.LargeBinary, nullable=False),  # the Item as JSON, compressed
)

FOUND = sa.Table(
    "found",
    METADATA,
    run_column(),
    sa.Column("name", sa.Text, primary_key=True),  # of what was found out once for all debates
    sa.Column("debate", sa.Text, nullable=False),  # the debate that found it out
    sa.Column("data", sa.Text, nullable=False),  # the Message as JSON
)


def enter_run(connection: sa.Connection, row: Mapping[str, Any]) -> int:
    """Enter a run, and return its number."""
    insert_rows(connection, RUNS, [row], again=True)
    return number_of(connection, row["id"])


def number_of(connection: sa.Connection, run: str) -> int:
    """The number of a run that is in the store."""
    return int(connection.execute(sa.select(RUNS.c.number).where(RUNS.c.id == run)).scalar_one())


def item_row(data: Mapping[str, Any], number: int) -> dict[str, Any]:
    """The row of an item, from its data."""
    return {"id": data["id"], "number": number, "data": packed(plain_json(data))}


def item_entry(item: Item, number: int) -> Entry:
    """The row of an item, to be entered."""
    return Entry(ITEMS, item_row(item.model_dump(mode="json"), number))


def found_entry(name: str, debate: str, message: Message) -> Entry:
    """The row of what was found out once for all debates."""
    return Entry(FOUND, {"name": name, "debate": debate, "data": message_line(message)}, debate)


def long_items(connection: sa.Connection, run: int, items: Iterable[str]) -> dict[str, bytes]:
    """Return the stored data of the long ones among these items of a run."""
    long = sa.func.length(ITEMS.c.data) >= LONG
    query = sa.select(ITEMS.c.id, ITEMS.c.data).where(ITEMS.c.run == run, ITEMS.c.id.in_(list(items)), long)
    return dict(map(tuple, connection.execute(query)))
