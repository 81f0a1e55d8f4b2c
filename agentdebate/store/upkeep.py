"""Looking after a store: what is in it, whether it is whole, copying runs to another store, deleting them, and giving back room.

Databases number runs and debates as they come, and compress as they do. So a run is carried, and its digest is taken, by the debates' ids
and the texts of documents; a digest adds up over the rows, so that their order does not count.
"""

import hashlib
import json
from collections import Counter, deque
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing
from dataclasses import dataclass
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Any

import sqlalchemy as sa

from agentdebate.errors import StoreError, UsageError
from agentdebate.store._debates import COSTS, DEBATES, SCORES, numbers_of
from agentdebate.store._in_flight import (
    DOCUMENTS,
    IN_FLIGHT,
    document_row,
    line_in,
    line_row,
    packed,
    unpacked,
)
from agentdebate.store._runs import FOUND, ITEMS, RUNS, enter_run, number_of
from agentdebate.store.accounts import SHARED
from agentdebate.store.crew import LEASES, QUEUES, WORKERS, is_worked
from agentdebate.store.damage import reading
from agentdebate.store.database import Database, Session, Unread
from agentdebate.store.differences import differences
from agentdebate.store.driver import SERVER
from agentdebate.store.engine import open_database
from agentdebate.store.lock import hold, is_held
from agentdebate.store.place import shown
from agentdebate.store.reader import Reader
from agentdebate.store.schema import HEAD, insert_rows

CARRIED = (ITEMS, DEBATES, DOCUMENTS, SCORES, COSTS, IN_FLIGHT, FOUND, QUEUES, LEASES)
"""The tables whose rows are a run's own, in an order in which they can be entered. Workers, and what they share, stay behind."""

_LEFT: Mapping[sa.Table, Mapping[str, Any]] = {
    LEASES: {"worker": None, "token": 0},
}
"""What a row says elsewhere of what holds in its own store alone: who holds a debate."""

_OF_DEBATES = frozenset({DOCUMENTS, SCORES, COSTS})
_NUMBERED = frozenset({DEBATES, IN_FLIGHT})
_OWN = frozenset({"run", "talk_sum", "calls_sum"})
"""Columns that each database gives itself; so are the numbers of debates, and of what is in flight."""

_BATCH = 50
_SIZE = 16

Row = dict[str, Any]


@dataclass(frozen=True)
class RunContent:
    """How much of a store belongs to one run."""

    run: str
    items: int
    debates: int
    """Those that were begun."""
    messages: int
    calls: int
    digest: str | None = None
    """32 hexadecimal digits, the same in every store that holds the same; None where only the counts were asked for."""


@dataclass(frozen=True)
class CopiedRun:
    """A run that is in both stores now."""

    content: RunContent
    """What it comes to, which was counted in both."""
    was_there: bool
    """Whether the other store held it already."""


def copy_runs(
    store: str | Path,
    to: str | Path,
    run: str | None = None,
    *,
    told: Callable[[CopiedRun], object] = lambda _: None,
) -> list[CopiedRun]:
    """Copy a run, or every run, of a store to another one, which is made where it does not exist.

    Each run goes over in one transaction, and counts only where its rows and their digest are the same in both stores. So
    a copy that was stopped can be begun again: what is there already is compared and left alone. `told` is called after each run.
    The queue of a run goes over with its debates that have not ended, which anybody may take there; leases and workers do not.

    Raises UsageError where there is no such run, where a process is at work on it, where the two stores are one, and where the
    other store has a run of that name with other content; StoreError where a store cannot be read or written.
    """
    if _same(store, to):
        raise UsageError(f"{shown(to)} is the store itself: name another one to copy to")
    with closing(open_database(store, reading=True)) as source:
        names = [Reader(source).run_name(run)] if run is not None else run_names(source)
        for name in names:
            if is_held(store, name):
                raise UsageError(
                    f"a process is at work on run {name}: wait for it, or stop it, and copy then"
                )
            _check_left(source, name, "copy")
        copied = []
        with closing(open_database(to, create=True)) as target:
            for name in names:
                with hold(to, name):
                    copied.append(_copied(source, target, name))
                told(copied[-1])
        return copied


def run_names(database: Database) -> list[str]:
    """The names of all runs, in the order in which they were begun."""
    return list(map(str, database.scalars(sa.select(RUNS.c.id).order_by(RUNS.c.number))))


