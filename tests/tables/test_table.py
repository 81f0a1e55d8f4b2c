"""Tables meet pandas, polars and Arrow: the same values under the same names, whatever text is in them."""

import sys
from collections.abc import Iterator
from importlib import import_module
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agentdebate.errors import MissingExtra
from agentdebate.tables.column import Column
from agentdebate.tables.table import BATCH, Table

COLUMNS = (
    Column("name"), Column("count", "integer"), Column("score", "number"), Column("settled", "boolean"),
    Column("begun", "time"), Column("models", "texts"), Column("sent", "messages"),
)  # fmt: skip
ROWS: list[dict[str, Any]] = [
    {
        "name": "one", "count": 1, "score": 2.5, "settled": True, "begun": 86_400.5, "models": ["a", "b"],
        "sent": [{"role": "user", "content": "Hello."}],
    },
    {},
]  # fmt: skip


def table(rows: list[dict[str, Any]] = ROWS) -> "Table[dict[str, Any]]":
    return Table.of("things", COLUMNS, rows)


def test_it_is_read_as_often_as_one_likes_and_by_place() -> None:
    made = table()
    assert list(made) == list(made) == ROWS
    assert (len(made), bool(made), made[0], made[-1]) == (2, True, *ROWS)
    assert not table([])
    with pytest.raises(IndexError):
        _ = made[2]


def test_a_table_without_rows_has_its_columns_everywhere() -> None:
    pyarrow = import_module("pyarrow")
    names = [column.name for column in COLUMNS]
    assert list(table([]).to_pandas().columns) == names
    assert table([]).to_polars().columns == names
    assert pyarrow.table(table([])).column_names == names


def test_an_arrow_stream_reads_a_batch_at_a_time() -> None:
    read: list[int] = []

    def objects() -> Iterator[int]:
        for number in range(10 * BATCH):
            read.append(number)
            yield number

    numbers = Table("numbers", [Column("n", "integer")], objects, lambda n: {"n": n})
    reader = numbers.to_arrow()
    assert read == []
    assert reader.read_next_batch().num_rows == BATCH
    assert len(read) == BATCH


@given(st.lists(st.text(st.characters(codec=None, min_codepoint=0, max_codepoint=0x10FFFF)), max_size=5))
def test_any_text_comes_through_and_half_a_character_becomes_a_whole_one(texts: list[str]) -> None:
    made = Table.of("texts", [Column("text")], [{"text": text} for text in texts])
    wanted = [text.encode("utf-8", "surrogatepass").decode("utf-8", "replace") for text in texts]
    assert [row["text"] for row in made.rows()] == wanted
    assert import_module("pyarrow").table(made)["text"].to_pylist() == wanted
    assert made.to_polars()["text"].to_list() == wanted


@pytest.mark.parametrize(
    ("module", "method"), [("pandas", "to_pandas"), ("polars", "to_polars"), ("pyarrow", "to_arrow")]
)
def test_a_library_that_is_missing_comes_with_the_line_that_installs_it(
    module: str, method: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, module, None)
    with pytest.raises(
        MissingExtra, match=rf"^{module} is not installed.*pip install 'agentdebate\[tables\]'"
    ):
        getattr(table(), method)()
