"""Kept rows are the rows, and the names of their fields are known."""

import json
from collections.abc import Sequence
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from agentdebate.datasets.frame import Frame
from agentdebate.datasets.row import Row
from agentdebate.meta.fields import known_fields

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


def told(rows: Sequence[Row]) -> list[tuple[str, int, str]]:
    """Tells 1 from 1.0 and true, and NaN from nothing else."""
    return [(row.path, row.line, json.dumps(row.data, sort_keys=True)) for row in rows]


@settings(max_examples=50)
@given(RECORDS)
def test_all_fields_come_back_as_they_were(records: list[dict[str, Any]]) -> None:
    rows = rows_of(records)
    found = Frame.of(rows)
    assert told(found) == told([found[place] for place in range(len(rows))]) == told(rows)
    assert list(known_fields(found)) == list(known_fields(rows))
    assert told(found[1:9:2]) == told(rows[1:9:2])
