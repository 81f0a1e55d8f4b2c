"""agentdebate resume: what a user types after a run was stopped, killed, or changed under its feet."""

import hashlib
import json
import os
import shlex
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from run_locks import hold
from typed import ALLOWED, RUN, Typed, numbered, typed, write

import agentdebate as ad
from agentdebate.errors import ServerFailed, UsageError
from agentdebate.models.base import Model, ModelRequest
from agentdebate.models.function import Function
from agentdebate.store.reader import RunHead, read_store

Speaks = Callable[[Model], None]
Capsys = pytest.CaptureFixture[str]


class Judge:
    """A model that counts what it is asked, and does something else for some items."""

    def __init__(self, **instead: Exception) -> None:
        self.asked: list[str] = []
        self._instead = instead
        self.model = Function("judge", self._reply)

    def _reply(self, request: ModelRequest) -> str:
        assert request.context is not None
        self.asked.append(request.context.item.id)
        if request.context.item.id in self._instead:
            raise self._instead[request.context.item.id]
        return f"Fine.\n\nCoherence: {1 + len(request.context.item.id) % 5}"


STOP = UsageError("the run is stopped here")
DOWN = ServerFailed("the server is down")


def head(run: str = "last", store: str = "agentdebate.db") -> RunHead:
    with read_store(store) as reader:
        return reader.run(run)


def stopped(capsys: Capsys, speaks: Speaks, count: int = 4, *words: str) -> None:
    """A run of which two debates ended, one after the other."""
    write(numbered(count))
    speaks(Judge(i3=STOP).model)
    came = typed(capsys, *RUN, "-c", "1", *words)
    assert (came.code, head().verdicts, head().ended) == (2, 2, None)


def resumed(capsys: Capsys, speaks: Speaks, *words: str, **instead: Exception) -> tuple[Typed, list[str]]:
    """What came of going on, and what was asked for it."""
    judge = Judge(**instead)
    speaks(judge.model)
    return typed(capsys, "resume", *words), judge.asked


def test_a_run_goes_on_where_it_was_stopped(capsys: Capsys, speaks: Speaks) -> None:
    stopped(capsys, speaks)
    run = head().id
    came, asked = resumed(capsys, speaks)
    assert (came.code, asked) == (0, ["i3", "i4"])
    assert f"run {run} in agentdebate.db taken up again: the items of the store, coherence" in came.err
    assert "\n4 verdicts, 0 failures, 2 calls" in came.err
    assert head().id == run
    assert head().ended is not None


def test_json_has_all_debates_those_that_had_ended_first(capsys: Capsys, speaks: Speaks) -> None:
    stopped(capsys, speaks)
    came, _ = resumed(capsys, speaks, "last", "--json")
    assert [row["id"] for row in came.json] == ["i1", "i2", "i3", "i4"]


def test_a_run_that_ended_has_nothing_left_to_do(capsys: Capsys, speaks: Speaks) -> None:
    write(numbered(3))
    speaks(Judge().model)
    before = typed(capsys, *RUN)
    came, asked = resumed(capsys, speaks)
    assert (came.code, asked, came.out) == (0, [], before.out)
    assert "taken up again" in came.err


def test_failures_stay_failures_until_they_are_to_be_held_again(capsys: Capsys, speaks: Speaks) -> None:
    write(numbered(3))
    speaks(Judge(i2=DOWN).model)
    assert typed(capsys, *RUN).code == 1
    came, asked = resumed(capsys, speaks)
    assert (came.code, asked) == (1, [])
    came, asked = resumed(capsys, speaks, "--retry-failed", i2=DOWN)
    assert (came.code, asked) == (1, ["i2"])
    came, asked = resumed(capsys, speaks, "--retry-failed")
    assert (came.code, asked) == (0, ["i2"])
    assert (head().verdicts, head().failures) == (3, 0)


def test_it_goes_on_in_the_folder_in_which_it_was_begun(
    capsys: Capsys, speaks: Speaks, monkeypatch: pytest.MonkeyPatch
) -> None:
    Path("here").mkdir()
    Path("elsewhere").mkdir()
    monkeypatch.chdir("here")
    stopped(capsys, speaks)
    monkeypatch.chdir("../elsewhere")
    store = "../here/agentdebate.db"
    came, asked = resumed(capsys, speaks, "--store", store)
    assert (came.code, asked) == (0, ["i3", "i4"])
    assert Path.cwd().name == "elsewhere"
    assert list(Path().iterdir()) == []
    assert head(store=store).ended is not None


def test_a_run_goes_on_over_the_items_of_its_store(capsys: Capsys, speaks: Speaks) -> None:
    stopped(capsys, speaks)
    Path("data.jsonl").unlink()
    came, asked = resumed(capsys, speaks)
    assert (came.code, asked) == (0, ["i3", "i4"])


