"""The ground of a store's tables: what all of them share, which version they are, and how rows are entered."""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from itertools import islice
from typing import Any, NamedTuple

import sqlalchemy as sa

from agentdebate.errors import StoreError, UsageError
from agentdebate.store.driver import insert

METADATA = sa.MetaData()

NUMBER = sa.BigInteger().with_variant(sa.Integer, "sqlite")
"""Numbers rows; SQLite takes an INTEGER key alone for the number of the row itself."""

HEAD = "7"
"""The number of this version's schema."""

BEFORE = "6"
"""The one schema that is brought over (schema_6.py)."""

REVISION = sa.Table("alembic_version", METADATA, sa.Column("version_num", sa.String(32), primary_key=True))
"""The number of the schema, where versions before kept it."""

AT_ONCE = 400
"""How many values one query asks for."""


class Entry(NamedTuple):
    """One row that goes into a table of a run."""

    table: sa.Table
    values: Mapping[str, Any]
    debate: str | None = None
    """The debate that it is of; None for a row of the run."""


def run_column() -> "sa.Column[int]":
    """The column that says of which run a row is, as a part of the key."""
    return sa.Column("run", NUMBER, primary_key=True, autoincrement=False)


def version_of(connection: sa.Connection, place: str) -> str | None:
    """The number of a store's schema; None where there is none. Raises UsageError for one that is not known, StoreError for what is not a number."""
    inspector = sa.inspect(connection)
    if not inspector.has_table(REVISION.name):
        return None
    version = str(connection.execute(sa.select(sa.func.max(REVISION.c.version_num))).scalar())
    if not version.isdecimal():
        if not inspector.has_table("runs"):
            return None  # many programs have Alembic keep a revision of theirs
        raise StoreError(
            f"the store {place} says {version!r} where the number of its schema belongs; take a copy that you have"
        )
    if int(version) > int(HEAD):
        raise UsageError(
            f"the store {place} was written by a newer agentdebate (schema {version}, and this one knows {HEAD}); "
            "upgrade agentdebate to use it"
        )
    if int(version) < int(BEFORE):
        raise UsageError(
            f"the store {place} was written by an early agentdebate (schema {version}, and this one brings over {BEFORE}): hold its runs again"
        )
    return version


def create(connection: sa.Connection) -> None:
    """Make the tables in an empty database."""
    METADATA.create_all(connection)
    connection.execute(REVISION.insert(), {"version_num": HEAD})


def check_tables(connection: sa.Connection, place: str) -> None:
    """Raise StoreError where a table or a column is missing."""
    inspector = sa.inspect(connection)
    there = set(inspector.get_table_names())
    for table in METADATA.sorted_tables:
        if table.name not in there:
            raise _altered(place, f"the table {table.name}")
        columns = {column["name"] for column in inspector.get_columns(table.name)}
        for name in set(table.columns.keys()) - columns:
            raise _altered(place, f"the column {name} of the table {table.name}")


def _altered(place: str, lost: str) -> StoreError:
    return StoreError(
        f"the store {place} was altered: {lost} is missing; take a copy that you have, or name another store"
    )


def insert_rows(
    connection: sa.Connection, table: sa.Table, rows: Sequence[Mapping[str, Any]], *, again: bool = False
) -> None:
    """Enter rows that have the same columns, if there are any; with `again`, all but those that are there already."""
    if rows:
        connection.execute(_into(connection.dialect.name, table, again=again), rows)


@cache
def _into(dialect: str, table: sa.Table, *, again: bool) -> sa.Insert:
    """The statement for rows, which is kept so that SQLAlchemy need not look twice which one it is."""
    return (insert(dialect, table).on_conflict_do_nothing() if again else table.insert()).inline()


def batches(values: Iterable[Any]) -> Iterator[list[Any]]:
    """The values, as many at a time as one query asks for."""
    left = iter(values)
    while some := list(islice(left, AT_ONCE)):
        yield some


def among(
    connection: sa.Connection, column: "sa.Column[Any]", values: Iterable[str]
) -> "sa.ColumnElement[bool]":
    """Whether a column has one of these texts. They are one value of the statement, whose text is the same however many there are:

    the driver of PostgreSQL reads the text of each statement character by character, and 64 names take it longer than the
    server takes for the rest.
    """
    if connection.dialect.name == "sqlite":
        given = sa.func.json_each(json.dumps(list(values))).table_valued("value")
        return column.in_(sa.select(given.c.value))
    return column == sa.any_(sa.literal(list(values), sa.ARRAY(sa.Text)))
