"""Log lines on the command line: on standard error, harmless, and never in floods."""

import asyncio
import json
import logging
from collections.abc import Iterator
from pathlib import Path

import pytest
from typed import RUN, numbered, typed, write

from agentdebate.cli.console.logs import WarningLines, warnings_shown
from agentdebate.errors import ServerFailed
from agentdebate.models.base import Context, ModelRequest
from agentdebate.models.retry import Retrying
from agentdebate.models.script import Scripted
from agentdebate.tasks import Aspect, Item, Scale, Task

Capsys = pytest.CaptureFixture[str]
FLUENCY = Aspect(name="fluency", scale=Scale(low=1, high=5), criterion="x")
TASK = Task(name="text", fields=("text",), judged="text", aspects=(FLUENCY,), brief="x")
ITEM = Item(task="text", id="i1", fields={"text": "x"})


@pytest.fixture(autouse=True)
def lines() -> Iterator[WarningLines]:
    """The package's warnings, shown on standard error."""
    with warnings_shown() as lines:
        yield lines


def test_warnings_go_to_standard_error_and_lesser_lines_nowhere(capsys: Capsys) -> None:
    logging.getLogger("agentdebate.models").warning("left out %s", "top_p\x1b")
    logging.getLogger("agentdebate.models").info("more chatter")
    captured = capsys.readouterr()
    assert captured.out == ""
    assert "warning: left out top_p" in captured.err
    assert "\x1b" not in captured.err
    assert "chatter" not in captured.err


def test_a_retry_is_told_in_words(capsys: Capsys) -> None:
    context = Context(TASK, ITEM, (), "score", "score", "critic\x1b", "critic", 0, ())
    model = Retrying(Scripted([ServerFailed("busy"), "fine"]), first_wait=0, jitter=0)
    asyncio.run(model.complete(ModelRequest((), context=context)))
    said = capsys.readouterr()
    assert said.out == ""
    assert said.err.endswith("warning: tried again in 0.0 s: ServerFailed: busy item=i1 agent=critic\\x1b\n")


def test_lines_of_one_kind_are_counted_though_their_numbers_differ(capsys: Capsys) -> None:
    for wait in range(3):
        logging.getLogger("agentdebate.models").warning("wait %s", wait, extra={"kind": "retry"})
    logging.getLogger("agentdebate.models").warning("no top_p")
    logging.getLogger("agentdebate.models").warning("no seed")
    assert [line.partition("warning: ")[2] for line in capsys.readouterr().err.splitlines()] == [
        "wait 0", "no top_p", "no seed",
    ]  # fmt: skip


def test_every_event_is_a_line_of_json_and_a_second_run_is_written_behind_the_first(capsys: Capsys) -> None:
    write(numbered(1))
    for _ in range(2):
        typed(capsys, *RUN, "--log", "run.log")
    events = [json.loads(line) for line in Path("run.log").read_text(encoding="utf-8").splitlines()]
    assert [event["kind"] for event in events] == [
        "run begins",
        "call answered",
        "debate ended",
        "run ended",
    ] * 2
    answered = {"timestamp", "level", "event", "run", "item", "debate", "agent", "round", "purpose"}
    assert answered <= events[1].keys()
    assert logging.getLogger("agentdebate").level == logging.NOTSET


@pytest.mark.parametrize(
    "text", ['{"id": "i1", "source": "x"}\n', "[1]\n", "SQLite format 3\0", "a text", "5\n"]
)
def test_a_file_that_holds_something_else_gets_no_log(text: str, capsys: Capsys) -> None:
    write(numbered(1))
    Path("kept").write_text(text, encoding="utf-8")
    came = typed(capsys, *RUN, "--log", "kept")
    assert (came.code, Path("kept").read_text(encoding="utf-8")) == (2, text)
    assert "--log: kept holds something else than a log" in came.err
