"""Looking after a store: what is in it, deleting a run, and giving back the room of what is gone."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import sqlalchemy as sa

from agentdebate.errors import UsageError
from agentdebate.store.address import shown
from agentdebate.store.crew import is_worked
from agentdebate.store.database import Database
from agentdebate.store.driver import SERVER
from agentdebate.store.engine import open_database
from agentdebate.store.entry import number_of
from agentdebate.store.lock import hold
from agentdebate.store.reader import Reader
from agentdebate.store.schema import (
    CALLS,
    DEBATES,
    FOUND,
    HEAD,
    ITEMS,
    MESSAGES,
    OF_QUEUES,
    PIECES,
    RUN_PIECES,
    RUNS,
    SCORES,
    TALKS,
)
from agentdebate.store.session import Session


@dataclass(frozen=True)
class StoreInfo:
    """What a store holds."""

    place: str
    """The file, or the URL without its password."""
    schema: int
    """The number of its tables' layout."""
    runs: int
    debates: int
    """Those that have ended."""
    calls: int
    pieces: int
    """Distinct texts, each stored once."""
    bytes: int
    """What it takes on disk."""


@dataclass(frozen=True)
class RunContent:
    """What of a store belongs to one run, or went with it."""

    run: str
    items: int
    debates: int
    """Those that were begun."""
    messages: int
    calls: int
    pieces: int
    """Texts that no other run lists."""


def store_info(store: str | Path) -> StoreInfo:
    """What the store at a path or URL holds; an older one is brought to this version's tables. Raises UsageError and StoreError."""
    with _opened(store, reading=True) as database:
        runs, debates, calls, pieces = (_count(database, table) for table in (RUNS, DEBATES, CALLS, PIECES))
        size = int(database.scalar(_size(database)) or 0)
        return StoreInfo(shown(store), int(HEAD), runs, debates, calls, pieces, size)


def migrate_store(store: str | Path) -> StoreInfo:
    """Bring a store to this version's tables, and give back the room of what is gone from it. Raises UsageError and StoreError.

    Opening a store brings it up to date as well; here its file becomes smaller too, for which it is written anew: that takes
    as much room again for the moment. A database server gives back room by itself.
    """
    with _opened(store) as database:
        _give_back(database)
    return store_info(store)


def run_content(store: str | Path, run: str) -> RunContent:
    """What would go if the run of that name were deleted. Raises UsageError and StoreError."""
    with _opened(store, reading=True) as database:
        return database.look(partial(_content, run=Reader(database).run_name(run)))


def delete_run(store: str | Path, run: str) -> RunContent:
    """Delete a run, by its name or the beginning of it, in one transaction, and say what went.

    Texts that other runs list stay. The room is free for other runs; `migrate_store` gives it back to the disk. Raises
    UsageError where there is no such run, or where a process is at work on it, and StoreError.
    """
    with _opened(store) as database:
        name = Reader(database).run_name(run)
        if database.look(partial(is_worked, run=name)):
            raise UsageError(f"workers are at work on run {name}; agentdebate stop {name} ends them")
        with hold(store, name):
            session = Session(database, name)
            try:
                session.open()  # on a server this is the run's lock
                return session.write(partial(_delete, run=name))
            finally:
                session.close()


@contextmanager
def _opened(store: str | Path, *, reading: bool = False) -> Iterator[Database]:
    database = open_database(store, reading=reading)
    try:
        yield database
    finally:
        database.close()


def _count(database: Database, table: sa.Table) -> int:
    return int(database.scalar(sa.select(sa.func.count()).select_from(table)))


def _size(database: Database) -> sa.Executable:
    if database.dialect == SERVER:
        return sa.text("SELECT pg_database_size(current_database())")
    return sa.text("SELECT page_count * page_size FROM pragma_page_count, pragma_page_size")


def _content(connection: sa.Connection, run: str) -> RunContent:
    number = number_of(connection, run)

    def count(table: sa.Table, where: "sa.ColumnElement[bool]") -> int:
        query = sa.select(sa.func.count()).select_from(table).where(where)
        return int(connection.execute(query).scalar_one())

    items, debates = (count(table, table.c.run == number) for table in (ITEMS, TALKS))
    messages, calls = (count(table, table.c.talk.in_(_talks(number))) for table in (MESSAGES, CALLS))
    return RunContent(
        run, items, debates, messages, calls, count(PIECES, PIECES.c.number.in_(_own_pieces(number)))
    )


def _delete(connection: sa.Connection, run: str) -> RunContent:
    number = number_of(connection, run)
    if connection.dialect.name == SERVER:
        # Whoever enters pieces at this moment waits: one that goes now must not be listed anew.
        connection.exec_driver_sql("LOCK TABLE pieces IN SHARE ROW EXCLUSIVE MODE")

    def delete(table: sa.Table, where: "sa.ColumnElement[bool]") -> int:
        return connection.execute(table.delete().where(where)).rowcount

    # First, so that SQLite lets no other process write between here and the end.
    connection.execute(RUNS.delete().where(RUNS.c.number == number))
    pieces = delete(PIECES, PIECES.c.number.in_(_own_pieces(number)))
    delete(RUN_PIECES, RUN_PIECES.c.run == number)
    messages, calls, _ = (
        delete(table, table.c.talk.in_(_talks(number))) for table in (MESSAGES, CALLS, SCORES)
    )
    items, debates, *_ = (
        delete(table, table.c.run == number) for table in (ITEMS, TALKS, DEBATES, FOUND, *OF_QUEUES)
    )
    return RunContent(run, items, debates, messages, calls, pieces)


def _talks(number: int) -> "sa.Select[tuple[int]]":
    return sa.select(TALKS.c.number).where(TALKS.c.run == number)


def _own_pieces(number: int) -> "sa.Select[tuple[int]]":
    """The pieces that a run lists, and no other."""
    other = RUN_PIECES.alias("other")
    shared = sa.exists().where(other.c.piece == RUN_PIECES.c.piece, other.c.run != number)
    return sa.select(RUN_PIECES.c.piece).where(RUN_PIECES.c.run == number, ~shared)


def _give_back(database: Database) -> None:
    """Have the file hold no more than what is there. A server does that by itself, in its own time."""
    if database.dialect != SERVER:
        database.look(_vacuum)


def _vacuum(connection: sa.Connection) -> None:
    connection.execution_options(isolation_level="AUTOCOMMIT").exec_driver_sql("VACUUM")
