"""Items from files: JSONL, JSON, CSV and TSV, from a path or from standard input, with every error at its line."""

import csv
import io
import json
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Any

from agentdebate.errors import DataError, nearest
from agentdebate.tasks import Item, Task

STDIN = "-"
"""The path that stands for standard input."""

FORMATS = ("jsonl", "json", "csv", "tsv")
"""The formats that can be read."""

_ENDINGS = {".jsonl": "jsonl", ".ndjson": "jsonl", ".json": "json", ".csv": "csv", ".tsv": "tsv"}


@dataclass(frozen=True, slots=True)
class Row:
    """One record of a data file, and the line it begins on."""

    path: str
    line: int
    data: Mapping[str, Any]


@dataclass(frozen=True)
class Columns:
    """Which columns of the data hold what. A task's field that is not named here is in the column of its own name."""

    fields: Mapping[str, str] = field(default_factory=dict)
    """Task field to column."""
    id: Sequence[str] = ()
    """The columns that make up an item's id, joined by "/"."""
    group: str | None = None
    system: str | None = None
    human: Mapping[str, str] = field(default_factory=dict)
    """Aspect to the column of people's scores."""


def read_rows(path: str | Path, format: str | None = None) -> Iterator[Row]:
    """The records of a file, in order. `format` is one of FORMATS; None goes by the file's ending.

    Raises DataError with file and line for what cannot be read.
    """
    name = "standard input" if str(path) == STDIN else str(path)
    chosen = format or _format_of(path)
    readers = {"jsonl": _jsonl, "json": _json, "csv": _csv, "tsv": _tsv}
    if chosen not in readers:
        raise DataError(f"the format {chosen!r} cannot be read. {nearest(chosen, readers)}", path=name)
    empty = True
    for row in readers[chosen](name, _read_bytes(path, name)):
        empty = False
        yield row
    if empty:
        raise DataError("there is nothing in it to judge", path=name)


def join(rows: Iterable[Row], other: Iterable[Row], on: Sequence[str]) -> Iterator[Row]:
    """Each row with the columns of the other file's row that has the same values in the columns `on`.

    A column that both have keeps the value of the first. Raises DataError where no row, or more than one, matches.
    """
    index: dict[tuple[Any, ...], Row] = {}
    for match in other:
        key = _key(match, on)
        if key in index:
            raise DataError(
                f"{_shown(on, key)} is on line {index[key].line} too", path=match.path, line=match.line
            )
        index[key] = match
    for row in rows:
        key = _key(row, on)
        if key not in index:
            raise DataError(
                f"the joined file has no row with {_shown(on, key)}", path=row.path, line=row.line
            )
        yield Row(row.path, row.line, {**index[key].data, **row.data})


def items(rows: Iterable[Row], task: Task, columns: Columns) -> Iterator[Item]:
    """The rows as items of a task. Raises DataError for a missing or empty field and for an id that occurs twice."""
    lines: dict[str, int] = {}
    for row in rows:
        item = _item(row, task, columns)
        if item.id in lines:
            raise DataError(
                f"the id {item.id!r} is on line {lines[item.id]} too; name the columns that tell items apart with --id",
                path=row.path,
                line=row.line,
            )
        lines[item.id] = row.line
        yield item


def _item(row: Row, task: Task, columns: Columns) -> Item:
    fields = {name: _text(row, columns.fields.get(name, name)) for name in task.fields}
    for name in task.optional:
        column = columns.fields.get(name, name)
        if row.data.get(column) is not None:
            fields[name] = _text(row, column)
    item = Item(
        fields=fields,
        task=task.name,
        id=_id(row, columns),
        group=_label(row, columns.group),
        system=_label(row, columns.system),
        human={aspect: _number(row, column) for aspect, column in columns.human.items()},
    )
    if not fields[task.judged].strip():
        column = columns.fields.get(task.judged, task.judged)
        raise DataError("there is no text here to judge", path=row.path, line=row.line, field=column)
    return item


def _id(row: Row, columns: Columns) -> str:
    """The named columns; else a column "id"; else group and system; else the line."""
    if columns.id:
        return "/".join(str(_value(row, column)) for column in columns.id)
    if row.data.get("id") is not None:
        return str(row.data["id"])
    labels = [column for column in (columns.group, columns.system) if column]
    if len(labels) == 2:  # noqa: PLR2004 - one alone does not tell items apart
        return "/".join(str(_value(row, column)) for column in labels)
    return f"line-{row.line}"


