"""Values of a row's fields, those inside other fields too: "scores.coherence", "expert.0", "votes.*.best".

A path is names with dots between them. A number is an entry of a list, from 0. "*" is every entry of a list, or every
value of an object, and what comes of it is a list, one list for several of them. A field whose own name has a dot or an
asterisk in it goes before what a path would find.
"""

import math
import operator
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from agentdebate.datasets.frame import Frame
from agentdebate.datasets.row import Row, kind_of, no_label, no_score
from agentdebate.errors import UsageError, nearest
from agentdebate.meta.judgements import LARGEST
from agentdebate.meta.prose import listed

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


_NAMED = 6
"""Values of a field that an error names."""
_CONDITION = re.compile(r"(?P<field>[^=!<>]+)(?P<sign>!=|<=|>=|=|<|>)(?P<value>.*)", re.DOTALL)
_ORDERS: Mapping[str, Callable[[float, float], bool]] = {
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}
_OPPOSITE = {"=": "!=", "!=": "=", "<": ">=", ">=": "<", ">": "<=", "<=": ">"}


@dataclass(frozen=True, slots=True)
class Condition:
    """Values that a field has to hold, or must not, or a number on one side of a bound.

    Two numbers are equal where their values are ("3" and 3.0); everything else where it reads the same. The empty value
    is that of an empty field, of null, and of a field that is not there. A text that is not a number is on neither side of a bound.
    """

    field: str
    values: tuple[str, ...]
    sign: str = "="

    @classmethod
    def parse(cls, text: str) -> "Condition":
        """Read a condition; quotes around a value are taken off. Raises UsageError."""
        match = _CONDITION.fullmatch(text)
        field = match["field"].strip() if match else ""
        if match is None or not field:
            raise UsageError(
                f"where=... takes FIELD=VALUE or FIELD!=VALUE, FIELD<NUMBER (or <=, >, >=) or FIELD={{VALUE,VALUE}}, not {text!r}"
            )
        value, sign = match["value"].strip(), match["sign"]
        if sign in _ORDERS and _number(value) is None:
            raise UsageError(f"where=...: {sign} takes a number, not {value!r}")
        several = sign not in _ORDERS and value.startswith("{") and value.endswith("}")
        values = [one.strip() for one in value[1:-1].split(",")] if several else [value]
        return cls(field, tuple(map(_bare, values)), sign)

    def __str__(self) -> str:
        if self.sign in _ORDERS:
            return f"{self.field} {self.sign} {self.values[0]}"
        if len(self.values) == 1:
            return f"{self.field} {'is not' if self.sign == '!=' else 'is'} {self.values[0]!r}"
        words = "is none of" if self.sign == "!=" else "is one of"
        return f"{self.field} {words} {listed(list(map(repr, self.values)))}"

    def holds(self, row: Row) -> bool:
        """Decide whether a row is as the condition wants it."""
        value = value_in(row, self.field)
        if self.sign in _ORDERS:
            numbers = _number(value), _number(self.values[0])
            return None not in numbers and _ORDERS[self.sign](*numbers)  # type: ignore[arg-type]  # neither is None
        return any(_same(value, one) for one in self.values) is (self.sign == "=")

    @property
    def broken(self) -> str:
        """The reason for which other rows are left out, in the words of the row: "system_id is 'M1'"."""
        return str(replace(self, sign=_OPPOSITE[self.sign]))


@dataclass(frozen=True)
class Narrowed:
    """Rows for which all conditions hold, the others, and how many each condition leaves out, the first counting."""

    rows: Sequence[Row]
    others: Sequence[Row]
    left_out: Mapping[str, int]


def narrow(rows: Sequence[Row], conditions: Sequence[Condition]) -> Narrowed:
    """The rows for which all conditions hold. Raises UsageError where none is left."""
    if not conditions:
        return Narrowed(rows, (), {})
    kept, others, left_out = list[Row](), list[Row](), Counter[str]()
    for row in rows:
        broken = next((one for one in conditions if not one.holds(row)), None)
        (kept if broken is None else others).append(row)
        if broken is not None:
            left_out[broken.broken] += 1
    if others and not kept:
        raise UsageError(
            f"where=...: no row of {len(others)} is left: {' and '.join(map(str, conditions))}. "
            f"{'; '.join(_held(rows, one.field) for one in conditions)}"
        )
    return Narrowed(kept, others, dict(left_out))


def _held(rows: Sequence[Row], field: str) -> str:
    """The values of a field in some rows."""
    found = list(dict.fromkeys(f"{value_in(row, field)!r:.40}" for row in rows))
    return f"{field!r} holds {', '.join(found[:_NAMED])}{', ...' if len(found) > _NAMED else ''}"


def _bare(value: str) -> str:
    """A value without quotes around it."""
    return value[1:-1] if len(value) > 1 and value[0] == value[-1] and value[0] in "\"'" else value


def _same(found: object, wanted: str) -> bool:
    if found is None:
        return wanted == ""
    if isinstance(found, bool):
        return str(found).lower() == wanted.lower()
    numbers = _number(found), _number(wanted)
    if None not in numbers:
        return numbers[0] == numbers[1]
    return str(found).strip() == wanted.strip()


def _number(value: object) -> float | None:
    try:
        number = float(value) if isinstance(value, str | int | float) else math.nan
    except (ValueError, OverflowError):
        return None
    return number if math.isfinite(number) else None
