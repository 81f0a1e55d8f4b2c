"""agentdebate plot."""

from pathlib import Path

import pytest
from typed import numbered, typed, write

RUN = ("run", "solo", "data.jsonl", "--task", "summarization", "--aspects", "coherence,fluency")
SCORES = "coherence=c,fluency=f"


def held(capsys: pytest.CaptureFixture[str], *options: str) -> None:
    rows = [
        {
            **row,
            "summary": "Kelby's bridge is shut. " * (1 + place % 3),
            "c": 5 - place % 4,
            "f": 1 + place % 3,
        }
        for place, row in enumerate(numbered(8))
    ]
    write(rows)
    assert typed(capsys, *RUN, *options).code == 0


def test_a_plot_is_written_and_its_numbers_are_on_standard_output(capsys: pytest.CaptureFixture[str]) -> None:
    held(capsys, "--human", SCORES)
    told = typed(capsys, "plot", "people", "last", "-o", "people.html", "--json", "--resamples", "20")
    (said,) = told.json
    assert told.code == 0
    assert [row["aspect"] for row in said["rows"]] == ["coherence", "fluency"]
    assert {row["n"] for row in said["rows"]} == {8}
    assert "it is a baseline, not a language model" in said["caption"]
    assert "coherence" in Path("people.html").read_text(encoding="utf-8")


def test_runs_have_the_names_that_they_are_given(capsys: pytest.CaptureFixture[str]) -> None:
    held(capsys, "--human", SCORES)
    words = ("plot", "cost", "one=last", "two=last", "-o", "cost.svg", "--json", "--resamples", "0")
    (said,) = typed(capsys, *words, "--aspects", "fluency").json
    assert [row["cell"] for row in said["rows"]] == ["one", "two"]
    assert {row["low"] for row in said["rows"]} == {None}
    assert "bootstrap" not in said["caption"]


def test_a_plot_that_cannot_be_written_is_refused_before_anything_is_read(
    capsys: pytest.CaptureFixture[str],
) -> None:
    told = typed(capsys, "plot", "people", "last", "-o", "people.pdf", "--store", "nowhere.db")
    assert (told.code, told.out) == (2, "")
    assert ".png, .svg, .html" in told.err


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (("people", "last"), "no score of people's is known"),
        (("strategy", "last"), "no run has people's scores"),
        (("people", "last", "--aspects", "fluencie"), "Did you mean 'fluency'?"),
        (("people", "sweep-nothing"), "there is no sweep"),
        (("rounds", "last", "--statistic", "spearmann"), "Did you mean 'spearman'?"),
    ],
)
def test_what_cannot_be_plotted_is_a_line_that_says_why(
    capsys: pytest.CaptureFixture[str], words: tuple[str, ...], why: str
) -> None:
    held(capsys)
    told = typed(capsys, "plot", *words, "-o", "plot.png")
    assert (told.code, told.out) == (2, "")
    assert why in told.err
    assert not Path("plot.png").exists()
