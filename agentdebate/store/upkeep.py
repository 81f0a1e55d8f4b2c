"""Looking after a store: what is in it, whether it is whole, deleting a run, and giving back the room of what is gone."""

from collections import deque
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import sqlalchemy as sa

from agentdebate.errors import StoreError, UsageError
from agentdebate.store._debates import COSTS, DEBATES, SCORES
from agentdebate.store._documents import DOCUMENTS
from agentdebate.store._in_flight import IN_FLIGHT
from agentdebate.store._runs import FOUND, ITEMS, RUNS, number_of
from agentdebate.store.accounts import ACCOUNTS, BLOCKS
from agentdebate.store.address import shown
from agentdebate.store.crew import QUEUES, WORKERS, is_worked
from agentdebate.store.database import Database
from agentdebate.store.driver import SERVER
from agentdebate.store.engine import open_database
from agentdebate.store.leases import LEASES
from agentdebate.store.lock import hold
from agentdebate.store.reader import Reader
from agentdebate.store.run_copy import RunSum, run_names, sum_of
from agentdebate.store.schema import HEAD
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


@dataclass(frozen=True)
class StoreCheck:
    """What reading all of a store came to."""

    place: str
    """The file, or the URL without its password."""
    runs: tuple[RunSum, ...]
    """Those whose rows can all be read."""
    problems: tuple[str, ...]
    """What is damaged; nothing where the store is whole."""


def store_info(store: str | Path) -> StoreInfo:
    """What the store at a path or URL holds; an older one is brought to this version's tables. Raises UsageError and StoreError."""
    with closing(open_database(store, reading=True)) as database:
        count = partial(_count, database)
        calls = int(database.scalar(sa.select(sa.func.sum(DEBATES.c.asked))) or 0)
        calls += count(IN_FLIGHT, IN_FLIGHT.c.call == sa.true())
        size = int(database.scalar(_size(database)) or 0)
        return StoreInfo(shown(store), int(HEAD), count(RUNS), count(DEBATES), calls, size)


def migrate_store(store: str | Path) -> StoreInfo:
    """Bring a store to this version's tables, and give back the room of what is gone from it. Raises UsageError and StoreError.

    Opening a store brings it up to date as well; here its file becomes smaller too, for which it is written anew: that takes
    as much room again for the moment. A database server gives back room by itself.
    """
    with closing(open_database(store)) as database:
        if database.dialect != SERVER:
            database.look(_vacuum)
    return store_info(store)


def check_store(store: str | Path, run: str | None = None) -> StoreCheck:
    """Read every record of a store, or of one run, and say what is damaged.

    Runs that come to the same counts and digest in two stores are the same in both. Raises UsageError where there is no such
    store or run, and StoreError where the store cannot be opened.
    """
    with closing(open_database(store, reading=True)) as database:
        reader = Reader(database)
        names = [reader.run_name(run)] if run else run_names(database)
        problems = _of_file(database)
        sums = [total for name in names for total in _read(reader, database, name, problems)]
        reader.damage.close()
    return StoreCheck(shown(store), tuple(sums), tuple(dict.fromkeys([*problems, *reader.damage.found])))


def _of_file(database: Database) -> list[str]:
    """What SQLite finds wrong with its file. A server looks after its files itself."""
    if database.dialect == SERVER:
        return []
    found = database.scalars(sa.text("PRAGMA integrity_check"))
    return [f"the file: {problem}" for problem in found if problem != "ok"]


def _read(reader: Reader, database: Database, run: str, problems: list[str]) -> Iterator[RunSum]:
    """Read all of a run; what is wrong goes to the problems, or to the reader's. Gives its sum where that can be taken."""
    try:
        reader.run(run).tasks()
        for records in (reader.rows(run), reader.items(run), reader.said(run), reader.asked(run)):
            deque(records, maxlen=0)
        yield sum_of(database, run)
    except StoreError as error:
        problems.append(str(error))


def run_content(store: str | Path, run: str) -> RunContent:
    """What would go if the run of that name were deleted. Raises UsageError and StoreError."""
    with closing(open_database(store, reading=True)) as database:
        return _content(database, Reader(database).run_name(run))


def delete_run(store: str | Path, run: str) -> RunContent:
    """Delete a run, by its name or the beginning of it, in one transaction, and say what went.

    The room is free for other runs; `migrate_store` gives it back to the disk. Raises UsageError where there is no such run, or
    where a process is at work on it, and StoreError.
    """
    with closing(open_database(store)) as database:
        name = Reader(database).run_name(run)
        if database.look(partial(is_worked, run=name)):
            raise UsageError(f"workers are at work on run {name}; agentdebate stop {name} ends them")
        with hold(store, name), closing(Session(database, name)) as session:
            session.open()  # on a server this is the run's lock
            content = _content(database, name)
            session.write(partial(_delete, run=name))
            return content


def _count(database: Database, table: sa.Table, *where: "sa.ColumnElement[bool]") -> int:
    return int(database.scalar(sa.select(sa.func.count()).select_from(table).where(*where)))


def _size(database: Database) -> sa.Executable:
    if database.dialect == SERVER:
        return sa.text("SELECT pg_database_size(current_database())")
    return sa.text("SELECT page_count * page_size FROM pragma_page_count, pragma_page_size")


def _content(database: Database, run: str) -> RunContent:
    number, reader = database.look(partial(number_of, run=run)), Reader(database)
    ended = sa.select(sa.func.count(), sa.func.sum(DEBATES.c.said)).where(DEBATES.c.run == number)
    debates, said = database.rows(ended)[0]
    going_on = sa.select(sa.func.count(IN_FLIGHT.c.debate.distinct())).where(IN_FLIGHT.c.run == number)
    messages = _count(database, IN_FLIGHT, IN_FLIGHT.c.run == number, IN_FLIGHT.c.call == sa.false())
    return RunContent(
        run,
        reader.count(run, "items"),
        debates + int(database.scalar(going_on)),
        int(said or 0) + messages,
        reader.count(run, "calls"),
    )


def _delete(connection: sa.Connection, run: str) -> None:
    number = number_of(connection, run)
    # First, so that SQLite lets no other process write between here and the end.
    connection.execute(RUNS.delete().where(RUNS.c.number == number))
    of_run = sa.select(DEBATES.c.number).where(DEBATES.c.run == number)
    for table in (DOCUMENTS, SCORES):
        connection.execute(table.delete().where(table.c.debate.in_(of_run)))
    for table in (ITEMS, DEBATES, COSTS, IN_FLIGHT, FOUND, QUEUES, LEASES, WORKERS, ACCOUNTS, BLOCKS):
        connection.execute(table.delete().where(table.c.run == number))


def _vacuum(connection: sa.Connection) -> None:
    alone = connection.execution_options(isolation_level="AUTOCOMMIT")
    alone.exec_driver_sql("PRAGMA auto_vacuum = INCREMENTAL")
    alone.exec_driver_sql("VACUUM")
