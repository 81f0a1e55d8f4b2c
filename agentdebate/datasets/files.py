"""Rows of data, from a path, from standard input or from the hub, with every error at its line."""

import csv
import json
import re
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from threading import Lock
from typing import IO, Any

from agentdebate.datasets.frame import Frame, Selection
from agentdebate.datasets.hub import hub_rows, is_hub
from agentdebate.datasets.json_objects import KeyTwiceError, once
from agentdebate.datasets.parquet import parquet_rows
from agentdebate.datasets.row import Row, kind_of
from agentdebate.errors import DataError, UsageError, nearest

STDIN = "-"
"""The path that stands for standard input."""

FORMATS = ("jsonl", "json", "csv", "tsv", "parquet")
"""The formats that can be read."""

LONGEST_LINE = 10_000_000
"""Bytes of a line, and of a record of a CSV file, which may have several."""
LARGEST_JSON = 200_000_000
"""Bytes of a JSON file, all of which has to be in memory at once."""
MOST_FIELDS = 10_000
"""Fields of a row."""

_RECORD = json.JSONDecoder(object_pairs_hook=once)
"""Reads what has each key once in every object."""
DEEPEST = 200
"""Values inside values of one record."""
_HALF = re.compile("[\ud800-\udfff]")
_ESCAPED_HALF = re.compile(r"\\u[dD][89a-fA-F]")

_ENDINGS = {
    ".jsonl": "jsonl", ".ndjson": "jsonl", ".json": "json", ".csv": "csv", ".tsv": "tsv", ".parquet": "parquet",
    ".pq": "parquet",
}  # fmt: skip


def read_rows(path: str | Path, format: str | None = None) -> Iterator[Row]:
    """The records of a file, in order. `format` is one of FORMATS; None goes by the file's ending.

    `path` may be "-", which is standard input, or name a dataset of the hub: "hf:NAME:SPLIT". All but JSON is read as the
    rows are asked for, so that a file may be larger than the memory; what is wrong in it is found when its line is reached.
    A file is open from the first row to the last, or until the iterator is closed. Raises DataError with file and line for
    what cannot be read, and MissingExtra for a format whose library is not installed.
    """
    empty = True
    for row in _rows(path, format):
        empty = False
        yield row
    if empty:
        raise DataError("there is nothing in it to judge", path=_name_of(path))


def read_frame(path: str | Path, selection: Selection | None = None) -> Frame:
    """The records of a file as columns: the selected fields, or all. Raises what `read_rows` raises."""
    again = None if str(path) == STDIN or is_hub(path) else partial(read_rows, path)
    return Frame.of(read_rows(path), selection, again)


def _rows(path: str | Path, format: str | None) -> Iterator[Row]:
    name = _name_of(path)
    if is_hub(path):
        yield from hub_rows(name)
        return
    chosen = format_of(path, format)
    if chosen not in FORMATS:
        raise UsageError(f"the format {chosen!r} cannot be read. {nearest(chosen, FORMATS)}")
    if chosen == "parquet":
        if str(path) == STDIN:
            raise DataError("Parquet is read from its end; name a file instead of piping it in", path=name)
        yield from parquet_rows(name)
        return
    readers = {"jsonl": _jsonl, "json": _json, "csv": _csv, "tsv": _tsv}
    with _opened(path, name) as stream:
        yield from readers[chosen](name, stream)


def format_of(path: str | Path, format: str | None = None) -> str:
    """The format that was named, or that the file's ending stands for. Raises DataError."""
    if format:
        return format
    if str(path) == STDIN:
        return "jsonl"
    ending = Path(path).suffix.lower()
    if ending not in _ENDINGS:
        if Path(path).is_dir():
            raise DataError(
                "this is a folder; name a file in it, or say with dataset=... which published dataset it holds",
                path=path,
            )
        if not ending and not Path(path).exists():
            raise DataError("there is no such file", path=path)
        raise DataError(
            f"a file that ends in {ending!r} could hold anything; give it the ending of what it holds "
            f"({', '.join(FORMATS)}), or say it with format=... where items are judged",
            path=path,
        )
    return _ENDINGS[ending]


