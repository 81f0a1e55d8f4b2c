"""`agree` on tables as people have them: a row a person, answers that nobody gives, orders mapped back, confidences, bounds."""

import json
from pathlib import Path
from typing import Any

import pytest
from typed import typed

DATA = Path("data.jsonl")


def write(rows: list[dict[str, Any]]) -> None:
    DATA.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")


def agreed(capsys: pytest.CaptureFixture[str], *words: str) -> dict[str, Any]:
    done = typed(capsys, "agree", "--data", "data.jsonl", *words, "--json", "--resamples", "0")
    assert done.code == 0, done.err
    found: dict[str, Any] = json.loads(done.out)
    return found


@pytest.fixture(autouse=True)
def _here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


PERSONS = [
    {"q": q, "who": who, "score": score, "mine": mine}
    for q, mine, scores in ((1, 2, (3, 2)), (2, 5, (5, 4)), (3, 1, (1, 1)), (4, 3, (2, 4)))
    for who, score in zip("xy", scores, strict=True)
]


def test_people_with_a_row_each_have_a_ceiling(capsys: pytest.CaptureFixture[str]) -> None:
    write(PERSONS)
    words = (
        "--on",
        "q",
        "--human",
        "c=score",
        "--score",
        "c=mine",
        "--rater",
        "who",
        "--statistic",
        "spearman",
    )
    found = agreed(
        capsys,
        *words,
        "--ceiling",
        "--annotators",
        "c=score",
        "--reliability",
        "icc,icc-mean,ac1,percent-agreement",
    )
    assert [row["judge"] for row in found["rows"]] == ["data", "people, one left out"]
    values = {row["statistic"]: row["value"] for row in found["people"]["reliability"]}
    # By hand: MSR 16.125 / 3, MSC 0.125 (mean difference 0), MSE from the rest.
    assert values["percent-agreement"] == 0.25
    assert 0 < values["icc"] < values["icc-mean"] < 1


ANSWERS = [
    {"people": "Paris", "mine": "Paris"},
    {"people": "Rome", "mine": "Milan"},
    {"people": "Rome", "mine": "a city"},
    {"people": "Paris", "mine": "Rome"},
]


def test_an_answer_that_nobody_gives_is_wrong_where_labels_are_open(
    capsys: pytest.CaptureFixture[str],
) -> None:
    write(ANSWERS)
    done = typed(capsys, "agree", "--data", "data.jsonl", "--choice", "people=mine")
    assert (done.code, "'Milan', which people never say" in done.err) == (2, True)
    accuracy, kappa = agreed(capsys, "--choice", "people=mine", "--labels", "open")["rows"]
    assert (accuracy["value"], accuracy["n"], accuracy["missing"]) == (0.25, 4, 0)
    assert kappa["value"] < 0.25


def test_a_second_order_that_is_mapped_back_has_a_table_of_both(capsys: pytest.CaptureFixture[str]) -> None:
    rows = [("A", "A", "B"), ("B", "B", "B"), ("A", "A", "A"), ("B", "A", "A")]
    back = {"A": "B", "B": "A"}
    write([{"people": p, "one": one, "shown": back[two], "two": two} for p, one, two in rows])
    mapped = agreed(capsys, "--choice", "people=one+back(two)")
    flipped = agreed(capsys, "--choice", "people=one+flip(shown)")
    assert mapped["rows"] == flipped["rows"]
    assert mapped["orders"] == flipped["orders"]
    assert mapped["orders"][0]["positional_agreement"]["value"] == 0.75


def test_bounds_and_sets_choose_rows(capsys: pytest.CaptureFixture[str]) -> None:
    write([{"people": n, "mine": n, "kind": "abc"[n % 3]} for n in range(9)])
    words = ("--human", "c=people", "--score", "c=mine", "--statistic", "bias")
    assert agreed(capsys, *words, "--where", "people>=4")["rows"][0]["n"] == 5
    assert agreed(capsys, *words, "--where", "kind={a,b}", "--where", "people<6")["rows"][0]["n"] == 4
