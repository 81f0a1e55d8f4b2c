"""A SQLite file that a stopped process has locked: others wait for it."""

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager

import anyio
import pytest
from patience import until
from small_runs import STORE, call, opening

from agentdebate.store import engine, writer
from agentdebate.store.reader import read_store

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
