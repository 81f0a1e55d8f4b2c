"""Rows as Arrow record batches, through pyarrow."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from typing import Any

from agentdebate.extras import optional
from agentdebate.tables.column import Column, Kind
from agentdebate.tables.frames import EXTRA

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
