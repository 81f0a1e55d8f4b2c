"""The tables, and the migrations that lead to them."""

from collections.abc import Callable, Sequence

import sqlalchemy as sa

from agentdebate.errors import StoreError, UsageError

METADATA = sa.MetaData()

RUNS = sa.Table(
    "runs",
    METADATA,
    sa.Column("id", sa.Text, primary_key=True),
    sa.Column("created", sa.Float, nullable=False, comment="seconds since 1970-01-01 UTC"),
    sa.Column("ended", sa.Float, comment="null while it runs and after it was stopped"),
    sa.Column("strategy", sa.Text, nullable=False),
    sa.Column("task", sa.Text, nullable=False, comment="the tasks of its items, with commas"),
    sa.Column("model", sa.Text, nullable=False),
    sa.Column("configuration", sa.Text, nullable=False, comment="JSON"),
)

ITEMS = sa.Table(
    "items",
    METADATA,
    sa.Column("run", sa.Text, primary_key=True),
    sa.Column("id", sa.Text, primary_key=True),
    sa.Column("number", sa.Integer, nullable=False, comment="of the item within its run, from 1"),
    sa.Column("data", sa.Text, nullable=False, comment="the Item as JSON"),
)

DEBATES = sa.Table(
    "debates",
    METADATA,
    sa.Column("run", sa.Text, primary_key=True),
    sa.Column("id", sa.Text, primary_key=True),
    sa.Column("item", sa.Text, nullable=False),
    sa.Column("state", sa.Text, nullable=False, comment="verdict or failure"),
    sa.Column("row", sa.Text, nullable=False, comment="Record.row() as JSON"),
)

MESSAGES = sa.Table(
    "messages",
    METADATA,
    sa.Column("run", sa.Text, primary_key=True),
    sa.Column("debate", sa.Text, primary_key=True),
    sa.Column("seq", sa.Integer, primary_key=True),
    sa.Column("kind", sa.Text, nullable=False),
    sa.Column("data", sa.Text, nullable=False, comment="the Message as JSON"),
)

CALLS = sa.Table(
    "calls",
    METADATA,
    sa.Column("run", sa.Text, primary_key=True),
    sa.Column("debate", sa.Text, primary_key=True),
    sa.Column("number", sa.Integer, primary_key=True, comment="of the call within its debate, from 1"),
    sa.Column("agent", sa.Text, nullable=False),
    sa.Column("round", sa.Integer, nullable=False),
    sa.Column("ask", sa.Integer, nullable=False),
    sa.Column("attempt", sa.Integer, nullable=False),
    sa.Column("shown", sa.Text, nullable=False, comment="numbers of the messages shown, JSON"),
    sa.Column("key", sa.Text, nullable=False, comment="digest of the request"),
    sa.Column(
        "sampling", sa.Text, nullable=False, comment="the request's sampling parameters that are set, JSON"
    ),
    sa.Column("schema", sa.Boolean, nullable=False, comment="whether the request held the reply to a schema"),
    sa.Column(
        "sample", sa.Integer, nullable=False, comment="which of several samples of the request, from 0"
    ),
    sa.Column("prompt", sa.Text, nullable=False, comment="the chat messages after the brief, JSON"),
    sa.Column("completion", sa.Text, nullable=False, comment="the Completion as JSON"),
)

FOUND = sa.Table(
    "found",
    METADATA,
    sa.Column("run", sa.Text, primary_key=True),
    sa.Column("name", sa.Text, primary_key=True, comment="of what was found out once for all debates"),
    sa.Column("debate", sa.Text, nullable=False, comment="the debate that found it out"),
    sa.Column("data", sa.Text, nullable=False, comment="the Message as JSON"),
)

VERSION = sa.Table("schema_version", METADATA, sa.Column("version", sa.Integer, primary_key=True))


def _create(connection: sa.Connection) -> None:
    METADATA.create_all(connection)


def _add_found(connection: sa.Connection) -> None:
    FOUND.create(connection, checkfirst=True)


MIGRATIONS: Sequence[Callable[[sa.Connection], None]] = (_create, _add_found)
"""Migration N leads from version N to N + 1. What has been released is never changed, only added to."""


def version_of(connection: sa.Connection) -> int:
    """The schema's version; 0 where there is none yet. Raises UsageError for a newer one."""
    if not sa.inspect(connection).has_table(VERSION.name):
        return 0
    version = connection.execute(sa.select(sa.func.max(VERSION.c.version))).scalar() or 0
    if not isinstance(version, int):
        raise StoreError(
            f"the store says {version!r} where the number of its schema belongs; take a copy that you have"
        )
    if version > len(MIGRATIONS):
        raise UsageError(
            f"the store was written by a newer agentdebate (schema {version}, and this one knows {len(MIGRATIONS)}); "
            "upgrade agentdebate to use it"
        )
    return version


def migrate(connection: sa.Connection) -> None:
    """Bring a store to this version's schema, in one transaction."""
    if connection.dialect.name == "sqlite":
        connection.exec_driver_sql(
            "BEGIN IMMEDIATE"
        )  # whoever else is migrating goes first, and then we look
    elif connection.dialect.name == "postgresql":
        connection.exec_driver_sql(f"SELECT pg_advisory_xact_lock({_MIGRATING})")
    version = version_of(connection)
    for number, step in enumerate(MIGRATIONS[version:], version + 1):
        step(connection)
        connection.execute(VERSION.insert(), {"version": number})
    connection.commit()


def check_tables(connection: sa.Connection, place: str, *, reading: bool) -> None:
    """Raise StoreError where a table or a column is missing that is needed, for `reading` or for writing as well."""
    inspector = sa.inspect(connection)
    there = set(inspector.get_table_names())
    for table in (RUNS, ITEMS, DEBATES, MESSAGES, CALLS, *(() if reading else (FOUND,))):
        if table.name not in there:
            raise _altered(place, f"the table {table.name}")
        columns = {column["name"] for column in inspector.get_columns(table.name)}
        for name in set(table.columns.keys()) - columns:
            raise _altered(place, f"the column {name} of the table {table.name}")


_MIGRATING = 5_717_064_219_801_133
"""The number of the lock that PostgreSQL gives to one process at a time that makes the tables: any that is ours."""


def _altered(place: str, lost: str) -> StoreError:
    return StoreError(
        f"the store {place} was altered: {lost} is missing; take a copy that you have, or name another store"
    )
