"""`agree` on files: statistics and levels, missing scores, several judges and people, filters, words for scores, formats, refusals."""

import csv
import json
from collections.abc import Callable
from io import StringIO
from typing import Any

import doors
import pytest

PEOPLE = (
    ((5, 4, 5), 5, 4), ((2, 2, 3), 2, 3), ((4, 4, 4), 3, 4), ((1, 2, 1), 1, 1), ((3, 3, 5), 4, None), ((5, 5, 4), 4, 5),
    ((2, 1, 2), 2, 2), ((4, 3, 4), None, 3), ((3, 3, 3), 3, 2), ((1, 1, 2), 2, 1), ((5, 5, 5), 5, 3), ((2, 3, 2), 1, 2),
)  # fmt: skip
ROWS: list[dict[str, Any]] = [
    {
        "id": n,
        "article": f"a{n % 4}",
        "system": f"s{n % 3}",
        "people": sum(given) / 3,
        "each": list(given),
        "first": first,
        "second": second,
        "word": "EDCBA"[first - 1] if first else None,
        "half": "odd" if n % 2 else "even",
    }
    for n, (given, first, second) in enumerate(PEOPLE, 1)
]
BASE = (
    "--data",
    "ratings.jsonl",
    "--on",
    "id",
    "--group",
    "article",
    "--system",
    "system",
    "--resamples",
    "0",
)
FIRST = ("--human", "coherence=people", "--score", "coherence=first")
EVERY = "pearson,spearman,kendall-b,kendall-c,pairwise-accuracy,alpha,alpha-ordinal,bias,mean-absolute-error,root-mean-square-error"
WHOLE = ("--human", "coherence=majority(each)", "--score", "coherence=first", "--statistic")


@pytest.fixture(autouse=True)
def _ratings() -> None:
    """Twelve texts of four articles by three systems, with three people's scores and two judges'."""
    doors.write_rows("ratings.jsonl", ROWS)


CASES: dict[str, tuple[str, ...]] = {
    "pooled": (*FIRST, "--statistic", EVERY),
    "group": (*FIRST, "--statistic", EVERY, "--level", "group"),
    "system": (*FIRST, "--statistic", EVERY, "--level", "system"),
    "labels": (*WHOLE, "accuracy,kappa,kappa-linear,kappa-quadratic,alpha-nominal"),
    "mean of people": ("--human", "coherence=mean(each)", "--score", "coherence=first"),
    "each of people": ("--human", "coherence=each(each)", "--score", "coherence=first"),
    "missing is wrong": (*FIRST, "--missing", "wrong", "--scale", "1-5"),
    "missing is a number": (*FIRST, "--missing", "3"),
    "of some rows": (*FIRST, "--where", "half=odd"),
    "of other rows": (*FIRST, "--where", "half!=odd", "--where", "system!=s0"),
    "judges of a field": (*FIRST, "--by", "half"),
    "words for scores": (
        "--human",
        "coherence=people",
        "--score",
        "coherence=word",
        "--grades",
        "A=5,B=4,C=3,D=2,E=1",
    ),
    "the other judge": ("--human", "coherence=people", "--score", "coherence=second", "--statistic", EVERY),
}


@pytest.mark.parametrize("case", CASES)
def test_agreement_with_people_is_what_it_was(case: str, golden: Callable[..., None]) -> None:
    golden(case.replace(" ", "-"), doors.agreed(*BASE, *CASES[case]))


def report(*words: str) -> dict[str, Any]:
    """The whole of `agree --json`."""
    done = doors.typed("agree", *BASE, *words, "--json")
    assert done.code == 0, done.err
    found: dict[str, Any] = json.loads(done.out)
    return found


def test_a_perfect_judge_agrees_perfectly_and_a_reversed_one_the_other_way_round() -> None:
    doors.write_rows(
        "ratings.jsonl", [{**row, "first": row["people"], "second": -row["people"]} for row in ROWS]
    )
    for judge, sign in (("first", 1), ("second", -1)):
        words = ("--human", "coherence=people", "--score", f"coherence={judge}")
        rows = doors.agreed(
            *BASE, *words, "--statistic", "pearson,spearman,kendall-b", "--level", "pooled,group,system"
        )
        assert {row["value"] for row in rows} == {sign}


