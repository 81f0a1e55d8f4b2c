"""Bringing a store that an older version wrote to this version's tables, by Alembic, in the transaction of the connection."""

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import sqlalchemy as sa
from alembic.config import Config
from alembic.runtime.environment import EnvironmentContext
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory

from agentdebate.errors import UsageError
from agentdebate.log import get_log
from agentdebate.store import migrations
from agentdebate.store.lock import is_held
from agentdebate.store.schema import HEAD, OLD_VERSION, REVISION

_log = get_log(__name__)

_BEFORE_ALEMBIC = "2"
"""The schema to which Alembic's migrations begin to add."""

_LARGEST = 1 << 30
"""Bytes that a value may have which is taken over: a record that is too large to be read is kept all the same."""


_ADD_FOUND = (
    "CREATE TABLE IF NOT EXISTS found (run TEXT NOT NULL, name TEXT NOT NULL, debate TEXT NOT NULL, data TEXT NOT NULL, "
    "PRIMARY KEY (run, name))"
)
"""What schema 2 added to schema 1."""


def migrate(connection: sa.Connection, place: str, version: str) -> None:
    """Bring a store from an older version's tables to these. Raises UsageError where a run is being written in it."""
    _check_idle(connection, place)
    _log.warning(
        "the store %s was written by an older agentdebate and is brought to schema %s, which older ones cannot read",
        place,
        HEAD,
        kind="store migrated",
        store=place,
    )
    if sa.inspect(connection).has_table(OLD_VERSION):
        _hand_over(connection, version)
    with _taking_anything(connection):
        upgrade(connection)


def upgrade(connection: sa.Connection) -> None:
    """Run the migrations that a database has not had, all of them where it is empty."""
    script = ScriptDirectory(migrations.__path__[0], version_locations=[migrations.__path__[0]])

    def steps(revision: Any, _context: MigrationContext) -> Any:
        return script._upgrade_revs("head", revision)  # noqa: SLF001 - as Alembic's own command does

    with EnvironmentContext(Config(), script, fn=steps, destination_rev="head") as environment:
        environment.configure(connection=connection, transactional_ddl=True)
        environment.run_migrations()


def _hand_over(connection: sa.Connection, version: str) -> None:
    """Have Alembic keep the number of the schema, from that of the tables which were there before it."""
    if int(version) < int(_BEFORE_ALEMBIC):
        connection.exec_driver_sql(_ADD_FOUND)
    REVISION.create(connection)
    connection.execute(REVISION.insert(), {"version_num": _BEFORE_ALEMBIC})
    connection.exec_driver_sql(f"DROP TABLE {OLD_VERSION}")


def _check_idle(connection: sa.Connection, place: str) -> None:
    """Raise UsageError where a process writes a run by the old tables."""
    url = connection.engine.url
    store = url.database if url.get_backend_name() == "sqlite" else url.render_as_string(hide_password=False)
    for run in connection.execute(sa.text("SELECT id FROM runs WHERE ended IS NULL")).scalars():
        if is_held(store or "", str(run)):
            raise UsageError(
                f"the store {place} was written by an older agentdebate, which is at work on run {run}: wait until it has "
                "ended; then the store can be brought to this version's tables"
            )


@contextmanager
def _taking_anything(connection: sa.Connection) -> Iterator[None]:
    """Have SQLite hand over what could not be read: a text that is not UTF-8 as bytes, and values of any size."""
    driven = connection.connection.driver_connection
    if not isinstance(driven, sqlite3.Connection):
        yield
        return
    before = driven.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, _LARGEST)
    driven.text_factory = _text_or_bytes
    try:
        yield
    finally:
        driven.text_factory = str
        driven.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, before)


def _text_or_bytes(value: bytes) -> str | bytes:
    try:
        return value.decode()
    except UnicodeDecodeError:
        return value
