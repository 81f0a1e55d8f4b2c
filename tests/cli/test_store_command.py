"""agentdebate store: what is in it, and deleting a run."""

import io
import json
import sys

import pytest

from agentdebate.cli.app import run
from agentdebate.store.reader import read_store

Capsys = pytest.CaptureFixture[str]
DATA = '{"id": "i1", "source": "The bridge closes.", "summary": "A bridge closes."}\n'


@pytest.fixture(autouse=True)
def _store(tmp_path_factory: pytest.TempPathFactory, capsys: Capsys) -> None:
    with open("data.jsonl", "w", encoding="utf-8") as data:  # noqa: PTH123 - in the test's own folder
        data.write(DATA)
    words = ["run", "solo", "data.jsonl", "--task", "summarization", "--aspects", "fluency"]
    assert run(words) == run(words) == 0
    capsys.readouterr()


def runs() -> list[str]:
    with read_store("agentdebate.db") as reader:
        return [head.id for head in reader.runs()]


def test_what_a_store_holds_is_told(capsys: Capsys) -> None:
    assert run(["store", "info"]) == 0
    assert "2 runs, 2 debates, 2 calls" in capsys.readouterr().out
    assert run(["store", "info", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert (told["place"], told["schema"], told["runs"]) == ("agentdebate.db", 9, 2)


def test_a_run_is_deleted_when_that_is_said(capsys: Capsys) -> None:
    assert run(["store", "delete", "last", "--yes"]) == 0
    assert "deleted run " in capsys.readouterr().out
    assert len(runs()) == 1


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["delete", "last"], "this would delete the run"),
        (["delete"], "name the run"),
        (["delete", "1970", "--yes"], "there is no run '1970'"),
        (["info", "other.db"], "leave out 'other.db'"),
        (["info", "--store", "other.db"], "there is no store other.db"),
    ],
)
def test_what_is_not_said_right_is_told_and_nothing_goes(
    words: list[str], said: str, monkeypatch: pytest.MonkeyPatch, capsys: Capsys
) -> None:
    monkeypatch.setattr(sys, "stdin", io.StringIO())
    assert run(["store", *words]) == 2
    assert said in capsys.readouterr().err
    assert len(runs()) == 2
