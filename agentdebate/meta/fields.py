"""Values of a row's fields, those inside other fields too: "scores.coherence", "expert.0", "votes.*.best".

A path is names with dots between them. A number is an entry of a list, from 0. "*" is every entry of a list, or every
value of an object, and what comes of it is a list, one list for several of them. A field whose own name has a dot or an
asterisk in it goes before what a path would find.
"""

import math
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from agentdebate.datasets.frame import Frame
from agentdebate.datasets.row import Row, kind_of, no_label, no_score
from agentdebate.errors import UsageError, nearest
from agentdebate.meta.judgements import LARGEST

EVERY = "*"
"""The part of a path that stands for every entry."""

_ABSENT = object()
_PLACE = re.compile(r"[0-9]{1,9}")
"""The part of a path that stands for an entry of a list."""
_TRUTH = frozenset({"true", "false"})
"""Labels that JSON has words for, and which others write with capitals."""


def has(row: Row, field: str) -> bool:
    """Tell whether a row has the field, be it empty."""
    return field in row.data or _dig(row.data, field.split(".")) is not _ABSENT


def any_has(rows: Iterable[Row], field: str) -> bool:
    """Tell whether some row has the field."""
    return any(has(row, field) for row in rows)


def value_in(row: Row, field: str) -> Any:
    """The value of a field; None where the row has no such field."""
    if field in row.data:  # as nearly always, and this is asked of every row
        return row.data[field]
    found = _dig(row.data, field.split("."))
    return None if found is _ABSENT else found


def entries_in(row: Row, fields: Sequence[str], *, samples: bool = False) -> Iterator[tuple[str, str, Any]]:
    """Each entry of fields that hold one value or a list, with its name among several (else empty) and where it stands.

    With `samples` one value alone is a list of one, and null an empty list.
    """
    for field in fields:
        value = value_in(row, field)
        if isinstance(value, list):
            yield from ((f"{field}.{place}", f"{field}.{place}", one) for place, one in enumerate(value))
        elif not samples:
            yield (field if len(fields) > 1 else ""), field, value
        elif value is not None:
            yield field, field, value


def score_in(row: Row, field: str) -> float | None:
    """The number in a field; None where there is none. Raises DataError for anything else."""
    return score_of(row, field, value_in(row, field))


def score_of(row: Row, field: str, value: Any, grades: Mapping[str, float] = {}) -> float | None:
    """The number that a value is, or that a word among `grades` stands for; None where it says that there is none."""
    if isinstance(value, str) and value.strip() in grades:
        return grades[value.strip()]
    if no_score(value):
        return None
    try:
        odd = isinstance(value, bool) or (isinstance(value, str) and "_" in value)  # "4_5" is 45 to Python
        number = math.inf if odd else float(value)
    except (TypeError, ValueError, OverflowError):
        number = math.inf
    if abs(number) > LARGEST:
        raise row.error(
            f"a number is wanted here, not {kind_of(value)}: write NA where a score is missing; grades=... says which number a word "
            "stands for, and choice=... compares labels",
            field,
        )
    return number


def label_of(row: Row, field: str, value: Any) -> str | None:
    """The text of a name or a label, of a number without needless zeros; None where it is empty. Raises DataError."""
    if value is None:
        return None
    if isinstance(value, str):
        return value.strip() or None
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise row.error(f"a text or a number is wanted here, not {kind_of(value)}", field)
    return str(int(value)) if isinstance(value, float) and value.is_integer() else str(value)


def name_in(row: Row, field: str) -> str:
    """The text of a field that names something. Raises DataError where it is empty."""
    value = value_in(row, field)
    name = str(value).lower() if isinstance(value, bool) else label_of(row, field, value)
    if name is None:
        raise row.error(
            "this row has nothing in the field that names its text, its source, its system, its judge or its order",
            field,
        )
    return name


def choice_of(row: Row, field: str, value: Any) -> str | None:
    """The label that a value of a field of choices is: true and false are labels, and NA and its like are none."""
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


def check_field(rows: Sequence[Row], field: str, option: str) -> None:
    """Raise UsageError with the nearest known field where no row has it. `option` is the one that named it."""
    if not any_has(rows, field):
        where = rows[0].path if rows else "the data"
        raise UsageError(f"{option}: {where} has no field {field!r}. {nearest(field, known_fields(rows))}")


def _dig(value: Any, path: Sequence[str]) -> Any:
    """The value at the end of a path; the longest beginning that is a name counts, as names may have dots in them."""
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
    """The value in each entry, None where it has no such field; absent where none has it."""
    found = [_dig(entry, path) for entry in entries]
    if entries and all(one is _ABSENT for one in found):
        return _ABSENT
    held = [None if one is _ABSENT else one for one in found]
    if EVERY in path:
        return [each for one in held for each in (one if isinstance(one, list) else [one])]
    return held
