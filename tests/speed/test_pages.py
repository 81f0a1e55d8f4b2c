"""Aims, and the tables that benchmarks write into the documentation."""

from pathlib import Path

import pytest

from benchmarks.aim import Aim, aims_table
from benchmarks.page import SPEED, NoMarksError, write_parts

PARTS = {
    "peers": ("peers", "peers-aims"),
    "imports": ("imports-aims",),
}
"""What is written by which benchmark."""


@pytest.mark.parametrize(
    ("aim", "word"),
    [
        (Aim("", 0.5, 0.5, least=True), "met"),
        (Aim("", 0.49, 0.5, least=True), "not met"),
        (Aim("", 130, 130), "met"),
        (Aim("", 131, 130), "not met"),
        (Aim("", None, 130), "not measured"),
    ],
)
def test_an_aim_is_met_at_its_bound_and_beyond(aim: Aim, word: str) -> None:
    assert aim.word == word


def test_a_table_of_aims_has_bound_figure_and_word() -> None:
    rows = aims_table([Aim("memory", 1250, 130, unit=" MB", digits=0), Aim("share", None, 0.5, least=True)])
    assert rows[2:] == [
        "| memory | at most 130 MB | 1,250 MB | not met |",
        "| share | at least 0.5 |  | not measured |",
    ]


def test_a_part_is_written_between_its_marks_and_nowhere_else(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text(f"before\n{marked('a', 'old')}\nbetween\n{marked('b', 'kept')}\nafter\n")
    for text in ("new", "newer"):
        write_parts(page, "peers", {"a": text})
        as_written = marked("a", f"\n{text}\n\n")
        assert page.read_text() == f"before\n{as_written}\nbetween\n{marked('b', 'kept')}\nafter\n"


def marked(name: str, part: str) -> str:
    return f"<!-- {name}: written by python -m benchmarks peers --write -->\n{part}<!-- end of {name} -->"


def test_a_page_without_the_marks_is_left_as_it_is(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text("nothing")
    with pytest.raises(NoMarksError, match="no place for a"):
        write_parts(page, "peers", {"a": "text"})
    assert page.read_text() == "nothing"


@pytest.mark.parametrize("benchmark", PARTS)
def test_the_page_on_speed_has_a_place_for_every_part(benchmark: str, tmp_path: Path) -> None:
    copy = tmp_path / SPEED.name
    copy.write_text(SPEED.read_text(encoding="utf-8"), encoding="utf-8")
    write_parts(copy, benchmark, dict.fromkeys(PARTS[benchmark], "here it is"))
    assert copy.read_text(encoding="utf-8").count("here it is") == len(PARTS[benchmark])
