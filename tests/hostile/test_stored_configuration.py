"""The configuration of a stored run, written by somebody else: every key with values of other types, and keys that stand twice."""

import json
import shutil
import sqlite3
from collections.abc import Mapping
from contextlib import closing
from itertools import cycle
from pathlib import Path
from typing import Any

import pytest
from typed import ITEM, typed, write

from agentdebate.cli.app import run
from agentdebate.store.documents import packed, unpacked

Capsys = pytest.CaptureFixture[str]

COMMANDS = (
    ("list", "runs"),
    ("show", "last", "--json"),
    ("export", "last"),
    ("agree", "last", "--statistic", "bias", "--resamples", "0"),
    ("dynamics", "last"),
    ("aggregate", "last"),
    ("plot", "scores", "last", "-o", "scores.svg"),
    ("resume", "last"),
)


@pytest.fixture(scope="module")
def sound(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store with a run of a wrapper around a strategy, marked as a cell of a sweep, with ranges and cast."""
    folder = tmp_path_factory.mktemp("sound")
    data, store = str(folder / "data.jsonl"), folder / "agentdebate.db"
    write([{"id": f"i{n}", **ITEM, "reference": "It is shut.", "coherence": n} for n in (1, 2)], data)
    what = ("--task", "summarization", "--aspects", "coherence", "--human", "coherence=coherence")
    also = ("--also", "reference=reference", "--store", str(store), "--json")
    assert run(["run", "debate-with-evidence", data, *what, *also]) == 0
    mark = {"name": "sweep-1", "cell": "rounds=1", "kind": "run", "key": "k"}
    ranges = {"rouge-1": {"low": 0.0, "high": 1.0}}
    change(store, lambda found: put(found, ("strategy", "around", "ranges"), ranges) | {"sweep": mark})
    return store


@pytest.fixture
def store(sound: Path) -> Path:
    """A store of the test's own, in its folder."""
    return Path(shutil.copy(sound, "agentdebate.db"))


def change(store: Path, how: Any) -> None:
    """Have the configuration of the newest run be what `how` makes of it."""
    with closing(sqlite3.connect(store)) as there, there:
        ((run_id, text),) = there.execute(
            "select id, configuration from runs order by created desc limit 1"
        ).fetchall()
        changed = how(json.loads(text))
        there.execute(
            "update runs set configuration = ? where id = ?",
            (changed if isinstance(changed, str) else json.dumps(changed), run_id),
        )


def put(value: Mapping[str, Any], place: tuple[str, ...], wrong: object) -> dict[str, Any]:
    """The same with something else in a place."""
    first, *rest = place
    return {**value, first: put(value[first], tuple(rest), wrong) if rest else wrong}


def command(capsys: Capsys, *words: str) -> tuple[int, str]:
    """The exit code of a command, and what it says on standard error."""
    came = typed(capsys, *words)
    assert "agentdebate itself" not in came.err
    return came.code, came.err


@pytest.mark.parametrize("words", COMMANDS, ids=" ".join)
def test_no_value_of_another_type_is_an_error_of_our_own(
    words: tuple[str, ...], sound: Path, store: Path, capsys: Capsys
) -> None:
    with closing(sqlite3.connect(sound)) as there:
        keys = json.loads(there.execute("select configuration from runs").fetchone()[0]).keys() - {"content"}
    for key, wrong in zip(sorted(keys), cycle((float("nan"), "x")), strict=False):
        shutil.copy(sound, store)
        change(store, lambda told, key=key, wrong=wrong: {**told, key: wrong})
        command(capsys, *words)


@pytest.mark.parametrize(
    ("place", "wrong", "words", "field"),
    [
        (("strategy", "models"), 1e308, "show", "strategy.models"),
        (("strategy", "around", "models"), {"critic": 5}, "show", "strategy.around.models.critic"),
        (("strategy", "cast"), [1], "show", "strategy.cast"),
        (("strategy", "around", "ranges"), {"rouge-1": {"low": "x", "high": 1}}, "aggregate", "rouge-1.low"),
        (("strategy", "around", "ranges"), {"rouge-1": {"low": 1, "high": 1}}, "aggregate", "rouge-1: low"),
        (("sweep", "cell"), 5, "show", "sweep.cell"),
        (("tasks", "summarization", "aspects"), 5, "agree", "summarization"),
    ],
)
def test_the_error_names_store_run_and_field_and_says_what_to_do(
    place: tuple[str, ...], wrong: object, words: str, field: str, *, store: Path, capsys: Capsys
) -> None:
    change(store, lambda told: put(told, place, wrong))
    code, said = command(capsys, words, "last")
    assert code == 1
    assert said.startswith(f"agentdebate: the store {store}: run 2")
    assert field in said
    assert "hold the run again" in said


def test_a_key_that_stands_twice_in_a_configuration_or_an_item_is_refused(
    store: Path, capsys: Capsys
) -> None:
    with closing(sqlite3.connect(store)) as there, there:
        for name, data in there.execute("select id, data from items").fetchall():
            twice = packed('{"id": "i9", ' + unpacked(data)[1:])
            there.execute("update items set data = ? where id = ?", (twice, name))
    for words in (("store", "check"), ("report", "last", "-o", "report.html")):
        code, said = command(capsys, *words)
        assert (code, "the key 'id' stands twice in one object" in said) == (1, True), words
    assert not Path("report.html").exists()
    code, said = command(capsys, "resume", "last")
    assert (code, "the key 'id' stands twice in one object" in said) == (2, True)
    change(store, lambda told: '{"form": "text", ' + json.dumps(told)[1:])
    code, said = command(capsys, "show", "last")
    assert (code, "the key 'form' stands twice in one object" in said) == (1, True)
