"""Items that are read while they are judged: large files, and standard input."""

import json
import os
import signal

import pytest
from typed import ITEM, RUN, numbered, popen, typed, write

from agentdebate.datasets import data_source
from agentdebate.store.reader import read_store

Capsys = pytest.CaptureFixture[str]
PATIENCE = 120.0
"""Seconds until a process that says nothing fails its test."""


@pytest.fixture
def _large(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every file is a large one."""
    monkeypatch.setattr(data_source, "LARGE", 1)


def configuration() -> dict[str, dict[str, object]]:
    with read_store("agentdebate.db") as reader:
        return dict(reader.run("last").configuration)


@pytest.mark.usefixtures("_large")
def test_a_large_file_gives_what_a_small_one_gives(capsys: Capsys, monkeypatch: pytest.MonkeyPatch) -> None:
    write(numbered(30))
    large = typed(capsys, *RUN, "-c", "3")
    monkeypatch.setattr(data_source, "LARGE", 2**40)
    small = typed(capsys, *RUN, "-c", "3")
    assert (large.code, large.out.replace(large.err.split()[1], "")) == (
        small.code,
        small.out.replace(small.err.split()[1], ""),
    )
    assert "items as they are read, coherence" in large.err


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


def test_standard_input_is_judged_as_it_comes() -> None:
    """The first verdict is there before the second line is, and Ctrl-C does not wait for it."""
    line = json.dumps({"id": "i1", **ITEM}) + "\n"
    with popen("run", "solo", "-", *RUN[3:], "--json") as process:
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
