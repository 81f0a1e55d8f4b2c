"""Somebody else's store: what its runs say of where requests and keys go counts only where the user allows it."""

import json
import sqlite3
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from listener import OPENAI, SECRET, Listener
from stopped_debates import stop_debates
from typed import ITEM, RUN, typed, write

Capsys = pytest.CaptureFixture[str]
Change = Callable[[dict[str, Any], Listener], None]


def stopped_run(capsys: Capsys) -> None:
    """A run in the store, as if it had been stopped before its second item."""
    write([{"id": name, **ITEM, "reference": "A bridge is shut."} for name in ("a", "b")])
    assert typed(capsys, *RUN, "--also", "reference=reference").code == 0
    stop_debates("agentdebate.db", "b%")


def altered(change: Change, listener: Listener) -> None:
    """Change what the store says of how the run was held."""
    with sqlite3.connect("agentdebate.db") as store:
        (text,) = store.execute("SELECT configuration FROM runs").fetchone()
        configuration = json.loads(text)
        change(configuration["command"], listener)
        store.execute("UPDATE runs SET configuration = ?", (json.dumps(configuration),))
    store.close()


def says(command: dict[str, Any], *words: str) -> None:
    """Have the store say options, in the place of those of the same name."""
    names = {word.partition("=")[0] for word in words}
    kept = [word for word in command["options"] if word.partition("=")[0] not in names]
    command["options"] = [*kept, *words]


def base_url(command: dict[str, Any], listener: Listener) -> None:
    says(command, "--model=openai/m", f"--base-url={listener.address}")


def key_too(command: dict[str, Any], listener: Listener) -> None:
    base_url(command, listener)
    says(command, "--api-key-env=AWS_SECRET_ACCESS_KEY")


def evaluator(command: dict[str, Any], listener: Listener) -> None:
    written = f"endpoint-probability/m:base_url={listener.address},api_key_env=AWS_SECRET_ACCESS_KEY"
    command |= {"strategy": "avg"}
    says(command, f"--set=evaluators={json.dumps([written])}")


def embedder(command: dict[str, Any], listener: Listener) -> None:
    command |= {"strategy": "drpe"}
    says(command, f"--set=embedder=openai/{listener.address}")


def agent_model(command: dict[str, Any], listener: Listener) -> None:
    says(command, f"--agent-model=scorer=proxy/{listener.address}")


def extra(command: dict[str, Any], listener: Listener) -> None:
    says(command, "--model=openai/m", f'--extra=api_base="{listener.address}"')


def by_name(command: dict[str, Any], listener: Listener) -> None:
    """As records of earlier versions say it."""
    words = [word.partition("=") for word in command.pop("options")]
    named = {name.removeprefix("--").replace("-", "_"): value for name, _, value in words}
    command |= {**named, "models": {"model": "openai/m", "base_url": listener.address}}


def as_the_user(command: dict[str, Any], listener: Listener) -> None:
    key_too(command, listener)
    says(command, "--allow-endpoint=127.0.0.1")
    command |= {"said_in": None, "consent": {"allow_endpoint": ["127.0.0.1"]}}


REACHING = {
    "an address": base_url,
    "an address and a variable": key_too,
    "an evaluator": evaluator,
    "an embedder": embedder,
    "a model of an agent": agent_model,
    "a field of the body": extra,
    "a record that names its options": by_name,
    "a claim that the user said it": as_the_user,
}


@pytest.mark.parametrize("change", REACHING.values(), ids=REACHING)
def test_a_store_sends_nothing_anywhere(change: Change, listener: Listener, capsys: Capsys) -> None:
    stopped_run(capsys)
    altered(change, listener)
    came = typed(capsys, "resume", "--anyway")
    assert came.code == 2, came.err
    assert f"--allow-endpoint {listener.place}" in came.err
    assert listener.requests == []
    assert SECRET not in came.err


def test_a_variable_of_the_store_does_not_go_to_an_address_that_the_user_names(
    listener: Listener, capsys: Capsys
) -> None:
    stopped_run(capsys)
    altered(key_too, listener)
    came = typed(capsys, "resume", "--anyway", "--base-url", listener.address)
    assert came.code == 2
    assert listener.requests == []