def read_object(path: str | Path) -> Row:
    """A file that holds one JSON object. Raises DataError."""
    name = _name_of(path)
    with _opened(path, name) as stream:
        text = _all(name, stream)
    if not text.strip():
        raise DataError("there is nothing in it to judge", path=name)
    return Row(name, 1, _object(name, 1, _loads(name, 1, text)))


def _name_of(path: str | Path) -> str:
    return "standard input" if str(path) == STDIN else str(path)


@contextmanager
def _opened(path: str | Path, name: str) -> Iterator[IO[bytes]]:
    """The bytes of a file, which is closed in the end, or of standard input, which is not."""
    if str(path) == STDIN:
        if sys.stdin is None:
            raise DataError("it is closed; pipe the data in, or name a file", path=name)
        with _standard_input() as stream:
            yield stream
        return
    try:
        with _open(path, name) as stream:
            yield stream
    except OSError as error:
        raise DataError(f"cannot be read: {error.strerror}", path=name) from error


@contextmanager
def _standard_input() -> Iterator[IO[bytes]]:
    """Standard input through a reader of its own: a thread that waits for a line of it must not hold the interpreter's."""
    try:
        number = sys.stdin.fileno()
    except OSError:  # something else stands in its place
        yield sys.stdin.buffer
        return
    with open(number, "rb", closefd=False) as stream:
        yield stream


def _open(path: str | Path, name: str) -> IO[bytes]:
    try:
        return Path(path).open("rb")
    except ValueError as error:
        raise DataError(f"this is not a path: {error}", path=name) from error


def _decoded(name: str, stream: IO[bytes]) -> Iterator[str]:
    """The lines, without the mark that some editors put before the first."""
    for number, line in enumerate(iter(partial(stream.readline, LONGEST_LINE + 1), b""), 1):
        if len(line) > LONGEST_LINE:
            raise DataError(
                f"this line has more than {LONGEST_LINE:,} bytes, the most that a line has",
                path=name,
                line=number,
            )
        try:
            yield line.decode("utf-8-sig" if number == 1 else "utf-8")
        except UnicodeDecodeError as error:
            raise DataError(
                f"this is not UTF-8 (byte {error.start + 1} of the line); save the file as UTF-8",
                path=name,
                line=number,
            ) from error


def _all(name: str, stream: IO[bytes]) -> str:
    """All of a JSON file, which need not have lines."""
    content = stream.read(LARGEST_JSON + 1)
    if len(content) > LARGEST_JSON:
        raise DataError(
            f"a JSON file has at most {LARGEST_JSON:,} bytes; write larger data as JSONL, one object a line",
            path=name,
        )
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        before = content[: error.start]
        place = error.start - before.rfind(b"\n")
        raise DataError(
            f"this is not UTF-8 (byte {place} of the line); save the file as UTF-8",
            path=name,
            line=before.count(b"\n") + 1,
        ) from error


def _jsonl(name: str, stream: IO[bytes]) -> Iterator[Row]:
    for number, line in enumerate(_decoded(name, stream), 1):
        if line.strip():
            yield Row(name, number, _object(name, number, _loads(name, number, line.rstrip("\r\n"))))


def _json(name: str, stream: IO[bytes]) -> Iterator[Row]:
    """The objects of a list, each with the line on which it begins."""
    text = _all(name, stream)
    if text.strip() and not isinstance(_loads(name, 1, text, whole=False), list):
        raise DataError("a JSON file has to hold a list of objects; one object a line is JSONL", path=name)
    for line, entry in _entries(name, text, "["):
        yield Row(name, line, _object(name, line, _whole(entry)))


