"""Deleting runs: all of a run goes, nothing of any other one, and a run that somebody writes stays."""

import random
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from run_locks import hold

from agentdebate.errors import UsageError
from agentdebate.models.function import Function
from agentdebate.runs.evaluation import evaluate
from agentdebate.store.reader import read_store
from agentdebate.store.schema import HEAD
from agentdebate.store.upkeep import delete_run, store_info
from agentdebate.tasks import Item

LONG = "A bridge at Kelby closes for eleven weeks, since it has to be repaired before the summer comes. "
TABLES = ("runs", "items", "debates", "documents", "scores", "costs", "in_flight", "found")


async def judged(word: str, store: str = "runs.db") -> str:
    """A run whose replies have a word of their own, about an item that other runs judge too."""
    model = Function("m", lambda _: f"{LONG} {word}\n\nFluency: 4")
    item = Item(
        id="i1", task="summarization", fields={"source": LONG * 3, "summary": LONG * 2}, human={"fluency": 2}
    )
    async with evaluate([item], "solo", model=model, aspects="fluency", store=store) as run:
        (record,) = [record async for record in run]
    assert record.verdict is not None
    return run.id or ""


def counted(store: str = "runs.db") -> dict[str, int]:
    with closing(sqlite3.connect(store)) as there:
        return {table: there.execute(f"select count(*) from {table}").fetchone()[0] for table in TABLES}


def everything(store: str, run: str) -> list[object]:
    with read_store(store) as reader:
        return [reader.run(run), *reader.rows(run), *reader.said(run), *reader.asked(run), *reader.items(run)]


async def test_a_run_goes_with_all_that_is_its_own_and_nothing_else() -> None:
    one, alone = await judged("one"), counted()
    before = everything("runs.db", one)
    two = await judged("two")
    gone = delete_run("runs.db", two)
    assert (gone.run, gone.items, gone.debates, gone.calls) == (two, 1, 1, 1)
    assert counted() == alone
    assert everything("runs.db", one) == before
    with pytest.raises(UsageError, match="there is no run"):
        delete_run("runs.db", two)


async def test_a_run_that_a_process_writes_is_not_deleted() -> None:
    run = await judged("one")
    before = counted()
    with hold("runs.db", run), pytest.raises(UsageError, match="process is at work"):
        delete_run("runs.db", run)
    assert counted() == before


def size_of(store: str) -> int:
    there = Path(store).stat()
    assert there.st_mode & 0o777 == 0o600
    return there.st_size


async def test_the_room_of_a_deleted_run_is_given_back() -> None:
    await judged("one")
    small = size_of("runs.db")
    for seed in range(3):
        await judged(random.Random(seed).randbytes(90_000).hex())
    assert size_of("runs.db") > 2 * small
    for _ in range(3):
        delete_run("runs.db", "last")
    info = store_info("runs.db")
    assert (info.runs, info.debates, info.calls, info.schema) == (1, 1, 1, int(HEAD))
    assert info.bytes == pytest.approx(small, rel=0.3)
