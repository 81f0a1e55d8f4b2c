"""Rows of data, from a path or from standard input, with every error at its line."""

import csv
import json
import re
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import date, datetime, time
from decimal import Decimal
from functools import partial
from pathlib import Path
from typing import IO, Any

from agentdebate.datasets.frame import Frame
from agentdebate.datasets.json_objects import once
from agentdebate.datasets.row import Row, kind_of
from agentdebate.errors import DataError, UsageError, nearest
from agentdebate.extras import optional

STDIN = "-"
"""The path that stands for standard input."""

NAME = "(name)"
"""The field of a row that was named in a JSON object: its name there."""

LONGEST_LINE = 10_000_000
"""Bytes of a line, and of a record of a CSV file, which may have several."""
LARGEST_JSON = 200_000_000
"""Bytes of a JSON file, all of which has to be in memory at once."""
MOST_FIELDS = 10_000
"""Fields of a row."""
DEEPEST = 200
"""Values inside values of one record."""

_RECORD = json.JSONDecoder(object_pairs_hook=once)
"""Reads what has each key once in every object."""
_HALF = re.compile("[\ud800-\udfff]")
_ESCAPED_HALF = re.compile(r"\\u[dD][89a-fA-F]")
_ENTRY = re.compile(r"[\s,:]*(?=[^\s,:\]}])")
"""Blanks and marks before an entry of a JSON list, and before a name or a value of an object."""
_BATCH = 256
"""Records of a Parquet file that are in memory at once, beside the row group that they are from."""


def read_rows(path: str | Path, format: str | None = None) -> Iterator[Row]:
    """The records of a file, in order. `format` is one of FORMATS; None goes by the file's ending.

    `path` may be "-", which is standard input. All but JSON is read as the rows are asked for, so that a file may be larger
    than the memory; what is wrong in it is found when its line is reached. A file is open from the first row to the last, or
    until the iterator is closed. Raises DataError with file and line for what cannot be read, and MissingExtra for Parquet
    where pyarrow is not installed.
    """
    chosen = format_of(path, format)
    if chosen not in FORMATS:
        raise UsageError(f"the format {chosen!r} cannot be read. {nearest(chosen, FORMATS)}")
    empty, name = True, _name_of(path)
    with _opened(path, name) as stream:
        for row in _READERS[chosen](name, stream):
            empty = False
            yield row
    if empty:
        raise DataError("there is nothing in it to judge", path=name)


def read_frame(path: str | Path) -> Frame:
    """The records of a file, with the names of their fields. Raises what `read_rows` raises."""
    return Frame.of(read_rows(path))


def read_object(path: str | Path) -> Row:
    """The JSON object that a file holds. Raises DataError."""
    name = _name_of(path)
    with _opened(path, name) as stream:
        text = _all(name, stream)
    if not text.strip():
        raise DataError("there is nothing in it to judge", path=name)
    return Row(name, 1, _object(name, 1, _loads(name, 1, text)))


def format_of(path: str | Path, format: str | None = None) -> str:
    """The format that was named, or that the file's ending stands for. Raises DataError."""
    if format:
        return format
    if str(path) == STDIN:
        return "jsonl"
    ending = Path(path).suffix.lower()
    if ending in ENDINGS:
        return ENDINGS[ending]
    if not Path(path).exists():
        raise DataError("there is no such file", path=path)
    raise DataError(
        f"what {'a folder' if Path(path).is_dir() else f'a file that ends in {ending!r}'} holds is not known: name a file with the "
        f"ending of what it holds ({', '.join(FORMATS)}), or say format=..., or dataset=... for one that is published",
        path=path,
    )


def _name_of(path: str | Path) -> str:
    return "standard input" if str(path) == STDIN else str(path)


@contextmanager
def _opened(path: str | Path, name: str) -> Iterator[IO[bytes]]:
    """The bytes of a file, which is closed in the end, or of standard input, which is not."""
    if str(path) == STDIN and sys.stdin is None:
        raise DataError("it is closed; pipe the data in, or name a file", path=name)
    try:
        with _standard_input() if str(path) == STDIN else Path(path).open("rb") as stream:
            yield stream
    except OSError as error:
        raise DataError(f"cannot be read: {error.strerror or error}", path=name) from error
    except ValueError as error:  # a NUL in a path
        raise DataError(f"cannot be read: {error}", path=name) from error


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


