"""The order of labels: the same however the rows of a file stand, and as one would put them by hand."""

import json
import random
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import agentdebate as ad
from agentdebate.errors import UsageError
from agentdebate.meta.labels import in_order, sorted_labels

_Rows = Sequence[Mapping[str, Any]]


def _agreed(folder: Path, rows: _Rows, **options: Any) -> Any:
    path = folder / "rows.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return ad.agree(data=path, resamples=0, **options)


WEIGHTED = ["kappa-linear", "kappa-quadratic", "alpha-ordinal", "alpha"]


@pytest.mark.parametrize(
    ("labels", "tie", "order"),
    [
        (["3", "10", "1"], None, ("1", "3", "10")),
        (["0.5", "-1", "2"], None, ("-1", "0.5", "2")),
        (["A", "B", "tie"], None, ("A", "tie", "B")),
        (["A", "Tie", "tie", "B"], None, ("A", "Tie", "tie", "B")),
        (["first", "second", "C"], "C", ("first", "C", "second")),
        (["2", "tie", "1"], None, ("1", "tie", "2")),
        (["a", "tie", "b", "c"], None, ("a", "tie", "b", "c")),
        (["1", "2", "4", "5", "3"], "3", ("1", "2", "3", "4", "5")),
        (["A>>B", "A>B", "A=B", "B>A", "B>>A"], "A=B", ("A>>B", "A>B", "A=B", "B>A", "B>>A")),
        (["poor", "good", "fair"], None, ("poor", "good", "fair")),
        (["1", "nan", "0"], None, ("1", "nan", "0")),
        ([], None, ()),
    ],
)
def test_numbers_stand_as_numbers_and_a_tie_between_two_texts(
    labels: list[str], tie: str | None, order: tuple[str, ...]
) -> None:
    assert in_order(labels, tie) == order


@pytest.mark.parametrize(
    ("labels", "order"),
    [
        ({"b", "a", "tie", "c"}, ("a", "b", "c", "tie")),
        ({"10", "9", "tie", "1"}, ("1", "9", "10", "tie")),
        ({"B", "tie", "A"}, ("A", "tie", "B")),
    ],
)
def test_labels_of_which_nobody_has_said_an_order_stand_by_name(
    labels: set[str], order: tuple[str, ...]
) -> None:
    assert sorted_labels(labels) == order


@given(st.lists(st.integers(-9, 99).map(str), unique=True))
def test_numbers_are_in_one_order_however_they_come(labels: list[str]) -> None:
    assert in_order(labels) == in_order(reversed(labels)) == tuple(sorted(labels, key=int))


@given(st.lists(st.text(max_size=5)), st.none() | st.text(max_size=5))
def test_no_label_is_lost_or_added(labels: list[str], tie: str | None) -> None:
    assert sorted(in_order(labels, tie)) == sorted(set(labels))


@pytest.mark.parametrize("statistic", WEIGHTED)
@pytest.mark.parametrize("labels", ["12345", "AB=", ["poor", "fair", "good"]])
def test_a_weighted_statistic_of_choices_does_not_depend_on_the_order_of_rows(
    statistic: str, labels: str | list[str], tmp_path: Path
) -> None:
    drawn = random.Random(7)
    words = {"=": "tie"}
    rows = [
        {"id": str(number), "h": words.get(h, h), "a": words.get(a, a)}
        for number, (h, a) in enumerate(zip(*(drawn.choices(labels, k=40) for _ in "ha"), strict=True))
    ]
    found = []
    for _ in range(6):
        drawn.shuffle(rows)
        found.append(
            [one.value for one in _agreed(tmp_path, rows, choice="h=a", statistic=[statistic]).agreements]
        )
    assert found == [found[0]] * 6


def test_labels_that_are_listed_keep_their_order(tmp_path: Path) -> None:
    drawn = random.Random(5)
    grades = ["A>>B", "A>B", "same", "B>A", "B>>A"]
    places = [(drawn.randrange(5), drawn.randrange(5)) for _ in range(40)]
    rows = [
        {"id": str(number), "h": grades[h], "a": grades[a].replace("same", "tie")}
        for number, (h, a) in enumerate(places)
    ]
    numbers = [{"id": str(number), "h": h, "a": a} for number, (h, a) in enumerate(places)]
    labels = {one: one.replace("same", "tie") for one in grades}
    listed = _agreed(tmp_path, rows, choice="h=a", statistic=WEIGHTED[:2], labels=labels).agreements
    counted = _agreed(tmp_path, numbers, choice="h=a", statistic=WEIGHTED[:2]).agreements
    assert [one.value for one in listed] == [one.value for one in counted]


def test_rows_are_no_file() -> None:
    with pytest.raises(UsageError, match=r"data is the path of a file, and not \[\{'h': 1\}"):
        ad.agree(data=[{"h": 1}] * 99, choice="h=h")  # type: ignore[call-overload]  # which is what is tried


def test_choices_that_are_numbers_agree_as_the_same_scores_do(tmp_path: Path) -> None:
    drawn = random.Random(1)
    rows = [{"id": str(n), "h": drawn.randint(1, 5), "a": drawn.randint(1, 5)} for n in range(40)]
    as_choices = _agreed(tmp_path, rows, choice="h=a", statistic=WEIGHTED[:2])
    as_scores = _agreed(tmp_path, rows, human="x=h", score="x=a", statistic=WEIGHTED[:2])
    assert [one.value for one in as_choices.agreements] == [one.value for one in as_scores.agreements]
