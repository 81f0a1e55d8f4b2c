"""Workers that are processes of their own: killed, stopped and woken, told to stop, and counted from outside."""

import json
import os
import signal
import sqlite3
import subprocess
import sys
from collections import Counter
from collections.abc import AsyncIterator, Iterator
from contextlib import ExitStack, asynccontextmanager, closing, contextmanager
from pathlib import Path
from typing import Any

import anyio
import pytest
from typed import ITEM, numbered, typed, write

from agentdebate.cli.app import run as command
from agentdebate.runs.work import crew
from agentdebate.store.reader import read_store
from agentdebate.testing.server import FaultServer

STORE = "agentdebate.db"
PATIENCE = 180
"""Seconds after which a test gives up: what it waits for comes in a few, and in many on a machine with too much to do."""
FOR_EVER = 600.0
"""Seconds of a lease that no worker loses for want of time on the processor."""
QUEUE = ("run", "debate", "data.jsonl", "--task", "summarization", "--aspects", "coherence", "--queue")
AT_ONCE = 8

Capsys = pytest.CaptureFixture[str]


def popen(*words: str) -> "subprocess.Popen[str]":
    environment = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[2]), "PYTHONWARNINGS": "error"}
    return subprocess.Popen(
        [sys.executable, "-m", "agentdebate", *words],
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        encoding="utf-8",
    )


@contextmanager
def worker(server: FaultServer, *words: str, lease: float = 2.0) -> "Iterator[subprocess.Popen[str]]":
    """A worker that is killed at the end, if it is still there."""
    there = (
        "--allow-endpoint",
        server.root.removeprefix("http://"),
        "--lease",
        f"{lease:g}",
        "-c",
        str(AT_ONCE),
    )
    with popen("work", "last", *there, *words) as process:
        try:
            yield process
        finally:
            process.kill()
            process.send_signal(signal.SIGCONT)


@asynccontextmanager
async def serving(**options: Any) -> AsyncIterator[FaultServer]:
    async with FaultServer(seed=1, **options) as server:
        yield server


class Gated(FaultServer):
    """An endpoint that answers so many requests. Those that come afterwards wait for `open_gate`."""

    def __init__(self, answers: int) -> None:
        super().__init__(seed=1)
        self._left, self._gate = answers, anyio.Event()
        self.waiting = 0
        """How many wait."""

    def open_gate(self) -> None:
        """Answer whatever is asked from now on."""
        self._gate.set()

    async def _answer(self, *given: Any) -> Any:
        self._left -= 1
        if self._left < 0:
            self.waiting += 1
            await self._gate.wait()
        return await super()._answer(*given)


async def entered(server: FaultServer, count: int) -> str:
    """A run in the queue, whose items all differ."""
    write([{**row, "source": f"{row['id']}. {ITEM['source']}"} for row in numbered(count)])
    words = (*QUEUE, "--model", "openai/any", "--base-url", server.base_url)
    assert await anyio.to_thread.run_sync(command, words) == 0
    with read_store(STORE) as reader:
        return reader.run("last").id


async def until(true: Any) -> None:
    with anyio.fail_after(PATIENCE):
        while not true():  # noqa: ASYNC110 - another process tells nobody when it changes
            await anyio.sleep(0.05)


async def stopped_between_writes(process: "subprocess.Popen[str]") -> None:
    """Stop a worker, but not in the middle of a write: a file that it has locked stays locked until it wakes."""
    while True:
        process.send_signal(signal.SIGSTOP)
        await anyio.to_thread.run_sync(all_threads_stopped, process.pid)
        if may_be_written(STORE):
            return
        process.send_signal(signal.SIGCONT)
        await anyio.sleep(0.01)


def all_threads_stopped(process: int) -> None:
    """Wait until none of a process's threads runs any more."""
    os.waitid(os.P_PID, process, os.WSTOPPED | os.WEXITED | os.WNOWAIT)


def may_be_written(path: str) -> bool:
    with closing(sqlite3.connect(path, timeout=0.2, isolation_level=None)) as connection:
        try:
            connection.execute("BEGIN IMMEDIATE")
        except sqlite3.OperationalError:
            return False
        connection.execute("ROLLBACK")
        return True


def verdicts(run: str) -> dict[str, Any]:
    with read_store(STORE) as reader:
        return {row["debate"]: (row["scores"], row["outcome"], row["rounds"]) for row in reader.rows(run)}


def working(run: str) -> int:
    """How many processes are at work on a run."""
    found = crew(run, store=STORE)
    return len(found.working) if found is not None else 0


def begun(run: str) -> int:
    """Debates that have ended."""
    with read_store(STORE) as reader:
        return reader.run(run).ended_debates


def ended(run: str) -> bool:
    with read_store(STORE) as reader:
        return reader.ended(run)


async def alone(server: FaultServer) -> dict[str, Any]:
    """What the same items come to where one process holds them undisturbed."""
    words = (
        "run",
        *QUEUE[1:-1],
        "--model",
        "openai/any",
        "--base-url",
        server.base_url,
        "--store",
        "alone.db",
    )
    with popen(*words) as process:
        await anyio.to_thread.run_sync(process.communicate)
    with read_store("alone.db") as reader:
        found = reader.run("last")
        return {
            row["debate"]: (row["scores"], row["outcome"], row["rounds"]) for row in reader.rows(found.id)
        }


