"""Stores of schema 6 in which something is damaged: nothing is changed in them, and the error says what and where."""

import gzip
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from agentdebate.errors import StoreError
from agentdebate.store.engine import open_database

FIXTURE = Path(__file__).parent.parent / "contract" / "held" / "fixtures" / "strategies.db.gz"
DAMAGES = {
    "UPDATE messages SET texts = '[]' WHERE rowid = 1": "it has more places for texts than it lists",
    "UPDATE messages SET data = '{x' WHERE rowid = 5": "it is not JSON",
    "DELETE FROM pieces WHERE number = 1": "1 is missing",
    """UPDATE calls SET prompt = '{"as":1,"keep":[90,1],"then":[1]}' WHERE rowid = (SELECT max(rowid) FROM calls)""": (
        "a prompt goes on from an earlier one behind its end"
    ),
}


@pytest.mark.parametrize(("damage", "problem"), DAMAGES.items())
def test_a_damaged_record_of_an_older_store_is_named_and_the_store_stays_as_it_was(
    damage: str, problem: str
) -> None:
    Path("old.db").write_bytes(gzip.decompress(FIXTURE.read_bytes()))
    with closing(sqlite3.connect("old.db")) as file:
        assert file.execute(damage).rowcount == 1
        file.commit()
        before = list(file.iterdump())
    with pytest.raises(StoreError, match=r"the store old\.db: run .* is damaged: ") as raised:
        open_database("old.db")
    assert problem in str(raised.value)
    assert "bring the store back from a copy" in str(raised.value)
    with closing(sqlite3.connect("old.db")) as file:
        assert list(file.iterdump()) == before
