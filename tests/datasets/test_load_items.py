"""Items of a file of one's own, read in Python with the words of the command; rows that are kept, and rows of Parquet."""

import json
from collections.abc import Sequence
from datetime import UTC, datetime
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import agentdebate as ad
from agentdebate.datasets.files import read_rows
from agentdebate.datasets.frame import Frame
from agentdebate.datasets.row import Row
from agentdebate.errors import DataError, UsageError, UserError
from agentdebate.extras import optional
from agentdebate.meta.fields import known_fields

ROW = {
    "article": "The ferry sails at nine.",
    "summary": "It sails.",
    "system": "m",
    "grade": 80,
    "ref": "At nine.",
}


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "people.jsonl"
    path.write_text("".join(json.dumps(ROW | {"name": name}) + "\n" for name in ("s1", "s2", "s3")))
    return path


def read(path: Path, **more: Any) -> list[ad.Item]:
    given = {"task": "summarization", "fields": {"source": "article"}, "ids": "name", **more}
    return ad.load_items(path, **given)


def test_columns_become_what_the_arguments_say(file: Path) -> None:
    found = read(
        file,
        group="article",
        system="system",
        human={"fluency": "grade"},
        human_scale="0-100",
        also={"reference": "ref"},
        evidence={"ter": "grade"},
        limit=2,
    )
    assert [item.id for item in found] == ["s1", "s2"]
    assert found[0] == ad.Item(
        id="s1",
        task="summarization",
        fields={"source": ROW["article"], "summary": "It sails.", "reference": "At nine."},
        group=ROW["article"],
        system="m",
        human={"fluency": 4.2},
        evidence={"ter": 80},
    )


@pytest.mark.parametrize(
    ("more", "error", "says"),
    [
        ({"join": "x.csv"}, UsageError, "join=... FILE and on=... COLUMN go together"),
        ({"fields": {"sorce": "a"}}, UsageError, "fields=...: task 'summarization' has no 'sorce'. Did you mean 'source'?"),
        ({"human_scale": {"grace": "1-5"}}, UsageError, "human_scale=...: task 'summarization' has no 'grace'"),
        ({"human_scale": "much"}, UsageError, "'much' is not a scale"),
        ({"fields": {}}, DataError, "people.jsonl, line 1, 'source': this row has no such field"),
        ({"ids": "article"}, DataError, "is on line 1 too; name the columns that tell items apart with ids=..."),
        ({"task": "summarisation"}, UserError, "Did you mean 'summarization'?"),
    ],
)  # fmt: skip
def test_what_is_wrong_names_the_argument_or_the_line(
    more: dict[str, Any], error: type[UserError], says: str, file: Path
) -> None:
    with pytest.raises(error) as caught:
        read(file, **more)
    assert says in str(caught.value)


# Kept rows.


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


# Parquet: rows as from any other file.


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
