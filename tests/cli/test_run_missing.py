"""What is said of a run some of whose debates failed, by every command that summarises runs."""

import json
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from typed import typed, write

from agentdebate.models.base import Model
from agentdebate.store.lock import hold
from agentdebate.testing import replying

HOLD = (
    "run", "solo", "data.jsonl", "--task", "summarization", "--aspects", "coherence", "--human", "coherence=people",
    "--model", "some",
)  # fmt: skip
SAID = "coherence: 2 of 8 texts (25.0%) without a judgement; people say 1.000 of what is missing, and 4.000 of the rest."


@pytest.fixture(autouse=True)
def _run(capsys: pytest.CaptureFixture[str], speaks: Callable[[Model], None]) -> None:
    """Texts that people find bad are refused."""
    speaks(replying(lambda prompt: "I refuse." if "dreadful" in str(prompt) else "Coherence: 4", name="some"))
    rows: list[dict[str, Any]] = [
        {
            "id": f"i{place}",
            "source": "A text.",
            "summary": "dreadful" if place < 2 else f"fine {place}",
            "people": 1 if place < 2 else 4,
        }
        for place in range(8)
    ]
    write(rows)
    assert typed(capsys, *HOLD).code == 1


def test_the_page_of_a_run_has_it_in_a_table_a_sentence_and_a_warning(
    capsys: pytest.CaptureFixture[str],
) -> None:
    done = typed(capsys, "show")
    assert done.err == f"warning: {SAID}\n"
    assert SAID in done.out
    assert ["coherence", "8", "2", "25.0%", "4.000", "1.000"] in [
        line.split() for line in done.out.splitlines()
    ]


@pytest.mark.parametrize("command", [("show",), ("dynamics",), ("agree", "last", "--statistic", "bias")])
def test_json_has_the_figures(capsys: pytest.CaptureFixture[str], command: tuple[str, ...]) -> None:
    done = typed(capsys, *command, "--json")
    (one,) = json.loads(done.out)["coverage"]
    assert (one["judge"], one["rows"], one["missing"], one["share"]) == ("solo", 8, 2, 0.25)
    assert (one["people_mean_judged"], one["people_mean_missing"]) == (4, 1)
    assert "warning: " in done.err


def test_dynamics_say_it_below_their_tables(capsys: pytest.CaptureFixture[str]) -> None:
    done = typed(capsys, "dynamics")
    assert f"solo, {SAID}" in done.out
    assert (done.code, done.err) == (0, f"warning: solo, {SAID}\n")


