"""The order of labels, the same however the rows of a file stand, and conventions that have names."""

from typing import get_args

import pytest

from agentdebate.meta.conventions import CONVENTIONS, Convention
from agentdebate.meta.figure import Level
from agentdebate.meta.labels import in_order
from agentdebate.meta.measures import OF_CHOICES, OF_SCORES


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


@pytest.mark.parametrize("one", CONVENTIONS.values(), ids=CONVENTIONS.keys())
def test_a_convention_says_what_can_be_computed(one: Convention) -> None:
    assert set(one.levels) <= set(get_args(Level))
    assert set(one.statistics) <= set(OF_CHOICES if one.choice else OF_SCORES)
    assert one.statistics
    assert one.levels
    assert one.about.endswith(".")


@pytest.mark.parametrize("one", CONVENTIONS.values(), ids=CONVENTIONS.keys())
def test_a_convention_names_the_fields_that_its_level_needs(one: Convention) -> None:
    assert one.group or "group" not in one.levels
    assert one.system or not (one.without or "system" in one.levels)
    assert bool(one.choice) != bool(one.aspects)
