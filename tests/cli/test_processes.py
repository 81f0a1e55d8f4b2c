"""What only a process of its own shows: signals, a kill, a reader that goes away, and what is imported."""

import json
import shlex
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from typed import ALLOWED, RUN, numbered, popen, typed, write
from waiting_endpoint import endpoint

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


def test_ctrl_c_says_how_to_go_on_and_a_second_process_is_refused_until_then(capsys: Capsys) -> None:
    write(numbered(3))
    store = ("--store", "my runs.db")
    with endpoint(answers=2) as server:
        with running(*RUN, "-c", "1", *store, *server.words) as process:
            assert server.waiting.wait(120)
            came = typed(capsys, "resume", *store, *ALLOWED)
            assert (came.code, "another process is at work on run " in came.err) == (2, True)
            process.send_signal(signal.SIGINT)
            _, err = process.communicate(timeout=120)
        assert err.startswith("stopped after 2 debates; what was paid for is kept; see it: agentdebate show ")
        again = err.rpartition("; go on: ")[2].strip()
        assert again.endswith(f" --store 'my runs.db' {'='.join(server.words[2:])}")
        server.answers = iter(range(1))
        assert typed(capsys, *shlex.split(again)[1:]).code == 0
    assert not list(Path().glob("*.lock"))


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
