"""`agree` on tables as people have them: a row a person, answers that nobody gives, orders mapped back, confidences, bounds."""

import json
from math import ceil, log
from typing import Any

import numpy as np
import pytest
from scipy import stats  # type: ignore[import-untyped]  # it has no types of its own
from typed import typed, write

Capsys = pytest.CaptureFixture[str]


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
