"""Rows of two files put together."""

import json
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from agentdebate.datasets.row import Row, value_of


def join(rows: Iterable[Row], other: Iterable[Row], on: Sequence[str]) -> Iterator[Row]:
    """Each row with the columns of the other file's row that has the same values in the columns `on`.

    A column that both have keeps the value of the first. Raises DataError where no row, or more than one, matches.
    """
    index: dict[tuple[Any, ...], Row] = {}
    for match in other:
        key = _key(match, on)
        if key in index:
            raise match.error(f"{_shown(on, key)} is on line {index[key].line} too")
        index[key] = match
    for row in rows:
        key = _key(row, on)
        if key not in index:
            raise row.error(f"the joined file has no row with {_shown(on, key)}")
        yield Row(row.path, row.line, {**index[key].data, **row.data})


def _key(row: Row, on: Sequence[str]) -> tuple[Any, ...]:
    return tuple(json.dumps(value_of(row, column)) for column in on)


def _shown(on: Sequence[str], key: Sequence[Any]) -> str:
    return ", ".join(f"{column} = {value}" for column, value in zip(on, key, strict=True))
