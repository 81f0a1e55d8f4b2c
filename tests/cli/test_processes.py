"""What only processes of their own show: signals, kills, readers that go away, imports, and workers that are counted from outside."""

import json
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import anyio
import pytest
from typed import ITEM, RUN, numbered, popen, typed, write
from waiting_endpoint import Endpoint, endpoint

from agentdebate.cli.app import run as command
from agentdebate.runs.work import crew
from agentdebate.store.reader import read_store

Capsys = pytest.CaptureFixture[str]


@contextmanager
def running(*words: str) -> "Iterator[subprocess.Popen[str]]":
    """A command that has said on standard error that its run has begun."""
    with popen(*words) as process:
        assert process.stderr is not None
        try:
            assert process.stderr.readline().startswith("run ")
            yield process
        finally:
            process.kill()


@pytest.mark.parametrize(("sent", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_a_signal_stops_a_run_that_waits_for_its_model(
    sent: signal.Signals, code: int, capsys: Capsys
) -> None:
    write(numbered(3))
    with endpoint() as server, running(*RUN, *server.words) as process:
        assert server.waiting.wait(120)
        process.send_signal(sent)
        out, err = process.communicate(timeout=120)  # the endpoint would answer after 600
    assert (process.returncode, out) == (code, "")
    assert err.startswith("stopped after 0 debates; what was paid for is kept; see it: agentdebate show ")
    assert err.count("\n") == 1
    see, _, resume = err.partition("; go on: agentdebate ")
    shown = typed(capsys, *see.split()[see.split().index("show") :])
    assert ", stopped: 0 verdicts, 0 failures, " in shown.out
    assert "not ended\n" in shown.out
    place = f"127.0.0.1:{server.server_port}"
    assert resume.split() == ["resume", see.split()[-1], f"--base-url=http://{place}/v1"]


def test_sigterm_stops_a_run_where_a_shell_has_it_ignore_ctrl_c() -> None:
    """As it does with every background job of a script."""
    write(numbered(3))
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        with endpoint() as server, running(*RUN, *server.words) as process:
            assert server.waiting.wait(120)
            process.send_signal(signal.SIGINT)
            process.send_signal(signal.SIGTERM)
            _, err = process.communicate(timeout=120)
    finally:
        signal.signal(signal.SIGINT, before)
    assert process.returncode == 143
    assert err.startswith("stopped after 0 debates; what was paid for is kept; see it: agentdebate show ")


@pytest.mark.parametrize("words", [("demo",), (*RUN, "--json")])
def test_a_reader_that_goes_away_gets_no_traceback(words: tuple[str, ...]) -> None:
    write(numbered(400))
    with popen(*words) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.readline()
        process.stdout.close()
        err = process.stderr.read()
        process.wait(timeout=120)
    assert "Traceback" not in err
    assert "Exception" not in err
    assert process.returncode in {0, 1}


def test_output_in_a_poor_encoding_is_still_json(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHONIOENCODING", "ascii")
    write([{**numbered(1)[0], "id": "caf\u00e9 \U0001f600"}])
    with popen(*RUN, "--json") as process:
        out, _ = process.communicate(timeout=120)
    assert json.loads(out)["id"] == "caf\u00e9 \U0001f600"
    with popen("show") as process:
        assert "caf?" in process.communicate(timeout=120)[0]
    assert process.returncode == 0


def test_help_loads_neither_the_store_nor_the_engine() -> None:
    code = (
        "import sys; from agentdebate.cli.app import run; run(['--help']); "
        "heavy = {'sqlalchemy', 'httpx', 'jinja2', 'stamina', 'agentdebate.debates.ready'}; "
        "print(*(heavy & sys.modules.keys()), file=sys.stderr, end='')"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")


# Workers: killed, stopped and woken, told to stop, and counted from outside.


STORE = "agentdebate.db"
PATIENCE = 180
"""Seconds after which a test gives up: what it waits for comes in a few, and in many on a machine with too much to do."""
FOR_EVER = 600.0
"""Seconds of a lease that no worker loses for want of time on the processor."""
QUEUE = ("run", "debate", "data.jsonl", "--task", "summarization", "--aspects", "coherence", "--queue")
AT_ONCE = 8


@contextmanager
def worker(server: Endpoint, *words: str, lease: float = 2.0) -> "Iterator[subprocess.Popen[str]]":
    """A worker that is killed at the end, if it is still there."""
    place = f"127.0.0.1:{server.server_port}"
    there = f"--allow-endpoint {place} --lease {lease:g} -c {AT_ONCE}".split()
    with popen("work", "last", *there, *words) as process:
        try:
            yield process
        finally:
            process.kill()
            process.send_signal(signal.SIGCONT)


async def entered(server: Endpoint, count: int) -> str:
    """A run in the queue, whose items all differ."""
    write([{**row, "source": f"{row['id']}. {ITEM['source']}"} for row in numbered(count)])
    assert await anyio.to_thread.run_sync(command, (*QUEUE, *server.words)) == 0
    with read_store(STORE) as reader:
        return reader.run("last").id


async def until(true: Any) -> None:
    with anyio.fail_after(PATIENCE):
        while not true():  # noqa: ASYNC110 - another process tells nobody when it changes
            await anyio.sleep(0.05)


def working(run: str) -> int:
    """How many processes are at work on a run."""
    found = crew(run, store=STORE)
    return len(found.working) if found is not None else 0


def ended(run: str) -> bool:
    with read_store(STORE) as reader:
        return reader.ended(run)


async def test_stop_ends_workers_and_show_says_so(capsys: Capsys) -> None:
    with endpoint(answers=20) as server:
        run = await entered(server, 60)
        with worker(server, lease=FOR_EVER) as one, worker(server, lease=FOR_EVER) as other:
            await until(lambda: len(server.held) >= AT_ONCE and working(run) == 2)
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


async def test_ctrl_c_ends_all_processes_of_one_command_and_says_so_once() -> None:
    with endpoint(answers=0) as server:
        write(numbered(3))
        with popen(*(word for word in QUEUE if word != "--queue"), "-j", "2", *server.words) as process:
            await until(lambda: server.waiting.is_set() and working("last") == 2)
            process.send_signal(signal.SIGINT)
            _, err = await anyio.to_thread.run_sync(process.communicate)
    assert (process.returncode, err.count("stopped after 0 debates; ")) == (130, 1)


async def test_sigterm_ends_a_worker_and_another_takes_at_once_what_it_held(capsys: Capsys) -> None:
    """As Slurm and Kubernetes send it before they take a node or a pod away; the lease would last for ten minutes."""
    with endpoint(answers=4) as server:
        run = await entered(server, 12)
        with worker(server, lease=FOR_EVER) as one:
            await until(lambda: len(server.held) >= AT_ONCE)
            one.send_signal(signal.SIGTERM)
            _, err = await anyio.to_thread.run_sync(one.communicate)
            assert (one.returncode, "go on: agentdebate work" in err) == (143, True)
        server.may_answer.set()
        with worker(server, lease=FOR_EVER) as other:
            _, err = await anyio.to_thread.run_sync(other.communicate)
        assert other.returncode == 0, err
        assert ended(run)