def test_a_prompt_that_was_changed_is_noticed_and_taken_anyway(capsys: Capsys, speaks: Speaks) -> None:
    stopped(capsys, speaks)
    root = Path(ad.__file__).parents[1]
    Path("prompts/parts").mkdir(parents=True)
    frame = (root / "prompts/parts/frame.md").read_text(encoding="utf-8")
    Path("prompts/parts/frame.md").write_text(f"{frame}\nBe brief.\n", encoding="utf-8")
    came, asked = resumed(capsys, speaks)
    assert (came.code, asked) == (2, [])
    assert "held in another way: content files have changed: prompts/parts/frame. Start a new run" in came.err
    assert "go on anyway (--anyway)" in came.err
    came, asked = resumed(capsys, speaks, "--anyway")
    assert (came.code, asked) == (0, ["i3", "i4"])


def test_a_run_at_which_another_process_is_at_work_is_refused(capsys: Capsys, speaks: Speaks) -> None:
    stopped(capsys, speaks)
    with hold("agentdebate.db", head().id):
        came, asked = resumed(capsys, speaks)
        assert (came.code, asked) == (2, [])
        assert f"another process is at work on run {head().id}; wait for it, or stop it" in came.err
        assert typed(capsys, "list", "runs", "--json").json[0]["state"] == "running"
        assert ", running: 2 verdicts, 0 failures" in typed(capsys, "show").out
    assert typed(capsys, "list", "runs", "--json").json[0]["state"] == "stopped"
    assert ", stopped: 2 verdicts, 0 failures" in typed(capsys, "show").out
    assert typed(capsys, "show", "--json").json[0]["state"] == "stopped"
    resumed(capsys, speaks)
    assert typed(capsys, "list", "runs", "--json").json[0]["state"] == "ended"
    assert ", ended: 4 verdicts, 0 failures" in typed(capsys, "show").out


# Processes of their own, and an endpoint that counts what it answers.


class Endpoint(ThreadingHTTPServer):
    """An endpoint on this machine that answers what the request makes it answer, so many times, and then waits."""

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.left, self.answered = 0, 0
        self.stuck, self.go_on = threading.Event(), threading.Event()
        self.lock = threading.Lock()

    def allow(self, answers: int) -> None:
        """Answer so many more; what still waits belongs to processes that are gone."""
        self.go_on.set()
        self.go_on = threading.Event()
        self.stuck.clear()
        self.left = answers

    @property
    def words(self) -> tuple[str, ...]:
        """The options that lead to it."""
        return "--model", "openai/slow", "--base-url", f"http://127.0.0.1:{self.server_port}/v1"

    def handle_error(self, *_: object) -> None:
        """Nothing: whoever was answered has been killed."""


class _Handler(BaseHTTPRequestHandler):
    server: Endpoint

    def do_POST(self) -> None:
        asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        go_on = self.server.go_on
        with self.server.lock:
            self.server.left -= 1
            answers = self.server.left >= 0
            self.server.answered += answers
        if not answers:
            self.server.stuck.set()
            go_on.wait(60)
            return
        digest = int(hashlib.sha256(json.dumps(asked, sort_keys=True).encode()).hexdigest(), 16)
        content = f"I say {digest % 1000}.\n\nCoherence: {1 + digest % 5}"
        body = json.dumps({"model": "m", "choices": [{"message": {"content": content}}]}).encode()
        self.send_response(200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        """Nothing: tests are quiet."""


@pytest.fixture
def endpoint() -> Iterator[Endpoint]:
    with Endpoint() as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        try:
            yield server
        finally:
            server.allow(0)
            server.shutdown()
            thread.join()


@contextmanager
def process(*words: str) -> "Iterator[subprocess.Popen[str]]":
    """A command in a process of its own."""
    environment = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[2]), "PYTHONWARNINGS": "error"}
    command = [sys.executable, "-m", "agentdebate", *words]
    with subprocess.Popen(
        command, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True
    ) as one:
        try:
            yield one
        finally:
            one.kill()


def test_ctrl_c_says_how_to_go_on_and_a_second_process_is_refused_until_then(
    capsys: Capsys, endpoint: Endpoint
) -> None:
    write(numbered(3))
    endpoint.allow(2)
    with process(*RUN, "-c", "1", "--store", "my runs.db", *endpoint.words) as one:
        assert endpoint.stuck.wait(120)
        came = typed(capsys, "resume", "--store", "my runs.db", *ALLOWED)
        assert came.code == 2
        assert "another process is at work on run " in came.err
        one.send_signal(signal.SIGINT)
        _, err = one.communicate(timeout=120)
    assert one.returncode == 130
    last = err.splitlines()[-1]
    run = head(store="my runs.db").id
    assert last.startswith("stopped after 2 debates; what was paid for is kept; see it: agentdebate show ")
    place = f"127.0.0.1:{endpoint.server_port}"
    again = f"agentdebate resume {run} --store 'my runs.db' --base-url=http://{place}/v1"
    assert last.endswith(f"; go on: {again}")
    endpoint.allow(1000)
    came = typed(capsys, *shlex.split(again)[1:])
    assert (came.code, endpoint.answered) == (0, 3)
    assert not list(Path().glob("*.lock"))
