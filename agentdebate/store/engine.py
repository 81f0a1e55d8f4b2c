"""Opening a store: a SQLite file or a PostgreSQL database, looked at before anything in it is used."""

import logging
import os
import sqlite3
from pathlib import Path
from typing import Any
from urllib.parse import quote

import sqlalchemy as sa

from agentdebate.errors import StoreError, UsageError
from agentdebate.extras import require
from agentdebate.store import _debates, crew, schema  # noqa: F401 - with these all tables are there
from agentdebate.store.damage import lacks_room, translated
from agentdebate.store.database import SERVER, Database, transaction
from agentdebate.store.place import create_private, is_url, shown

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

_DRIVER = f"{SERVER}+psycopg"

_MIGRATING = 5_717_064_219_801_133
"""The number of the lock that PostgreSQL gives to one process at a time that makes the tables: any that is ours."""

_MEMORY = ":memory:"
"""SQLite's name of a database in memory."""


_ACTIVE = (
    "SELECT type || ' ' || quote(name) FROM sqlite_master "
    "WHERE type IN ('trigger', 'view') OR sql LIKE 'create virtual%' LIMIT 1"
)


def url_of(place: str) -> sa.URL:
    """The URL of a store: of a file, by its path, or of a database. Raises UsageError for what is neither."""
    if not is_url(place):
        return sa.URL.create("sqlite", database=place)
    try:
        url = sa.make_url(place)
    except (sa.exc.ArgumentError, ValueError) as error:
        raise UsageError("a store is a file or a database URL, and this URL cannot be read") from error
    if url.drivername not in (SERVER, _DRIVER):
        raise UsageError(
            f"a store is a SQLite file, named by its path, or a PostgreSQL database ({SERVER}://...), not one of {url.drivername}"
        )
    return url


def engine_for(url: sa.URL) -> sa.Engine:
    """The engine for a URL. Raises MissingExtra where the driver of PostgreSQL is not installed.

    A connection to PostgreSQL notices that the server was restarted, and is ended by the server where its process is stopped within
    a transaction.
    """
    if url.get_backend_name() == "sqlite":
        engine = sa.create_engine(url)
        sa.event.listen(engine, "do_connect", _connected)
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
    return sa.create_engine(url.set(drivername=_DRIVER), connect_args=options, pool_pre_ping=True)


def _connected(_dialect: object, _record: object, given: list[Any], named: dict[str, Any]) -> Any:
    return connect(*given, **named)


def open_database(store: str | Path, *, create: bool = False, reading: bool = False) -> Database:
    """The store at a path or database URL, brought to this version's schema.

    `reading` changes nothing in it, and makes do with a file that cannot be changed. Raises UsageError where there is no store
    and `create` is false, for what is not a store of ours, and for a store that a newer version wrote; StoreError where it
    cannot be opened.
    """
    if not isinstance(store, str | Path):
        raise UsageError(f"a store is a path or the URL of a database, not {store!r:.80}")
    place = shown(store)
    try:
        engine = _opened(str(store), place, create=create, reading=reading)
    except StoreError as error:
        if "not a database" in str(error):
            raise UsageError(f"{place} is not a store; name another file") from error
        if not (reading and lacks_room(error.__cause__)):
            raise
        engine = _opened(str(store), place, create=False, reading=True, frozen=True)
    return Database(engine, place)


def _opened(store: str, place: str, *, create: bool, reading: bool, frozen: bool = False) -> sa.Engine:
    url = url_of(store)
    on_file = url.get_backend_name() == "sqlite"
    engine = engine_for(_file_of(store, create=create, reading=reading, frozen=frozen) if on_file else url)
    try:
        with translated(place, "opened"), engine.connect() as connection:
            _check(connection, place, create=create, reading=reading)
    except BaseException:
        engine.dispose()
        raise
    return engine


