"""Means and shares of columns by group."""

import pytest
from rows import rows_of

from agentdebate.errors import UsageError
from agentdebate.meta.figure import Bootstrap
from agentdebate.meta.means import means

ROWS = rows_of(
    *(
        {"system": "ab"[n % 2], "calls": n, "winner": "x" if n % 3 else "y", "doc": n // 4, "left": None}
        for n in range(24)
    ),
    {"system": "a", "calls": None, "winner": None, "doc": 9, "left": None},
)


def test_numbers_have_means_by_group_and_what_is_missing_is_counted() -> None:
    first, second = means(ROWS, ["calls"], ["system"], bootstrap=Bootstrap(200))
    assert (first["group"], first["value"], first["n"], first["missing"]) == ("a", 11, 12, 1)
    assert (second["group"], second["value"], second["n"], second["missing"]) == ("b", 12, 12, 0)
    assert (first["low"] or 99) < 11 < (first["high"] or 0)


def test_labels_have_shares_that_add_up() -> None:
    found = means(ROWS, ["winner"])
    assert [(one["label"], one["n"]) for one in found] == [("x", 24), ("y", 24)]
    assert sum(one["value"] for one in found) == pytest.approx(1)
    assert all((one["low"] or 9) < one["value"] < (one["high"] or 0) for one in found)


def test_rows_that_share_a_source_are_drawn_together() -> None:
    (alone,), (shared,) = (
        means(ROWS, ["calls"], source=source, bootstrap=Bootstrap(300)) for source in (None, "doc")
    )
    assert (shared["high"] or 0) - (shared["low"] or 0) > 1.3 * ((alone["high"] or 0) - (alone["low"] or 0))


def test_a_field_that_no_row_has_is_an_error_and_an_empty_column_has_no_line() -> None:
    with pytest.raises(UsageError, match=r"of=\.\.\.: data.jsonl has no field 'call'. Did you mean 'calls'"):
        means(ROWS, ["call"])
    assert means(ROWS, ["left"]) == []
