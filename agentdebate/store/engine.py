"""Opening a store: a SQLite file or a PostgreSQL database, looked at before anything in it is used."""

import logging
import os
import sqlite3
from pathlib import Path
from urllib.parse import quote

import sqlalchemy as sa

from agentdebate.errors import StoreError, UsageError
from agentdebate.extras import require
from agentdebate.log import get_log
from agentdebate.store import schema
from agentdebate.store.damage import lacks_room, translated
from agentdebate.store.database import SERVER, Database, transaction
from agentdebate.store.place import MIGRATED, create_private, is_url, shown

_log = get_log(__name__)

BUSY = 10_000
"""Milliseconds that a commit waits for another process's."""

ANSWER = 20
"""Seconds that a database server may take to let us in, before it counts as gone."""

IDLE = 8
"""Seconds after which a server ends a session whose process says nothing within a transaction: it was stopped, or cut off."""

HELD_UP = 10
"""Seconds that a statement waits for another session's lock, and that the network may keep silent about what was sent.

More than IDLE, so that the session which holds a lock ends before those that wait.
"""

_MIGRATING = 5_717_064_219_801_133
"""The number of the lock that PostgreSQL gives to one process at a time that makes the tables: any that is ours."""

_ACTIVE = (
    "SELECT type || ' ' || quote(name) FROM sqlite_master "
    "WHERE type IN ('trigger', 'view') OR sql LIKE 'create virtual%' LIMIT 1"
)
"""Finds a trigger, view or virtual table of a file, which none of ours has."""


def open_database(store: str | Path, *, create: bool = False, reading: bool = False) -> Database:
    """The store at a path or database URL, brought to this version's schema.

    `reading` changes nothing in it, and makes do with a file that cannot be changed. Raises UsageError where there is no store
    and `create` is false, for what is not a store of ours, and for a store that a newer version wrote; StoreError where it
    cannot be opened.
    """
    place, url = shown(store), _url_of(store)
    on_file = url.get_backend_name() == "sqlite"
    if on_file:
        _find(Path(store), create=create)
    frozen = on_file and reading and not _is_writable(Path(store))
    try:
        engine = _opened(_frozen(store) if frozen else url, place, create=create, reading=reading)
    except StoreError as error:
        if "not a database" in str(error):
            raise UsageError(f"{place} is not a store; name another file") from error
        if frozen or not (on_file and reading and lacks_room(error.__cause__)):
            raise
        engine = _opened(_frozen(store), place, create=False, reading=True)
    return Database(engine, place)


def _url_of(store: str | Path) -> sa.URL:
    """The URL of a store: of a file, by its path, or of a database. Raises UsageError for what is neither."""
    text = str(store)
    if isinstance(store, str | Path) and not is_url(text) and text != ":memory:":
        return sa.URL.create("sqlite", database=text)
    kind = text.partition("://")[0]
    if kind not in (SERVER, f"{SERVER}+psycopg"):
        raise UsageError(
            f"a store is a SQLite file, named by its path, or a PostgreSQL database ({SERVER}://...), not one of {kind}"
        )
    try:
        return sa.make_url(text)
    except (sa.exc.ArgumentError, ValueError) as error:
        raise UsageError("a store is a file or a database URL, and this URL cannot be read") from error


def _find(path: Path, *, create: bool) -> None:
    """Find the file of a store, or make it."""
    if create and not path.parent.is_dir():
        raise UsageError(f"the store {path} cannot be made: there is no folder {path.parent}")
    if create:
        with translated(str(path), "created"):
            create_private(path.resolve())
    if not path.is_file():
        raise UsageError(f"there is no store {path}; name a file with store=..., or run something first")


def _is_writable(path: Path) -> bool:
    """Tell whether this process may change the file, and make SQLite's own files beside it."""
    return os.access(path, os.W_OK) and os.access(path.resolve().parent, os.W_OK)


def _frozen(store: str | Path) -> sa.URL:
    """The URL of a file that is only read.

    Where nothing waits in a journal beside it, SQLite needs no file of its own; else it has to take the journal into account.
    """
    path = Path(store).resolve()
    beside = (Path(f"{path}{ending}") for ending in ("-wal", "-journal"))
    waiting = any(one.exists() and one.stat().st_size for one in beside)
    query = {"uri": "true", "mode": "ro"} | ({} if waiting else {"immutable": "1"})
    return sa.URL.create("sqlite", database=f"file:{quote(str(path))}", query=query)