def _file_of(store: str, *, create: bool, reading: bool, frozen: bool) -> sa.URL:
    """The URL of a SQLite file that is there now. A database in memory would be gone when the run ends."""
    path = Path(store)
    if store == _MEMORY:
        raise UsageError(
            f"a store is a file or a database server, not {store!r}, which is gone when the run ends"
        )
    if path.is_dir():
        raise UsageError(f"the store {path} is a folder; name a file in it with store=...")
    if create and not path.parent.is_dir():
        raise UsageError(f"the store {path} cannot be made: there is no folder {path.parent}")
    if create:
        with translated(store, "created"):
            create_private(path.resolve())
    if not path.is_file():
        raise UsageError(f"there is no store {path}; name it with store=..., or run something first")
    if frozen or (reading and not is_writable(path)):
        name = f"file:{quote(str(path.resolve()))}"
        return sa.URL.create("sqlite", database=name, query=read_only_query(path))
    return sa.URL.create("sqlite", database=store)


def _check(connection: sa.Connection, place: str, *, create: bool, reading: bool) -> None:
    """See that it is a store, make the tables of a new one, and bring an older one to this version's schema."""
    on_file, driven = connection.dialect.name == "sqlite", connection.connection.driver_connection
    if on_file and driven is not None and (part := active_part(driven)):
        raise StoreError(
            f"the store {place} has the {part}, which no store of agentdebate has and which would act when it is used; "
            "name another store"
        )
    version = schema.version_of(connection, place)
    tables = set(sa.inspect(connection).get_table_names()) - {schema.COMPLETIONS.name}
    if version is None and (tables or not create):
        raise UsageError(f"{place} is a database and not a store of agentdebate; name another with store=...")
    if on_file and version is None:  # a run can give back room at its end
        connection.exec_driver_sql("PRAGMA auto_vacuum = INCREMENTAL")
    if on_file and not reading:  # others can read while we write
        connection.exec_driver_sql("PRAGMA journal_mode = WAL")
    connection.rollback()
    if version != schema.HEAD:
        _bring_up_to_date(connection, place)


def _bring_up_to_date(connection: sa.Connection, place: str) -> None:
    """Make the tables, or change those of an older store, in one transaction. Raises UsageError where the file cannot be changed."""
    if "mode" in connection.engine.url.query:
        raise UsageError(
            f"the store {place} was written by an older agentdebate, and cannot be changed where it is: copy it to a folder "
            "where you may write, and use the copy"
        )
    with transaction(connection):
        if connection.dialect.name == SERVER:
            connection.exec_driver_sql(f"SELECT pg_advisory_xact_lock({_MIGRATING})")
        version = schema.version_of(connection, place)  # another process may have done it meanwhile
        if version is None:
            schema.create(connection)
        elif version != schema.HEAD:
            from agentdebate.store.schema_6 import bring_over

            bring_over(connection, place, version)


def connect(name: str | Path, *options: Any, **more: Any) -> sqlite3.Connection:
    """A connection to a file: every SQLite file of the package is opened here. `options` are those of sqlite3.connect.

    FULL has a commit on disk before it returns.
    Nothing here changes the file, which may belong to something else; what a stranger's schema calls on is not trusted.
    """
    connection: sqlite3.Connection = sqlite3.connect(name, *options, **more)
    try:
        for pragma in (
            f"busy_timeout = {BUSY}",
            "synchronous = FULL",
            "trusted_schema = OFF",
            "cell_size_check = ON",
        ):
            connection.execute(f"PRAGMA {pragma}").close()
        connection.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, schema.LARGEST)
        connection.text_factory = _text
    except BaseException:
        connection.close()
        raise
    return connection


def _text(data: bytes) -> str:
    """A text of the file. What is not UTF-8 in it is escaped, as no JSON is, so that it damages its own record and no other."""
    return data.decode(errors="backslashreplace")


def active_part(connection: sqlite3.Connection) -> str | None:
    """A trigger, view or virtual table of the file, which none of ours has: it would act when the file is used."""
    found = connection.execute(_ACTIVE).fetchone()
    return str(found[0]) if found else None


def is_writable(path: Path) -> bool:
    """Tell whether this process may change the file, and make SQLite's own files beside it."""
    return os.access(path, os.W_OK) and os.access(path.resolve().parent, os.W_OK)


def read_only_query(path: Path) -> dict[str, str]:
    """Return the query of a URL that opens a read-only file.

    Where nothing waits in a journal beside it, SQLite needs no file of its own; else it has to take the journal into account.
    """
    beside = (Path(f"{path.resolve()}{ending}") for ending in ("-wal", "-journal"))
    waiting = any(one.exists() and one.stat().st_size for one in beside)
    return {"uri": "true", "mode": "ro", **({} if waiting else {"immutable": "1"})}
