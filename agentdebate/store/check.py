"""Checking a store: every record is read, texts and prompts are held against their digests, rows are counted, and each run comes to a sum."""

from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import sqlalchemy as sa

from agentdebate.errors import StoreError
from agentdebate.store.address import shown
from agentdebate.store.database import Database
from agentdebate.store.driver import SERVER
from agentdebate.store.engine import open_database
from agentdebate.store.missing_rows import MissingRows
from agentdebate.store.prompt_check import PromptCheck
from agentdebate.store.reader import Reader
from agentdebate.store.run_sum import RunSum, sum_of
from agentdebate.store.schema import RUNS


@dataclass(frozen=True)
class StoreCheck:
    """What reading all of a store came to."""

    place: str
    """The file, or the URL without its password."""
    runs: tuple[RunSum, ...]
    """Those whose rows can all be read."""
    problems: tuple[str, ...]
    """What is damaged; nothing where the store is whole."""


def check_store(store: str | Path, run: str | None = None) -> StoreCheck:
    """Read every record of a store, or of one run, and say what is damaged.

    Runs that come to the same counts and digest in two stores are the same in both. Raises UsageError where there is no such
    store or run, and StoreError where the store cannot be opened.
    """
    database = open_database(store, reading=True)
    reader = Reader(database)
    try:
        names = [reader.run_name(run)] if run else _names(database)
        problems = _of_file(database)
        sums = [total for name in names for total in _read(reader, database, name, problems)]
    finally:
        reader.damage.close()
        database.close()
    return StoreCheck(shown(store), tuple(sums), tuple(dict.fromkeys([*problems, *reader.damage.found])))


def _names(database: Database) -> list[str]:
    return list(database.scalars(sa.select(RUNS.c.id).order_by(RUNS.c.number)))


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
        for records in (reader.rows(run), reader.items(run), reader.said(run)):
            deque(records, maxlen=0)
        problems += PromptCheck(reader, database, run).problems()
        problems += MissingRows(database, run).problems()
        yield sum_of(database, run)
    except StoreError as error:
        problems.append(str(error))