def _check_left(database: Database, run: str, wanted: str) -> None:
    """Raise UsageError where workers are at work on a run of a queue."""
    if database.look(partial(is_worked, run=run)):
        raise UsageError(
            f"workers are at work on run {run}: agentdebate stop {run} ends them; {wanted} it then"
        )


def _same(one: str | Path, other: str | Path) -> bool:
    places = [str(store) if "://" in str(store) else str(Path(store).resolve()) for store in (one, other)]
    return places[0] == places[1]


def _copied(source: Database, target: Database, run: str) -> CopiedRun:
    content = sum_of(source, run)
    if target.scalars(sa.select(RUNS.c.number).where(RUNS.c.id == run)):
        if sum_of(target, run) != content:
            raise UsageError(
                f"{target.place} has a run {run} with other content than {source.place}; delete it there to have it "
                "copied, or keep it"
            )
        return CopiedRun(content, was_there=True)
    with closing(Session(target, run)) as session:
        session.open()  # on a server this is the run's lock
        session.write(partial(_enter, source=source, run=run))
        if sum_of(target, run) != content:
            raise StoreError(
                f"run {run} is not the same in {target.place} as in {source.place}: delete it there and try again"
            )
    return CopiedRun(content, was_there=False)


def _enter(connection: sa.Connection, *, source: Database, run: str) -> None:
    """Enter all rows of a run, in the transaction of the connection."""
    head = _head(source, run)
    old = head.pop("number")
    new = enter_run(connection, head)
    for table in CARRIED:
        for rows in _batches(source, table, run, old):
            numbers = numbers_of(connection, new, {row["of_debate"] for row in rows if "of_debate" in row})
            dialect = connection.dialect.name
            insert_rows(connection, table, [_stored(dialect, table, row, new, numbers) for row in rows])


def _stored(dialect: str, table: sa.Table, row: Row, run: int, numbers: Mapping[str, int]) -> Row:
    """A row as the database has it that it goes to."""
    own = {"run": run, "debate": numbers[row.pop("of_debate")]} if "of_debate" in row else {"run": run}
    if table is DOCUMENTS:
        return document_row(own["debate"], row["talk"], row["calls"], dialect)
    if table is IN_FLIGHT:
        row = line_row(row["debate"], row["place"], row["entry"], call=row["call"])
    if table is ITEMS:
        row["data"] = packed(row["data"])
    return row | own


def sum_of(database: Database, run: str) -> RunContent:
    """What a run of that id comes to. Raises StoreError where a row of it cannot be read."""
    head = _head(database, run)
    counts = Counter[str]()
    total = _digest(RUNS, {name: value for name, value in head.items() if name != "number"})
    begun = set[str]()
    for table in CARRIED:
        for rows in _batches(database, table, run, head["number"]):
            total += sum(_digest(table, row) for row in rows)
            counts[table.name] += len(rows)
            if table is DEBATES:
                counts.update(
                    messages=sum(row["said"] for row in rows), calls=sum(row["asked"] for row in rows)
                )
            elif table is IN_FLIGHT:
                begun.update(row["debate"] for row in rows)
                counts.update("calls" if row["call"] else "messages" for row in rows)
    digest = (total % (1 << 8 * _SIZE)).to_bytes(_SIZE, "big").hex()
    debates = counts["debates"] + len(begun)
    return RunContent(run, counts["items"], debates, counts["messages"], counts["calls"], digest)


def _head(database: Database, run: str) -> Row:
    query = sa.select(RUNS).where(RUNS.c.id == run)
    return database.look(lambda connection: dict(connection.execute(query).mappings().one()))


def _digest(table: sa.Table, row: Row) -> int:
    """The digest of one row as a number."""
    text = json.dumps([table.name, *sorted(row.items())], default=repr)
    return int.from_bytes(hashlib.blake2b(text.encode(), digest_size=_SIZE).digest(), "big")


def _batches(database: Database, table: sa.Table, run: str, number: int) -> Iterator[list[Row]]:
    """The rows of a run in a table, some at a time, without numbers of the database's own. Raises StoreError where one cannot be read."""
    query = sa.select(table).order_by(*table.primary_key)
    if table in _OF_DEBATES:
        query = query.add_columns(DEBATES.c.id.label("of_debate")).join(
            DEBATES, DEBATES.c.number == table.c.debate
        )
        query = query.where(DEBATES.c.run == number)
    else:
        query = query.where(table.c.run == number)
    rows = database.stream(query, list(table.primary_key), _BATCH)
    while some := list(islice(rows, _BATCH)):
        yield [_carried(database, table, run, row) for row in some]