def read_named(path: str | Path) -> Iterator[tuple[str, Row]]:
    """The objects in a JSON file that holds one object, each with its name and the line on which it begins.

    Raises DataError.
    """
    name = _name_of(path)
    with _opened(path, name) as stream:
        text = _all(name, stream)
    _object(name, 1, _loads(name, 1, text, whole=False))
    entries, lines = _entries(name, text, "{"), dict[str, int]()
    for (at, key), (line, value) in zip(entries, entries, strict=True):
        if key in lines:
            raise DataError(
                f"the key is on line {lines[key]} too; leave one of them out", path=name, line=at, field=key
            )
        lines[key] = at
        yield key, Row(name, line, _object(name, line, _whole(value)))


def read_lines(path: str | Path) -> Iterator[Row]:
    """The lines of a text, each as a row with the field "line"; empty ones are left out. Raises DataError."""
    name = _name_of(path)
    with _opened(path, name) as stream:
        for number, line in enumerate(_decoded(name, stream), 1):
            if line.strip():
                yield Row(name, number, {"line": line.strip()})


def _entries(name: str, text: str, opening: str) -> Iterator[tuple[int, Any]]:
    """What a good JSON list holds, or the names and values of an object in turn, each with its line.

    Raises DataError where an object has a key twice.
    """
    decode, place = _RECORD.raw_decode, text.find(opening) + 1
    line = 1 + text.count("\n", 0, place)
    while match := _ENTRY.match(text, place):
        line += text.count("\n", place, match.end())
        try:
            entry, end = decode(text, match.end())
        except KeyTwiceError as error:
            raise DataError(str(error), path=name, line=line) from error
        yield line, entry
        line, place = line + text.count("\n", match.end(), end), end


_ENTRY = re.compile(r"[\s,:]*(?=[^\s,:\]}])")
"""What stands before an entry of a JSON list, and before a name or a value of an object."""


def _loads(name: str, number: int, text: str, *, whole: bool = True) -> Any:
    """What a JSON text holds; keys that stand twice are let through where it is no `whole` record, but read again later."""
    try:
        value = (_RECORD.decode if whole else json.loads)(text)
        _check_depth(text, value)
        return _whole(value) if _ESCAPED_HALF.search(text) else value
    except json.JSONDecodeError as error:
        line = number + error.lineno - 1
        raise DataError(
            f"this is not JSON: {error.msg} (column {error.colno})", path=name, line=line
        ) from error
    except KeyTwiceError as error:
        raise DataError(str(error), path=name, line=number) from error
    except RecursionError as error:
        raise DataError(f"this JSON cannot be read: {error}", path=name, line=number) from error
    except ValueError as error:  # what else there is: Python reads no number with thousands of digits
        raise DataError(
            f"this JSON has a number of more than {sys.get_int_max_str_digits():,} digits, which cannot be read: shorten it, or "
            "write it as a text, in quotation marks",
            path=name,
            line=number,
        ) from error


def _check_depth(text: str, value: Any) -> None:
    """Raise RecursionError for values inside values beyond `DEEPEST`, wherever an interpreter would give up itself."""
    if text.count("[") + text.count("{") <= DEEPEST:
        return
    level = [value]
    for _ in range(DEEPEST):
        level = [
            inner
            for one in level
            if isinstance(one, list | dict)
            for inner in (one.values() if isinstance(one, dict) else one)
        ]
    if any(isinstance(one, list | dict) for one in level):
        raise RecursionError(f"it is nested more than {DEEPEST} levels deep")


def _whole(value: Any) -> Any:
    """The value without halves of characters, which JSON can escape and no encoding can carry."""
    if isinstance(value, str):
        return _HALF.sub("\N{REPLACEMENT CHARACTER}", value)
    if isinstance(value, list):
        return [_whole(entry) for entry in value]
    if isinstance(value, dict):
        return {_whole(key): _whole(entry) for key, entry in value.items()}
    return value


