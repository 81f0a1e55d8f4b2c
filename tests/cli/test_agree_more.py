"""agentdebate agree: calibration, differences between judges that choose, scores of both orders; and list conventions."""

import json
from collections import defaultdict
from math import sqrt
from pathlib import Path
from statistics import fmean
from typing import Any

import pytest
from scipy import stats  # type: ignore[import-untyped]  # it has no types of its own
from typed import typed, write

import agentdebate as ad

Capsys = pytest.CaptureFixture[str]
# What follows is computed here by scipy or by hand.
RATED: list[dict[str, Any]] = [
    {"doc": f"d{n // 5}", "sys": f"s{n % 5}", "c": 1 + n * n % 7, "mine": 1 + (n * n + n % 3) % 7, "other": 1 + n % 4}
    for n in range(30)
]  # fmt: skip
MINE = ("--data", "data.jsonl", "--human", "q=c", "--score", "q=mine")
SCIPY = {"pearson": stats.pearsonr, "spearman": stats.spearmanr, "kendall-b": stats.kendalltau}


def whole(capsys: Capsys, *words: str, code: int = 0) -> dict[str, Any]:
    """Return what the command prints as JSON, without intervals, and whatever it warns of."""
    done = typed(capsys, "agree", *words, "--json", "--resamples", "0")
    assert done.code == code, done.err
    found: dict[str, Any] = json.loads(done.out)
    return found


def by(field: str) -> list[list[dict[str, Any]]]:
    """The rated texts of each source, or of each system."""
    return [[row for row in RATED if row[field] == name] for name in sorted({row[field] for row in RATED})]


def test_each_statistic_at_each_level_is_that_of_scipy(capsys: Capsys) -> None:
    write(RATED)
    words = (*MINE, "--group", "doc", "--system", "sys", "--statistic", ",".join(SCIPY))
    rows = whole(capsys, *words, "--level", "pooled,group", "--level", "system")["rows"]
    expected = {}
    for name, of in SCIPY.items():
        sides = [[[row[side] for row in rows] for side in ("c", "mine")] for rows in by("doc")]
        means = [[fmean(row[side] for row in rows) for rows in by("sys")] for side in ("c", "mine")]
        expected[name, "pooled"] = of([row["c"] for row in RATED], [row["mine"] for row in RATED]).statistic
        expected[name, "group"] = fmean(of(*side).statistic for side in sides)
        expected[name, "system"] = of(*means).statistic
    assert {(row["statistic"], row["level"]): row["value"] for row in rows} == pytest.approx(expected)


def test_williams_test_is_that_of_steiger_by_hand(capsys: Capsys) -> None:
    write(RATED)
    for judge in ("mine", "other"):
        write([{**row, "c": row[judge]} for row in RATED], f"{judge}.jsonl")
    files = ("--data", "data.jsonl", "--scores", "mine.jsonl", "--scores", "other.jsonl", "--on", "doc,sys")
    words = (*files, "--aspects", "c", "--group", "doc", "--statistic", "pearson", "--compare")
    assert whole(capsys, *words)["comparisons"][0]["williams"] is None
    columns = [[row[name] for row in RATED] for name in ("c", "mine", "other")]
    one, two, both = (stats.pearsonr(columns[a], columns[b]).statistic for a, b in ((0, 1), (0, 2), (1, 2)))
    n, k = len(RATED), 1 - one**2 - two**2 - both**2 + 2 * one * two * both
    under = 2 * k * (n - 1) / (n - 3) + (one + two) ** 2 / 4 * (1 - both) ** 3
    t = (one - two) * sqrt((n - 1) * (1 + both) / under)
    (found,) = whole(capsys, *words, "--test", "williams")["comparisons"]
    assert found["williams"] == pytest.approx(2 * stats.t.sf(abs(t), n - 3))
    assert found["difference"] == pytest.approx(one - two)
    told = " ".join(typed(capsys, "agree", *words, "--test", "williams", "--resamples", "0").out.split())
    assert "where they share a source it errs .15 at .05" in told


