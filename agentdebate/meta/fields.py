"""What a row holds under the name of a field, those inside other fields too: "scores.coherence", "expert.0", "votes.*.best".

A path is names with dots between them. A number is an entry of a list, from 0. "*" is every entry of a list, or every
value of an object, and what comes of it is a list, one list for several of them. A field whose own name has a dot or an
asterisk in it goes before what a path would find.
"""

import json
import math
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from statistics import fmean
from typing import Any, TypeVar

from agentdebate.datasets.frame import Frame
from agentdebate.datasets.missing_words import no_label, no_score
from agentdebate.datasets.picked import Picked
from agentdebate.datasets.row import Row, kind_of
from agentdebate.errors import DataError, UsageError, nearest
from agentdebate.meta.judgements import LARGEST

Entry = TypeVar("Entry")

EVERY = "*"
"""The part of a path that stands for every entry."""

_ABSENT = object()
_NO_ROW = Row("", 0, {})
_PLACE = re.compile(r"[0-9]{1,9}")
"""The part of a path that stands for an entry of a list."""
_LONG = 60
"""Characters of a value that an error shows."""
_WORD = re.compile(r"(?!inf|nan)[^\W\d_]{1,20}[+-]?", re.IGNORECASE)
"""A grade: a letter or a word."""
_CALL = re.compile(r"([a-z]+)\(.*\)$")
"""What is written as a function is."""
_OF_PEOPLE = frozenset({"majority", "mean", "each"})
"""What is made of several people's values."""
_TRUTH = frozenset({"true", "false"})
"""Labels that JSON has words for, and which others write with capitals."""


def has(row: Row, field: str) -> bool:
    """Whether a row has the field, be it empty."""
    return field in row.data or _dig(row.data, field.split(".")) is not _ABSENT


def value_in(row: Row, field: str) -> Any:
    """What the field holds; None where the row has no such field."""
    if field in row.data:  # as nearly always, and this is asked of every row
        return row.data[field]
    found = _dig(row.data, field.split("."))
    return None if found is _ABSENT else found


def values_in(rows: Sequence[Row], field: str) -> Iterable[Any]:
    """What the field holds in each row; None where a row has no such field."""
    if isinstance(rows, Picked) and isinstance(rows.entries, Frame):
        column = rows.entries.column(field)
        return Picked(column, rows.places) if column is not None else (value_in(row, field) for row in rows)
    column = rows.column(field) if isinstance(rows, Frame) else None
    return column if column is not None else (value_in(row, field) for row in rows)


def all_of(rows: Sequence[Row], field: str, read: Callable[[Row, str, Any], Entry]) -> Iterator[Entry]:
    """What `read` makes of the field's value in each row; it is given the row for the place in an error."""
    for place, value in enumerate(values_in(rows, field)):
        try:
            yield read(_NO_ROW, field, value)
        except DataError:
            yield read(rows[place], field, value)


def score_in(row: Row, field: str) -> float | None:
    """The number in a field, the mean of the numbers where it holds a list of them; None where there is none.

    Raises DataError for what is neither.
    """
    return score_of(row, field, value_in(row, field))


def score_of(row: Row, field: str, value: Any) -> float | None:
    """The number that a value of a field is, as `score_in` has it."""
    if not isinstance(value, list):
        return _number(row, field, value)
    numbers = [number for entry in value if (number := _number(row, field, entry)) is not None]
    return fmean(numbers) if numbers else None


def sample_counts_of(row: Row, field: str, value: Any) -> tuple[int, int]:
    """How many samples a list of numbers holds, and how many of them are empty; none of either where it is no list."""
    if not isinstance(value, list):
        return 0, 0
    return len(value), sum(_number(row, field, entry) is None for entry in value)


def scores_in(row: Row, fields: Sequence[str]) -> tuple[float | None, ...]:
    """Several people's numbers, from a list in one field or from a field each; empty where the list is.

    Raises DataError for what is neither.
    """
    return tuple(_number(row, field, value) for field, value in _each(row, fields))


def all_scores_in(row: Row, fields: Sequence[str]) -> tuple[float | None, ...]:
    """Every number in fields that hold one or a list of them. Raises DataError for what is neither."""
    values = [(field, value_in(row, field)) for field in fields]
    return tuple(
        _number(row, field, entry)
        for field, value in values
        for entry in (value if isinstance(value, list) else [value])
    )


def entries_in(row: Row, fields: Sequence[str]) -> tuple[Any, ...]:
    """What several people said, from a list in one field or from a field each: labels, and objects as they are.

    Raises DataError for what is neither.
    """
    return tuple(
        value if isinstance(value, Mapping) else choice_of(row, field, value)
        for field, value in _each(row, fields)
    )


def label_in(row: Row, field: str) -> str | None:
    """The label in a field: a text, or a number as it is written without needless zeros; None where it is empty.

    Raises DataError for what names nothing.
    """
    return label_of(row, field, value_in(row, field))


def label_of(row: Row, field: str, value: Any) -> str | None:
    """The label that a value of a field is; None where it is empty. Raises DataError for what names nothing."""
    if value is None:
        return None
    if isinstance(value, str):
        return value.strip() or None
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise row.error(f"a text or a number is wanted here, not {kind_of(value)}", field)
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    return str(value)


def choice_in(row: Row, field: str) -> str | None:
    """The label that was chosen, in a field, as `choice_of` has it."""
    return choice_of(row, field, value_in(row, field))


