"""agentdebate agree on files and on tables as people have them: whose scores, which rows, which numbers, in which form."""

import json
from collections import defaultdict
from math import ceil, log, sqrt
from pathlib import Path
from statistics import fmean
from typing import Any

import numpy as np
import pytest
from scipy import stats  # type: ignore[import-untyped]  # it has no types of its own
from typed import typed, write

import agentdebate as ad

Capsys = pytest.CaptureFixture[str]
TEXTS: list[dict[str, Any]] = [
    {
        "doc": f"d{doc}",
        "sys": f"s{system}",
        "coherence": 1 + (doc + system) % 5,
        "fluency": 1 + doc * system % 3,
    }
    for doc in range(6)
    for system in range(4)
]
PREDICTED = [
    {**text, "coherence": text["coherence"] + 0.1 * number, "fluency": -text["fluency"]}
    for number, text in enumerate(TEXTS)
]
ON = ("--data", "data.jsonl", "--scores", "mine.jsonl", "--on", "doc,sys")
ASPECTS = (*ON, "--aspects", "coherence,fluency")


@pytest.fixture(autouse=True)
def _files() -> None:
    write(TEXTS)
    write(PREDICTED[::-1], "mine.jsonl")


def refused(capsys: Capsys, *words: str) -> str:
    """The one line that a wrong command line gets."""
    done = typed(capsys, "agree", *words)
    assert (done.code, done.out) == (2, "")
    assert len(done.err.splitlines()) == 1
    return done.err


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ((), "name a run, or the file with people's scores: --data FILE"),
        (("--data", "data.jsonl", "--as", "hanna", "--score", "a=b"), "which judge? name a run"),
        (("--data", "none.jsonl", "--scores", "mine.jsonl"), "none.jsonl: cannot be read"),
        ((*ON[:-1], "docs"), "has no field 'docs'. Did you mean 'doc'?"),
        ((*ON[:-1], "doc"), "data.jsonl, line 2: doc = d0 is on line 1 too"),
        ((*ON, "--aspects", "fluencies"), "has no field 'fluencies'. Did you mean 'fluency'?"),
        (
            (*ON, "--human", "x=doc", "--score", "x=fluency"),
            "data.jsonl, line 1, 'doc': a number is wanted here",
        ),
        ((*ON, "--where", "system=s1"), "--where: mine.jsonl has no field 'system'. Did you mean 'sys'?"),
        (
            ON,
            "which scores? --aspects NAME,NAME names fields of both sides, --human ASPECT=FIELD and --score",
        ),
        ((*ASPECTS, "--level", "summary"), "--level: there is no 'summary'"),
        ((*ASPECTS, "--statistic", "pearsons"), "Did you mean 'pearson'?"),
        (
            (*ASPECTS, "--statistic", "kappa"),
            "those of mine, coherence have to be whole numbers of one scale",
        ),
        ((*ON, "--convention", "summeval"), "there is no convention 'summeval'"),
        (
            (*ASPECTS, "--convention", "summeval-system"),
            "the system level needs the system of every row; 24 of 24 have none: --system FIELD names it",
        ),
        ((*ASPECTS, "--compare"), "--compare is for two judges or more"),
        (
            (*ASPECTS, "--scale", "fluencies=1-5"),
            "--scale: 'fluencies' is neither an aspect nor a judge here. Did you mean 'fluency'?",
        ),
        ((*ON, "--scores", "mine.jsonl"), "two judges are called the same, mine, mine"),
        ((*ON, "--json", "--format", "csv"), "--json and --format csv are two formats"),
        ((*ON, "--alt-test", "--format", "csv"), "without the tables of --alt-test: take --json"),
        ((*ON, "--correct", "--format", "csv"), "without the tables of --correct: take --json"),
        ((*ASPECTS, "--permutations", "9"), "--permutations goes with --compare"),
        ((*ASPECTS, "--risk", "0.2"), "--risk goes with --confidences"),
        ((*ASPECTS, "--stages"), "--stages goes with --confidences"),
        ((*ASPECTS, "--bins", "3"), "--bins goes with --calibration"),
        ((*ASPECTS, "--resamples", "-1"), "resamples and seed are 0 or more"),
        ((*ASPECTS, "--output", "none/table.txt"), "none/table.txt cannot be written"),
        (
            (*ON[:2], "--replies", "mine.jsonl", "--reply", "fluency", *ON[4:]),
            "which scores? --aspects NAME,NAME names fields of both sides",
        ),
        ((*ON[:2], "--choice", "doc=system"), "--choice: data.jsonl has no field 'system'"),
    ],
)
def test_wrong_input_is_one_line_that_says_what_to_do(
    capsys: Capsys, words: tuple[str, ...], said: str
) -> None:
    assert said in refused(capsys, *words)


