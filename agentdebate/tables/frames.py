"""Rows as data frames of pandas and polars, and as Arrow record batches through pyarrow."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from typing import Any

from agentdebate.extras import optional
from agentdebate.tables.column import Column, Kind

EXTRA = "tables"
"""The extra that brings pandas, polars and pyarrow."""
BATCH = 1000
"""Rows of a record batch: so many are in memory at once."""


def batches(columns: Sequence[Column], rows: Iterable[Sequence[Any]]) -> Any:
    """A reader of record batches, each made when it is asked for. Raises MissingExtra."""
    pyarrow = optional("pyarrow", EXTRA)
    schema = _schema(pyarrow, columns)
    return pyarrow.RecordBatchReader.from_batches(schema, _batches(pyarrow, schema, iter(rows)))


def _batches(pyarrow: Any, schema: Any, rows: Iterator[Sequence[Any]]) -> Iterator[Any]:
    while some := list(islice(rows, BATCH)):
        values = zip(*some, strict=True)
        arrays = [pyarrow.array(list(of), type=field.type) for of, field in zip(values, schema, strict=True)]
        yield pyarrow.record_batch(arrays, schema=schema)


def _schema(pyarrow: Any, columns: Sequence[Column]) -> Any:
    text = pyarrow.string()
    kinds: dict[Kind, Any] = {
        "text": text,
        "integer": pyarrow.int64(),
        "number": pyarrow.float64(),
        "boolean": pyarrow.bool_(),
        "time": pyarrow.timestamp("us", "UTC"),
        "texts": pyarrow.list_(text),
        "messages": pyarrow.list_(pyarrow.struct([("role", text), ("content", text)])),
    }
    return pyarrow.schema([(column.name, kinds[column.kind]) for column in columns])


_PANDAS: dict[Kind, str] = {
    "text": "string",
    "integer": "Int64",
    "number": "float64",
    "boolean": "boolean",
    "time": "datetime64[us, UTC]",
    "texts": "object",
    "messages": "object",
}
"""The types of pandas in which something may be missing."""


def pandas_frame(columns: Sequence[Column], rows: Iterable[Sequence[Any]]) -> Any:
    """A pandas data frame. Raises MissingExtra."""
    pandas = optional("pandas", EXTRA)
    kept = _by_column(columns, rows)
    return pandas.DataFrame(
        {
            column.name: pandas.Series(values, dtype=_PANDAS[column.kind])
            for column, values in zip(columns, kept, strict=True)
        }
    )


def polars_frame(columns: Sequence[Column], rows: Iterable[Sequence[Any]]) -> Any:
    """A polars data frame, by way of Arrow. Raises MissingExtra."""
    polars = optional("polars", EXTRA)
    return polars.from_arrow(batches(columns, rows).read_all())


def _by_column(columns: Sequence[Column], rows: Iterable[Sequence[Any]]) -> list[list[Any]]:
    kept: list[list[Any]] = [[] for _ in columns]
    for row in rows:
        for values, value in zip(kept, row, strict=True):
            values.append(value)
    return kept