def _object(name: str, number: int, value: Any) -> Mapping[str, Any]:
    if not isinstance(value, dict):
        raise DataError(f"an object is wanted here, not {kind_of(value)}", path=name, line=number)
    if len(value) > MOST_FIELDS:
        raise DataError(f"this object has more than {MOST_FIELDS:,} fields", path=name, line=number)
    return value


def _csv(name: str, stream: IO[bytes], delimiter: str = ",") -> Iterator[Row]:
    lines = _RecordLines(name, _decoded(name, stream))
    reader = csv.reader(lines, delimiter=delimiter, strict=True)
    try:
        head = _next_record(reader) or []
        _check_delimiter(name, head, delimiter)
        _check_head(name, head)
        begins = reader.line_num + 1
        while (record := _next_record(reader)) is not None:
            if record:
                yield Row(name, begins, _matched(name, begins, head, record))
            begins = reader.line_num + 1
            lines.read = 0
    except csv.Error as error:
        raise DataError(f"this is not CSV: {error}", path=name, line=reader.line_num) from error


class _RecordLines:
    """The lines of a CSV file. Raises DataError where those of one record, `read` so far, are too long together."""

    def __init__(self, name: str, lines: Iterator[str]) -> None:
        self.read, self._number = 0, 0
        self._name, self._lines = name, lines

    def __iter__(self) -> Iterator[str]:
        for line in self._lines:
            self.read += len(line)
            self._number += 1
            if self.read > LONGEST_LINE:
                raise DataError(
                    f"the record that ends here or further down has more than {LONGEST_LINE:,} characters; is a quotation "
                    "mark missing?",
                    path=self._name,
                    line=self._number,
                )
            yield line


def _matched(name: str, line: int, head: Sequence[str], record: Sequence[str]) -> Mapping[str, str]:
    if len(record) != len(head):
        raise DataError(
            f"this row has {len(record)} fields, and the head has {len(head)}", path=name, line=line
        )
    return dict(zip(head, record, strict=True))


_LONGEST = 2**31 - 1
"""The longest field of a CSV file: what every system's C long can hold. The module by itself allows 128 kB."""
_LIMITING = Lock()


def _next_record(reader: Iterator[list[str]]) -> list[str] | None:
    """The next record, which may have long fields; None at the end.

    The limit of a field belongs to the whole process, and is looked at with each field. So it is lifted for one record at a
    time, while no other reader of ours can put it back, and nobody else finds it changed between two records.
    """
    with _LIMITING:
        limit = csv.field_size_limit(_LONGEST)
        try:
            return next(reader, None)
        finally:
            csv.field_size_limit(limit)


def _check_delimiter(name: str, head: Sequence[str], delimiter: str) -> None:
    """Raise DataError for a head that other separators keep in one piece."""
    others = [sign for sign in _SEPARATORS if sign != delimiter and len(head) == 1 and sign in head[0]]
    if others:
        raise DataError(
            f"the columns of this file are separated by {_SEPARATORS[others[0]]}, and read by {_SEPARATORS[delimiter]}: write "
            "it with commas as .csv, or with tabs as .tsv",
            path=name,
            line=1,
        )


_SEPARATORS = {",": "commas", "\t": "tabs", ";": "semicolons", "|": "upright lines"}


def _check_head(name: str, head: Sequence[str]) -> None:
    if len(head) > MOST_FIELDS:
        raise DataError(f"the head has more than {MOST_FIELDS:,} columns", path=name, line=1)
    places: dict[str, int] = {}
    for place, column in enumerate(head, 1):
        if column in places:
            raise DataError(_twice(column, places[column], place), path=name, line=1, field=column or None)
        places[column] = place


def _twice(column: str, first: int, second: int) -> str:
    """What to say of two columns of the same name."""
    if not column:
        return f"columns {first} and {second} have no name: give each one, or leave them out"
    return f"the head has this column twice, as columns {first} and {second}: leave one out or rename it"


def _tsv(name: str, stream: IO[bytes]) -> Iterator[Row]:
    return _csv(name, stream, delimiter="\t")
