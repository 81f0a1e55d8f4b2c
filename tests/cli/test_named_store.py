"""Errors from below name commands about a run: with the store that the user named, so that they work as they stand."""

import pytest
from typed import RUN, numbered, typed, write

from agentdebate.cli.console.command_lines import with_store

Capsys = pytest.CaptureFixture[str]


def test_an_error_names_the_store_in_the_command_that_goes_on(capsys: Capsys) -> None:
    write(numbered(2))
    typed(capsys, *RUN, "--store", "my runs.db", "--queue")
    came = typed(capsys, "agree", "last", "--store", "my runs.db")
    command = came.err.partition("agentdebate work ")[2].partition(" goes on")[0]
    run, *store = command.split(" ", 1)
    assert store == ["--store 'my runs.db'"]
    assert typed(capsys, "work", run, "--store", "my runs.db").code == 0


@pytest.mark.parametrize("words", [("--store", "a.db"), ("--store=a.db",)])
def test_the_store_is_added_however_it_was_spelled(words: tuple[str, ...]) -> None:
    told = with_store("agentdebate stop 20261123-072741-solo-696d ends them", ("show", "last", *words))
    assert told == "agentdebate stop 20261123-072741-solo-696d --store a.db ends them"


@pytest.mark.parametrize(
    "text",
    [
        "agentdebate resume 20261123-072741-solo-696d --store a.db",
        "which agentdebate resume goes on with",
        "agentdebate list runs",
    ],
)
def test_other_sentences_stay(text: str) -> None:
    assert with_store(text, ("show", "--store", "a.db")) == text
    assert with_store(text, ("show", "--store")) == text
    assert with_store(text, ()) == text


def test_a_password_is_not_repeated() -> None:
    told = with_store("agentdebate work debate-696d", ("--store", "postgresql://me:secret@db/judging"))
    assert told == "agentdebate work debate-696d --store 'postgresql://me:***@db/judging'"
