"""Copying runs from one store to another, from a file to a database server and back, each whole or not at all."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import sqlalchemy as sa

from agentdebate.errors import StoreError, UsageError
from agentdebate.store.address import shown
from agentdebate.store.crew import is_worked
from agentdebate.store.database import Database
from agentdebate.store.engine import open_database
from agentdebate.store.entry import enter_run
from agentdebate.store.later_lists import own_pieces
from agentdebate.store.lock import hold, is_held
from agentdebate.store.piece_table import enter_pieces
from agentdebate.store.pieces import digest
from agentdebate.store.reader import Reader
from agentdebate.store.run_rows import CARRIED, batches_of, of_talks, pieces_listed
from agentdebate.store.run_sum import RunSum, sum_of
from agentdebate.store.schema import LISTING, PIECES, RUNS, TALKS
from agentdebate.store.session import Session
from agentdebate.store.statements import batches, insert_rows, rows_of

_KEPT = 200_000
"""Numbers of texts that are kept in memory."""


@dataclass(frozen=True)
class CopiedRun:
    """A run that is in both stores now."""

    content: RunSum
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
    with _opened(store, reading=True) as source:
        names = _names(source, run)
        for name in names:
            _check_left(source, store, name)
        copied = []
        with _opened(to, create=True) as target:
            for name in names:
                with hold(to, name):
                    copied.append(_copied(source, target, name))
                told(copied[-1])
        return copied


def _check_left(source: Database, store: str | Path, run: str) -> None:
    if is_held(store, run):
        raise UsageError(f"a process is at work on run {run}: wait for it, or stop it, and copy then")
    if source.look(partial(is_worked, run=run)):
        raise UsageError(f"workers are at work on run {run}: agentdebate stop {run} ends them; copy then")


def _names(source: Database, run: str | None) -> list[str]:
    if run is not None:
        return [Reader(source).run_name(run)]
    return list(source.scalars(sa.select(RUNS.c.id).order_by(RUNS.c.number)))


def _same(one: str | Path, other: str | Path) -> bool:
    if "://" in str(one) or "://" in str(other):
        return str(one) == str(other)
    return Path(one).resolve() == Path(other).resolve()


@contextmanager
def _opened(store: str | Path, *, create: bool = False, reading: bool = False) -> Iterator[Database]:
    database = open_database(store, create=create, reading=reading)
    try:
        yield database
    finally:
        database.close()


def _copied(source: Database, target: Database, run: str) -> CopiedRun:
    content = sum_of(source, run)
    if target.scalars(sa.select(RUNS.c.number).where(RUNS.c.id == run)):
        if sum_of(target, run) != content:
            raise UsageError(
                f"{target.place} has a run {run} with other content than {source.place}; delete it there to have it "
                "copied, or keep it"
            )
        return CopiedRun(content, was_there=True)
    session = Session(target, run)
    try:
        session.open()  # on a server this is the run's lock
        session.write(partial(_enter, source=source, run=run))
        arrived = sum_of(target, run)
        if arrived != content:
            raise StoreError(
                f"run {run} is not the same in {target.place} as in {source.place}: delete it there and try again"
            )
    finally:
        session.close()
    return CopiedRun(content, was_there=False)


def _enter(connection: sa.Connection, *, source: Database, run: str) -> None:
    """Enter all rows of a run, in the transaction of the connection."""
    head = source.look(
        lambda reading: dict(reading.execute(sa.select(RUNS).where(RUNS.c.id == run)).mappings().one())
    )
    old = head.pop("number")
    new = enter_run(connection, head)
    pieces = _Pieces(source, connection, new)
    for table in CARRIED:
        for rows in batches_of(source, table, old):
            insert_rows(connection, table, _renumbered(connection, table, rows, new, pieces.of(table, rows)))


def _renumbered(
    connection: sa.Connection,
    table: sa.Table,
    rows: Sequence[dict[str, Any]],
    run: int,
    pieces: Mapping[int, int],
) -> list[dict[str, Any]]:
    """The rows by the numbers of the database that they go to."""
    talks: Mapping[str, int] = {}
    if of_talks(table):
        debates = list(dict.fromkeys(row["of_debate"] for row in rows))
        talks = dict(rows_of(connection, TALKS.c.debate, TALKS.c.number, debates, (TALKS.c.run, run)))
    return [_row(table, row, run, talks, pieces) for row in rows]


def _row(
    table: sa.Table, row: dict[str, Any], run: int, talks: Mapping[str, int], pieces: Mapping[int, int]
) -> dict[str, Any]:
    new = {column.name: row[column.name] for column in table.c}
    if "run" in new:
        new["run"] = run
    if "talk" in new:
        new["talk"] = talks[row["of_debate"]]
    if table is TALKS:
        del new["number"]
    for name in LISTING[table]:
        if new[name] is not None:
            own = own_pieces(new[name])
            texts = [
                [pieces[part] if isinstance(part, int) else part for part in parts] for parts in own.texts
            ]
            new[name] = own._replace(texts=texts).encoded()
    return new


class _Pieces:
    """Takes the texts that rows list along, and knows by which numbers they go in the other store."""

    def __init__(self, source: Database, connection: sa.Connection, run: int) -> None:
        self._source, self._connection, self._run = source, connection, run
        self._numbers: dict[int, int] = {}

    def of(self, table: sa.Table, rows: Sequence[dict[str, Any]]) -> Mapping[int, int]:
        """The new numbers of all texts that the rows list."""
        wanted = pieces_listed(table, rows)
        if len(self._numbers) > _KEPT:
            self._numbers = {}
        for some in batches(sorted(wanted - self._numbers.keys())):
            query = sa.select(PIECES.c.number, PIECES.c.digest, PIECES.c.text).where(
                PIECES.c.number.in_(some)
            )
            texts = {number: _checked(self._source.place, *row) for number, *row in self._source.rows(query)}
            entered = enter_pieces(self._connection, self._run, dict.fromkeys(texts.values()))
            self._numbers.update({number: entered[text] for number, text in texts.items()})
        return self._numbers


def _checked(place: str, value: bytes, text: str) -> str:
    if digest(text) != bytes(value):
        raise StoreError(
            f"the store {place} has a text that is not the one that was stored under its digest; store check says which records show it"
        )
    return text
