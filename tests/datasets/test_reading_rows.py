"""Rows from files: what is read as what, and where every error is."""

import json
import re
import tracemalloc
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agentdebate.datasets.data_source import join
from agentdebate.datasets.files import read_rows
from agentdebate.datasets.items import Columns, items
from agentdebate.datasets.row import Row
from agentdebate.errors import DataError, UsageError
from agentdebate.tasks import Aspect, Item, Scale, Task

ASPECTS = tuple(
    Aspect(name=name, scale=Scale(low=1, high=5), criterion="") for name in ("coherence", "fluency")
)
FIELDS = ("source", "summary")
TASK = Task(name="t", fields=FIELDS, optional=("fact",), judged="summary", aspects=ASPECTS, brief="")
TEXTS = ("left", "right", "third")
PAIRS = Task(name="p", fields=TEXTS[:2], optional=TEXTS[2:], candidates=TEXTS, aspects=ASPECTS, brief="")


def rows(name: str, content: str | bytes, format: str | None = None) -> list[Row]:
    Path(name).write_bytes(content if isinstance(content, bytes) else content.encode())
    return list(read_rows(name, format))


def made(*data: dict[str, Any], **columns: Any) -> list[Item]:
    numbered = [
        Row("f", number, {"source": "s", "summary": "t", **row}) for number, row in enumerate(data, 1)
    ]
    return list(items(numbered, TASK, Columns(**columns)))


@pytest.mark.parametrize(
    ("name", "content", "lines"),
    [
        ("a.jsonl", '\ufeff{"x": "1"}\n\n{"x": "2"}', [1, 3]),
        ("a.ndjson", '{"x": "1"}\r\n{"x": "2"}\r\n', [1, 2]),
        ("a.json", '[\n  {"x": "1"},\n\n  {"x":\n "2"}\n]\n', [2, 4]),
        ("a.json", '[{"x": "1"}, {"x": "2"}]', [1, 1]),
        ("a.csv", "\ufeffx\n1\n2\n", [2, 3]),
        ("a.csv", f"x,y\n1,{'y' * 200_000}\n2,\n", [2, 3]),  # the module itself allows 128 kB
        ("a.CSV", 'x\r\n"1"\r\n\r\n2\r\n', [2, 4]),
        ("a.tsv", "x\n1\n2\n", [2, 3]),
    ],
)
def test_rows_know_the_line_on_which_they_begin(name: str, content: str, lines: list[int]) -> None:
    read = rows(name, content)
    assert [row.data["x"] for row in read] == ["1", "2"]
    assert [row.line for row in read] == lines


@pytest.mark.parametrize(
    ("name", "content", "place", "said"),
    [
        ("a.csv", "x,y\n1,2\n3\n", "line 3", "1 fields, and the head has 2"),
        ("a.csv", 'x\n"open\n', "a.csv, line", "not CSV"),
        ("a.csv", "x\n", "a.csv", "nothing in it"),
        ("a.json", '{"x": 1}', "a.json, line 1", "an object is wanted here, not the number 1"),
        ("a.json", "[]", "a.json", "nothing in it"),
        ("a.json", '[{"x": 1},\n{"x" 2}]', "line 2", "not JSON"),
        ("a.json", '[{"x": 1},\n7]', "line 2", "an object is wanted here, not the number 7"),
        ("a.jsonl", '{"x": 1} {"y": 2}', "line 1", "not JSON: Extra data"),
        ("a.jsonl", b"\xff\xfe{\x00", "line 1", "not UTF-8 (byte 1 of the line)"),
    ],
)
def test_errors_name_file_and_line(name: str, content: str | bytes, place: str, said: str) -> None:
    with pytest.raises(DataError) as caught:
        rows(name, content)
    assert place in str(caught.value)
    assert said in str(caught.value)


