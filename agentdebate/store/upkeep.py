"""Looking after a store: what is in it, whether it is whole, copying runs to another store, and deleting them."""

import os
from collections import deque
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import sqlalchemy as sa

from agentdebate.errors import StoreError, UsageError
from agentdebate.store.damage import naming
from agentdebate.store.database import SERVER, Database
from agentdebate.store.debate_writer import delete_debates, enter_debates
from agentdebate.store.documents import document_row
from agentdebate.store.engine import open_database
from agentdebate.store.place import shown
from agentdebate.store.reader import DOCUMENTS_AT_ONCE, Reader, selected, state_of
from agentdebate.store.rows import document_lines
from agentdebate.store.schema import (
    COSTS,
    DEBATES,
    DOCUMENTS,
    FOUND,
    HEAD,
    IN_FLIGHT,
    ITEMS,
    LEASES,
    QUEUES,
    RUNS,
    SAME_ITEM,
    SCORES,
    WORKERS,
    batches,
    enter_run,
    insert_rows,
    number_of,
)
from agentdebate.store.session import Session

_OF_RUN = (ITEMS, IN_FLIGHT, FOUND, QUEUES, LEASES)
"""The tables whose rows are a run's own, beside its debates. Workers, and what they share, stay behind where a run is copied."""

Row = dict[str, Any]


@dataclass(frozen=True)
class RunContent:
    """Amount of a store's content that belongs to one run."""

    run: str
    items: int
    debates: int
    """Debates that were begun."""
    messages: int
    """Messages of debates that have ended."""
    calls: int


def copy_runs(store: str | Path, to: str | Path, run: str | None = None) -> list[RunContent]:
    """Copy a run, or every run, of a store to another one, which is made where it does not exist; both have them then.

    Each run goes over in one transaction. So a copy that was stopped can be begun again: what is there already is left alone.
    The queue of a run goes over with its debates that have not ended, which anybody may take there; leases and workers do not.

    Raises UsageError where there is no such run, where a process is at work on it, where the two stores are one, and where the
    other store has a run of that name with other content; StoreError where a store cannot be read or written, and for a record
    that is damaged.
    """
    if os.path.realpath(store) == os.path.realpath(to):
        raise UsageError(f"{shown(to)} is the store itself: name another one to copy to")
    with closing(open_database(store, reading=True)) as source:
        names = run_names(source) if run is None else [Reader(source).run_name(run)]
        for name in names:
            _check_left(source, name, "copy")
        with closing(open_database(to, create=True)) as target:
            return [_copied(source, target, name) for name in names]


def run_names(database: Database) -> list[str]:
    """The names of all runs, in the order in which they were begun."""
    return list(map(str, database.scalars(sa.select(RUNS.c.id).order_by(RUNS.c.number))))


def _check_left(database: Database, run: str, wanted: str) -> None:
    """Raise UsageError where a process is at work on a run."""
    if state_of(Reader(database), run) in ("running", "stopping"):
        raise UsageError(
            f"a process is at work on run {run}: wait for it, or stop it (workers: agentdebate stop {run}), and {wanted} it then"
        )


def _copied(source: Database, target: Database, run: str) -> RunContent:
    content = _content(source, run)
    if run not in run_names(target):
        with naming(source.place), closing(Session(target, run)) as session:
            session.open()
            session.write(partial(_enter, source=source, run=run))
    elif _content(target, run) != content:
        raise UsageError(
            f"{target.place} has a run {run} with other content than {source.place}; delete it there to have it copied, or keep it"
        )
    return content


def _enter(connection: sa.Connection, *, source: Database, run: str) -> None:
    """Enter all rows of a run, in the transaction of the connection."""
    (head,) = map(dict, source.stream(sa.select(RUNS).where(RUNS.c.id == run)))
    old = head.pop("number")
    new, numbers = enter_run(connection, head), dict[int, int]()
    for rows in _rows(source, DEBATES, old):
        entered = enter_debates(connection, [_unnumbered(row) | {"run": new} for row in rows])
        numbers.update((row["number"], entered[row["id"]][0]) for row in rows)
    for table in _OF_RUN:
        for rows in _rows(source, table, old):
            insert_rows(connection, table, [_as_new(table, row) | {"run": new} for row in rows])
    for table in (SCORES, COSTS):
        for rows in _rows(source, table, old):
            known = [
                {**row, "run": new, "debate": numbers[row["debate"]]}
                for row in rows
                if row["debate"] in numbers
            ]
            insert_rows(connection, table, known)
    query = sa.select(DEBATES.c.id, DEBATES.c.number, DOCUMENTS, ITEMS.c.data).where(DEBATES.c.run == old)
    query = query.outerjoin(DOCUMENTS, DOCUMENTS.c.debate == DEBATES.c.number).outerjoin(ITEMS, SAME_ITEM)
    for row in source.stream(query, DOCUMENTS_AT_ONCE):
        documents = _documents(run, row, connection.dialect.name)
        insert_rows(connection, DOCUMENTS, [{**documents, "debate": numbers[row["number"]]}])


