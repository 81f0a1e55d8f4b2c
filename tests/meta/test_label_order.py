"""The order of labels: the same however the rows of a file stand, and as one would put them by hand."""

import json
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


def test_the_caption_names_the_order(tmp_path: Path) -> None:
    rows = [{"id": str(n), "h": h, "a": a} for n, (h, a) in enumerate([("B", "A"), ("tie", "B"), ("A", "A")])]
    told = " ".join(str(_agreed(tmp_path, rows, choice="h=a", statistic=["kappa-linear"])).split())
    assert "Labels in their order: A, tie, B." in told
    told = str(_agreed(tmp_path, rows, choice="h=a", statistic=["kappa"]))
    assert "Labels in their order" not in told
