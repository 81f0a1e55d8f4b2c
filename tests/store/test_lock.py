"""The lock of a run: one process at a time, freed by its death, seen by those who look."""

import fcntl
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from agentdebate.errors import StoreError, UsageError
from agentdebate.store import lock
from agentdebate.store.lock import hold, is_held

STORE, RUN = "runs.db", "20261120-0912-debate-3f9a"
FILE = Path(f"{STORE}-{RUN}.lock")

HOLDER = f"""
import sys
from agentdebate.store.lock import hold
with hold({STORE!r}, {RUN!r}):
    print("held", flush=True)
    sys.stdin.read()
"""


@contextmanager
def holder() -> "Iterator[subprocess.Popen[str]]":
    """Another process that holds the lock."""
    environment = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[2])}
    command = [sys.executable, "-c", HOLDER]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=environment
    ) as process:
        try:
            assert process.stdout is not None
            assert process.stdout.readline() == "held\n"
            yield process
        finally:
            process.kill()


def test_a_second_one_is_refused_and_told_why() -> None:
    with hold(STORE, RUN), pytest.raises(UsageError, match=f"another process is at work on run {RUN}; wait"):
        hold(STORE, RUN).__enter__()


def test_a_process_that_is_killed_lets_go_of_it() -> None:
    """Its file stays behind, and locks nothing."""
    with holder() as process:
        assert is_held(STORE, RUN)
        with pytest.raises(UsageError, match="another process"):
            hold(STORE, RUN).__enter__()
        process.kill()
        process.wait(timeout=120)
        assert FILE.is_file()
        assert not is_held(STORE, RUN)
        with hold(STORE, RUN):
            assert is_held(STORE, RUN)
    assert not FILE.exists()


def test_somebody_who_only_looks_keeps_nobody_out(monkeypatch: pytest.MonkeyPatch) -> None:
    FILE.touch()
    looking = os.open(FILE, os.O_RDONLY)
    assert lock._try(looking, shared=True)
    tried = lock._try

    def until_gone(handle: int, *, shared: bool = False) -> bool:
        got = tried(handle, shared=shared)
        fcntl.flock(looking, fcntl.LOCK_UN)  # it has seen enough
        return got

    monkeypatch.setattr(lock, "_try", until_gone)
    with hold(STORE, RUN):
        pass
    os.close(looking)


def test_a_file_that_was_unlinked_before_it_was_locked_is_not_taken_for_the_lock(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Or two could hold the lock: one of a file that is there, one of a file that is not there any more."""
    tried, gone = lock._try, list[bool]()

    def unlinked(handle: int, *, shared: bool = False) -> bool:
        if not gone:
            gone.append(True)
            FILE.unlink()
        return tried(handle, shared=shared)

    monkeypatch.setattr(lock, "_try", unlinked)
    with hold(STORE, RUN):
        assert FILE.is_file()
        with pytest.raises(UsageError, match="another process"):
            hold(STORE, RUN).__enter__()


@pytest.mark.parametrize("other", ["folder/../runs.db", "link.db", "absolute"])
def test_the_same_store_by_another_name_has_the_same_lock(other: str) -> None:
    Path("folder").mkdir()
    Path(STORE).touch()
    Path("link.db").symlink_to(STORE)
    name = str(Path(STORE).absolute()) if other == "absolute" else other
    with hold(STORE, RUN):
        assert is_held(name, RUN)
        with pytest.raises(UsageError, match="another process"):
            hold(name, RUN).__enter__()


def test_a_lock_that_is_not_ours_to_read_is_held(monkeypatch: pytest.MonkeyPatch) -> None:
    """Another user's lock, or a link that somebody put in its place."""
    FILE.symlink_to("elsewhere")
    assert is_held(STORE, RUN)


@pytest.mark.parametrize("run", ["../outside", "a/b", "a\\b", "line\nend", "\x00"])
def test_a_run_whose_name_leads_to_another_file_has_no_lock(run: str) -> None:
    Path(f"{STORE}-..").mkdir()
    Path("outside.lock").touch()
    assert is_held(STORE, run) is False
    with pytest.raises(StoreError, match="not the name of a run"):
        hold(STORE, run).__enter__()
    assert Path("outside.lock").exists()