def test_a_picture_has_it_in_its_caption(capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("matplotlib")
    done = typed(capsys, "plot", "people", "last", "-o", "people.html", "--json")
    assert SAID in json.loads(done.out)["caption"]
    assert "2 of 8 texts" in Path("people.html").read_text(encoding="utf-8")
    assert SAID in done.err


def test_where_no_debate_came_to_a_verdict_dynamics_are_of_nothing(
    capsys: pytest.CaptureFixture[str], speaks: Callable[[Model], None]
) -> None:
    speaks(replying("I refuse.", name="some"))
    assert typed(capsys, *HOLD, "--limit", "2").code == 1
    done = typed(capsys, "dynamics")
    assert done.code == 1
    assert "2 of 2 texts (100.0%) without a judgement" in done.err


FAILED = ("show", "last")


def test_a_run_without_any_verdict_is_shown_with_exit_code_1(
    capsys: pytest.CaptureFixture[str], speaks: Callable[[Model], None]
) -> None:
    assert typed(capsys, *FAILED).code == 0, "two texts of eight are missing, and the others are there"
    speaks(replying("I refuse.", name="some"))
    assert typed(capsys, *HOLD, "--limit", "2").code == 1
    for words in (FAILED, (*FAILED, "--json")):
        done = typed(capsys, *words)
        assert (done.code, bool(done.out)) == (1, True)
        assert "nothing read: not one of 2 debates of run" in done.err
        assert "people say 1.000 of what is missing" in done.err


def test_a_run_that_is_still_running_is_no_error_whatever_it_has(
    capsys: pytest.CaptureFixture[str], speaks: Callable[[Model], None]
) -> None:
    speaks(replying("I refuse.", name="some"))
    run = typed(capsys, *HOLD, "--limit", "2").err.split()[1]
    with closing(sqlite3.connect("agentdebate.db")) as there, there:
        there.execute("update runs set ended = NULL")
    with hold("agentdebate.db", run):
        done = typed(capsys, "show", run)
    assert (done.code, "nothing read" in done.err) == (0, False)
    assert typed(capsys, "show", run).code == 1, "now it was stopped, and nobody goes on with it"
    with closing(sqlite3.connect("agentdebate.db")) as there, there:
        there.execute("delete from debates")
        there.execute("delete from documents")
    with hold("agentdebate.db", run):
        assert typed(capsys, "show", run).code == 0
    done = typed(capsys, "show", run)
    assert (done.code, "no debate of run" in done.err) == (1, True)


@pytest.mark.parametrize("missing", ["left-out", "wrong", "1"])
def test_what_a_missing_judgement_counts_as_is_chosen_for_a_picture_and_said_in_it(
    missing: str, capsys: pytest.CaptureFixture[str]
) -> None:
    pytest.importorskip("matplotlib")
    words = ("--statistic", "bias", "--resamples", "0", "--json", "--missing", missing)
    for kind in ("people", "cost"):
        (found,) = typed(capsys, "plot", kind, "last", "-o", "plot.html", *words).json
        # People's scores are 1 for two texts, which count as 5 where they are wrong, and 4 for six; the judge's are 4.
        n, bias = {"left-out": (6, 0.0), "wrong": (8, 1.0), "1": (8, 0.0)}[missing]
        assert [(row["n"], row["value"]) for row in found["rows"]] == [(n, bias)]
        told = {"left-out": "left out and counted", "wrong": "counts as wrong", "1": "counts as the score 1"}
        assert told[missing] in found["caption"]
        assert "2 of 8 texts (25.0%)" in found["caption"]


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (("people", "last", "--missing", "tie"), "--missing tie is for choices"),
        (("people", "last", "--missing", "nothing"), "--missing is left-out, wrong, tie or a number"),
        (("scores", "last", "--missing", "wrong"), "--missing is about agreement"),
    ],
)
def test_what_it_cannot_count_as_is_refused(
    words: tuple[str, ...], why: str, capsys: pytest.CaptureFixture[str]
) -> None:
    pytest.importorskip("matplotlib")
    done = typed(capsys, "plot", *words, "-o", "plot.html")
    assert (done.code, why in done.err) == (2, True)
    assert not Path("plot.html").exists()


def test_a_sweep_counts_it_so_in_all_cells_and_refuses_before_anything_is_paid_for(
    capsys: pytest.CaptureFixture[str],
) -> None:
    words: tuple[str, ...] = (
        "sweep",
        *HOLD[1:],
        "--vary",
        "samples=1,2",
        "--statistic",
        "bias",
        "--resamples",
        "0",
        "--missing",
    )
    words = tuple(word if word != "solo" else "solo-repeated" for word in words)
    done = typed(capsys, *words, "tie", "--store", "tie.db")
    assert (done.code, "--missing tie is for choices" in done.err, Path("tie.db").exists()) == (
        2,
        True,
        False,
    )
    done = typed(capsys, *words, "wrong", "--json")
    (found,) = done.json
    held = [row for row in found["rows"] if row["kind"] != "openings"]
    assert [(one["n"], one["value"], one["imputed"]) for row in held for one in row["agreement"]] == [
        (8, 1.0, 2)
    ] * 4
    assert "counts as wrong" in found["caption"]
    assert "2 of 8 texts (25.0%) without a judgement" in found["caption"]
    assert done.code == 1


def test_one_debate_that_failed_is_said_once_in_the_table_and_once_in_a_sentence(
    capsys: pytest.CaptureFixture[str], speaks: Callable[[Model], None]
) -> None:
    write([{"id": "i1", "source": "A text.", "summary": "One."}])
    speaks(replying("I refuse.", name="some"))
    words = ("run", "solo", "data.jsonl", "--task", "summarization", "--aspects", "coherence")
    ran = typed(capsys, *words, "--store", "one.db")
    assert "has a judgement" not in ran.out + ran.err
    assert ran.err.count("1 of 1 text (100.0%) without a judgement") == 1
    shown = typed(capsys, "show", "last", "--store", "one.db")
    run = shown.out.split()[1].rstrip(":")
    assert shown.err == f"warning: nothing read: not one of 1 debate of run {run} came to a verdict\n"
    assert ["coherence", "1", "1", "100.0%"] in [line.split() for line in shown.out.splitlines()]
    assert "no judgement" not in shown.out
