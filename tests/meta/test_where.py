"""Conditions on rows."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rows import rows_of

from agentdebate.errors import UsageError
from agentdebate.meta.fields import Condition, narrow

ROWS = rows_of(
    {"system": "M1", "round": 1, "kept": True},
    {"system": "M2", "round": 2.0, "kept": False},
    {"system": "M2", "round": None},
)


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ("system=M2", [2, 3]),
        ("system!=M2", [1]),
        ('system!="M2"', [1]),
        ("round=1.0", [1]),
        ("round=2", [2]),
        ("round!=2", [1, 3]),
        ("kept=true", [1]),
        ("round=", [3]),
        ("kept!=", [1, 2]),
        ("round<2", [1]),
        ("round <= 2", [1, 2]),
        ("round>1", [2]),
        ("round>=1", [1, 2]),
        ("system={M1,M3}", [1]),
        ("system!={M1, 'M3'}", [2, 3]),
    ],
)
def test_rows_are_kept_for_which_a_condition_holds(text: str, lines: list[int]) -> None:
    assert [row.line for row in narrow(ROWS, [Condition.parse(text)]).rows] == lines


def test_all_conditions_have_to_hold_and_the_first_that_does_not_counts() -> None:
    found = narrow(ROWS, [Condition.parse("system=M2"), Condition.parse("round=2")])
    assert [row.line for row in found.rows] == [2]
    assert [row.line for row in found.others] == [1, 3]
    assert found.left_out == {"not system=M2": 1, "not round=2": 1}


@pytest.mark.parametrize("text", ["system", "=M1", "!=M1", "", "round<two"])
def test_what_is_no_condition_is_an_error(text: str) -> None:
    with pytest.raises(UsageError, match=r"where=\.\.\. takes FIELD=VALUE or FIELD!=VALUE"):
        Condition.parse(text)


@given(st.one_of(st.text(), st.integers(), st.floats(allow_nan=False), st.booleans(), st.none()), st.text())
def test_a_row_is_kept_by_a_condition_or_by_its_opposite(value: object, wanted: str) -> None:
    (row,) = rows_of({"a": value})
    assert Condition("", "a", (wanted,)).holds(row) is not Condition("", "a", (wanted,), "!=").holds(row)