def choice_of(row: Row, field: str, value: Any) -> str | None:
    """The label that a value of a field of choices is: as `label_of`, but true and false are labels, and NA and its like are none."""
    if no_label(value):
        return None
    return as_label(str(value) if isinstance(value, bool) else label_of(row, field, value) or "")


def as_label(text: str) -> str:
    """A label as it is compared: True and TRUE are true."""
    lower = text.casefold()
    return lower if lower in _TRUTH else text


def known_fields(rows: Iterable[Row]) -> dict[str, None]:
    """The names of all fields, with those one step inside others, in the order in which they come."""
    if isinstance(rows, Frame):
        return rows.known
    found: dict[str, None] = {}
    for row in rows:
        for name, value in row.data.items():
            found[name] = None
            if isinstance(value, Mapping):
                found.update(dict.fromkeys(f"{name}.{inner}" for inner in value))
    return found


def whole(rows: Sequence[Row]) -> Iterable[Row]:
    """The rows with all of their fields."""
    return rows.whole() if isinstance(rows, Frame) else rows


def check_field(rows: Sequence[Row], field: str, option: str) -> None:
    """Raise UsageError with the nearest known field where no row has it. `option` is what named it."""
    if not any(has(row, field) for row in rows):
        where = rows[0].path if rows else "the data"
        known = {**known_fields(rows), **_of_entries(whole(rows))}
        call = _CALL.match(field)
        if call and call[1] in _OF_PEOPLE:
            raise UsageError(
                f"{option}: {call[1]}() is of several people's. A judge's numbers in a list are averaged as they are: leave {call[1]}() "
                f"out; {where} has no field of the name {field!r}"
            )
        if call:
            raise UsageError(
                f"{option}: there is no function {call[1]}(). Of several people's there are majority(), mean() (of scores) and "
                f"each(); and {where} has no field of the name {field!r}"
            )
        raise UsageError(f"{option}: {where} has no field {field!r}. {nearest(field, known)}")


def _of_entries(rows: Iterable[Row]) -> dict[str, None]:
    """The fields of objects in lists, as paths."""
    return {
        f"{name}.{EVERY}.{inner}": None
        for row in rows
        for name, value in row.data.items()
        if isinstance(value, list)
        for entry in value
        if isinstance(entry, Mapping)
        for inner in entry
    }


def _each(row: Row, fields: Sequence[str]) -> list[tuple[str, Any]]:
    """Each person's entry, with the field that it is in."""
    if len(fields) > 1:
        return [(field, value_in(row, field)) for field in fields]
    (field,) = fields
    value = value_in(row, field)
    if no_label(value):
        return []
    if not isinstance(value, list):
        shown = (
            f"[{json.dumps(value, ensure_ascii=False)}]" if isinstance(value, str | int | float) else "[...]"
        )
        raise row.error(
            f"a list is wanted here, an entry a person, not {kind_of(value)}: write {shown:.80} for a single one",
            field,
        )
    return [(f"{field}.{number}", entry) for number, entry in enumerate(value)]


def _dig(value: Any, path: Sequence[str]) -> Any:
    """What stands at the end of a path; the longest beginning that is a name counts, as names may have dots in them."""
    if not path:
        return value
    if isinstance(value, Mapping):
        for length in range(len(path), 0, -1):
            name = ".".join(path[:length])
            if name in value:
                return _dig(value[name], path[length:])
    if path[0] == EVERY and isinstance(value, list | Mapping):
        return _every(list(value.values() if isinstance(value, Mapping) else value), path[1:])
    if isinstance(value, list) and _PLACE.fullmatch(path[0]) and int(path[0]) < len(value):
        return _dig(value[int(path[0])], path[1:])
    return _ABSENT


def _every(entries: Sequence[Any], path: Sequence[str]) -> Any:
    """What each entry holds, None where it has no such field; absent where none has it."""
    found = [_dig(entry, path) for entry in entries]
    if entries and all(one is _ABSENT for one in found):
        return _ABSENT
    held = [None if one is _ABSENT else one for one in found]
    if EVERY in path:
        return [each for one in held for each in (one if isinstance(one, list) else [one])]
    return held


def _number(row: Row, field: str, value: Any) -> float | None:
    if no_score(value):
        return None
    try:
        no_number = isinstance(value, bool) or (
            isinstance(value, str) and "_" in value
        )  # "4_5" is 45 to Python
        number = math.inf if no_number else float(value)
    except (TypeError, ValueError, OverflowError):
        number = math.inf
    if math.isnan(number):
        return None
    if abs(number) > LARGEST:
        raise row.error(f"a number is wanted here, not {_what(value)}", field)
    return number


def _what(value: Any) -> str:
    """A value that is not a number that can be used, and what to do about it; of a long one the beginning."""
    shown = kind_of(value)
    shown = shown if len(shown) <= _LONG else f"{shown[:_LONG]}..."
    if isinstance(value, str) and _WORD.fullmatch(value.strip()):
        return f"{shown}: write NA where a score is missing; of a grade grades=... says which number it stands for"
    if isinstance(value, bool):
        return f"{shown}: choice='FIELD=FIELD' compares labels"
    if isinstance(value, int | float):
        return f"{shown}, which is beyond all numbers that are computed with: write null for a score that is missing"
    return shown
