"""Kept rows are the rows, as far as their fields are used."""

import json
from collections.abc import Sequence
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from agentdebate.datasets.frame import Frame, Selection
from agentdebate.datasets.row import Row
from agentdebate.meta.fields import known_fields, value_in

NAMES = st.sampled_from(["a", "b", "a.b", "c", "b.c"])
SINGLE = st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=3)
VALUES = st.recursive(
    SINGLE,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(NAMES, inner, max_size=3),
    max_leaves=6,
)
RECORDS = st.lists(st.dictionaries(NAMES, VALUES, max_size=4), max_size=30)


def rows_of(records: Sequence[dict[str, Any]]) -> list[Row]:
    return [Row("data.jsonl", 2 * number, record) for number, record in enumerate(records, 1)]


def written(value: Any) -> str:
    """Tells 1 from 1.0 and true, and NaN from nothing else."""
    return json.dumps(value, sort_keys=True)


@given(RECORDS, st.sampled_from(["a", "b", "a.b", "b.c", "a.b.c", "a.*.b", "b.0"]))
def test_a_selected_field_is_there_whatever_it_holds(records: list[dict[str, Any]], field: str) -> None:
    rows = rows_of(records)
    found = Frame.of(rows, Selection(frozenset({field})))
    assert [written(value_in(row, field)) for row in found] == [written(value_in(row, field)) for row in rows]
    assert list(known_fields(found)) == list(known_fields(rows))


def test_fields_that_nothing_uses_are_let_go() -> None:
    rows = rows_of([{"id": "x", "of": {"p": 3, "t": "u"}}, {"id": "y", "of": {"p": "2"}}])
    assert [row.data for row in Frame.of(rows, Selection(frozenset({"id"})))] == [{"id": "x"}, {"id": "y"}]
    assert [row.data for row in Frame.of(rows, Selection(frozenset({"of.t"})))] == [
        {"of": {"p": 3, "t": "u"}},
        {"of": {"p": "2"}},
    ]
