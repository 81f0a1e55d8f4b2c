"""The ground of a store's tables: what all of them share, which version they are, and how rows are entered."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from importlib import import_module
from itertools import islice
from typing import Any, NamedTuple

import sqlalchemy as sa

from agentdebate.errors import UsageError

METADATA = sa.MetaData()

NUMBER = sa.BigInteger().with_variant(sa.Integer, "sqlite")
"""Numbers rows; SQLite takes an INTEGER key alone for the number of the row itself."""

HEAD = "8"
"""The number of this version's schema."""

BEFORE = "6"
"""The first schema that is brought over (schema_6.py)."""

REVISION = sa.Table("alembic_version", METADATA, sa.Column("version_num", sa.String(32), primary_key=True))
"""The number of the schema, where versions before kept it."""

COMPLETIONS = sa.Table(
    "completions",
    METADATA,
    sa.Column("key", sa.Text, primary_key=True),  # the digest of the model, its settings and the request
    sa.Column("completion", sa.Text, nullable=False),  # the Completion as JSON
    sa.Column("model", sa.Text, nullable=False),
    sa.Column("created", sa.Double, nullable=False),  # seconds since 1970-01-01 UTC
)
"""The cache of completions (cache.py). A file that holds nothing else was a cache of an earlier version, and becomes a store."""

LARGEST = 64 << 20
"""Bytes that one value of a row may have. A larger one is not read, whatever the file holds."""

AT_ONCE = 400
"""Number of values that one query asks for."""


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
    """The number of a store's schema; None where there is none. Raises UsageError for one that this version cannot use."""
    if not sa.inspect(connection).has_table(REVISION.name):
        return None
    version = str(connection.execute(sa.select(sa.func.max(REVISION.c.version_num))).scalar())
    if not version.isdecimal():
        return None  # many programs have Alembic keep a revision of theirs
    if not int(BEFORE) <= int(version) <= int(HEAD):
        raise UsageError(
            f"the store {place} was written by another agentdebate (schema {version}, and this one knows {BEFORE} to {HEAD}); "
            "upgrade agentdebate to use it, or hold its runs again"
        )
    return version


def create(connection: sa.Connection) -> None:
    """Make the tables in an empty database."""
    METADATA.create_all(connection)
    connection.execute(REVISION.insert(), {"version_num": HEAD})


def insert(dialect: str, table: sa.Table) -> Any:
    """The insert into a table. The module of its database alone is imported: that of PostgreSQL takes 2 MB."""
    return import_module(f"sqlalchemy.dialects.{dialect}").insert(table)


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


def batches(values: Iterable[Any], most: int | None = None) -> Iterator[list[Any]]:
    """The values, so many at a time, or else as many as one query asks for."""
    left = iter(values)
    while some := list(islice(left, most or AT_ONCE)):
        yield some
