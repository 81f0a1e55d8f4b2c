"""Rows of Parquet files, a few at a time. Takes the extra "parquet"."""

from collections.abc import Iterator
from datetime import date, datetime, time
from decimal import Decimal
from typing import Any

from agentdebate.datasets.row import Row
from agentdebate.errors import DataError
from agentdebate.extras import optional

EXTRA = "parquet"
_BATCH = 256
"""Rows that are in memory at once, beside the row group that they are from."""


def parquet_rows(path: str) -> Iterator[Row]:
    """The records of a Parquet file, in order; `line` counts records from 1.

    One row group is read after the other. Dates and times become texts, decimal numbers become floats, and bytes are read
    as UTF-8. Raises DataError, and MissingExtra where pyarrow is not installed.
    """
    parquet, arrow = optional("pyarrow.parquet", EXTRA), optional("pyarrow", EXTRA)
    number = 0
    try:
        with parquet.ParquetFile(path) as file:
            for record in _records(file):
                number += 1
                yield Row(path, number, {name: plain(value) for name, value in record.items()})
    except OSError as error:
        raise DataError(f"cannot be read: {error.strerror or error}", path=path) from error
    except (arrow.ArrowException, UnicodeDecodeError, ValueError) as error:
        raise DataError(f"this is no Parquet: {error}", path=path, line=number or None) from error


def _records(file: Any) -> Iterator[dict[str, Any]]:
    # Asked for all row groups at once, pyarrow keeps what it has read of them until the end.
    for group in range(file.num_row_groups):
        for batch in file.iter_batches(_BATCH, row_groups=[group]):
            yield from batch.to_pylist()


def plain(value: Any) -> Any:
    """A value as JSON has it: a text, a number, true or false, null, a list or an object."""
    if isinstance(value, dict):
        return {str(key): plain(entry) for key, entry in value.items()}
    if isinstance(value, list | tuple):
        return [plain(entry) for entry in value]
    if isinstance(value, Decimal):
        return float(value)
    if isinstance(value, bytes):
        return value.decode()
    return value.isoformat() if isinstance(value, date | datetime | time) else value
