"""Somebody else's store: what its runs say of where requests and keys go counts only where the user allows it."""

import json
import sqlite3
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from listener import OPENAI, SECRET, Listener
from stopped_debates import stop_debates
from test_folder_traps import HEAD, lay
from typed import ITEM, RUN, typed, write

Capsys = pytest.CaptureFixture[str]
Command = dict[str, Any]
Change = Callable[[Command, str], None]
"""A change of what the store says of a command, which has an address put into it."""
KEY = "--api-key-env=AWS_SECRET_ACCESS_KEY"
EVALUATOR = '--set=evaluators=["endpoint-probability/m:base_url=ADDRESS,api_key_env=AWS_SECRET_ACCESS_KEY"]'


@pytest.fixture
def stopped(capsys: Capsys) -> None:
    """A run in the store, as if it had been stopped before its second item."""
    write([{"id": name, **ITEM, "reference": "A bridge is shut."} for name in ("a", "b")])
    assert typed(capsys, *RUN, "--also", "reference=reference").code == 0
    stop_debates("agentdebate.db", "b%")


def alter(change: Callable[[Command], None]) -> None:
    """Change what the store says of the command by which the run was held."""
    with sqlite3.connect("agentdebate.db") as store:
        (text,) = store.execute("SELECT configuration FROM runs").fetchone()
        configuration = json.loads(text)
        change(configuration["command"])
        store.execute("UPDATE runs SET configuration = ?", (json.dumps(configuration),))
    store.close()


def says(command: Command, *words: str) -> None:
    """Have the store say a strategy and options, in the place of those of the same name."""
    command["strategy"] = next((word for word in words if word[0] != "-"), command["strategy"])
    options = [word for word in words if word[0] == "-"]
    names = {word.partition("=")[0] for word in options}
    kept = [word for word in command["options"] if word.partition("=")[0] not in names]
    command["options"] = [*kept, *options]


def saying(*words: str) -> Change:
    return lambda command, address: says(command, *(word.replace("ADDRESS", address) for word in words))


def by_name(command: Command, address: str) -> None:
    """As records of earlier versions say it."""
    words = [word.partition("=") for word in command.pop("options")]
    named = {name.removeprefix("--").replace("-", "_"): value for name, _, value in words}
    command |= {**named, "models": {"model": "openai/m", "base_url": address}}


def as_the_user(command: Command, address: str) -> None:
    saying(*ADDRESS, KEY, "--allow-endpoint=127.0.0.1")(command, address)
    command |= {"said_in": None, "consent": {"allow_endpoint": ["127.0.0.1"]}}


ADDRESS = ("--model=openai/m", "--base-url=ADDRESS")
REACHING: dict[str, Change] = {
    "an address": saying(*ADDRESS),
    "an address and a variable": saying(*ADDRESS, KEY),
    "an evaluator": saying("avg", EVALUATOR),
    "an embedder": saying("drpe", "--set=embedder=openai/ADDRESS"),
    "a model of an agent": saying("--agent-model=scorer=proxy/ADDRESS"),
    "a field of the body": saying("--model=openai/m", '--extra=api_base="ADDRESS"'),
    "a record that names its options": by_name,
    "a claim that the user said it": as_the_user,
}


@pytest.mark.usefixtures("stopped")
@pytest.mark.parametrize("change", REACHING.values(), ids=REACHING)
def test_a_store_sends_nothing_anywhere(change: Change, listener: Listener, capsys: Capsys) -> None:
    alter(lambda command: change(command, listener.address))
    came = typed(capsys, "resume", "--anyway")
    assert came.code == 2, came.err
    assert f"--allow-endpoint {listener.place}" in came.err
    assert listener.requests == []
    assert SECRET not in came.err


@pytest.mark.usefixtures("stopped")
def test_a_variable_of_the_store_does_not_go_to_an_address_that_the_user_names(
    listener: Listener, capsys: Capsys
) -> None:
    alter(lambda command: saying(*ADDRESS, KEY)(command, listener.address))
    again = ("resume", "--anyway", "--base-url", listener.address)
    assert typed(capsys, *again).code == 2
    assert listener.requests == []
    typed(capsys, *again, "--api-key-env", "OPENAI_API_KEY")  # unless the user names a variable too
    assert SECRET not in "".join(listener.requests)
    assert OPENAI in "".join(listener.requests)