def test_a_format_that_nobody_reads_is_the_callers_mistake() -> None:
    with pytest.raises(UsageError, match="'yaml'"):
        list(read_rows("a.jsonl", "yaml"))
    Path("a.yaml").write_text("a: b", encoding="utf-8")
    with pytest.raises(DataError, match="format="):
        list(read_rows("a.yaml"))


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=8,
)


@settings(max_examples=40)
@given(
    st.lists(st.dictionaries(st.text(), JSON, max_size=4), min_size=1, max_size=4), st.sampled_from([None, 2])
)
def test_json_comes_back_without_half_characters_and_else_as_it_was(
    tmp_path_factory: pytest.TempPathFactory, data: list[dict[str, Any]], indent: int | None
) -> None:
    path = tmp_path_factory.getbasetemp() / "any.json"
    path.write_text(json.dumps(data, indent=indent), encoding="utf-8")
    read = [row.data for row in read_rows(path)]
    assert len(read) == len(data)
    text = json.dumps(read, ensure_ascii=False)
    assert not any("\ud800" <= c <= "\udfff" for c in text)
    if not any("\ud800" <= c <= "\udfff" for c in json.dumps(data, ensure_ascii=False)):
        assert read == data


@pytest.mark.parametrize(
    ("data", "columns", "id"),
    [
        ({}, {}, "line-1"),
        ({"id": 7}, {}, "7"),
        ({"id": 7, "a": "x", "b": 2}, {"ids": ("a", "b")}, "x/2"),
        ({"g": "A", "s": "M"}, {"group": "g", "system": "s"}, "A/M"),
    ],
)
def test_an_items_id_is_named_or_follows_from_its_labels(
    data: dict[str, Any], columns: dict[str, Any], id: str
) -> None:
    assert [item.id for item in made(data, **columns)] == [id]


@pytest.mark.parametrize("value", [None, True, [], {}])
def test_a_name_is_a_text_or_a_number(value: object) -> None:
    for columns in ({"group": "g"}, {"system": "g"}, {"ids": ("g",)}):
        with pytest.raises(DataError, match="line 1, 'g': a name or a number is wanted here"):
            made({"g": value}, **columns)


def test_join_adds_the_columns_of_the_row_that_matches() -> None:
    left = [Row("l", 1, {"k": 1, "x": "mine"}), Row("l", 2, {"k": 2})]
    right = [Row("r", 1, {"k": 1, "x": "other", "y": "a"}), Row("r", 2, {"k": 2, "y": "b"})]
    joined = [row.data for row in join(left, right, ["k"])]
    assert joined == [{"k": 1, "x": "mine", "y": "a"}, {"k": 2, "y": "b"}]


def test_join_names_what_matches_nothing_or_twice() -> None:
    left, right = [Row("l", 4, {"k": 3})], [Row("r", 1, {"k": 1})]
    with pytest.raises(DataError, match="l, line 4: the joined file has no row with k = 3"):
        list(join(left, right, ["k"]))
    with pytest.raises(DataError, match="r, line 2: k = 1 is on line 1 too"):
        list(join(left, [*right, Row("r", 2, {"k": 1})], ["k"]))
    with pytest.raises(DataError, match="r, line 1, 'z'"):
        list(join(left, right, ["z"]))


def paired(*data: dict[str, Any], **columns: Any) -> list[Item]:
    numbered = [Row("f", number, row) for number, row in enumerate(data, 1)]
    return list(items(numbered, PAIRS, Columns(ids=("n",), **columns)))


@pytest.mark.parametrize("empty", ["left", "right", "third"])
def test_an_empty_candidate_is_an_error_at_its_column(empty: str) -> None:
    column = "3rd" if empty == "third" else empty
    with pytest.raises(DataError) as raised:
        paired({"n": 1, "left": "a", "right": "b", "3rd": "c", column: " "}, fields={"third": "3rd"})
    assert (raised.value.line, raised.value.field) == (1, column)


def test_an_object_human_has_scores_by_aspect() -> None:
    (item,) = made({"human": {"coherence": 4, "fluency": None, "politeness": 9}})
    assert item.human == {"coherence": 4.0, "fluency": None}


