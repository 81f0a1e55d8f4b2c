"""What a run cost is added up by the database, and read call by call where one of them is odd."""

import json
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from functools import partial
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa
from agentdebate.store.call_sums import spent_by_sums
from postgres_cluster import Cluster

import agentdebate as ad
from agentdebate.errors import StoreError
from agentdebate.store import reader as reading
from agentdebate.store.database import Database
from agentdebate.store.engine import open_database
from agentdebate.store.reader import Reader
from agentdebate.store.schema import CALLS

FIELDS = {"source": "The bridge closes.", "summary": "It closes."}


@contextmanager
def open_reader(path: Path) -> Iterator[tuple[Database, Reader]]:
    database = open_database(path, reading=True)
    reader = Reader(database)
    try:
        yield database, reader
    finally:
        reader.damage.close()
        database.close()


def held(path: Path) -> Path:
    """A store with a run whose calls differ in what they took."""
    with ad.Judge("debate", task="summarization", aspects="consistency", store=path) as judge:
        list(judge.map([FIELDS] * 3))
    with closing(sqlite3.connect(path)) as connection, connection:
        calls = connection.execute("SELECT talk, number, completion FROM calls").fetchall()
        for talk, number, text in calls:
            said = json.loads(text)
            said["usage"] = {"calls": 1, "prompt_tokens": 100 * talk + number, "completion_tokens": number}
            said["model"], said["cached"] = f"model-{number % 2}", talk == 2
            _write(connection, talk, number, said)
    return path


def _write(connection: sqlite3.Connection, talk: int, number: int, said: object) -> None:
    values = json.dumps(said), talk, number
    connection.execute("UPDATE calls SET completion = ? WHERE talk = ? AND number = ?", values)


def plain(spent: dict[tuple[str, str], Any]) -> list[Any]:
    return [(key, one.paid, one.saved) for key, one in spent.items()]


def test_sums_of_the_database_are_those_of_the_calls(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with open_reader(held(tmp_path / "a.db")) as (database, reader):
        run = reader.run("last").id
        summed = spent_by_sums(database, 1)
        assert summed is not None
        monkeypatch.setattr(reading, "spent_by_sums", lambda *_: None)
        assert plain(reader.spending(run)) == plain(summed)
        assert len(summed) > 1
        assert any(one.saved.calls for one in summed.values())


@pytest.mark.parametrize(
    "spoil",
    [
        lambda said: said | {"usage": {"calls": 1, "prompt_tokens": -1}},
        lambda said: said | {"usage": {"calls": 1, "prompt_tokens": "many"}},
        lambda said: said | {"usage": {"calls": 0.5}},
        lambda said: said | {"usage": None},
        lambda said: said | {"model": 5},
        lambda said: {name: value for name, value in said.items() if name != "usage"},
        lambda said: "{",
        lambda said: [said],
    ],
)
def test_a_call_that_is_damaged_is_still_named(spoil: Callable[[Any], Any], tmp_path: Path) -> None:
    path = held(tmp_path / "a.db")
    with closing(sqlite3.connect(path)) as connection, connection:
        (text,) = connection.execute("SELECT completion FROM calls WHERE talk = 2 AND number = 1").fetchone()
        _write(connection, 2, 1, spoil(json.loads(text)))
    with ad.open_store(path) as store, pytest.raises(StoreError, match="call 1 of the debate"):
        store.run().costs()


def test_a_server_adds_up_what_the_calls_say_and_a_damaged_one_is_named(
    cluster: Cluster, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    url = cluster.new_database()
    ad.copy_runs(held(tmp_path / "a.db"), url)
    with closing(open_database(url)) as database:
        with closing(Reader(database).damage):
            run = Reader(database).run("last").id
            summed = spent_by_sums(database, 1)
            assert summed is not None
            monkeypatch.setattr(reading, "spent_by_sums", lambda *_: None)
            assert plain(Reader(database).spending(run)) == plain(summed)
            assert any(one.saved.calls for one in summed.values())
        for odd in (
            '{"model": "m"}',
            '{"model": 5, "usage": {}}',
            '{"usage": {"calls": 0.5}, "model": "m"}',
            "no JSON",
        ):
            changed = CALLS.update().where(CALLS.c.talk == 2, CALLS.c.number == 1).values(completion=odd)
            database.change(partial(_execute, changed))
            assert spent_by_sums(database, 1) is None


def _execute(changed: sa.Update, connection: sa.Connection) -> None:
    connection.execute(changed)
