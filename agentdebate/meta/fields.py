"""Values of a row's fields, those inside other fields too, and conditions on them: "scores.coherence", "votes.*.best", "n<4".

A path is names with dots between them. A number is an entry of a list, from 0. "*" is every entry of a list, or every
value of an object, and what comes of it is a list. A field whose own name has a dot or an
asterisk in it goes before what a path would find.
"""

import math
import operator
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
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


def any_has(rows: Iterable[Row], field: str) -> bool:
    """Tell whether some row has the field, be it empty."""
    return any(_found(row, field) is not _ABSENT for row in rows)


def value_in(row: Row, field: str) -> Any:
    """The value of a field; None where the row has no such field."""
    found = _found(row, field)
    return None if found is _ABSENT else found


def entries_in(row: Row, fields: Sequence[str], *, samples: bool = False) -> Iterator[tuple[str, str, Any]]:
    """Each entry of fields that hold one value or a list, with its name among several (else empty) and where it stands.

    With `samples` one value alone is a list of one, and null an empty list.
    """
    for field in fields:
        value = value_in(row, field)
        if isinstance(value, list):
            yield from ((f"{field}.{place}", f"{field}.{place}", one) for place, one in enumerate(value))
        elif value is not None or not samples:
            yield (field if samples or len(fields) > 1 else ""), field, value


def score_in(row: Row, field: str) -> float | None:
    """The number in a field; None where there is none. Raises DataError for anything else."""
    return score_of(row, field, value_in(row, field))


def score_of(row: Row, field: str, value: Any, grades: Mapping[str, float] = {}) -> float | None:
    """The number that a value is, or that a word among `grades` stands for; None where it says that there is none."""
    if isinstance(value, str) and value.strip() in grades:
        return grades[value.strip()]
    if no_score(value):
        return None
    number = _number(value)
    odd = isinstance(value, bool) or (isinstance(value, str) and "_" in value)  # "4_5" is 45 to Python
    if number is None or odd or abs(number) > LARGEST:
        raise row.error(
            f"a number is wanted here, not {kind_of(value)}: write NA where a score is missing; grades=... says which number a word "
            "stands for, and choice=... compares labels",
            field,
        )
    return number


def name_in(row: Row, field: str) -> str:
    """The text of a field that names something. Raises DataError where it is empty."""
    name = label_in(row, field)
    if not name:
        raise row.error(
            "this row has nothing in the field that names its text, its judge, its order or its person", field
        )
    return name


def label_in(row: Row, field: str | None) -> str:
    """The text of a name or a label; empty where there is none."""
    return _label(row, field, value_in(row, field)) if field else ""


def choice_of(row: Row, field: str, value: Any) -> str | None:
    """The label that a value of a field of choices is: true and false are labels, and NA and its like are none."""
    return None if no_label(value) else as_label(_label(row, field, value))


def as_label(text: str) -> str:
    """A label as it is compared: True and TRUE are true."""
    return text.lower() if text.lower() in ("true", "false") else text


def known_fields(rows: Iterable[Row]) -> dict[str, None]:
    """The names of all fields, with those one step inside others, in the order in which they come."""
    return (rows if isinstance(rows, Frame) else Frame.of(rows)).known


def check_field(rows: Sequence[Row], field: str, option: str) -> None:
    """Raise UsageError with the nearest known field where no row has it. `option` is the one that named it."""
    if not any_has(rows, field):
        where = rows[0].path if rows else "the data"
        known = known_fields(rows)
        inside = next((one for name in known if any_has(rows, one := f"{name}.{field}")), None)
        hint = (
            f"There is {inside!r}: what differs within a text stands apart"
            if inside
            else nearest(field, known)
        )
        raise UsageError(f"{option}: {where} has no field {field!r}. {hint}")


