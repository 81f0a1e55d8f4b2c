"""A sweep is the same from Python and from the command line: either goes on with what the other has begun."""

import asyncio
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest
from scored_summaries import scored_items, write_scored
from stopped_debates import stop_debates
from typed import Typed, typed

import agentdebate as ad
from agentdebate.store.reader import read_store

SUMMARIES = {"s1": ("Kelby's bridge closes for eleven weeks.", 5), "s2": ("the bridge is torn down", 1)}
WORDS = ("data.jsonl", "--task", "summarization", "--aspects", "coherence", "--human", "coherence=expert", "--group", "group", "--resamples", "0")  # fmt: skip

VARIED: Mapping[str, tuple[tuple[str, ...], Mapping[str, Sequence[Any]], Mapping[str, Any]]] = {
    "an option": (("debate", "--vary", "rounds=1,2"), {"rounds": [1, 2]}, {}),
    "the temperature": (("solo", "--vary", "temperature=0.5,1"), {"temperature": [0.5, 1.0]}, {}),
    "the number of agents": (
        ("chateval-simultaneous", "--vary", "agents=2,3", "--set", "ballots=every"),
        {"agents": [2, 3]},
        {"options": {"ballots": "every"}},
    ),
    "the persona": (
        ("debate", "--vary", "persona=critic-weak,critic-strict", "--temperature", "0.3"),
        {"persona": ["critic-weak", "critic-strict"]},
        {"sampling": ad.Sampling(temperature=0.3)},
    ),
    "a role and the strategy": (
        ("debate", "--vary", "cast.critic=critic-weak", "--cast", "scorer=scorer", "--patience", "2"),
        {"cast.critic": ["critic-weak"]},
        {"cast": {"scorer": "scorer"}, "patience": 2},
    ),
}
"""What the command is told behind its data, and the same as arguments of the call."""


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with data, which is the current one."""
    monkeypatch.chdir(tmp_path)
    write_scored(tmp_path, SUMMARIES)
    return tmp_path


def items() -> list[ad.Item]:
    return scored_items(SUMMARIES)


def called(strategy: str, vary: Mapping[str, Sequence[Any]], **more: Any) -> ad.SweepTable:
    words = {"aspects": "coherence", "resamples": 0, **more}
    return asyncio.run(ad.sweep(items(), strategy, vary=vary, **words))


def commanded(capsys: pytest.CaptureFixture[str], strategy: str, *words: str) -> Typed:
    told = typed(capsys, "sweep", strategy, *WORDS, *words, "--json")
    assert told.code == 0, told.err
    return told


def runs() -> list[str]:
    with read_store("agentdebate.db") as reader:
        return [head.id for head in reader.runs()]


def leave_unfinished(run: str) -> None:
    """Have a run lack its end and the second item, as one that was stopped."""
    stop_debates("agentdebate.db", "s2/%", run)


def is_whole(run: str) -> bool:
    with read_store("agentdebate.db") as reader:
        return reader.run(run).ended is not None and len(list(reader.rows(run))) == len(SUMMARIES)


@pytest.mark.parametrize("varied", VARIED)
def test_the_command_finds_what_python_held(varied: str, capsys: pytest.CaptureFixture[str]) -> None:
    (strategy, *words), vary, more = VARIED[varied]
    table = called(strategy, vary, **more)
    held = runs()
    told = commanded(capsys, strategy, *words)
    assert runs() == held
    assert told.json[0]["sweep"] == table.name
    assert told.json[0]["rows"] == json.loads(json.dumps(table.rows()))


@pytest.mark.parametrize("varied", VARIED)
def test_python_finds_what_the_command_held(varied: str, capsys: pytest.CaptureFixture[str]) -> None:
    (strategy, *words), vary, more = VARIED[varied]
    told = commanded(capsys, strategy, *words)
    held = runs()
    table = called(strategy, vary, **more)
    assert runs() == held
    assert (table.name, json.loads(json.dumps(table.rows()))) == (told.json[0]["sweep"], told.json[0]["rows"])


def test_the_command_takes_up_a_cell_that_python_left(capsys: pytest.CaptureFixture[str]) -> None:
    called("debate", {"rounds": [1, 2]})
    held = runs()
    leave_unfinished(held[0])
    told = commanded(capsys, "debate", "--vary", "rounds=1,2")
    assert f"rounds=1: run {held[0]} taken up again" in told.err
    assert runs() == held
    assert is_whole(held[0])


def test_python_takes_up_a_cell_that_the_command_left(capsys: pytest.CaptureFixture[str]) -> None:
    commanded(capsys, "debate", "--vary", "rounds=1,2")
    held = runs()
    leave_unfinished(held[0])
    called("debate", {"rounds": [1, 2]})
    assert runs() == held
    assert is_whole(held[0])


def test_cells_that_are_new_alone_are_held(capsys: pytest.CaptureFixture[str]) -> None:
    called("debate", {"rounds": [1]})
    held = runs()
    told = commanded(capsys, "debate", "--vary", "rounds=1,2")
    assert f"rounds=1: run {held[0]} has ended" in told.err
    assert runs()[: len(held)] == held
    new = runs()[len(held) :]
    assert sum("-debate-" in run for run in new) == 1


@pytest.mark.parametrize(
    "more", [{"patience": 2}, {"sampling": ad.Sampling(seed=7)}, {"options": {"threshold": 0.5}}, {"control": "single-agent"}],
    ids=["settings", "sampling", "options", "control"],
)  # fmt: skip
def test_what_is_held_in_another_way_is_another_run(more: Mapping[str, Any]) -> None:
    called("debate", {"rounds": [1]})
    held = runs()
    if "options" in more:
        with pytest.raises(ad.UserError, match="threshold"):
            called("debate", {"rounds": [1]}, **more)
        assert runs() == held
        return
    called("debate", {"rounds": [1]}, **more)
    assert len(runs()) > len(held)


def test_a_listener_hears_of_every_cell_and_control() -> None:
    heard: list[str] = []

    class Listener(ad.SweepListener):
        def begins(self, name: str, cells: int, items: int) -> None:
            heard.append(f"{cells} over {items}")

        def has_ended(self, cell: ad.SweepCell, head: Any) -> None:
            heard.append(f"{cell.label} was there as {head.id}")

        async def holds(self, cell: ad.SweepCell, run: ad.Evaluation, *, again: bool) -> None:
            heard.append(f"{cell.label}{' again' if again else ''}")
            async for _ in run:
                pass

    called("solo", {"temperature": [0.5]}, listener=Listener())
    assert heard == ["1 over 2", "temperature=0.5", "solo x1, T=1"]
    called("solo", {"temperature": [0.5]}, listener=Listener())
    assert heard[4:] == [
        f"temperature=0.5 was there as {runs()[0]}",
        f"solo x1, T=1 was there as {runs()[1]}",
    ]
