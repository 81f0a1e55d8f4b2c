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


def test_confidences_give_a_curve_and_a_threshold(capsys: pytest.CaptureFixture[str]) -> None:
    write([{"people": "A", "mine": "A" if n < 50 else "B", "sure": 1 - n / 100} for n in range(60)])
    words = ("--choice", "people=mine", "--labels", "open", "--confidences", "sure", "--risk", "0.1")
    (one,) = agreed(capsys, *words)["selective"]
    assert (one["n"], one["lacking"], len(one["curve"])) == (60, 0, 60)
    assert one["curve"][49]["right"] == 1
    assert 0.4 < one["threshold"] < 0.55
    assert 0 < one["area"] < 0.05
