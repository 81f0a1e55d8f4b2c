"""Ctrl-C and SIGTERM end a command whatever it is doing, and deadlines pass while the store hangs."""

import json
import os
import shlex
import signal
import sqlite3
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import closing, contextmanager
from importlib.abc import MetaPathFinder
from itertools import cycle
from pathlib import Path
from typing import Any

import anyio
import pytest
from waiting_endpoint import endpoint

import agentdebate as ad
from agentdebate.__main__ import main
from agentdebate.store.debate_writer import DebateWriter, Line, Part, enter
from agentdebate.store.reader import read_store

ROOT = Path(__file__).parents[2]
WAIT = 120
"""Seconds after which a test gives up. What signals interrupt lasts for ten minutes, or for ever."""
CODES = {signal.SIGINT: 130, signal.SIGTERM: 143}
RUN = ("run", "solo", "data.jsonl", "--task", "summarization", "--aspects", "coherence")
ITEM = {"id": "i1", "source": "The bridge at Kelby is shut.", "summary": "A bridge is shut."}
SCORED = ("solo", *RUN[3:], "-f", f"source={ITEM['source']}", "-f", f"summary={ITEM['summary']}")

STUCK = {
    "an endless loop in a strategy": "while True: pass",
    "an endless loop that catches what it can": """
    while True:
        try:
            while True: pass
        except BaseException: pass
    """,
    "a strategy that sleeps": "time.sleep(600)",
    "a thread that computes": "await anyio.to_thread.run_sync(time.sleep, 600)",
    "a thread of asyncio's": "await asyncio.to_thread(time.sleep, 600)",
    "a strategy that swallows its cancellation": """
    while True:
        try:
            await asyncio.sleep(600)
        except BaseException: pass
    """,
}
"""What the debate method of a strategy does."""


def write_data() -> None:
    Path("data.jsonl").write_text(json.dumps(ITEM) + "\n", encoding="utf-8")


@contextmanager
def started(*command: str, **options: Any) -> "Iterator[subprocess.Popen[str]]":
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "PYTHONWARNINGS": "error"}
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True, "encoding": "utf-8"}
    with subprocess.Popen(
        [sys.executable, *command], env=environment, **{**pipes, **options}
    ) as process:  # fmt: skip
        try:
            yield process
        finally:
            process.kill()


def stuck(body: str, *words: str, grace: float = 1.0) -> tuple[str, ...]:
    """A command whose strategy does this, once it has said so on standard error. It has this `grace` after a signal, in seconds."""
    body = body if body.startswith("\n") else f"\n    {body}\n"
    code = f"""
import asyncio, sys, time, anyio
from agentdebate.cli.console import watchdog
from agentdebate.strategies.solo import Solo
watchdog.GRACE = {grace}
async def debate(self, floor):
    sys.stderr.write("stuck\\n"); sys.stderr.flush()
{body}
Solo.debate = debate
from agentdebate.cli.app import main
main({[*words]!r})
"""
    return "-c", code


def wait_for(process: "subprocess.Popen[str]", beginning: str) -> None:
    """Read standard error up to a line that begins so."""
    assert process.stderr is not None
    for line in process.stderr:
        if line.startswith(beginning):
            return
    pytest.fail(f"the process ended without a line {beginning!r}")


def end_of(process: "subprocess.Popen[str]", *sent: signal.Signals) -> str:
    """Return what the process says on standard error after signals, which end it."""
    for one in sent:
        process.send_signal(one)
    return process.communicate(timeout=WAIT)[1]


class _Interrupted(MetaPathFinder):
    """Has Ctrl-C come while the command line is imported."""

    def find_spec(self, fullname: str, *_: object) -> None:
        if fullname == "agentdebate.cli.app":
            raise KeyboardInterrupt


