"""Parquet and the hub: rows as from any other file."""

import sys
from collections.abc import Iterator
from datetime import UTC, datetime
from decimal import Decimal
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from agentdebate.datasets.hub import HubName
from hypothesis import given, settings
from hypothesis import strategies as st

from agentdebate.datasets.files import read_rows
from agentdebate.errors import DataError, MissingExtra, UsageError
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
            "bytes": b"plain",
            "day": datetime(2022, 3, 1, 12, tzinfo=UTC),
            "money": Decimal("1.50"),
            "none": None,
            "list": [1.0, None],
            "inner": {"a": [True]},
        }
        (read,) = read_rows(written([row]))
        assert read.data == {
            **row,
            "bytes": "plain",
            "day": "2022-03-01T12:00:00+00:00",
            "money": 1.5,
        }

    def test_the_ending_or_the_format_says_that_it_is_one(self) -> None:
        path = written([{"x": 1}], "a.pq")
        path.rename("b")
        assert [row.data for row in read_rows("b", "parquet")] == [{"x": 1}]

    def test_what_is_none_is_an_error_that_names_it(self) -> None:
        Path("a.parquet").write_text("no Parquet at all", encoding="utf-8")
        with pytest.raises(DataError, match=r"^a\.parquet: this is no Parquet: "):
            list(read_rows("a.parquet"))
        with pytest.raises(DataError, match=r"^b\.parquet: cannot be read: "):
            list(read_rows("b.parquet"))
        with pytest.raises(DataError, match=r"^a\.parquet, line 1: this is no Parquet: 'utf-8'"):
            list(read_rows(written([{"x": b"\xff"}])))
        with pytest.raises(DataError, match="there is nothing in it to judge"):
            list(read_rows(written([], "c.parquet")))

    def test_it_cannot_be_piped_in(self) -> None:
        with pytest.raises(DataError, match="standard input: Parquet is read from its end; name a file"):
            list(read_rows("-", "parquet"))

    def test_without_its_library_it_is_said_how_to_install_it(self, monkeypatch: pytest.MonkeyPatch) -> None:
        path = written([{"x": 1}])
        monkeypatch.setitem(sys.modules, "pyarrow.parquet", None)
        with pytest.raises(MissingExtra, match=r"pip install 'agentdebate\[parquet\]'"):
            list(read_rows(path))

    @settings(max_examples=40)
    @given(
        st.lists(
            st.fixed_dictionaries(
                {"x": st.text(), "y": st.none() | st.floats(allow_nan=False), "z": st.lists(st.text())}
            ),
            min_size=1,
            max_size=20,
        ),
        st.integers(1, 5),
    )
    def test_what_was_written_comes_back(
        self, tmp_path_factory: pytest.TempPathFactory, rows: list[dict[str, Any]], size: int
    ) -> None:
        schema = pa.schema([("x", pa.string()), ("y", pa.float64()), ("z", pa.list_(pa.string()))])
        path = tmp_path_factory.getbasetemp() / "any.parquet"
        parquet.write_table(pa.Table.from_pylist(rows, schema=schema), path, row_group_size=size)
        assert [row.data for row in read_rows(path)] == rows


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("hf:mteb/summeval", HubName("mteb/summeval")),
        ("hf:mteb/summeval:test", HubName("mteb/summeval", None, "test")),
        ("hf:glue@mrpc", HubName("glue", "mrpc")),
        ("hf:glue@mrpc:train", HubName("glue", "mrpc", "train")),
        ("hf:./folder:train", HubName("./folder", None, "train")),
    ],
)
def test_a_dataset_of_the_hub_has_a_name_a_configuration_and_a_split(text: str, name: HubName) -> None:
    assert HubName.parse(text) == name


@pytest.mark.parametrize("text", ["hf:", "hf::test", "hf:a:b:c", "hf:a:b@c", "hf:@x"])
def test_what_names_no_dataset_of_the_hub_is_the_callers_mistake(text: str) -> None:
    with pytest.raises(UsageError, match="names no dataset of the hub"):
        list(read_rows(text))


def hub(monkeypatch: pytest.MonkeyPatch, **splits: list[dict[str, Any]]) -> list[tuple[str, str | None]]:
    """Stands in for the library: a dataset with these splits. What is asked of it is in the list that comes back."""
    asked: list[tuple[str, str | None]] = []

    def load_dataset(
        name: str, config: str | None, *, streaming: bool
    ) -> dict[str, Iterator[dict[str, Any]]]:
        assert streaming
        asked.append((name, config))
        if name == "nowhere":
            raise ConnectionError("Couldn't reach\n'nowhere' on the Hub")
        return {split: iter(rows) for split, rows in splits.items()}

    monkeypatch.setitem(sys.modules, "datasets", SimpleNamespace(load_dataset=load_dataset))
    return asked


class TestHub:
    def test_rows_of_a_split_come_one_by_one(self, monkeypatch: pytest.MonkeyPatch) -> None:
        asked = hub(monkeypatch, train=[{"x": 0}], test=[{"x": 1}, {"x": b"2"}])
        read = list(read_rows("hf:some/data@small:test"))
        assert asked == [("some/data", "small")]
        assert [(row.line, row.data["x"]) for row in read] == [(1, 1), (2, "2")]
        assert str(read[1].error("wrong", "x")) == "hf:some/data@small:test, line 2, 'x': wrong"

    def test_the_only_split_need_not_be_named(self, monkeypatch: pytest.MonkeyPatch) -> None:
        hub(monkeypatch, test=[{"x": 1}])
        assert [row.data for row in read_rows("hf:a")] == [{"x": 1}]

    def test_of_several_splits_one_has_to_be_named(self, monkeypatch: pytest.MonkeyPatch) -> None:
        hub(monkeypatch, train=[{"x": 1}], test=[{"x": 1}])
        with pytest.raises(UsageError, match=r"hf:a has the splits train, test; say which: hf:a:test"):
            list(read_rows("hf:a"))
        with pytest.raises(UsageError, match=r"hf:a:dev has no split 'dev'; it has train, test"):
            list(read_rows("hf:a:dev"))

    def test_without_a_network_it_is_said_what_else_can_be_done(
        self, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        hub(monkeypatch)
        with pytest.raises(DataError) as raised:
            list(read_rows("hf:nowhere"))
        assert str(raised.value) == (
            "hf:nowhere: cannot be read: Couldn't reach 'nowhere' on the Hub. "
            "Without a network, name a folder that holds its files: hf:./FOLDER"
        )

    def test_without_its_library_it_is_said_how_to_install_it(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setitem(sys.modules, "datasets", None)
        with pytest.raises(MissingExtra, match=r"pip install 'agentdebate\[huggingface\]'"):
            list(read_rows("hf:a:b"))
