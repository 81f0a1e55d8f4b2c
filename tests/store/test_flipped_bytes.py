"""A byte that is changed in a store, in any text of a debate: `store check` finds it, and names the debate."""

import random
import shutil
import sqlite3
from contextlib import closing
from typing import Any

import pytest
from small_runs import call, said

import agentdebate as ad
from agentdebate.store.upkeep import check_store
from agentdebate.store.writer import rewrite_run

STORE, COPY = "runs.db", "copy.db"
FIELDS = {"source": "The bridge closes in March.", "summary": "A bridge closes."}

FOUND = [
    *(("documents", name) for name in ("talk", "calls", "talk_sum", "calls_sum")),
    *(("items", name) for name in ("id", "data")),
    ("in_flight", "entry"),
]
"""Columns in which a changed byte is found: texts. Nothing says what was in the narrow ones, which are read as they are."""


@pytest.fixture
async def run() -> str:
    """A run with two debates that have ended, and one that is being held."""
    items = [
        ad.Item(
            id=f"i{n}", task="summarization", fields=FIELDS, group="g", system="s", human={"coherence": 2.5}
        )
        for n in range(2)
    ]
    async with ad.evaluate(items, "debate", store=STORE, aspects="coherence") as held:
        assert len([record async for record in held]) == 2
    assert held.id is not None
    async with rewrite_run(STORE, held.id) as writer:
        writer.open("i9/coherence").message(said())
        await writer.open("i9/coherence").call(2, call())
    assert check_store(STORE).problems == ()
    return held.id


def flipped(value: Any, rng: random.Random) -> Any:
    """A value of which one bit of one byte is another one."""
    if isinstance(value, int):
        return value ^ (1 << rng.randrange(8))
    data = bytearray(value.encode() if isinstance(value, str) else value)
    data[rng.randrange(len(data))] ^= 1 << rng.randrange(7)
    return bytes(data).decode("utf-8", "replace") if isinstance(value, str) else bytes(data)


def rows_of(table: str, column: str) -> list[tuple[int, Any]]:
    """The rows of a table by their numbers, with what is in a column."""
    with closing(sqlite3.connect(STORE)) as there:
        return there.execute(f"select rowid, {column} from {table} order by rowid").fetchall()


def change(table: str, column: str, row: int, value: Any) -> None:
    """Change a column in a row of a copy of the store."""
    shutil.copy(STORE, COPY)
    with closing(sqlite3.connect(COPY, isolation_level=None)) as there:
        there.execute(f"update {table} set {column} = ? where rowid = ?", (value, row))


@pytest.mark.parametrize(("table", "column"), FOUND, ids=lambda one: one)
@pytest.mark.usefixtures("run")
def test_a_check_finds_a_changed_byte(table: str, column: str) -> None:
    rng, rows = random.Random(f"{table} {column}"), rows_of(table, column)
    for _ in range(6):
        place, value = rng.choice(rows)
        new = flipped(value, rng)
        try:
            change(table, column, place, new)
        except sqlite3.IntegrityError:  # another row has that key
            continue
        assert check_store(COPY).problems, f"{table}.{column} was {value!r}, and is {new!r}"