def test_an_interval_holds_the_value_and_is_the_same_for_the_same_seed() -> None:
    def interval(seed: str) -> tuple[float, float, float]:
        words = (*FIRST, "--statistic", "spearman", "--resamples", "300", "--bootstrap-seed", seed)
        done = doors.typed("agree", *BASE[:-2], *words, "--json")
        (row,) = json.loads(done.out)["rows"]
        return row["low"], row["value"], row["high"]

    low, value, high = interval("1")
    assert -1 <= low < value < high <= 1
    assert interval("1") == (low, value, high)
    assert interval("2") != (low, value, high)


def test_two_judges_are_held_against_each_other() -> None:
    for judge in ("first", "second"):
        doors.write_rows(f"{judge}.jsonl", [{"id": row["id"], "coherence": row[judge]} for row in ROWS])
    words = ("--scores", "one=first.jsonl", "--scores", "two=second.jsonl", "--human", "coherence=people")
    found = report(*words, "--statistic", "spearman", "--compare", "--permutations", "200", "--scale", "1-5")
    assert [(row["judge"], row["n"]) for row in found["rows"]] == [("one", 11), ("two", 11)]
    (difference,) = found["comparisons"]
    assert (difference["first"], difference["second"], difference["n"]) == ("one", "two", 10)
    assert difference["difference"] == pytest.approx(0.046879, abs=1e-6)
    assert 0 < difference["p"] <= 1


def test_people_among_themselves_are_the_ceiling() -> None:
    words = (
        *FIRST,
        "--ceiling",
        "--annotators",
        "coherence=each",
        "--statistic",
        "spearman",
        "--reliability",
        "alpha",
    )
    found = report(*words)
    values = {row["judge"]: row["value"] for row in found["rows"]}
    assert len(values) == 2
    assert 0.5 < max(values.values()) < 1


def test_calibration_says_how_far_a_judge_is_off() -> None:
    doors.write_rows("ratings.jsonl", [{**row, "first": row["people"] + 1} for row in ROWS])
    words = (
        *FIRST,
        "--statistic",
        "bias,mean-absolute-error,root-mean-square-error",
        "--calibration",
        "--scale",
        "1-6",
    )
    rows = {row["statistic"]: row["value"] for row in report(*words)["rows"]}
    assert rows == pytest.approx({"bias": 1, "mean-absolute-error": 1, "root-mean-square-error": 1})


@pytest.mark.parametrize("form", ["csv", "markdown", "latex", "text"])
def test_each_format_has_the_figures_of_the_rows(form: str) -> None:
    words = (*FIRST, "--statistic", "pearson,spearman", "--level", "pooled,group")
    rows = report(*words)["rows"]
    out = doors.typed("agree", *BASE, *words, "--format", form).out
    if form == "csv":
        table = [float(row["value"]) for row in csv.DictReader(StringIO(out))]
        assert table == pytest.approx([row["value"] for row in rows])
        return
    assert all(f"{row['value']:.3f}"[1:] in out for row in rows)


REFUSED: dict[str, tuple[str, ...]] = {
    "labels by group": (*WHOLE, "kappa", "--level", "group"),
    "choices by system": ("--choice", "half=half", "--level", "system"),
    "no such statistic": (*FIRST, "--statistic", "tau"),
    "no such level": (*FIRST, "--level", "article"),
    "no such field": ("--human", "coherence=people", "--score", "coherence=third"),
    "a word that is no score": ("--human", "coherence=people", "--score", "coherence=half"),
    "a condition without a field": (*FIRST, "--where", "colour=red"),
    "wrong without a scale": (*FIRST, "--missing", "wrong"),
    "no such convention": (*FIRST, "--convention", "mine"),
    "less than no resamples": (*FIRST, "--resamples", "-1"),
}


@pytest.mark.parametrize("case", REFUSED)
def test_what_cannot_be_asked_is_refused_on_standard_error(case: str) -> None:
    done = doors.typed("agree", *BASE, *REFUSED[case])
    assert (done.code, done.out) == (2, "")
    assert done.err.strip()
    assert "Traceback" not in done.err


def test_a_score_that_stands_twice_for_one_text_is_refused() -> None:
    doors.write_rows("twice.jsonl", [{"id": 1, "coherence": 3}, {"id": 1, "coherence": 4}])
    words = ("--human", "coherence=people", "--scores", "mine=twice.jsonl")
    done = doors.typed("agree", *BASE, *words)
    assert done.code == 2
    assert "twice.jsonl" in done.err