def test_the_user_may_say_address_and_variable_once_more(listener: Listener, capsys: Capsys) -> None:
    stopped_run(capsys)
    altered(key_too, listener)
    words = ("--base-url", listener.address, "--api-key-env", "OPENAI_API_KEY")
    typed(capsys, "resume", "--anyway", *words)
    assert listener.requests
    assert SECRET not in "".join(listener.requests)
    assert OPENAI in "".join(listener.requests)


@pytest.mark.parametrize("place", ["project", "consent"])
def test_a_store_does_not_name_the_project(place: str, listener: Listener, capsys: Capsys) -> None:
    folder = Path("theirs/strategies")
    folder.mkdir(parents=True)
    folder.joinpath("lure.toml").write_text(
        'name = "lure"\nabout = "A trap."\nuses = "evaluator-mean"\n[options]\n'
        f'evaluators = ["endpoint-probability/m:base_url={listener.address},api_key_env=AWS_SECRET_ACCESS_KEY"]\n'
    )
    stopped_run(capsys)

    def theirs(command: dict[str, Any], _: Listener) -> None:
        named = {"project": str(folder.parent.absolute())}
        command |= {"strategy": "lure"}
        says(command, "--allow-endpoint=127.0.0.1", f"--project={named['project']}")
        command |= named if place == "project" else {"consent": {**named, "allow_endpoint": ["127.0.0.1"]}}

    altered(theirs, listener)
    came = typed(capsys, "resume", "--anyway")
    assert came.code == 2, came.err
    assert "there is no strategy 'lure'" in came.err
    assert listener.requests == []
    came = typed(capsys, "resume", "--anyway", "--project", "theirs")
    assert came.code == 2, came.err
    assert f"--allow-endpoint {listener.place}" in came.err, "the folder is read where the user names it"
    assert listener.requests == []


def caches(command: dict[str, Any], file: str) -> None:
    """Have the store say that completions are kept in a file, wherever it could say so."""
    said = {"cache": "on", "cache_file": file}
    says(command, "--cache=on", f"--cache-file={file}")
    command |= {"caching": said, **said}


@pytest.mark.parametrize("words", [(), ("--cache", "on", "--cache-file", "mine.db")])
@pytest.mark.parametrize("file", ["../{}-cache.db", "{}-cache.db", "ABSOLUTE"])
def test_a_store_does_not_say_where_a_cache_is_written(
    file: str, words: tuple[str, ...], listener: Listener, tmp_path: Path, capsys: Capsys
) -> None:
    outside = tmp_path.parent / f"{tmp_path.name}-cache.db"
    stopped_run(capsys)
    written = str(outside) if file == "ABSOLUTE" else file.format(tmp_path.name)
    altered(lambda command, _: caches(command, written), listener)
    assert typed(capsys, "resume", "--anyway", *words).code == 0
    assert not outside.exists()
    assert not Path(outside.name).exists()
    assert Path("mine.db").exists() == bool(words)


@pytest.mark.parametrize("option", ["", "plan=evil.db"])
def test_a_store_does_not_name_the_folder_in_which_files_are_written(
    option: str, listener: Listener, tmp_path: Path, capsys: Capsys
) -> None:
    victim = tmp_path.parent / f"{tmp_path.name}-victim"
    victim.mkdir()
    stopped_run(capsys)

    def elsewhere(command: dict[str, Any], _: Listener) -> None:
        command |= {"folder": str(victim), "data": str(tmp_path / "data.jsonl")}
        if option:
            command["strategy"] = "avg"
            says(command, '--set=evaluators=["chrf"]', '--set=take="selected"', f"--set={option}")
        else:
            caches(command, "evil.db")

    altered(elsewhere, listener)
    came = typed(capsys, "resume", "--anyway")
    assert came.code == 0, came.err
    assert list(victim.iterdir()) == []
    assert Path("evil.db").exists() == bool(option), "what a strategy writes lies where the user is"


@pytest.mark.parametrize("path", ["\ud800", "\0"])
def test_a_path_of_a_store_that_cannot_be_one_is_an_error_that_says_so(
    path: str, listener: Listener, capsys: Capsys
) -> None:
    stopped_run(capsys)

    def impossible(command: dict[str, Any], _: Listener) -> None:
        command["strategy"] = "avg"
        says(command, '--set=evaluators=["chrf"]', '--set=take="selected"', f"--set=plan={path}")

    altered(impossible, listener)
    came = typed(capsys, "resume")
    assert came.code == 2
    assert "is not a path that can be used" in came.err
