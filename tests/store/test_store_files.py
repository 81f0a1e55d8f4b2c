"""Opening a store: what is one, what is none, and what the schema's version means."""

import sqlite3
from pathlib import Path

import pytest
import sqlalchemy as sa

from agentdebate.errors import StoreError, UsageError
from agentdebate.store import schema
from agentdebate.store.engine import open_database
from agentdebate.store.upkeep import store_info


def test_a_new_store_has_the_tables_and_the_version() -> None:
    database = open_database("runs.db", create=True)
    tables = set(database.look(lambda connection: sa.inspect(connection).get_table_names()))
    database.close()
    assert tables == set(schema.METADATA.tables)
    assert Path("runs.db").is_file()


@pytest.mark.parametrize("url", [":memory:", "sqlite://", "sqlite:///runs.db"])
@pytest.mark.parametrize("create", [True, False])
def test_a_store_in_memory_and_another_name_of_a_file_are_refused(url: str, create: bool) -> None:
    """Nobody could read it when the run has ended."""
    with pytest.raises(UsageError, match="a store is a"):
        open_database(url, create=create)
    assert list(Path().iterdir()) == []


def test_a_newer_store_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    open_database("runs.db", create=True).close()
    monkeypatch.setattr(schema, "HEAD", "1")
    with pytest.raises(UsageError, match=r"schema 9, and this one knows 1\); upgrade"):
        open_database("runs.db", create=True)


def test_what_is_no_database_is_refused_and_left_alone() -> None:
    Path("notes.txt").write_text("my notes " * 200, encoding="utf-8")
    for create in (True, False):
        with pytest.raises(UsageError, match="is not a store"):
            open_database("notes.txt", create=create)
    assert Path("notes.txt").read_text(encoding="utf-8") == "my notes " * 200


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
