"""The lock of a run, which one process has at a time, and a file that another process has locked, for which a run waits."""

import fcntl
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import anyio
import pytest
from patience import until
from run_locks import hold, is_held
from small_runs import STORE, call, opening

from agentdebate.errors import StoreError, UsageError
from agentdebate.store import engine, writer
from agentdebate.store.reader import read_store

RUN = "20261120-0912-debate-3f9a"
FILE = Path(f"{STORE}-{RUN}.lock")


def refused(store: str = STORE) -> None:
    with pytest.raises(UsageError, match=f"another process is at work on run {RUN}; wait"):
        hold(store, RUN).__enter__()


def test_a_file_that_a_killed_process_left_behind_locks_nothing() -> None:
    FILE.touch()
    assert not is_held(STORE, RUN)
    with hold(STORE, RUN):
        assert is_held(STORE, RUN)
        refused()
    assert not FILE.exists()


def test_somebody_who_only_looks_keeps_nobody_out(monkeypatch: pytest.MonkeyPatch) -> None:
    FILE.touch()
    looking = os.open(FILE, os.O_RDONLY)
    lock = fcntl.flock
    lock(looking, fcntl.LOCK_SH)

    def until_gone(handle: int, how: int) -> None:
        try:
            lock(handle, how)
        finally:
            lock(looking, fcntl.LOCK_UN)  # it has seen enough

    monkeypatch.setattr(fcntl, "flock", until_gone)
    with hold(STORE, RUN):
        pass
    os.close(looking)


def test_a_file_that_was_unlinked_before_it_was_locked_is_not_taken_for_the_lock(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Or two could hold the lock: one of a file that is there, one of a file that is not there any more."""
    lock, gone = fcntl.flock, list[bool]()

    def unlinked(handle: int, how: int) -> None:
        if not gone:
            gone.append(True)
            FILE.unlink()
        lock(handle, how)

    monkeypatch.setattr(fcntl, "flock", unlinked)
    with hold(STORE, RUN):
        assert FILE.is_file()
        refused()


@pytest.mark.parametrize("other", ["folder/../runs.db", "link.db", "absolute"])
def test_the_same_store_by_another_name_has_the_same_lock(other: str) -> None:
    Path("folder").mkdir()
    Path(STORE).touch()
    Path("link.db").symlink_to(STORE)
    name = str(Path(STORE).absolute()) if other == "absolute" else other
    with hold(STORE, RUN):
        assert is_held(name, RUN)
        refused(name)


def test_a_link_in_the_place_of_a_lock_is_held_and_not_followed() -> None:
    FILE.symlink_to("elsewhere")
    assert is_held(STORE, RUN)
    with pytest.raises(StoreError, match=r"the lock .* cannot be made"):
        hold(STORE, RUN).__enter__()
    assert not Path("elsewhere").exists()


@pytest.mark.parametrize("run", ["../outside", "a/b", "a\\b", "line\nend", "\x00"])
def test_a_run_whose_name_leads_to_another_file_has_no_lock(run: str) -> None:
    Path(f"{STORE}-..").mkdir()
    Path("outside.lock").touch()
    assert is_held(STORE, run) is False
    with pytest.raises(StoreError, match="not the name of a run"):
        hold(STORE, run).__enter__()
    assert Path("outside.lock").exists()


# From here on: a SQLite file that a stopped process has locked.

LOCK = """
import os, signal, sqlite3, sys
connection = sqlite3.connect(sys.argv[1], isolation_level=None)
connection.execute("BEGIN IMMEDIATE")
os.kill(os.getpid(), signal.SIGSTOP)
connection.execute("ROLLBACK")
"""


@contextmanager
def stopped_writer(path: str) -> Iterator["subprocess.Popen[bytes]"]:
    """A process that is stopped while it writes a file. Once it is woken it lets go of the file."""
    with subprocess.Popen([sys.executable, "-c", LOCK, path]) as process:
        try:
            os.waitid(os.P_PID, process.pid, os.WSTOPPED | os.WNOWAIT)
            yield process
        finally:
            process.kill()


def wake_when_told(process: "subprocess.Popen[bytes]", told: pytest.LogCaptureFixture) -> None:
    """Wake a process when the first warning has come."""
    until(lambda: told.records)
    process.send_signal(signal.SIGCONT)


@pytest.fixture
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """A commit waits for a millisecond, and is tried again at once."""
    monkeypatch.setattr(engine, "BUSY", 1)
    monkeypatch.setattr(writer, "PAUSE", 0.01)


@pytest.mark.usefixtures("impatient")
async def test_a_run_waits_for_a_file_that_a_stopped_process_has_locked(
    caplog: pytest.LogCaptureFixture,
) -> None:
    async with opening() as run:
        with stopped_writer(STORE) as other:
            async with anyio.create_task_group() as group:
                group.start_soon(run.open("d").call, 1, call(1))
                await anyio.to_thread.run_sync(wake_when_told, other, caplog)
    assert "whether another process keeps it locked" in caplog.text
    with read_store(STORE) as reader:
        assert [made.number for made in reader.calls(run.run, "d")] == [1]
