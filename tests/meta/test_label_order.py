"""The order of labels: the same however the rows of a file stand, and as one would put them by hand."""

import pytest

from agentdebate.meta.labels import in_order


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