def _decoded(name: str, stream: IO[bytes]) -> Iterator[str]:
    """The lines, without the mark that some editors put before the first."""
    for number, line in enumerate(iter(partial(stream.readline, LONGEST_LINE + 1), b""), 1):
        if len(line) > LONGEST_LINE:
            raise DataError(
                f"this line has more than {LONGEST_LINE:,} bytes, the most that a line has",
                path=name,
                line=number,
            )
        yield _text(name, number, line, "utf-8-sig" if number == 1 else "utf-8")


def _all(name: str, stream: IO[bytes]) -> str:
    """Text of a JSON file, which need not have lines."""
    content = stream.read(LARGEST_JSON + 1)
    if len(content) > LARGEST_JSON:
        raise DataError(
            f"a JSON file has at most {LARGEST_JSON:,} bytes; write larger data as JSONL, one object a line",
            path=name,
        )
    return _text(name, 1, content, "utf-8-sig")


def _text(name: str, number: int, content: bytes, encoding: str) -> str:
    try:
        return content.decode(encoding)
    except UnicodeDecodeError as error:
        before = content[: error.start]
        place = error.start - before.rfind(b"\n")
        raise DataError(
            f"this is not UTF-8 (byte {place} of the line); save the file as UTF-8",
            path=name,
            line=number + before.count(b"\n"),
        ) from error


def _jsonl(name: str, stream: IO[bytes]) -> Iterator[Row]:
    for number, line in enumerate(_decoded(name, stream), 1):
        if line.strip():
            yield Row(name, number, _object(name, number, _loads(name, number, line.rstrip("\r\n"))))


def _json(name: str, stream: IO[bytes]) -> Iterator[Row]:
    """The objects of a list, or those that an object holds by their names, each with the line on which it begins."""
    text = _all(name, stream)
    whole = _loads(name, 1, text, json.loads) if text.strip() else []
    if isinstance(whole, list):
        for line, entry in _entries(name, text, "["):
            yield Row(name, line, _object(name, line, entry))
        return
    entries, lines = _entries(name, text, "{"), dict[str, int]()
    for (at, key), (line, entry) in zip(entries, entries, strict=False):
        if lines.setdefault(key, at) != at:
            raise DataError(
                f"the key is on line {lines[key]} too; leave one out", path=name, line=at, field=key
            )
        yield Row(name, line, {NAME: key, **_object(name, line, entry)})


def _entries(name: str, text: str, opening: str) -> Iterator[tuple[int, Any]]:
    """The entries of a good JSON list, or the names and values of an object in turn, each with its line.

    Raises DataError where an object has a key twice.
    """
    place = text.find(opening) + 1
    line = 1 + text.count("\n", 0, place)
    while match := _ENTRY.match(text, place):
        line += text.count("\n", place, match.end())
        entry, end = _loads(name, line, text, partial(_RECORD.raw_decode, idx=match.end()))
        yield line, _whole(entry)
        line, place = line + text.count("\n", match.end(), end), end


def _loads(name: str, number: int, text: str, decode: Callable[[str], Any] = _RECORD.decode) -> Any:
    """The value in a JSON text that begins on a line. Raises DataError."""
    try:
        value = decode(text)
        deep = text.count("[") + text.count("{") > DEEPEST
        return _whole(value) if decode == _RECORD.decode and (deep or _ESCAPED_HALF.search(text)) else value
    except json.JSONDecodeError as error:
        line = number + error.lineno - 1
        raise DataError(
            f"this is not JSON: {error.msg} (column {error.colno})", path=name, line=line
        ) from error
    except (ValueError, RecursionError) as error:  # a key twice, or a number with thousands of digits
        raise DataError(f"this JSON cannot be read: {error}", path=name, line=number) from error


def _whole(value: Any, levels: int = DEEPEST) -> Any:
    """The value without halves of characters, which JSON can escape and no encoding can carry. Raises RecursionError."""
    if isinstance(value, str):
        return _HALF.sub("\N{REPLACEMENT CHARACTER}", value)
    if not isinstance(value, list | dict):
        return value
    if not levels:
        raise RecursionError(f"it is nested more than {DEEPEST} levels deep")
    if isinstance(value, list):
        return [_whole(entry, levels - 1) for entry in value]
    return {_whole(key): _whole(entry, levels - 1) for key, entry in value.items()}