def test_ctrl_c_while_modules_are_still_imported_has_its_exit_code_and_no_traceback(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.delitem(sys.modules, "agentdebate.cli.app", raising=False)
    monkeypatch.setattr(sys, "meta_path", [_Interrupted(), *sys.meta_path])
    with pytest.raises(SystemExit) as caught:
        main()
    assert caught.value.code == 130


def test_a_score_that_is_stopped_says_so() -> None:
    with started(*stuck("await asyncio.sleep(600)", "score", *SCORED, grace=10 * WAIT)) as process:
        wait_for(process, "stuck")
        err = end_of(process, signal.SIGINT)
    assert process.returncode == 130
    assert err.splitlines()[-1] == "stopped: the debate has no verdict, and nothing of it is kept"


@pytest.mark.parametrize(("kind", "sent"), list(zip(STUCK, cycle(CODES), strict=False)))
def test_a_signal_ends_a_run_whatever_its_strategy_does(kind: str, sent: signal.Signals) -> None:
    write_data()
    with started(*stuck(STUCK[kind], *RUN)) as process:
        wait_for(process, "stuck")
        err = end_of(process, sent)
    assert process.returncode == CODES[sent]
    assert "go on: agentdebate resume " in err
    assert "Traceback" not in err


def test_a_second_signal_ends_a_run_at_once() -> None:
    """Two of different kinds, since a system may make one of two of a kind."""
    write_data()
    with started(*stuck("while True: pass", *RUN, grace=10 * WAIT)) as process:
        wait_for(process, "stuck")
        err = end_of(process, signal.SIGINT, signal.SIGTERM)
    assert process.returncode == 143
    assert "go on: agentdebate resume " in err


@pytest.mark.parametrize(("sent", "answered"), [(signal.SIGINT, False), (signal.SIGTERM, True)])
def test_a_signal_ends_a_run_whose_store_another_process_has_locked(
    sent: signal.Signals, answered: bool
) -> None:
    """And the run can be resumed when the store is free."""
    write_data()
    command = ("-m", "agentdebate", *RUN)
    with endpoint() as server, started(*command, *server.words) as process:
        wait_for(process, "run ")
        assert server.waiting.wait(WAIT)
        with closing(sqlite3.connect("agentdebate.db", isolation_level=None)) as other:
            other.execute("BEGIN IMMEDIATE")
            if answered:
                server.may_answer.set()
            err = end_of(process, sent)
            other.execute("ROLLBACK")
        server.may_answer.set()
        assert process.returncode == CODES[sent]
        again_words = shlex.split(err.splitlines()[-1].partition("go on: agentdebate ")[2])
        assert again_words[0] == "resume"
        with started("-m", "agentdebate", *again_words) as again:
            out, _ = again.communicate(timeout=WAIT)
    assert again.returncode == 0
    assert "i1" in out


@pytest.mark.parametrize(
    "bounds", [{"deadline": 0.5}, {"debate_limits": ad.DebateLimits(seconds=0.5)}], ids=["turn", "debate"]
)
async def test_deadlines_pass_while_a_commit_hangs_and_the_call_that_was_paid_is_kept(
    bounds: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The store comes back when the debate has ended."""
    free, hangs = threading.Event(), threading.Event()
    ended, record = threading.Event(), DebateWriter.record

    def hanging(connection: Any, run: int, parts: list[Part], *, again: bool) -> None:
        if any(isinstance(part, Line) and part.call for part in parts):
            hangs.set()
            free.wait(WAIT)
        enter(connection, run, parts, again=again)

    async def recorded(self: DebateWriter, *given: Any) -> None:
        ended.set()
        await record(self, *given)

    async def reply(_request: ad.ModelRequest) -> str:
        return "Coherence: 4"

    monkeypatch.setattr("agentdebate.store.writer.enter", hanging)
    monkeypatch.setattr(DebateWriter, "record", recorded)
    fields = {"source": ITEM["source"], "summary": ITEM["summary"]}
    items = [ad.Item(task="summarization", id="i1", fields=fields)]
    model = ad.Function("m", reply)
    async with ad.evaluate(items, "solo", model=model, aspects="coherence", store="s.db", **bounds) as run:
        with anyio.fail_after(WAIT):
            await anyio.to_thread.run_sync(hangs.wait)
            await anyio.to_thread.run_sync(ended.wait)
            assert not free.is_set()
            free.set()
            records = [record async for record in run]
    assert [record.failure is not None for record in records] == [True]
    with read_store("s.db") as reader:
        assert len(list(reader.calls("last" if run.id is None else run.id, records[0].id))) == 1
