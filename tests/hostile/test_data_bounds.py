"""Data files: whatever is in them, reading them ends soon, with items or an error that names file, line and limit."""

import json
import tracemalloc
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from patience import ends

from agentdebate.cli.app import run
from agentdebate.datasets import files
from agentdebate.datasets.files import LONGEST_LINE, MOST_FIELDS, read_rows
from agentdebate.errors import DataError

Capsys = pytest.CaptureFixture[str]
WORDS = ("--task", "summarization", "--aspects", "coherence")


def of(name: str, content: bytes) -> Path:
    path = Path(name)
    path.write_bytes(content)
    return path


def long_line(name: str, before: bytes = b"") -> Path:
    """A file whose last line has a gigabyte, of which the file system keeps nothing."""
    path = of(name, before)
    with path.open("ab") as file:
        file.truncate(10**9)
    return path


@pytest.mark.parametrize("name", ["a.jsonl", "a.csv", "a.tsv"])
def test_a_line_of_a_gigabyte_is_an_error_that_names_it_before_it_is_read(name: str) -> None:
    path = long_line(name, b'{"a": 1}\n' if name == "a.jsonl" else b"a\nb\n")
    tracemalloc.start()
    try:
        with pytest.raises(DataError, match=r"more than 10,000,000 bytes") as raised:
            list(read_rows(path))
        assert tracemalloc.get_traced_memory()[1] < 5 * LONGEST_LINE
    finally:
        tracemalloc.stop()
    assert (raised.value.path, raised.value.line) == (name, 2 if name == "a.jsonl" else 3)


def test_a_json_file_of_a_gigabyte_is_an_error_that_says_what_to_write(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(files, "LARGEST_JSON", 1_000_000)
    with pytest.raises(DataError, match="write larger data as JSONL"):
        list(read_rows(long_line("a.json", b"[")))


def test_a_device_without_end_is_an_error_at_its_first_line(capsys: Capsys) -> None:
    assert run(["run", "solo", "/dev/zero", *WORDS, "--format", "jsonl"]) == 2
    assert "/dev/zero, line 1: this line has more than 10,000,000 bytes" in capsys.readouterr().err
    assert run(["score", "solo", *WORDS, "-f", "source=@/dev/zero", "-f", "summary=x"]) == 2
    assert "a regular file" in capsys.readouterr().err


def test_a_quotation_mark_without_end_does_not_take_the_whole_file() -> None:
    path = of("a.csv", b'a,b\n1,"x\n' + b"line of a text\n" * 1_000_000)
    with pytest.raises(DataError, match="is a quotation mark missing") as raised:
        list(read_rows(path))
    assert raised.value.path == "a.csv"


BROKEN = {
    "lists in lists": ("a.jsonl", b'{"a": ' + b"[" * 100_000 + b"]" * 100_000 + b"}\n"),
    "objects in objects": ("a.jsonl", b'{"a": ' * 100_000 + b"1" + b"}" * 100_000),
    "halves of characters deep inside": ("a.jsonl", b'{"a": ' + b"[" * 900 + b'"\\ud800"' + b"]" * 900 + b"}\n"),
    "a number of thousands of digits": ("a.jsonl", b'{"a": ' + b"9" * 5000 + b"}\n"),
    "more fields than a row has": ("a.jsonl", json.dumps(dict.fromkeys(map(str, range(MOST_FIELDS + 1)), 1)).encode()),
    "more columns than a head has": ("a.csv", ",".join(map(str, range(500_000))).encode() + b"\n1\n"),
    "no UTF-8 in JSON": ("a.json", b'[\n{"a": "\xff"}]\n'),
    "NULs": ("a.jsonl", b"\0\0\0\n"),
    "UTF-16": ("a.jsonl", '{"a": 1}\n'.encode("utf-16")),
}  # fmt: skip


@pytest.mark.parametrize(("name", "content"), BROKEN.values(), ids=BROKEN)
def test_what_cannot_be_read_is_an_error_soon_that_names_file_and_line(name: str, content: bytes) -> None:
    path = of(name, content)
    with ends(), pytest.raises(DataError) as raised:
        list(read_rows(path))
    assert raised.value.path == name
    assert raised.value.line is not None
    assert len(str(raised.value)) < 1000


@pytest.mark.parametrize(
    ("name", "text", "line"),
    [
        ("a.jsonl", '{"id": 1}\n{"id": 2, "id": 3}\n', 2),
        ("a.jsonl", '{"a": [{"b": {"c": 1, "c": 1}}]}\n', 1),
        ("a.json", '[{"id": 1},\n\n{"id": 2,\n"id": 3}]', 3),
        ("a.json", '{"a": {"x": 1},\n"b": {"x": 1},\n"a": {"x": 2}}', 3),
        ("a.tsv", "id\ttext\tid\n1\t2\t3\n", 1),
    ],
)
def test_a_data_file_with_a_key_twice_is_refused_at_its_line(name: str, text: str, line: int) -> None:
    with pytest.raises(DataError, match=r"twice|is on line 1 too") as caught:
        list(read_rows(of(name, text.encode())))
    assert caught.value.line == line


def test_a_row_of_many_long_names_gets_a_short_hint_soon(capsys: Capsys) -> None:
    row = {f"{number}{'x' * 500}": 1 for number in range(5000)} | {f"f{number}": 1 for number in range(4000)}
    of("data.jsonl", json.dumps(row).encode())
    with ends():
        assert run(["run", "solo", "data.jsonl", *WORDS]) == 2
    assert len(capsys.readouterr().err) < 5000


@given(
    st.one_of(st.binary(max_size=60), st.text('{}[]",:\\ud8\n01e+-. \ufeff\0', max_size=60).map(str.encode)),
    st.sampled_from(["a.jsonl", "a.json", "a.csv", "a.tsv"]),
)
def test_any_bytes_are_rows_or_an_error_of_ours(content: bytes, name: str) -> None:
    assert is_read_or_named(of(name, content))


def is_read_or_named(path: Path) -> bool:
    """Tell whether the rows are in order, or the error names the file."""
    try:
        lines = [row.line for row in read_rows(path)]
    except DataError as error:
        return error.path == str(path)
    return lines == sorted(lines) != []