def _opened(url: sa.URL, place: str, *, create: bool, reading: bool) -> sa.Engine:
    engine = engine_for(url)
    try:
        with translated(place, "opened"), engine.connect() as connection:
            _check(connection, place, create=create, reading=reading)
    except BaseException:
        engine.dispose()
        raise
    return engine


def engine_for(url: sa.URL) -> sa.Engine:
    """The engine for a URL. Raises MissingExtra where the driver of PostgreSQL is not installed.

    A connection to PostgreSQL notices that the server was restarted, and is ended by the server where its process is stopped within
    a transaction.
    """
    if url.get_backend_name() == "sqlite":
        engine = sa.create_engine(url)
        sa.event.listen(engine, "connect", _guard)
        return engine
    require("psycopg", "postgres")
    # A lost connection, of which it warns, is raised too.
    logging.getLogger("psycopg").setLevel(logging.ERROR)
    usual = {
        "connect_timeout": ANSWER,
        "application_name": "agentdebate",
        "tcp_user_timeout": HELD_UP * 1000,
        "keepalives_idle": 5,
        "keepalives_interval": 2,
        "keepalives_count": 3,
        "options": f"-c idle_in_transaction_session_timeout={IDLE}s -c lock_timeout={HELD_UP}s -c tcp_user_timeout={HELD_UP}s "
        "-c tcp_keepalives_idle=5 -c tcp_keepalives_interval=2 -c tcp_keepalives_count=3",
    }
    options = {name: value for name, value in usual.items() if name not in url.query}
    return sa.create_engine(url.set(drivername=f"{SERVER}+psycopg"), connect_args=options, pool_pre_ping=True)


def _guard(connection: sqlite3.Connection, _record: object) -> None:
    """Prepare a connection to a file, which may be somebody else's: nothing is changed, and what its schema calls on is not trusted.

    FULL has a commit on disk before it returns.
    """
    for pragma in (
        f"busy_timeout = {BUSY}",
        "synchronous = FULL",
        "trusted_schema = OFF",
        "cell_size_check = ON",
    ):
        connection.execute(f"PRAGMA {pragma}").close()
    connection.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, schema.LARGEST)
    # What is not UTF-8 is escaped, as no JSON is, so that it damages its own record and no other.
    connection.text_factory = lambda data: data.decode(errors="backslashreplace")


def _check(connection: sa.Connection, place: str, *, create: bool, reading: bool) -> None:
    """See that it is a store, make the tables of a new one, and bring an older one to this version's schema."""
    on_file = connection.dialect.name == "sqlite"
    if on_file and (part := connection.exec_driver_sql(_ACTIVE).scalar()):
        raise StoreError(
            f"the store {place} has the {part}, which no store of agentdebate has and which would act when it is used; "
            "name another store"
        )
    version = schema.version_of(connection, place)
    tables = set(sa.inspect(connection).get_table_names()) - {schema.COMPLETIONS.name}
    if version is None and (tables or not create):
        raise UsageError(f"{place} is a database and not a store of agentdebate; name another with store=...")
    connection.rollback()
    if on_file and version is None:  # a run can give back room at its end
        connection.exec_driver_sql("PRAGMA auto_vacuum = INCREMENTAL")
    if on_file and not reading:  # others can read while we write
        connection.exec_driver_sql("PRAGMA journal_mode = WAL")
    connection.rollback()
    if version != schema.HEAD:
        _bring_up_to_date(connection, place)


def _bring_up_to_date(connection: sa.Connection, place: str) -> None:
    """Make the tables, or change those of an older store, in one transaction."""
    with transaction(connection):
        if connection.dialect.name == SERVER:
            connection.exec_driver_sql(f"SELECT pg_advisory_xact_lock({_MIGRATING})")
        version = schema.version_of(connection, place)  # another process may have done it meanwhile
        if version is None:
            schema.create(connection)
        elif version != schema.HEAD:
            words = "the store %s was written by an older agentdebate and is brought to schema %s, which older ones cannot read"
            _log.warning(words, place, schema.HEAD, kind=MIGRATED, store=place)
            if version == schema.WITH_SUMS:
                for change in schema.AFTER_SUMS:
                    connection.exec_driver_sql(change)
            else:
                from agentdebate.store.schema_6 import bring_over

                bring_over(connection, place)
            connection.execute(schema.REVISION.update().values(version_num=schema.HEAD))