@pytest.mark.parametrize("column", ["human.coherence", "scores.people.coherence"])
def test_a_column_inside_others_is_named_with_dots(column: str) -> None:
    given = {"human": {"coherence": 3}, "scores": {"people": {"coherence": 3}}}
    (item,) = made(given, human={"coherence": column})
    assert item.human == {"coherence": 3.0}


def test_candidates_have_scores_of_their_own_nested_or_by_name() -> None:
    for human in ({"coherence": {"left": 1, "right": 0}}, {"coherence.left": 1, "coherence.right": 0}):
        (item,) = paired({"n": 1, "left": "a", "right": "b", "human": human})
        assert item.human == {"coherence.left": 1.0, "coherence.right": 0.0}


@pytest.mark.parametrize(
    ("given", "field", "says"),
    [
        ({"coherence": 6}, "human.coherence", "people's score 6 is outside the scale of coherence, 1 to 5"),
        ({"coherence": "good"}, "human.coherence", "a number is wanted here, not the text 'good'"),
        ({"coherence": [4, 5]}, "human.coherence", "a number is wanted here, not a list"),
        ({"coherense": 4}, "human.coherense", "has no such aspect. Did you mean 'coherence'"),
    ],
)
def test_a_score_that_cannot_be_one_is_an_error_with_its_line(
    given: dict[str, Any], field: str, says: str
) -> None:
    with pytest.raises(DataError, match=rf"^f, line 1, '{field}'.*{re.escape(says)}"):
        made({"human": given})


REFERENCES = {"id": 1, "refs": ["one", "two"], "ref": "alone", "none": None}


@pytest.mark.parametrize(
    ("column", "fields"),
    [
        ("refs", {"reference_1": "one", "reference_2": "two"}),
        ("ref", {"reference": "alone"}),
        ("id", {"reference": "1"}),
        ("none", {}),
    ],
)
def test_a_further_field_is_a_text_or_one_numbered_field_for_each_text_of_a_list(
    column: str, fields: dict[str, str]
) -> None:
    (item,) = made(REFERENCES, also={"reference": column})
    assert item.fields == {"source": "s", "summary": "t", **fields}


@pytest.mark.parametrize(
    ("data", "more", "said"),
    [
        ({"r": ["a", {}]}, {"reference": "r"}, "line 1, 'r[1]': a text is wanted here, not an object"),
        ({"r": {"a": "b"}}, {"reference": "r"}, "line 1, 'r': a text is wanted here, not an object"),
        (
            {"refs": ["a"]},
            {"reference": "ref"},
            "line 1, 'ref': this row has no such field. Did you mean 'refs'",
        ),
        ({"r": "a"}, {"summary": "r"}, "line 1, 'r': the item has a field 'summary' already"),
        ({"r": "a"}, {"fact": "r"}, "the item has a field 'fact' already"),
        ({"r": ["a"]}, {"x": "r", "x_1": "summary"}, "the item has a field 'x_1' already"),
    ],
)
def test_a_further_field_that_cannot_be_had_is_named(
    data: dict[str, Any], more: dict[str, str], said: str
) -> None:
    with pytest.raises(DataError) as raised:
        made(data, also=more)
    assert said in str(raised.value)


@pytest.mark.parametrize(
    ("name", "head", "line"),
    [("a.jsonl", "", '{"x": "1"}\n'), ("a.csv", "x\n", "1\n"), ("a.tsv", "x\n", "1\n")],
)
def test_memory_does_not_grow_with_the_file(name: str, head: str, line: str) -> None:
    Path(name).write_text(head + line.replace("1", "1" * 1000) * 5000, encoding="utf-8")
    tracemalloc.start()
    try:
        assert sum(1 for _ in read_rows(name)) == 5000
        assert tracemalloc.get_traced_memory()[1] < 500_000, "the file has 5 MB"
    finally:
        tracemalloc.stop()
