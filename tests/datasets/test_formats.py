"""Parquet: rows as from any other file."""

from datetime import UTC, datetime
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from agentdebate.datasets.files import read_rows
from agentdebate.errors import DataError
from agentdebate.extras import optional

pa, parquet = optional("pyarrow", "parquet"), optional("pyarrow.parquet", "parquet")


def written(rows: list[dict[str, Any]], path: str | Path = "a.parquet", **options: Any) -> Path:
    parquet.write_table(pa.Table.from_pylist(rows), path, **options)
    return Path(path)


class TestParquet:
    def test_rows_are_numbered_across_row_groups(self) -> None:
        path = written([{"x": number, "y": str(number)} for number in range(1000)], row_group_size=300)
        read = list(read_rows(path))
        assert [row.line for row in read] == list(range(1, 1001))
        assert read[700].data == {"x": 700, "y": "700"}

    def test_values_are_those_that_json_has(self) -> None:
        row = {
            "text": "é",
            "day": datetime(2022, 3, 1, 12, tzinfo=UTC),
            "money": Decimal("1.50"),
            "none": None,
            "list": [1.0, None],
            "inner": {"a": [True]},
        }
        (read,) = read_rows(written([row]))
        assert read.data == {**row, "day": "2022-03-01T12:00:00+00:00", "money": 1.5}

    def test_what_is_none_is_an_error_that_names_it(self) -> None:
        Path("a.parquet").write_text("no Parquet at all", encoding="utf-8")
        with pytest.raises(DataError, match=r"^a\.parquet: this is not Parquet: "):
            list(read_rows("a.parquet"))
        with pytest.raises(DataError, match=r"^b\.parquet: cannot be read: "):
            list(read_rows("b.parquet"))
        with pytest.raises(DataError, match="there is nothing in it to judge"):
            list(read_rows(written([], "c.parquet")))

    def test_it_cannot_be_piped_in(self) -> None:
        with pytest.raises(DataError, match="standard input: Parquet is read from its end; name a file"):
            list(read_rows("-", "parquet"))