def test_files_in_which_nothing_joins_are_an_error(capsys: Capsys) -> None:
    write([{**row, "doc": f"x{row['doc']}", "name": row["doc"]} for row in PREDICTED], "mine.jsonl")
    said = refused(capsys, *ON)
    assert "no row of mine.jsonl (xd0/s0," in said
    assert "Fields of the first are doc, sys, coherence, fluency, name: --on FIELD=FIELD" in said


# Calibration, differences between judges that choose, scores of both orders; and list conventions.


RATED: list[dict[str, Any]] = [
    {"doc": f"d{n // 5}", "sys": f"s{n % 5}", "c": 1 + n * n % 7, "mine": 1 + (n * n + n % 3) % 7, "other": 1 + n % 4}
    for n in range(30)
]  # fmt: skip


def whole(capsys: Capsys, *words: str, code: int = 0) -> dict[str, Any]:
    """Return what the command prints as JSON, without intervals, and whatever it warns of."""
    done = typed(capsys, "agree", *words, "--json", "--resamples", "0")
    assert done.code == code, done.err
    found: dict[str, Any] = json.loads(done.out)
    return found


def by(field: str) -> list[list[dict[str, Any]]]:
    """The rated texts of each source, or of each system."""
    return [[row for row in RATED if row[field] == name] for name in sorted({row[field] for row in RATED})]


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


# Tables as people have them: a row a person, answers that nobody gives, orders mapped back, confidences, bounds.


def agreed(capsys: Capsys, *words: str) -> dict[str, Any]:
    done = typed(capsys, "agree", "--data", "data.jsonl", *words, "--json", "--resamples", "0")
    assert done.code == 0, done.err
    found: dict[str, Any] = json.loads(done.out)
    return found


PERSONS = [
    {"q": q, "who": who, "score": score, "mine": mine}
    for q, mine, scores in ((1, 2, (3, 2)), (2, 5, (5, 4)), (3, 1, (1, 1)), (4, 3, (2, 4)))
    for who, score in zip("xy", scores, strict=True)
]
BY_PERSON = ("--on", "q", "--score", "c=mine", "--rater", "who", "--statistic")


def test_people_with_a_row_each_vote(capsys: Capsys) -> None:
    votes = ((1, "A", "AAB"), (2, "B", "ABB"), (3, "A", "BBB"), (4, "B", "BB"))
    given = [(q, pick, who, best) for q, pick, all_ in votes for who, best in enumerate(all_)]
    write([{"q": q, "pick": pick, "who": who, "best": best} for q, pick, who, best in given[::-1]])
    words = ("--on", "q", "--rater", "who", "--choice", "majority(best)=pick", "--statistic", "accuracy")
    (row,) = agreed(capsys, *words)["rows"]
    assert (row["value"], row["n"]) == (0.75, 4)


def test_two_people_with_a_row_each_are_each_others_ceiling(capsys: Capsys) -> None:
    write(PERSONS)
    words = (*BY_PERSON, "pearson", "--human", "c=score", "--ceiling")
    found = agreed(capsys, *words, "--reliability", "icc,icc-mean,ac1,percent-agreement")
    given = np.array([[3, 2], [5, 4], [1, 1], [2, 4]])
    assert found["rows"][1]["value"] == pytest.approx(stats.pearsonr(*given.T).statistic)
    texts, people = 2 * given.mean(1).var(ddof=1), 4 * given.mean(0).var(ddof=1)
    rest = ((given - given.mean(1, keepdims=True) - given.mean(0) + given.mean()) ** 2).sum() / 3
    values = {row["statistic"]: row["value"] for row in found["people"]["reliability"]}
    chance = (3 * 2 / 8 * 6 / 8 + 2 * 1 / 8 * 7 / 8) / 4  # of 8 ratings 1, 2 and 4 are two each, 3 and 5 one
    assert values["ac1"] == pytest.approx((0.25 - chance) / (1 - chance))
    assert values["percent-agreement"] == 0.25
    assert values["icc"] == pytest.approx((texts - rest) / (texts + rest + 2 * (people - rest) / 4))
    assert values["icc-mean"] == pytest.approx((texts - rest) / (texts + (people - rest) / 4))


def test_a_second_order_that_is_mapped_back_already_has_the_table_of_both_orders(capsys: Capsys) -> None:
    given = [("A", "A", "A"), ("B", "A", "B"), ("A", "B", "B"), ("B", "B", "tie"), ("A", "A", "B")]
    turned = {"A": "B", "B": "A", "tie": "tie"}
    write([{"q": q, "h": h, "ab": ab, "ba": ba, "raw": turned[ba]} for q, (h, ab, ba) in enumerate(given)])
    words = ("--statistic", "accuracy", "--labels", "A=A,B=B,tie=tie", "--choice")
    mapped, flipped = (agreed(capsys, *words, f"h={both}") for both in ("ab+ba", "ab+flip(raw)"))
    assert mapped["orders"] == flipped["orders"]
    assert mapped["rows"][0]["value"] == flipped["rows"][0]["value"]