def _carried(database: Database, table: sa.Table, run: str, row: sa.RowMapping | Unread) -> Row:
    """A row as every database has it."""
    if isinstance(row, Unread):
        raise StoreError(
            f"the store {database.place}: a row of {table.name} is damaged: {row.problem}; store check lists what is"
        )
    own = _OWN | ({"debate"} if table in _OF_DEBATES else {"number"} if table in _NUMBERED else set())
    plain = {name: value for name, value in row.items() if name not in own}
    if table is IN_FLIGHT:
        with reading(run, f"the debate {row['debate']!r}"):
            plain["entry"] = line_in(row["entry"])
    elif table is DOCUMENTS:
        with reading(run, f"the debate {row['of_debate']!r}"):
            plain |= {name: unpacked(row[name], row[f"{name}_sum"]) for name in ("talk", "calls")}
    elif table is ITEMS:
        with reading(run, f"the item {row['id']!r}"):
            plain["data"] = unpacked(row["data"])
    return {**plain, **_LEFT.get(table, {})}


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
class StoreCheck:
    """What reading all of a store came to."""

    place: str
    """The file, or the URL without its password."""
    runs: tuple[RunContent, ...]
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
    """Read every record of a store, or of one run, and say what is damaged, or differs from what follows from other records.

    Runs that come to the same counts and digest in two stores are the same in both. Raises UsageError where there is no such
    store or run, and StoreError where the store cannot be opened.
    """
    with closing(open_database(store, reading=True)) as database:
        reader = Reader(database)
        names = [reader.run_name(run)] if run else run_names(database)
        problems = _of_file(database)
        sums = [total for name in names for total in _checked(reader, name, problems)]
        reader.damage.close()
    return StoreCheck(shown(store), tuple(sums), tuple(dict.fromkeys([*problems, *reader.damage.found])))


def _of_file(database: Database) -> list[str]:
    """The problems that SQLite finds in its file. A server looks after its files itself."""
    if database.dialect == SERVER:
        return []
    found = database.scalars(sa.text("PRAGMA integrity_check"))
    return [f"the file: {problem}" for problem in found if problem != "ok"]


def _checked(reader: Reader, run: str, problems: list[str]) -> Iterator[RunContent]:
    """Read all of a run; what is wrong goes to the problems, or to the reader's. Gives its sum where that can be taken."""
    try:
        reader.run(run).tasks()
        for records in (reader.rows(run), reader.items(run), reader.said(run), reader.asked(run)):
            deque(records, maxlen=0)
        problems += differences(reader.database, run)
        yield sum_of(reader.database, run)
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
        _check_left(database, name, "delete")
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
    said = sa.select(sa.func.sum(DEBATES.c.said)).where(DEBATES.c.run == number)
    begun = sa.select(sa.func.count(IN_FLIGHT.c.debate.distinct())).where(IN_FLIGHT.c.run == number)
    in_flight = _count(database, IN_FLIGHT, IN_FLIGHT.c.run == number, IN_FLIGHT.c.call == sa.false())
    return RunContent(
        run,
        items=reader.count(run, "items"),
        debates=reader.count(run, "debates") + int(database.scalar(begun)),
        messages=int(database.scalar(said) or 0) + in_flight,
        calls=reader.count(run, "calls"),
    )


def _delete(connection: sa.Connection, run: str) -> None:
    number = number_of(connection, run)
    # First, so that SQLite lets no other process write between here and the end.
    connection.execute(RUNS.delete().where(RUNS.c.number == number))
    of_run = sa.select(DEBATES.c.number).where(DEBATES.c.run == number)
    for table in (DOCUMENTS, SCORES):
        connection.execute(table.delete().where(table.c.debate.in_(of_run)))
    for table in (ITEMS, DEBATES, COSTS, IN_FLIGHT, FOUND, QUEUES, LEASES, WORKERS, *SHARED):
        connection.execute(table.delete().where(table.c.run == number))


def _vacuum(connection: sa.Connection) -> None:
    alone = connection.execution_options(isolation_level="AUTOCOMMIT")
    alone.exec_driver_sql("PRAGMA auto_vacuum = INCREMENTAL")
    alone.exec_driver_sql("VACUUM")