def _label(row: Row, field: str, value: Any) -> str:
    """The text of a name or a label, of a number without needless zeros. Raises DataError."""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    if value is None or isinstance(value, str | int | float):
        return "" if value is None else str(value).strip()
    raise row.error(f"a text or a number is wanted here, not {kind_of(value)}", field)


def _found(row: Row, field: str) -> Any:
    if field in row.data:  # as nearly always, and this is asked of every row
        return row.data[field]
    return _dig(row.data, field.split("."))


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
    return [None if one is _ABSENT else one for one in found]


_CONDITION = re.compile(r"([^=!<>]+)(!=|<=|>=|=|<|>)(.*)", re.DOTALL)
_BOUNDS: Mapping[str, Callable[[float, float], bool]] = {
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}


@dataclass(frozen=True, slots=True)
class Condition:
    """Values that a field has to hold, or must not, or a number on one side of a bound.

    Two numbers are equal where their values are ("3" and 3.0); everything else where it reads the same. The empty value
    is that of an empty field, of null, and of a field that is not there. A text that is not a number is on neither side of a bound.
    """

    text: str
    """The condition as it was written."""
    field: str
    values: tuple[str, ...]
    sign: str = "="

    @classmethod
    def parse(cls, text: str) -> "Condition":
        """Read FIELD=VALUE, FIELD<NUMBER or FIELD={VALUE,VALUE}; quotes around a value are taken off. Raises UsageError."""
        match = _CONDITION.fullmatch(text)
        field, sign, value = (part.strip() for part in match.groups()) if match else ("", "", "")
        if not field or (sign in _BOUNDS and _number(value) is None):
            raise UsageError(
                f"where=... takes FIELD=VALUE or FIELD!=VALUE, FIELD<NUMBER (or <=, >, >=) or FIELD={{VALUE,VALUE}}, not {text!r}"
            )
        several = value[1:-1].split(",") if value.startswith("{") and value.endswith("}") else [value]
        return cls(
            text, field, tuple(re.sub(r"^(['\"])(.*)\1$", r"\2", one.strip()) for one in several), sign
        )

    def holds(self, row: Row) -> bool:
        """Decide whether a row is as the condition wants it."""
        value = value_in(row, self.field)
        if self.sign not in _BOUNDS:
            return any(_same(value, one) for one in self.values) is (self.sign == "=")
        number, bound = _number(value), _number(self.values[0])
        return number is not None and bound is not None and _BOUNDS[self.sign](number, bound)


@dataclass(frozen=True)
class Narrowed:
    """Rows for which all conditions hold, the others, and how many each condition leaves out, the first counting."""

    rows: Sequence[Row]
    others: Sequence[Row]
    left_out: Mapping[str, int]


def narrow(rows: Sequence[Row], conditions: Sequence[Condition]) -> Narrowed:
    """The rows for which all conditions hold. Raises UsageError where none is left, and for a field that no row has."""
    for one in conditions:
        check_field(rows, one.field, "where=...")
    broken = [next((one for one in conditions if not one.holds(row)), None) for row in rows]
    kept = [row for row, why in zip(rows, broken, strict=True) if why is None]
    if rows and not kept:
        raise UsageError(
            f"where=...: no row of {len(rows)} is left for which {' and '.join(one.text for one in conditions)}"
        )
    others = [row for row, why in zip(rows, broken, strict=True) if why is not None]
    return Narrowed(kept if others else rows, others, Counter(f"not {why.text}" for why in broken if why))


def _same(found: object, wanted: str) -> bool:
    numbers = _number(found), _number(wanted)
    if None not in numbers:
        return numbers[0] == numbers[1]
    text = "" if found is None else str(found).strip()
    return text.lower() == wanted.lower() if isinstance(found, bool) else text == wanted.strip()


def _number(value: object) -> float | None:
    try:
        number = float(value) if isinstance(value, str | int | float) else math.nan
    except (ValueError, OverflowError):
        return None
    return number if math.isfinite(number) else None
