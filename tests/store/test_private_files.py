"""What is written is its owner's alone, whatever the umask; a file that was there keeps the mode that its owner gave it."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from agentdebate.models.base import Completion
from agentdebate.store.cache import CompletionCache
from agentdebate.store.place import create_private
from agentdebate.store.writer import write_run


@pytest.fixture(params=[0o000, 0o022, 0o077, 0o777], ids=oct, autouse=True)
def _umask(request: pytest.FixtureRequest) -> Iterator[None]:
    before = os.umask(request.param)
    yield
    os.umask(before)


def modes() -> dict[str, int]:
    return {path.name: path.stat().st_mode & 0o777 for path in Path().iterdir()}


async def test_a_store_what_sqlite_puts_beside_it_and_its_lock() -> None:
    async with write_run("runs.db", strategy="s", model="m", configuration={}) as writer:
        names = {"runs.db", "runs.db-wal", "runs.db-shm", f"runs.db-{writer.run}.lock"}
        assert modes() == dict.fromkeys(names, 0o600)
    assert modes() == {"runs.db": 0o600}


async def test_caches() -> None:
    async with CompletionCache("completions.db") as cache:
        await cache.put("k", Completion(text="x", model="m"), model="m")
        assert set(modes().values()) == {0o600}
    assert set(modes()) == {"completions.db"}
    assert set(modes().values()) == {0o600}


def test_where_the_system_has_no_such_files_it_is_said_what_to_use(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("agentdebate.store.place.POSIX", False)
    with pytest.raises(OSError, match="on Windows use agentdebate in WSL"):
        create_private(tmp_path / "runs.db")
    assert not (tmp_path / "runs.db").exists()
