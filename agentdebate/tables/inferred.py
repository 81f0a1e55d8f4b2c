"""Columns found from rows: what stands in each is told by its values."""

import json
from collections.abc import Mapping, Sequence
from typing import Any

from agentdebate.tables.column import Column, Kind
from agentdebate.tables.table import Table


def inferred(title: str, rows: Sequence[Mapping[str, Any]]) -> Table[dict[str, Any]]:
    """A table of records that are at hand. What is nested in them stands in its cell as JSON."""
    names = dict.fromkeys(name for row in rows for name in row)
    columns = [Column(name, _kind([row.get(name) for row in rows])) for name in names]
    return Table.of(title, columns, [{name: _flat(value) for name, value in row.items()} for row in rows])


def _kind(values: Sequence[Any]) -> Kind:
    kinds = {type(value) for value in values if value is not None}
    if kinds == {bool}:
        return "boolean"
    if kinds == {int}:
        return "integer"
    return "number" if kinds <= {int, float} else "text"


def _flat(value: Any) -> Any:
    return json.dumps(value, ensure_ascii=False) if isinstance(value, Mapping | list | tuple) else value
