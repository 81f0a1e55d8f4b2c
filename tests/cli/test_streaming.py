"""Items that are read while they are judged: large files, and standard input."""

import io
import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import anyio
import pytest
from typed import ITEM, RUN, Typed, numbered, typed, write

from agentdebate.datasets import supply
from agentdebate.datasets.supply import Print, look_through
from agentdebate.errors import AuthenticationError
from agentdebate.models.base import Model, ModelRequest
from agentdebate.models.function import Function
from agentdebate.store.reader import read_store

Capsys = pytest.CaptureFixture[str]
Speaks = Callable[[Model], None]
PATIENCE = 120.0
"""Seconds until a process that says nothing fails its test."""


@pytest.fixture
def _large(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every file is a large one."""
    monkeypatch.setattr(supply, "LARGE", 1)


def configuration() -> dict[str, dict[str, object]]:
    with read_store("agentdebate.db") as reader:
        return dict(reader.run("last").configuration)


def ids(came: Typed) -> list[object]:
    return [row["id"] for row in came.json]


@pytest.mark.usefixtures("_large")
def test_a_large_file_gives_what_a_small_one_gives(capsys: Capsys, monkeypatch: pytest.MonkeyPatch) -> None:
    write(numbered(30))
    large = typed(capsys, *RUN, "-c", "3")
    monkeypatch.setattr(supply, "LARGE", 2**40)
    small = typed(capsys, *RUN, "-c", "3")
    assert (large.code, large.out.replace(large.err.split()[1], "")) == (
        small.code,
        small.out.replace(small.err.split()[1], ""),
    )
    assert "items as they are read, coherence" in large.err


@pytest.mark.usefixtures("_large")
def test_what_tells_a_large_file_from_another_is_kept_as_that_of_a_small_one(
    capsys: Capsys, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(numbered(5))
    typed(capsys, *RUN)
    large = configuration()["data"]
    monkeypatch.setattr(supply, "LARGE", 2**40)
    typed(capsys, *RUN)
    assert large == configuration()["data"]


@pytest.mark.usefixtures("_large")
def test_a_wrong_first_line_costs_nothing_and_leaves_no_run(capsys: Capsys) -> None:
    write([{"id": "i1", "source": "x"}])
    came = typed(capsys, *RUN)
    assert (came.code, came.out) == (2, "")
    assert "data.jsonl, line 1, 'summary'" in came.err
    assert not Path("agentdebate.db").exists()


@pytest.mark.usefixtures("_large")
def test_a_wrong_line_further_on_keeps_what_was_judged_before(capsys: Capsys) -> None:
    rows: list[dict[str, str]] = [*numbered(200), {"id": "bad"}]
    write(rows)
    came = typed(capsys, *RUN, "-c", "1", "--json")
    assert came.code == 2
    assert "data.jsonl, line 201" in came.err
    assert "go on: agentdebate resume" in came.err
    with read_store("agentdebate.db") as reader:
        assert reader.run("last").verdicts >= 1
    write([*numbered(200), {"id": "bad", **ITEM}])
    rest = typed(capsys, "resume", "--json", "--anyway")
    assert rest.code == 0
    with read_store("agentdebate.db") as reader:
        assert reader.run("last").verdicts == 201


@pytest.mark.usefixtures("_large")
def test_two_items_with_the_same_id_are_found_when_the_second_is_reached(capsys: Capsys) -> None:
    write([*numbered(3), *numbered(1)])
    came = typed(capsys, *RUN)
    assert came.code == 2
    assert "two items have the id 'i1'" in came.err


@pytest.mark.usefixtures("_large")
def test_a_large_file_that_was_changed_is_noticed(capsys: Capsys, speaks: Speaks) -> None:
    write(numbered(6))
    assert typed(capsys, *RUN).code == 0
    write(numbered(7))
    came = typed(capsys, "resume")
    assert came.code == 2
    assert "held in another way: data.sha256 was" in came.err


@pytest.mark.usefixtures("_large")
def test_a_run_over_a_large_file_goes_on_though_it_was_stopped_before_that_was_looked_through(
    capsys: Capsys, speaks: Speaks, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def never(_: object) -> Print:
        await anyio.sleep_forever()
        raise AssertionError

    write(numbered(6))
    speaks(refusing(after=2))
    with monkeypatch.context() as patched:
        patched.setattr("agentdebate.runs.run.look_through", never)
        assert typed(capsys, *RUN, "-c", "1").code == 1
    assert "sha256" not in configuration()["data"]
    speaks(refusing(after=100))
    rest = typed(capsys, "resume", "--json")
    assert (rest.code, ids(rest)) == (0, ["i1", "i2", "i3", "i4", "i5", "i6"])


@pytest.mark.usefixtures("_large")
def test_a_dry_run_counts_all_of_a_large_file(capsys: Capsys) -> None:
    write(numbered(25))
    told = json.loads(typed(capsys, *RUN, "--dry-run", "--json").out)
    assert (told["items"], told["debates"]) == (25, 25)
    told = json.loads(typed(capsys, *RUN, "--dry-run", "--json", "--limit", "7").out)
    assert told["items"] == 7


def refusing(after: int) -> Function:
    """A model that refuses the key after so many replies."""
    left = after

    def reply(_: ModelRequest) -> str:
        nonlocal left
        left -= 1
        if left < 0:
            raise AuthenticationError("the key is refused", model="tiny")
        return "Coherence: 3"

    return Function("tiny", reply)


def test_a_key_that_is_refused_stops_the_run_and_says_how_to_go_on(capsys: Capsys, speaks: Speaks) -> None:
    write(numbered(40))
    speaks(refusing(after=3))
    came = typed(capsys, *RUN, "-c", "2", "--json")
    assert (came.code, len(came.json)) == (1, 3)
    stopped, reason = came.err.splitlines()[-2:]
    assert stopped.startswith("stopped after 3 debates; what was paid for is kept")
    assert "agentdebate resume" in stopped
    assert reason == "agentdebate: tiny: the key is refused"


def test_standard_input_is_judged_as_it_comes() -> None:
    """The first verdict is there before the second line is, and Ctrl-C does not wait for it."""
    line = json.dumps({"id": "i1", **ITEM}) + "\n"
    command = [sys.executable, "-m", "agentdebate", "run", "solo", "-", *RUN[3:], "--json"]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write(line)
        process.stdin.flush()
        assert json.loads(process.stdout.readline())["id"] == "i1"
        os.kill(process.pid, signal.SIGINT)
        assert process.wait(PATIENCE) == 130
        assert process.stderr is not None
        said = process.stderr.read()
    assert "stopped after 1 debate" in said
    assert "Traceback" not in said
    assert "Fatal" not in said


def test_a_run_whose_reader_has_gone_says_how_to_go_on() -> None:
    """As with `| head -1`: what was judged is kept, and the run can go on."""
    write(numbered(3000))
    command = [sys.executable, "-m", "agentdebate", *RUN, "--json", "-c", "4"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        process.stdout.readline()
        process.stdout.close()
        assert process.stderr is not None
        said = process.stderr.read()
        assert process.wait(PATIENCE) == 1
    assert "what was paid for is kept" in said
    assert "agentdebate resume" in said
    assert "Traceback" not in said


def test_lines_of_standard_input_after_the_limit_are_not_waited_for(
    capsys: Capsys, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = "".join(json.dumps(row) + "\n" for row in numbered(3)) + "this is no JSON\n"
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(text.encode())))
    came = typed(capsys, "run", "solo", "-", *RUN[3:], "--limit", "3", "--json")
    assert (came.code, sorted(map(str, ids(came)))) == (0, ["i1", "i2", "i3"])


@pytest.mark.parametrize(
    ("text", "lines"),
    [(b"", 0), (b"a", 1), (b"a\n", 1), (b"a\n\n \nb", 2), (b"\n\n", 0), (b"a\r\nb\r\n", 2)],
)
def test_lines_are_counted_wherever_the_chunks_end(text: bytes, lines: int, tmp_path: Path) -> None:
    for size in range(1, len(text) + 1):
        found = Print()
        for start in range(0, len(text), size):
            found.add(text[start : start + size])
        found.close()
        assert found.lines == lines
    path = tmp_path / "x"
    path.write_bytes(text)
    assert anyio.run(look_through, path).lines == lines