@pytest.mark.parametrize(
    ("missing", "value", "n"),
    [("left-out", 1, 3), ("wrong", (1 + 1 + 1 + 4 + 3) / 5, 5), ("3", (1 + 1 + 1 + 2 + 1) / 5, 5)],
)
def test_a_missing_score_counts_as_it_is_told(capsys: Capsys, missing: str, value: float, n: int) -> None:
    """People say 1 and 4 of what is missing, whose farthest ends of 1 to 5 are 5 and 1."""
    write([{"c": c, "mine": mine} for c, mine in ((1, 2), (3, 4), (5, 4), (1, None), (4, None))])
    words = (*MINE, "--scale", "1-5", "--statistic", "mean-absolute-error")
    (row,) = whole(capsys, *words, "--missing", missing)["rows"]
    assert (row["value"], row["n"]) == (pytest.approx(value), n)


def test_summeval_is_compared_by_system_and_kendall_as_far_as_nothing_else_is_asked(
    capsys: Capsys, shared: Path
) -> None:
    folder = shared / "summeval"
    lines = (folder / "summaries.jsonl").read_text(encoding="utf-8").splitlines()
    texts = [json.loads(line) for line in lines]
    write([{**row, "fluency": len(str(row)) % 5} for row in texts], "mine.jsonl")
    files = ("--data", str(folder), "--as", "summeval", "--scores", "mine.jsonl")
    words = (*files, "--on", "group=article_id,system=system_id", "--aspects", "fluency")
    (row,) = whole(capsys, *words)["rows"]
    assert (row["statistic"], row["level"], row["groups"]) == ("kendall-b", "system", 16)
    people, mine = defaultdict(list), defaultdict(list)
    for text in texts:
        people[text["system_id"]].append(text["fluency"])
        mine[text["system_id"]].append(len(str(text)) % 5)
    means = [[round(fmean(side[name]), 6) for name in people] for side in (people, mine)]
    assert row["value"] == pytest.approx(stats.kendalltau(*means).statistic)
    asked = whole(capsys, *words, "--statistic", "pearson")
    assert (asked["rows"][0]["statistic"], asked["rows"][0]["level"]) == ("pearson", "system")
    assert "Of summeval's own paper: level." in asked["caption"]
    (other,) = whole(capsys, *words, "--statistic", "pearson", "--level", "pooled")["rows"]
    assert (other["level"], other["groups"]) == ("pooled", 1)


def test_choices_of_a_published_dataset_stand_beside_those_of_its_annotators(capsys: Capsys) -> None:
    said = [{"best": ["b"], "worst": ["a"]}, {"best": ["b"], "worst": ["a"]}, {"best": ["c"], "worst": ["a"]}]
    texts = {name: f"Text {name}." for name in "abc"}
    article = {"article": "News.", "summaries": texts, "annotators": said}
    write([{"article_id": f"n{place}", **article} for place in range(4)], "study.jsonl")
    items = ad.load_dataset("goyal2022", "study.jsonl", subset=True).items
    best = [max(one.human, key=lambda name: one.human[name] or 0).partition(".")[2] for one in items]
    picks = [best[0], *("summary_1" if one == "summary_2" else "summary_2" for one in best[1:])]
    write([{"id": one.id, "pick": pick} for one, pick in zip(items, picks, strict=True)], "mine.jsonl")
    files = ("--data", "study.jsonl", "--as", "goyal2022", "--subset", "--scores", "mine.jsonl", "--on", "id")
    words = ("--choice", "best=pick", "--statistic", "accuracy", "--ceiling")
    found = [(row["judge"], row["value"], row["n"]) for row in whole(capsys, *files, *words)["rows"]]
    assert found == [("mine", 1 / 4, 4), ("people, one left out", 1.0, 4)]