def _text(row: Row, column: str) -> str:
    """A text field; a list of turns becomes lines."""
    value = _value(row, column)
    if isinstance(value, list) and all(isinstance(turn, str) for turn in value):
        return "\n".join(value)
    if isinstance(value, str | int | float) and not isinstance(value, bool):
        return str(value)
    raise DataError(f"a text is wanted here, not {_kind(value)}", path=row.path, line=row.line, field=column)


def _number(row: Row, column: str) -> float | None:
    value = _value(row, column)
    if value is None or value == "":
        return None
    try:
        if not isinstance(value, bool):
            return float(value)
    except (TypeError, ValueError):
        pass
    raise DataError(
        f"a number is wanted here, not {_kind(value)}", path=row.path, line=row.line, field=column
    )


def _label(row: Row, column: str | None) -> str | None:
    return None if column is None else str(_value(row, column))


def _value(row: Row, column: str) -> Any:
    if column not in row.data:
        raise DataError(
            f"this row has no such field. {nearest(column, row.data)}",
            path=row.path,
            line=row.line,
            field=column,
        )
    return row.data[column]


def _kind(value: object) -> str:
    names = {
        dict: "an object",
        list: "a list",
        bool: "true or false",
        type(None): "null",
        str: f"the text {value!r:.40}",
    }
    return names.get(type(value), type(value).__name__)


def _key(row: Row, on: Sequence[str]) -> tuple[Any, ...]:
    return tuple(json.dumps(_value(row, column)) for column in on)


def _shown(on: Sequence[str], key: Sequence[Any]) -> str:
    return ", ".join(f"{column} = {value}" for column, value in zip(on, key, strict=True))


def _format_of(path: str | Path) -> str:
    if str(path) == STDIN:
        return "jsonl"
    ending = Path(path).suffix.lower()
    if ending not in _ENDINGS:
        raise DataError(
            f"what is in a file that ends in {ending!r}? Say it with --format: {', '.join(FORMATS)}",
            path=path,
        )
    return _ENDINGS[ending]


def _read_bytes(path: str | Path, name: str) -> IO[bytes]:
    if str(path) == STDIN:
        return sys.stdin.buffer
    try:
        return io.BytesIO(Path(path).read_bytes())
    except OSError as error:
        raise DataError(f"cannot be read: {error.strerror}", path=name) from error


def _decoded(name: str, stream: IO[bytes]) -> Iterator[str]:
    """The lines, without the mark that some editors put before the first."""
    for number, line in enumerate(stream, 1):
        try:
            yield line.decode("utf-8-sig" if number == 1 else "utf-8")
        except UnicodeDecodeError as error:
            raise DataError(
                f"this is not UTF-8 (byte {error.start} of the line)", path=name, line=number
            ) from error


def _jsonl(name: str, stream: IO[bytes]) -> Iterator[Row]:
    for number, line in enumerate(_decoded(name, stream), 1):
        if line.strip():
            yield Row(name, number, _object(name, number, _loads(name, number, line)))


def _json(name: str, stream: IO[bytes]) -> Iterator[Row]:
    data = _loads(name, 1, "".join(_decoded(name, stream)) or "[]")
    if not isinstance(data, list):
        raise DataError("a JSON file has to hold a list of objects; one object a line is JSONL", path=name)
    for number, entry in enumerate(data, 1):
        yield Row(name, number, _object(name, number, entry))


def _loads(name: str, number: int, text: str) -> Any:
    try:
        return json.loads(text)
    except json.JSONDecodeError as error:
        line = number + error.lineno - 1
        raise DataError(
            f"this is no JSON: {error.msg} (column {error.colno})", path=name, line=line
        ) from error


def _object(name: str, number: int, value: Any) -> Mapping[str, Any]:
    if not isinstance(value, dict):
        raise DataError(f"an object is wanted here, not {_kind(value)}", path=name, line=number)
    return value


def _csv(name: str, stream: IO[bytes], delimiter: str = ",") -> Iterator[Row]:
    limit = csv.field_size_limit(
        sys.maxsize
    )  # texts are longer than the 128 kB that the module allows by itself
    try:
        reader = csv.DictReader(_decoded(name, stream), delimiter=delimiter, strict=True)
        for record in reader:
            if None in record or None in record.values():
                raise DataError(
                    "this row does not have as many fields as the head", path=name, line=reader.line_num
                )
            yield Row(name, reader.line_num, record)
    except csv.Error as error:
        raise DataError(f"this is no CSV: {error}", path=name, line=reader.line_num) from error
    finally:
        csv.field_size_limit(limit)


def _tsv(name: str, stream: IO[bytes]) -> Iterator[Row]:
    return _csv(name, stream, delimiter="\t")
