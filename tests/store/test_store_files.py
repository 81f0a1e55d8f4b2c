"""Opening a store: what is one, what is none, what the schema's version means, and what of an older one is damaged."""

import gzip
import os
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa
from small_runs import opening

from agentdebate.errors import StoreError, UsageError
from agentdebate.models.base import Completion
from agentdebate.store import schema
from agentdebate.store.cache import CompletionCache
from agentdebate.store.engine import open_database
from agentdebate.store.place import create_private
from agentdebate.store.reader import read_store
from agentdebate.store.upkeep import check_store, store_info


def test_a_new_store_has_the_tables_and_the_version() -> None:
    database = open_database("runs.db", create=True)
    tables = set(database.look(lambda connection: sa.inspect(connection).get_table_names()))
    database.close()
    assert tables == set(schema.METADATA.tables)
    assert Path("runs.db").is_file()


@pytest.mark.parametrize("url", [":memory:", "sqlite://", "sqlite:///runs.db", 3])
@pytest.mark.parametrize("create", [True, False])
def test_a_store_in_memory_and_another_name_of_a_file_are_refused(url: Any, create: bool) -> None:
    """Nobody could read it when the run has ended."""
    with pytest.raises(UsageError, match="a store is a"):
        open_database(url, create=create)
    assert list(Path().iterdir()) == []


def test_a_folder_and_a_missing_folder_are_named() -> None:
    with pytest.raises(UsageError, match=r"there is no store \.; name a file"):
        open_database(".", create=True)
    with pytest.raises(UsageError, match="there is no folder nowhere"):
        open_database("nowhere/runs.db", create=True)
    with pytest.raises(UsageError, match=r"there is no store runs\.db"):
        open_database("runs.db", create=False)
    assert not Path("runs.db").exists()


def test_a_full_or_read_only_disk_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    def full(_connection: sa.Connection) -> None:
        raise sa.exc.OperationalError("insert", {}, sqlite3.OperationalError("database or disk is full"))

    monkeypatch.setattr(schema, "create", full)
    with pytest.raises(StoreError, match="cannot be opened: database or disk is full"):
        open_database("runs.db", create=True)


@pytest.mark.parametrize("name", ["mysql", "oracle", "postgresql+asyncpg"])
def test_another_database_or_driver_is_refused_without_its_password(name: str) -> None:
    with pytest.raises(
        UsageError, match=r"a PostgreSQL database \(postgresql://\.\.\.\), not one of"
    ) as raised:
        store_info(f"{name}://me:hunter22@localhost/base")
    assert "hunter22" not in str(raised.value)


# From here on: stores of earlier versions.

FIXTURE = Path(__file__).parents[1] / "contract" / "held" / "fixtures" / "strategies.db.gz"
DAMAGES = {
    "UPDATE messages SET texts = '[]' WHERE rowid = 1": "pop from empty list",
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


def test_a_store_of_schema_8_is_brought_over(new_store: Callable[[str], str]) -> None:
    place = new_store("runs")
    with closing(open_database(place, create=True)) as database:
        for change in (
            "DROP INDEX debates_item",
            "ALTER TABLE debates ADD COLUMN row_sum BIGINT NOT NULL DEFAULT 0",
            "UPDATE alembic_version SET version_num = '8'",
        ):
            database.change(partial(sa.Connection.exec_driver_sql, statement=change))
    with closing(open_database(place, reading=True)) as database:
        assert database.scalar(sa.select(schema.REVISION.c.version_num)) == schema.HEAD
        database.change(lambda connection: connection.exec_driver_sql("DROP INDEX debates_item"))
        with pytest.raises(StoreError, match="row_sum"):
            database.rows(sa.text("SELECT row_sum FROM debates"))


# From here on: what is written is its owner's alone; a file that was there keeps its mode.


@pytest.fixture(params=[0o000, 0o022, 0o077, 0o777], ids=oct)
def _umask(request: pytest.FixtureRequest) -> Iterator[None]:
    before = os.umask(request.param)
    yield
    os.umask(before)


def modes() -> dict[str, int]:
    return {path.name: path.stat().st_mode & 0o777 for path in Path().iterdir()}


@pytest.mark.usefixtures("_umask")
async def test_a_store_what_sqlite_puts_beside_it_and_its_lock() -> None:
    async with opening() as writer:
        names = {"runs.db", "runs.db-wal", "runs.db-shm", f"runs.db-{writer.run}.lock"}
        assert modes() == dict.fromkeys(names, 0o600)
    assert modes() == {"runs.db": 0o600}


@pytest.mark.usefixtures("_umask")
async def test_caches() -> None:
    async with CompletionCache("completions.db") as cache:
        await cache.put("k", Completion(text="x", model="m"), model="m")
        assert set(modes().values()) == {0o600}
    assert modes() == {"completions.db": 0o600}


def test_where_the_system_has_no_such_files_it_is_said_what_to_use(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("agentdebate.store.place.POSIX", False)
    with pytest.raises(OSError, match="on Windows use agentdebate in WSL"):
        create_private(tmp_path / "runs.db")
    assert not (tmp_path / "runs.db").exists()
