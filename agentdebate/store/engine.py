"""Opening a store: a SQLite file or a database server, looked at before anything in it is used."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import quote

import sqlalchemy as sa

from agentdebate.errors import StoreError, UsageError
from agentdebate.store import _debates, accounts, schema  # noqa: F401 - with these all tables are there
from agentdebate.store.damage import lacks_room, translated
from agentdebate.store.database import Database
from agentdebate.store.driver import SERVER, engine_for
from agentdebate.store.place import create_private, shown
from agentdebate.store.sqlite_file import active_part, is_writable, read_only_query

BUSY = 10_000
"""Milliseconds that a commit waits for another process's."""

_MIGRATING = 5_717_064_219_801_133
"""The number of the lock that PostgreSQL gives to one process at a time that makes the tables: any that is ours."""

_PORTS = 0xFFFF
"""The highest port that there is."""

_MEMORY = ":memory:"
"""What SQLite calls a database that is in no file."""


def open_database(url: str | Path, *, create: bool = False, reading: bool = False) -> Database:
    """The store at a path or database URL, migrated to this version's schema.

    `reading` changes nothing in it, and makes do with a file that cannot be changed. Raises UsageError where there is no store
    and `create` is false, for what is not a store of ours, and for a store that a newer version wrote; StoreError where it
    cannot be opened or was altered.
    """
    return Database(open_engine(url, create=create, reading=reading), shown(url))


def open_engine(url: str | Path, *, create: bool, reading: bool = False) -> sa.Engine:
    """The engine of `open_database`."""
    try:
        return _opened(url, create=create, reading=reading)
    except StoreError as error:
        if not (reading and lacks_room(error.__cause__)):
            raise
        return _opened(url, create=False, reading=True, frozen=True)


def _opened(url: str | Path, *, create: bool, reading: bool, frozen: bool = False) -> sa.Engine:
    if not isinstance(url, str | Path):
        raise UsageError(f"a store is a path or the URL of a database, not {url!r:.80}")
    place = shown(url)
    engine = _engine(str(url), create=create, reading=reading, frozen=frozen)
    try:
        with translated(place, "opened"), engine.connect() as connection:
            _check(connection, place, create=create, reading=reading)
    except StoreError as error:
        engine.dispose()
        if "not a database" in str(error):
            raise UsageError(f"{place} is not a store; name another file") from error
        raise
    except BaseException:
        engine.dispose()
        raise
    if reading and engine.dialect.name == "sqlite":
        engine.dispose()  # of the connection that has brought an older store to this version's schema
        sa.event.listen(engine, "connect", _only_read)
    return engine


def _check(connection: sa.Connection, place: str, *, create: bool, reading: bool) -> None:
    """See that it is a store, and bring an older one to this version's schema where it can be changed."""
    on_file = connection.dialect.name == "sqlite"
    if on_file and (part := active_part(_driven(connection))):
        raise StoreError(
            f"the store {place} has the {part}, which no store of agentdebate has and which would act when it is used; "
            "name another store"
        )
    version = schema.version_of(connection, place)
    if version is None:
        _check_empty(connection, place, create=create)
    connection.rollback()
    if on_file and version is None:
        connection.exec_driver_sql(
            "PRAGMA auto_vacuum = INCREMENTAL"
        )  # so that a run can give back room at its end
    if on_file and not reading:
        connection.exec_driver_sql("PRAGMA journal_mode = WAL")  # lets others read while we write
        connection.rollback()
    if version != schema.HEAD:
        _bring_up_to_date(connection, place)
    schema.check_tables(connection, place)


def _bring_up_to_date(connection: sa.Connection, place: str) -> None:
    """Make the tables, or change those of an older store, in one transaction. Raises UsageError where the file cannot be changed."""
    if _frozen(connection):
        raise UsageError(
            f"the store {place} was written by an older agentdebate, and cannot be changed where it is: copy it to a folder "
            "where you may write, and use the copy"
        )
    with locked(connection):
        version = schema.version_of(connection, place)  # another process may have done it meanwhile
        if version is None:
            schema.create(connection)
        elif version != schema.HEAD:
            from agentdebate.store.schema_6 import bring_over

            bring_over(connection, place)


@contextmanager
def locked(connection: sa.Connection) -> Iterator[None]:
    """A transaction in which no other process changes the tables."""
    if connection.dialect.name == "sqlite":
        connection.exec_driver_sql("BEGIN IMMEDIATE")
    elif connection.dialect.name == SERVER:
        connection.exec_driver_sql(f"SELECT pg_advisory_xact_lock({_MIGRATING})")
    try:
        yield
    except BaseException:
        connection.rollback()
        raise
    connection.commit()


def _check_empty(connection: sa.Connection, place: str, *, create: bool) -> None:
    """A store has our tables. An empty database may become one where we may write."""
    if sa.inspect(connection).get_table_names() or not create:
        raise UsageError(f"{place} is a database and not a store of agentdebate; name another with store=...")


def _driven(connection: sa.Connection) -> Any:
    """The driver's own connection."""
    return connection.connection.driver_connection


def _frozen(connection: sa.Connection) -> bool:
    return "mode" in connection.engine.url.query


def _engine(text: str, *, create: bool, reading: bool, frozen: bool) -> sa.Engine:
    try:
        url = sa.make_url(text) if "://" in text else sa.URL.create("sqlite", database=text)
        if url.get_backend_name() == "sqlite":
            url = _on_file(url, text, create=create, frozen=frozen, reading=reading)
        elif url.get_backend_name() != SERVER:
            raise UsageError(
                f"a store is a SQLite file or a PostgreSQL database, not one of {url.get_backend_name()}"
            )
        if url.port is not None and not 0 < url.port <= _PORTS:
            raise UsageError(f"store=... names port {url.port}: a port is 1 to {_PORTS}")
        return engine_for(url, busy=BUSY)
    except (sa.exc.ArgumentError, sa.exc.NoSuchModuleError, ValueError) as error:
        raise UsageError(f"store=... is a file or a database URL, not {shown(text)!r}") from error
    except ModuleNotFoundError as error:
        raise UsageError(
            f"store=...: install {error.name!r}, the driver for that kind of database"
        ) from error


def _on_file(url: sa.URL, text: str, *, create: bool, reading: bool, frozen: bool) -> sa.URL:
    """The URL of a SQLite file that is there now. A database in memory would be gone when the run ends."""
    if _MEMORY in (url.database or _MEMORY) or url.query.get("mode") == "memory":
        raise UsageError(
            f"a store is a file or a database server, not {text!r}, which is gone when the run ends"
        )
    if url.query or url.database is None:
        return url
    path = Path(url.database)
    _check_path(path, create=create)
    if create:
        with translated(shown(text), "created"):
            create_private(path.resolve())
    if frozen or (reading and not is_writable(path)):
        return url.set(database=f"file:{quote(str(path.resolve()))}", query=read_only_query(path))
    return url


def _check_path(path: Path, *, create: bool) -> None:
    if path.is_dir():
        raise UsageError(f"the store {path} is a folder; name a file in it with store=...")
    if not create and not path.is_file():
        raise UsageError(f"there is no store {path}; name it with store=..., or run something first")
    if not path.parent.is_dir():
        raise UsageError(f"the store {path} cannot be made: there is no folder {path.parent}")


def _only_read(connection: Any, _record: object) -> None:
    connection.execute("PRAGMA query_only = ON").close()
