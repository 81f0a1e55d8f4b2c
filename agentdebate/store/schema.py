"""The tables, and the migrations that lead to them."""

from collections.abc import Callable, Sequence
from pathlib import Path

import sqlalchemy as sa

from agentdebate.errors import StoreError, UsageError
from agentdebate.store.address import shown

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


_MEMORY = ":memory:"
"""What SQLite calls a database that is in no file."""

BUSY = 10_000
"""Milliseconds that a commit waits for another process's."""


def open_engine(url: str | Path, *, create: bool) -> sa.Engine:
    """An engine on the store at a path or database URL, migrated to this version's schema.

    Raises UsageError where there is none and `create` is false, for what is no store of ours, and for a store that a newer
    version wrote; StoreError where it cannot be opened.
    """
    engine = _engine(str(url), create=create)
    try:
        with engine.connect() as connection:
            if _version(connection) < len(MIGRATIONS):
                _check_ours(connection, url, create=create)
                connection.rollback()
                migrate(connection)
    except sa.exc.DBAPIError as error:
        engine.dispose()
        if "not a database" in str(error.orig):
            raise UsageError(f"{shown(url)} is no store; name another file with --store") from error
        raise StoreError(f"the store {shown(url)} cannot be opened: {error.orig}") from error
    except BaseException:
        engine.dispose()
        raise
    return engine


def _engine(text: str, *, create: bool) -> sa.Engine:
    try:
        url = sa.make_url(text) if "://" in text else sa.URL.create("sqlite", database=text)
        _check_on_disk(url, text)
        if "://" not in text:
            _check_path(Path(text), create=create)
        engine = sa.create_engine(url)
    except sa.exc.ArgumentError as error:
        raise UsageError(f"--store is a file or a database URL, not {text!r}") from error
    except ModuleNotFoundError as error:
        raise UsageError(f"--store: install {error.name!r}, the driver for that kind of database") from error
    if engine.dialect.name == "sqlite":
        sa.event.listen(engine, "connect", _pragmas)
    return engine


def _check_on_disk(url: sa.URL, text: str) -> None:
    """Raise UsageError for a database in memory: each thread would have one of its own, and nobody could read it later."""
    if url.get_backend_name() != "sqlite":
        return
    if _MEMORY in (url.database or _MEMORY) or url.query.get("mode") == "memory":
        raise UsageError(
            f"a store is a file or a database server, not {text!r}, which is gone when the run ends"
        )


def _check_path(path: Path, *, create: bool) -> None:
    if path.is_dir():
        raise UsageError(f"the store {path} is a folder; name a file in it with --store")
    if not create and not path.is_file():
        raise UsageError(f"there is no store {path}; name it with --store, or run something first")
    if not path.parent.is_dir():
        raise UsageError(f"the store {path} cannot be made: there is no folder {path.parent}")


def _check_ours(connection: sa.Connection, url: str | Path, *, create: bool) -> None:
    """A store has our tables. An empty database may become one where we may write."""
    names = sa.inspect(connection).get_table_names()
    if VERSION.name not in names and (names or not create):
        raise UsageError(f"{shown(url)} is a database and no store of agentdebate; name another with --store")


def _version(connection: sa.Connection) -> int:
    """The schema's version; 0 where there is none yet. Raises UsageError for a newer one."""
    if not sa.inspect(connection).has_table(VERSION.name):
        return 0
    version = connection.execute(sa.select(sa.func.max(VERSION.c.version))).scalar() or 0
    if version > len(MIGRATIONS):
        raise UsageError(
            f"the store was written by a newer agentdebate (schema {version}, and this one knows {len(MIGRATIONS)}); "
            "upgrade agentdebate to use it"
        )
    return int(version)


def migrate(connection: sa.Connection) -> None:
    """Bring a store to this version's schema, in one transaction."""
    if connection.dialect.name == "sqlite":
        connection.exec_driver_sql(
            "BEGIN IMMEDIATE"
        )  # whoever else is migrating goes first, and then we look
    version = _version(connection)
    for number, step in enumerate(MIGRATIONS[version:], version + 1):
        step(connection)
        connection.execute(VERSION.insert(), {"version": number})
    connection.commit()


def _pragmas(connection: object, _record: object) -> None:
    """WAL lets others read while we write; FULL has a commit on disk before it returns."""
    cursor = connection.cursor()  # type: ignore[attr-defined]  # the driver's own connection
    for pragma in (f"busy_timeout = {BUSY}", "journal_mode = WAL", "synchronous = FULL"):
        cursor.execute(f"PRAGMA {pragma}")
    cursor.close()
