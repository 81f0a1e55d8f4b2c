"""The tables, and the migrations that lead to them."""

from collections.abc import Callable, Sequence
from pathlib import Path

import sqlalchemy as sa

from agentdebate.errors import StoreError

METADATA = sa.MetaData()

RUNS = sa.Table(
    "runs",
    METADATA,
    sa.Column("id", sa.Text, primary_key=True),
    sa.Column("created", sa.Float, nullable=False, comment="seconds since 1970-01-01 UTC"),
    sa.Column("ended", sa.Float, comment="null while it runs and after it was stopped"),
    sa.Column("strategy", sa.Text, nullable=False),
    sa.Column("task", sa.Text, nullable=False),
    sa.Column("model", sa.Text, nullable=False),
    sa.Column("configuration", sa.Text, nullable=False, comment="JSON"),
)

ITEMS = sa.Table(
    "items",
    METADATA,
    sa.Column("run", sa.Text, primary_key=True),
    sa.Column("id", sa.Text, primary_key=True),
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
    sa.Column("prompt", sa.Text, nullable=False, comment="the chat messages after the brief, JSON"),
    sa.Column("completion", sa.Text, nullable=False, comment="the Completion as JSON"),
)

VERSION = sa.Table("schema_version", METADATA, sa.Column("version", sa.Integer, primary_key=True))


def _create(connection: sa.Connection) -> None:
    METADATA.create_all(connection)


MIGRATIONS: Sequence[Callable[[sa.Connection], None]] = (_create,)
"""Migration N leads from version N to N + 1. What has been released is never changed, only added to."""


def open_engine(url: str | Path, *, create: bool) -> sa.Engine:
    """An engine on the store at a path or database URL, migrated to this version's schema.

    Raises StoreError where there is none and `create` is false, and for a store that a newer version wrote.
    """
    text = str(url)
    if "://" not in text:
        if not create and not Path(text).is_file():
            raise StoreError(f"there is no store {text}; name it with --store, or run something first")
        text = f"sqlite:///{text}"
    engine = sa.create_engine(text)
    if engine.dialect.name == "sqlite":
        sa.event.listen(engine, "connect", _pragmas)
    try:
        with engine.begin() as connection:
            migrate(connection)
    except sa.exc.DBAPIError as error:
        raise StoreError(f"the store {url} cannot be opened: {error.orig}") from error
    return engine


def migrate(connection: sa.Connection) -> None:
    """Bring a store to this version's schema."""
    version = 0
    if sa.inspect(connection).has_table(VERSION.name):
        version = connection.execute(sa.select(sa.func.max(VERSION.c.version))).scalar() or 0
    if version > len(MIGRATIONS):
        raise StoreError(
            f"the store was written by a newer agentdebate (schema {version}); upgrade to read it"
        )
    for number, step in enumerate(MIGRATIONS[version:], version + 1):
        step(connection)
        connection.execute(VERSION.insert(), {"version": number})


def _pragmas(connection: object, _record: object) -> None:
    """WAL lets others read while we write; FULL has a commit on disk before it returns."""
    cursor = connection.cursor()  # type: ignore[attr-defined]  # the driver's own connection
    for pragma in ("journal_mode = WAL", "synchronous = FULL", "busy_timeout = 10000"):
        cursor.execute(f"PRAGMA {pragma}")
    cursor.close()
