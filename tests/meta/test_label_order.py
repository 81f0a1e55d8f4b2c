"""The order of labels: the same however the rows of a file stand, and as one would put them by hand."""

import json
import random
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

import agentdebate as ad
from agentdebate.meta.labels import in_order

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


def test_the_caption_names_the_order(tmp_path: Path) -> None:
    rows = [{"id": str(n), "h": h, "a": a} for n, (h, a) in enumerate([("B", "A"), ("tie", "B"), ("A", "A")])]
    told = " ".join(str(_agreed(tmp_path, rows, choice="h=a", statistic=["kappa-linear"])).split())
    assert "Labels in their order: A, tie, B." in told
    told = str(_agreed(tmp_path, rows, choice="h=a", statistic=["kappa"]))
    assert "Labels in their order" not in told
