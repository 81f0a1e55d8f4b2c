"""JSONL, JSON, CSV and TSV, from a path or from standard input, with every error at its line."""

import csv
import io
import json
import re
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import IO, Any

from agentdebate.datasets.row import Row, kind_of
from agentdebate.errors import DataError, UsageError, nearest

STDIN = "-"
"""The path that stands for standard input."""

FORMATS = ("jsonl", "json", "csv", "tsv")
"""The formats that can be read."""

_HALF = re.compile("[\ud800-\udfff]")
_ESCAPED_HALF = re.compile(r"\\u[dD][89a-fA-F]")

_ENDINGS = {".jsonl": "jsonl", ".ndjson": "jsonl", ".json": "json", ".csv": "csv", ".tsv": "tsv"}


def read_rows(path: str | Path, format: str | None = None) -> Iterator[Row]:
    """The records of a file, in order. `format` is one of FORMATS; None goes by the file's ending.

    Raises DataError with file and line for what cannot be read.
    """
    name = _name_of(path)
    chosen = format or _format_of(path)
    readers = {"jsonl": _jsonl, "json": _json, "csv": _csv, "tsv": _tsv}
    if chosen not in readers:
        raise UsageError(f"the format {chosen!r} cannot be read. {nearest(chosen, readers)}")
    empty = True
    for row in readers[chosen](name, _read_bytes(path, name)):
        empty = False
        yield row
    if empty:
        raise DataError("there is nothing in it to judge", path=name)


def _format_of(path: str | Path) -> str:
    if str(path) == STDIN:
        return "jsonl"
    ending = Path(path).suffix.lower()
    if ending not in _ENDINGS:
        if Path(path).is_dir():
            raise DataError("this is a folder; name a file in it", path=path)
        raise DataError(
            f"a file that ends in {ending!r} could hold anything; say what with --format ({', '.join(FORMATS)})",
            path=path,
        )
    return _ENDINGS[ending]


def read_object(path: str | Path) -> Row:
    """A file that holds one JSON object. Raises DataError."""
    name = _name_of(path)
    text = "".join(_decoded(name, _read_bytes(path, name)))
    if not text.strip():
        raise DataError("there is nothing in it to judge", path=name)
    return Row(name, 1, _object(name, 1, _loads(name, 1, text)))


def _name_of(path: str | Path) -> str:
    return "standard input" if str(path) == STDIN else str(path)


def _read_bytes(path: str | Path, name: str) -> IO[bytes]:
    if str(path) == STDIN:
        if sys.stdin is None:
            raise DataError("it is closed; pipe the data in, or name a file", path=name)
        return sys.stdin.buffer
    try:
        return io.BytesIO(Path(path).read_bytes())
    except OSError as error:
        raise DataError(f"cannot be read: {error.strerror}", path=name) from error
    except ValueError as error:
        raise DataError(f"this is no path: {error}", path=name) from error


def _decoded(name: str, stream: IO[bytes]) -> Iterator[str]:
    """The lines, without the mark that some editors put before the first."""
    for number, line in enumerate(stream, 1):
        try:
            yield line.decode("utf-8-sig" if number == 1 else "utf-8")
        except UnicodeDecodeError as error:
            raise DataError(
                f"this is not UTF-8 (byte {error.start + 1} of the line); save the file as UTF-8",
                path=name,
                line=number,
            ) from error


def _jsonl(name: str, stream: IO[bytes]) -> Iterator[Row]:
    for number, line in enumerate(_decoded(name, stream), 1):
        if line.strip():
            yield Row(name, number, _object(name, number, _loads(name, number, line.rstrip("\r\n"))))


def _json(name: str, stream: IO[bytes]) -> Iterator[Row]:
    """The objects of a list, each with the line on which it begins."""
    text = "".join(_decoded(name, stream))
    if text.strip() and not isinstance(_loads(name, 1, text), list):
        raise DataError("a JSON file has to hold a list of objects; one object a line is JSONL", path=name)
    # The text is known to be a good list: walk through it once more for the lines.
    decode, place, line = (
        json.JSONDecoder().raw_decode,
        text.find("[") + 1,
        1 + text.count("\n", 0, text.find("[")),
    )
    while match := _ENTRY.match(text, place):
        line += text.count("\n", place, match.end())
        entry, end = decode(text, match.end())
        yield Row(name, line, _object(name, line, _whole(entry)))
        line, place = line + text.count("\n", match.end(), end), end


_ENTRY = re.compile(r"[\s,]*(?=[^\s,\]])")
"""What stands before an entry of a JSON list."""


def _loads(name: str, number: int, text: str) -> Any:
    try:
        value = json.loads(text)
    except json.JSONDecodeError as error:
        line = number + error.lineno - 1
        raise DataError(
            f"this is no JSON: {error.msg} (column {error.colno})", path=name, line=line
        ) from error
    except (RecursionError, ValueError) as error:  # nested too deep, or a number with thousands of digits
        raise DataError(f"this JSON cannot be read: {error}", path=name, line=number) from error
    return _whole(value) if _ESCAPED_HALF.search(text) else value


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
    return value


def _csv(name: str, stream: IO[bytes], delimiter: str = ",") -> Iterator[Row]:
    # Texts are longer than the 128 kB that the module allows by itself. The limit is read when a reader is made to read,
    # and belongs to the whole process, so all rows are read before anyone else can come in between.
    limit = csv.field_size_limit(sys.maxsize)
    try:
        yield from list(_records(name, stream, delimiter))
    finally:
        csv.field_size_limit(limit)


def _records(name: str, stream: IO[bytes], delimiter: str) -> Iterator[Row]:
    reader = csv.reader(_decoded(name, stream), delimiter=delimiter, strict=True)
    try:
        head = next(reader, [])
        _check_head(name, head)
        begins = reader.line_num + 1
        for record in reader:
            if record and len(record) != len(head):
                raise DataError(
                    f"this row has {len(record)} fields, and the head has {len(head)}", path=name, line=begins
                )
            if record:
                yield Row(name, begins, dict(zip(head, record, strict=True)))
            begins = reader.line_num + 1
    except csv.Error as error:
        raise DataError(f"this is no CSV: {error}", path=name, line=reader.line_num) from error


def _check_head(name: str, head: Sequence[str]) -> None:
    for number, column in enumerate(head):
        if column in head[:number]:
            raise DataError("the head has this column twice", path=name, line=1, field=column)


def _tsv(name: str, stream: IO[bytes]) -> Iterator[Row]:
    return _csv(name, stream, delimiter="\t")
