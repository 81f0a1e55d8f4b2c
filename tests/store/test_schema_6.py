"""Stores of schema 6 in which a record is damaged: it is left out and named, and all the rest is brought over."""

import gzip
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from agentdebate.store.reader import read_store
from agentdebate.store.upkeep import check_store

FIXTURE = Path(__file__).parent.parent / "contract" / "held" / "fixtures" / "strategies.db.gz"
DAMAGES = {
    "UPDATE messages SET texts = '[]' WHERE rowid = 1": "it has more places for texts than it lists",
    "UPDATE messages SET data = '{x' WHERE rowid = 5": "Expecting property name",
    """UPDATE calls SET prompt = '{"as":1,"keep":[90,1],"then":[1]}' WHERE rowid = (SELECT max(rowid) FROM calls)""": (
        "list index out of range"
    ),
    "UPDATE calls SET completion = '{}' WHERE rowid = 1": "more texts than it has places for",
}


def debates(store: str) -> int:
    with read_store(store) as reader:
        return sum(len(list(reader.rows(run.id))) for run in reader.runs())


@pytest.mark.parametrize(("damage", "problem"), DAMAGES.items())
def test_a_damaged_record_of_an_older_store_is_named_and_the_rest_is_brought_over(
    damage: str, problem: str, caplog: pytest.LogCaptureFixture
) -> None:
    for name in ("whole.db", "old.db"):
        Path(name).write_bytes(gzip.decompress(FIXTURE.read_bytes()))
    with closing(sqlite3.connect("old.db")) as file, file:
        assert file.execute(damage).rowcount == 1
    assert debates("old.db") == debates("whole.db") - 1
    (said,) = [one.getMessage() for one in caplog.records if "is damaged" in one.getMessage()]
    assert said.startswith("the store old.db: run ")
    assert problem in said
    assert check_store("old.db").problems == ()