async def test_workers_that_are_killed_are_made_up_for_and_nothing_on_disk_is_paid_for_twice() -> None:
    async with serving(latency=0.05) as other:
        async with serving(latency=0.05) as server:
            run = await entered(server, 40)
            with ExitStack() as stack:
                workers = [stack.enter_context(worker(server, lease=5)) for _ in range(2)]
                await until(lambda: begun(run) >= 4)
                workers[0].kill()
                workers += [stack.enter_context(worker(server, lease=5))]
                await until(lambda: begun(run) >= 16)
                workers[1].kill()
                await until(lambda: ended(run))
            extra = sum(server.answered.values()) - len(server.answered)
        found, told = verdicts(run), crew(run, store=STORE)
        assert len(found) == 40
        assert told is not None
        assert (
            extra <= 2 * AT_ONCE + told.lost
        )  # a worker that gets no time on the processor loses leases too
        assert found == await alone(other)


async def test_a_worker_that_is_stopped_past_its_lease_enters_nothing_when_it_wakes() -> None:
    async with Gated(answers=20) as server:
        run = await entered(server, 30)
        with worker(server) as asleep:
            await until(lambda: server.waiting >= AT_ONCE)
            await stopped_between_writes(asleep)
            held = begun(run)
            server.open_gate()
            with worker(server, lease=FOR_EVER) as other:
                await until(lambda: ended(run))
                before = verdicts(run)
                asleep.send_signal(signal.SIGCONT)
                _, err = await anyio.to_thread.run_sync(asleep.communicate)
                await anyio.to_thread.run_sync(other.communicate)
        assert verdicts(run) == before
        assert len(before) == 30
        assert "lease of the debate" in err
        assert asleep.returncode == 0
        found = crew(run, store=STORE)
        assert found is not None
        assert found.lost > 0
        assert [one.state for one in found.workers] == ["done", "done"]
        assert held <= found.workers[0].debates <= held + AT_ONCE
        assert Counter(call["number"] for call in _calls(run)).most_common(1)[0][1] <= 30


def _calls(run: str) -> list[dict[str, Any]]:
    with read_store(STORE) as reader:
        return [{"debate": call.debate, "number": call.number} for call in reader.asked(run)]


async def test_ctrl_c_ends_one_worker_which_gives_back_what_it_held() -> None:
    async with Gated(answers=20) as server:
        run = await entered(server, 40)
        with worker(server, lease=FOR_EVER) as one:
            await until(lambda: server.waiting >= AT_ONCE)
            one.send_signal(signal.SIGINT)
            _, err = await anyio.to_thread.run_sync(one.communicate)
        assert one.returncode == 130
        assert f"go on: agentdebate work {run}" in err
        found = crew(run, store=STORE)
        assert found is not None
        assert (found.held, found.state, found.workers[0].state) == (0, "stopped", "left")


async def test_stop_ends_workers_and_show_says_so(capsys: Capsys) -> None:
    async with Gated(answers=20) as server:
        run = await entered(server, 60)
        with worker(server, lease=FOR_EVER) as one, worker(server, lease=FOR_EVER) as other:
            await until(lambda: server.waiting >= AT_ONCE and working(run) == 2)
            listed = typed(capsys, "list", "runs", "--json").json[-1]
            assert (listed["state"], len(listed["crew"]["workers"])) == ("running", 2)
            assert "told 2 workers of run" in typed(capsys, "stop", "last").err
            for process in (one, other):
                _, err = await anyio.to_thread.run_sync(process.communicate)
                assert "it was told to stop" in err
                assert process.returncode == 0
        found = typed(capsys, "show", "last", "--json").json[0]
        assert (found["state"], found["crew"]["held"]) == ("stopped", 0)
        assert "stopped" in typed(capsys, "show", "last").out


def test_run_j_holds_a_run_in_several_processes_on_one_file(capsys: Capsys) -> None:
    write(numbered(20))
    words = (
        "run",
        "debate",
        "data.jsonl",
        "--task",
        "summarization",
        "--aspects",
        "coherence",
        "-j",
        "2",
        "--json",
    )
    with popen(*words) as process:
        out, err = process.communicate(timeout=PATIENCE)
    assert process.returncode == 0, err
    assert "2 workers are starting" in err
    assert "another terminal" not in err
    assert "hold them" not in err
    lines = [json.loads(line) for line in out.splitlines()]
    assert sorted(line["debate"] for line in lines) == sorted(f"i{n}/coherence" for n in range(1, 21))
    shown = typed(capsys, "show", "last", "--json").json[0]
    assert (shown["state"], shown["verdicts"]) == ("ended", 20)
    assert len(shown["crew"]["workers"]) == 2


async def test_where_requests_go_is_not_taken_from_the_store(
    capsys: Capsys, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with serving() as server:
        run = await entered(server, 2)
        refused = await anyio.to_thread.run_sync(lambda: command(("work", run)))
        assert (refused, server.requests) == (2, 0)
        assert "--allow-endpoint" in capsys.readouterr().err
        monkeypatch.setenv("OPENAI_BASE_URL", server.base_url)
        with popen("work", run) as process:
            _, err = await anyio.to_thread.run_sync(process.communicate)
        assert process.returncode == 0, err
        assert ended(run)