def test_a_choice_that_differs_by_order_is_not_taken_where_both_say_the_same(capsys: Capsys) -> None:
    write(
        [
            {"q": q, "h": "A", "o": o, "pick": pick}
            for q, both in enumerate(("AA", "AB", "BA"))
            for o, pick in zip("xy", both, strict=True)
        ]
    )
    words = ("--on", "q", "--orders", "o=x,y", "--choice", "h=pick", "--statistic", "accuracy")
    done = typed(capsys, "agree", "--data", "data.jsonl", *words)
    assert (done.code, done.out) == (2, "")
    assert "no field 'pick'. There is 'x.pick': what differs within a text stands apart" in done.err


def test_a_person_with_two_rows_of_one_text_is_refused(capsys: Capsys) -> None:
    write([*PERSONS, PERSONS[0]])
    done = typed(capsys, "agree", "--data", "data.jsonl", *BY_PERSON, "bias", "--human", "c=score")
    assert (done.code, done.out) == (2, "")
    assert "line 9" in done.err


@pytest.mark.parametrize(
    ("where", "kept"),
    [
        (("n<4",), {0, 1, 2, 3}),
        (("n<=4",), {0, 1, 2, 3, 4}),
        (("n>=6.5",), {7, 8, 9}),
        (("n>-1", "n<2"), {0, 1}),
        (("kind={a,b}",), {0, 1, 3, 4, 6, 7, 9, 10}),
        (("kind!={a,b}",), {2, 5, 8}),
        (("kind={a, b}", "n>=3", "n<7"), {3, 4, 6}),
    ],
)
def test_bounds_and_sets_choose_rows_and_what_has_no_number_is_in_no_bound(
    capsys: Capsys, where: tuple[str, ...], kept: set[int]
) -> None:
    numbers = [*range(10), None]
    write([{"n": n, "kind": "abca"[k % 3], "c": 0, "mine": 2**k} for k, n in enumerate(numbers)])
    words = [word for one in where for word in ("--where", one)]
    (row,) = agreed(capsys, "--human", "c=c", "--score", "c=mine", "--statistic", "bias", *words)["rows"]
    assert row["value"] * row["n"] == pytest.approx(sum(2**k for k in kept))
    assert sum(row["reasons"].values()) == 11 - len(kept)


@pytest.mark.parametrize("risk", [0.1, 0.2, 0.3])
def test_the_threshold_keeps_the_clopper_pearson_bound_below_the_risk(capsys: Capsys, risk: float) -> None:
    right = [n < 40 or n % 3 > 0 for n in range(80)]
    write([{"people": "A" if n % 2 else "B", "mine": "AB"[(n + good) % 2], "sure": 1 - n / 100} for n, good in enumerate(right)])  # fmt: skip
    words = ("--choice", "people=mine", "--confidences", "sure", "--risk", str(risk))
    (one,) = agreed(capsys, *words)["selective"]
    kept, n = 0, ceil(log(0.05) / log(1 - risk))  # so many that none wrong shows it
    while n <= 80:
        wrong = n - sum(right[:n])
        if stats.binomtest(wrong, n, alternative="less").proportion_ci(0.95).high > risk:
            break
        kept, n = n, n + 1
    assert (one["n"], one["lacking"], one["threshold"]) == (80, 0, pytest.approx(1 - (kept - 1) / 100))
    expected = [sum(right[:n]) / n for n in range(1, 81)]
    assert [point["right"] for point in one["curve"]] == pytest.approx(expected)
    assert one["area"] == pytest.approx(1 - sum(expected) / 80)


def test_each_stage_of_a_cascade_has_the_texts_that_those_before_it_leave(capsys: Capsys) -> None:
    write([{"id": n, "people": "A"} for n in range(100)])
    for name, right in (("small", 60), ("large", 100)):
        write([{"id": n, "mine": "AB"[n >= right], "sure": 1 - n / 100} for n in range(100)], f"{name}.jsonl")
    words = ("--scores", "small.jsonl", "--scores", "large.jsonl", "--on", "id", "--choice", "people=mine")
    first, second = agreed(capsys, *words, "--labels", "open", "--confidences", "sure", "--stages")[
        "selective"
    ]
    kept = sum(1 - n / 100 >= first["threshold"] for n in range(100))
    assert (first["n"], second["n"], second["judge"]) == (100, 100 - kept, "large")
    assert (second["threshold"], second["confidence"]) == (pytest.approx(0.01), 0.975)
    write([{"id": n, "mine": "A", "sure": None} for n in range(100)], "small.jsonl")
    unsure = typed(capsys, "agree", "--data", "data.jsonl", *words, "--confidences", "sure", "--stages")
    assert "small has no confidence" in unsure.err