def _rows(source: Database, table: sa.Table, run: int) -> Iterator[list[Row]]:
    """The rows of a run in a table, some at a time."""
    query = sa.select(table).where(table.c.run == run).order_by(*table.primary_key)
    return batches(map(dict, source.stream(query)))


def _unnumbered(row: Row) -> Row:
    return {name: value for name, value in row.items() if name != "number"}


def _as_new(table: sa.Table, row: Row) -> Row:
    """A row as another store has it: there no worker holds a debate, and lines are numbered as they come."""
    if table is LEASES:
        return row | {"worker": None, "token": 0}
    return _unnumbered(row) if table is IN_FLIGHT else row


def _documents(run: str, row: sa.RowMapping, dialect: str) -> Row:
    """The documents of a debate as another database keeps them. Raises StoreError where they are damaged."""
    talk, calls = ("\n".join(document_lines(run, row, name)) for name in ("talk", "calls"))
    return document_row(talk, calls, dialect, row["data"])


@dataclass(frozen=True)
class StoreInfo:
    """Summary of a store's content."""

    place: str
    """The file, or the URL without its password."""
    schema: int
    """The number of its tables' layout."""
    runs: int
    debates: int
    """Debates that were begun."""
    calls: int
    bytes: int
    """Size on disk."""


@dataclass(frozen=True)
class StoreCheck:
    """Result of reading all of a store."""

    place: str
    """The file, or the URL without its password."""
    runs: tuple[RunContent, ...]
    """Debates whose rows can all be read."""
    problems: tuple[str, ...]
    """Problems that were found; empty where the store is whole."""


def store_info(store: str | Path) -> StoreInfo:
    """Summarise the store at a path or URL; an older one is brought to this version's tables. Raises UsageError and StoreError."""
    with closing(open_database(store, reading=True)) as database:
        contents = [_content(database, run) for run in run_names(database)]
        size = "SELECT page_count * page_size FROM pragma_page_count, pragma_page_size"
        if database.dialect == SERVER:
            size = "SELECT pg_database_size(current_database())"
        taken = int(database.scalar(sa.text(size)))
    debates, calls = sum(one.debates for one in contents), sum(one.calls for one in contents)
    return StoreInfo(shown(store), int(HEAD), len(contents), debates, calls, taken)


def check_store(store: str | Path, run: str | None = None) -> StoreCheck:
    """Read every record of a store, or of one run, and say what is damaged: what cannot be read, and documents that are not what was stored.

    Raises UsageError where there is no such store or run, and StoreError where the store cannot be opened.
    """
    with closing(open_database(store, reading=True)) as database:
        reader = Reader(database)
        problems, contents = list(_of_file(database)), list[RunContent]()
        for name in [reader.run_name(run)] if run else run_names(database):
            try:
                reader.run(name).tasks()
                for records in (reader.rows(name), reader.items(name), reader.said(name), reader.asked(name)):
                    deque(records, maxlen=0)
                contents.append(_content(database, name))
            except StoreError as error:
                problems.append(str(error))
    return StoreCheck(shown(store), tuple(contents), tuple(dict.fromkeys([*problems, *reader.damage.found])))


def _of_file(database: Database) -> Iterator[str]:
    """The problems that SQLite finds in its file. A server looks after its files itself."""
    if database.dialect != SERVER:
        found = database.scalars(sa.text("PRAGMA integrity_check"))
        yield from (f"the file: {problem}" for problem in found if problem != "ok")


def delete_run(store: str | Path, run: str) -> RunContent:
    """Delete a run, by its name or the beginning of it, in one transaction, and say what went.

    A file gives the room back to the disk. Raises UsageError where there is no such run, or where a process is at work on it,
    and StoreError.
    """
    with closing(open_database(store)) as database:
        name = Reader(database).run_name(run)
        _check_left(database, name, "delete")
        with closing(Session(database, name)) as session:
            session.open()
            content = _content(database, name)
            session.write(partial(_delete, run=name))
        database.give_back()
        return content


def _content(database: Database, run: str) -> RunContent:
    sums = (sa.func.coalesce(sa.func.sum(DEBATES.c[name]), 0) for name in ("said", "asked"))
    (ended,) = database.rows(selected(run, sa.func.count(), *sums, table=DEBATES))
    counts = sa.func.count(IN_FLIGHT.c.debate.distinct()), sa.func.count().filter(IN_FLIGHT.c.call)
    ((debates, calls),) = database.rows(selected(run, *counts, table=IN_FLIGHT))
    items = Reader(database).count(run, ITEMS)
    return RunContent(run, items, ended[0] + debates, int(ended[1]), int(ended[2]) + calls)


def _delete(connection: sa.Connection, run: str) -> None:
    if connection.dialect.name == "sqlite":  # texts that people wanted deleted are overwritten
        connection.exec_driver_sql("PRAGMA secure_delete = ON")
    number = number_of(connection, run)
    delete_debates(connection, number)
    for table in (*_OF_RUN, WORKERS):
        connection.execute(table.delete().where(table.c.run == number))
    connection.execute(RUNS.delete().where(RUNS.c.number == number))