@pytest.mark.usefixtures("stopped")
@pytest.mark.parametrize("place", ["project", "consent"])
def test_a_store_does_not_name_the_project(place: str, listener: Listener, capsys: Capsys) -> None:
    evaluator = EVALUATOR.removeprefix("--set=").replace("evaluators=", "evaluators = ")
    lure = f'{HEAD}"evaluator-mean"\n[options]\n{evaluator}\n'.replace("trap", "lure")
    lay({"theirs/strategies/lure.toml": lure}, ADDRESS=listener.address)
    named: Command = {"project": str(Path("theirs").absolute())}

    def theirs(command: Command) -> None:
        says(command, "lure", "--allow-endpoint=127.0.0.1", f"--project={named['project']}")
        command |= named if place == "project" else {"consent": {**named, "allow_endpoint": ["127.0.0.1"]}}

    alter(theirs)
    for words, said in (
        ((), "there is no strategy 'lure'"),
        (("--project", "theirs"), f"--allow-endpoint {listener.place}"),  # it is read where the user names it
    ):
        came = typed(capsys, "resume", "--anyway", *words)
        assert came.code == 2, came.err
        assert said in came.err
        assert listener.requests == []


def caches(command: Command, file: str) -> None:
    """Have the store say that completions are kept in a file, wherever it could say so."""
    said = {"cache": "on", "cache_file": file}
    says(command, "--cache=on", f"--cache-file={file}")
    command |= {"caching": said, **said}


@pytest.mark.usefixtures("stopped")
@pytest.mark.parametrize("words", [(), ("--cache", "on", "--cache-file", "mine.db")])
@pytest.mark.parametrize("file", ["../{}-cache.db", "{}-cache.db", "ABSOLUTE"])
def test_a_store_does_not_say_where_a_cache_is_written(
    file: str, words: tuple[str, ...], tmp_path: Path, capsys: Capsys
) -> None:
    outside = tmp_path.parent / f"{tmp_path.name}-cache.db"
    written = str(outside) if file == "ABSOLUTE" else file.format(tmp_path.name)
    alter(lambda command: caches(command, written))
    assert typed(capsys, "resume", "--anyway", *words).code == 0
    assert not outside.exists()
    assert not Path(outside.name).exists()
    assert Path("mine.db").exists() == bool(words)


SELECTED = ("avg", '--set=evaluators=["chrf"]', '--set=take="selected"')


@pytest.mark.usefixtures("stopped")
@pytest.mark.parametrize("option", ["", "--set=plan=evil.md"])
def test_a_store_does_not_name_the_folder_in_which_files_are_written(
    option: str, tmp_path: Path, capsys: Capsys
) -> None:
    victim = tmp_path.parent / f"{tmp_path.name}-victim"
    victim.mkdir()

    def elsewhere(command: Command) -> None:
        command |= {"folder": str(victim), "data": str(tmp_path / "data.jsonl")}
        if option:
            says(command, *SELECTED, option)
        else:
            caches(command, "evil.db")

    alter(elsewhere)
    came = typed(capsys, "resume", "--anyway")
    assert came.code == 0, came.err
    assert list(victim.iterdir()) == []
    assert Path("evil.md").exists() == bool(option), "what a strategy writes lies where the user is"


@pytest.mark.usefixtures("stopped")
@pytest.mark.parametrize("words", [(*SELECTED, "--set=plan=.envrc"), (*SELECTED, "--set=plan=Makefile")])
def test_a_store_has_no_file_written_that_something_runs(words: tuple[str, ...], capsys: Capsys) -> None:
    before = sorted(Path().iterdir())
    alter(lambda command: says(command, *words))
    came = typed(capsys, "resume", "--anyway")
    assert (came.code, "has to end in .md or .txt" in came.err) == (2, True)
    assert sorted(Path().iterdir()) == before


@pytest.mark.usefixtures("stopped")
def test_a_word_in_the_place_of_another_options_file_names_no_file(capsys: Capsys) -> None:
    alter(lambda command: says(command, *SELECTED, "--set=plan=task"))
    assert typed(capsys, "resume", "--anyway").code == 0
    assert not Path("task").exists()


@pytest.mark.usefixtures("stopped")
@pytest.mark.parametrize("option", ["--prices", "--tokenizer"])
def test_a_store_has_no_file_read_outside_of_the_folder(option: str, capsys: Capsys) -> None:
    alter(lambda command: says(command, "solo", f"{option}=/etc/passwd"))
    came = typed(capsys, "resume", "--anyway")
    assert (came.code, f"{option} leads out of" in came.err) == (2, True)


@pytest.mark.usefixtures("stopped")
@pytest.mark.parametrize("path", ["\ud800", "\0"])
def test_a_path_of_a_store_that_cannot_be_one_is_an_error_that_says_so(path: str, capsys: Capsys) -> None:
    alter(lambda command: says(command, *SELECTED, f"--set=plan={path}"))
    came = typed(capsys, "resume")
    assert came.code == 2
    assert "is not a path that can be used" in came.err
