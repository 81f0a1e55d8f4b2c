"""--sample draws items at random: the same ones for the same seed, in the file's order, from files of any size."""

from pathlib import Path

import pytest
from typed import RUN, Typed, numbered, typed, write

from agentdebate.runs.load_items import load_items
from agentdebate.store.reader import read_store

Capsys = pytest.CaptureFixture[str]
COUNT = 300


def drawn(came: Typed) -> list[str]:
    """The ids of the items that were judged, in the order of their rows."""
    assert came.code == 0, came.err
    return sorted((row["id"] for row in came.json), key=lambda name: int(name[1:]))


@pytest.fixture(autouse=True)
def _data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    write(numbered(COUNT))


def test_a_seed_draws_the_same_items_on_every_machine_and_another_seed_draws_others(capsys: Capsys) -> None:
    first = drawn(typed(capsys, *RUN, "--sample", "5", "--seed", "3", "--json"))
    assert first == ["i133", "i155", "i205", "i216", "i220"]
    assert first != drawn(typed(capsys, *RUN, "--sample", "5", "--seed", "4", "--json"))


def test_a_sample_keeps_the_order_of_the_file_and_a_larger_one_holds_it() -> None:
    small, large = (
        [item.id for item in load_items("data.jsonl", "summarization", sample=size)] for size in (10, 40)
    )
    assert small == sorted(small, key=lambda name: int(name[1:]))
    assert set(small) < set(large)


def test_a_run_that_goes_on_and_a_sweep_draw_the_same(capsys: Capsys) -> None:
    first = drawn(typed(capsys, *RUN, "--sample", "3", "--seed", "2", "--json"))
    again = typed(capsys, "resume", "last", "--json")
    assert drawn(again) == first
    assert "3 items" in again.err
    words = [word for word in RUN if word != "run"]
    assert typed(capsys, "sweep", *words, "--sample", "3", "--seed", "2", "--vary", "strategy=solo").code == 0
    with read_store("agentdebate.db") as reader:
        assert [item.id for item in reader.items(reader.run("last").id)] == first


@pytest.mark.parametrize(
    ("words", "problem"),
    [
        (("--sample", "301"), "--sample: 301 items cannot be drawn from 300: draw fewer"),
        (("--sample", "0"), "--sample is at least 1"),
        (("--sample", "3", "--limit", "3"), "leave one of them out"),
    ],
)
def test_a_sample_that_cannot_be_drawn_is_an_error_before_anything_is_judged(
    capsys: Capsys, words: tuple[str, ...], problem: str
) -> None:
    came = typed(capsys, *RUN, *words)
    assert came.code == 2
    assert problem in came.err
    assert not Path("agentdebate.db").exists()