def _object(name: str, number: int, value: Any) -> Mapping[str, Any]:
    if not isinstance(value, dict):
        raise DataError(f"an object is wanted here, not {kind_of(value)}", path=name, line=number)
    if len(value) > MOST_FIELDS:
        raise DataError(f"this object has more than {MOST_FIELDS:,} fields", path=name, line=number)
    return value


def _lines(name: str, stream: IO[bytes]) -> Iterator[Row]:
    for number, line in enumerate(_decoded(name, stream), 1):
        if line.strip():
            yield Row(name, number, {"line": line.strip()})


def _csv(name: str, stream: IO[bytes], delimiter: str = ",") -> Iterator[Row]:
    csv.field_size_limit(max(csv.field_size_limit(), LONGEST_LINE))  # by itself the module allows 128 kB
    lines = _RecordLines(name, _decoded(name, stream))
    reader = csv.reader(lines, delimiter=delimiter, strict=True)
    try:
        head = next(reader, [])
        _check_head(name, head)
        begins = reader.line_num + 1
        for record in reader:
            if record and len(record) != len(head):
                problem = f"this row has {len(record)} fields, and the head has {len(head)}"
                raise DataError(problem, path=name, line=begins)
            if record:
                yield Row(name, begins, dict(zip(head, record, strict=True)))
            begins = reader.line_num + 1
            lines.read = 0
    except csv.Error as error:
        raise DataError(f"this is not CSV: {error}", path=name, line=reader.line_num) from error


class _RecordLines:
    """The lines of a CSV file. Raises DataError where those of one record, `read` so far, are too long together."""

    def __init__(self, name: str, lines: Iterator[str]) -> None:
        self.read = 0
        self._name, self._lines = name, lines

    def __iter__(self) -> Iterator[str]:
        for number, line in enumerate(self._lines, 1):
            self.read += len(line)
            if self.read > LONGEST_LINE:
                raise DataError(
                    f"the record that ends here or further down has more than {LONGEST_LINE:,} characters; is a quotation "
                    "mark missing?",
                    path=self._name,
                    line=number,
                )
            yield line


def _check_head(name: str, head: Sequence[str]) -> None:
    """Raise DataError for a head that has too many columns, or one twice."""
    if len(head) > MOST_FIELDS:
        raise DataError(f"the head has more than {MOST_FIELDS:,} columns", path=name, line=1)
    for column, count in Counter(head).items():
        if count > 1:
            raise DataError(
                "the head has this column twice: leave one out or rename it", path=name, line=1, field=column
            )


def _parquet(name: str, stream: IO[bytes]) -> Iterator[Row]:
    """The records of a Parquet file, in order; `line` counts records from 1.

    Dates and times become texts, and decimal numbers become floats.
    """
    parquet, arrow = optional("pyarrow.parquet", "parquet"), optional("pyarrow", "parquet")
    if name == _name_of(STDIN):
        raise DataError("Parquet is read from its end; name a file instead of piping it in", path=name)
    number = 0
    try:
        with parquet.ParquetFile(stream) as file:
            for group in range(file.num_row_groups):  # all at once, pyarrow would keep them until the end
                for batch in file.iter_batches(_BATCH, row_groups=[group]):
                    for record in batch.to_pylist():
                        number += 1
                        yield Row(name, number, _plain(record))
    except (arrow.ArrowException, ValueError) as error:
        raise DataError(f"this is not Parquet: {error}", path=name, line=number or None) from error


def _plain(value: Any) -> Any:
    """A value as JSON has it: a text, a number, true or false, null, a list or an object."""
    if isinstance(value, dict):
        return {str(key): _plain(entry) for key, entry in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(entry) for entry in value]
    if isinstance(value, Decimal):
        return float(value)
    return value.isoformat() if isinstance(value, date | datetime | time) else value


_READERS: Mapping[str, Callable[[str, IO[bytes]], Iterator[Row]]] = {
    "jsonl": _jsonl,
    "json": _json,
    "csv": _csv,
    "tsv": partial(_csv, delimiter="\t"),
    "parquet": _parquet,
    "txt": _lines,
}
FORMATS = tuple(_READERS)
"""The formats that can be read; the lines of a text are rows with the field "line"."""
ENDINGS = {**{f".{name}": name for name in FORMATS}, ".ndjson": "jsonl", ".pq": "parquet"}
"""The formats by the endings of files."""
