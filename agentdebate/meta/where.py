"""Which rows are looked at: conditions on their fields, as FIELD=VALUE, FIELD!=VALUE, FIELD<NUMBER or FIELD={VALUE,VALUE}."""

import math
import operator
import re
from array import array
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from agentdebate.datasets.picked import Picked, picked
from agentdebate.datasets.row import Row
from agentdebate.errors import UsageError
from agentdebate.meta.fields import value_in, values_in
from agentdebate.meta.prose import listed

_NAMED = 6
"""Values of a field that an error names."""
_QUOTES = ('"', "'")
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
    """What a field has to hold: one of several values, none of them, or a number on one side of a bound.

    Two numbers are equal where their values are ("3" and 3.0); everything else where it reads the same. The empty value
    is that of an empty field, of null, and of a field that is not there. What is no number is on neither side of a bound.
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
        """Whether a row is as the condition wants it."""
        return self.fits(value_in(row, self.field))

    def fits(self, value: object) -> bool:
        """Whether what the field holds is as the condition wants it."""
        if self.sign in _ORDERS:
            numbers = _number(value), _number(self.values[0])
            return None not in numbers and _ORDERS[self.sign](*numbers)  # type: ignore[arg-type]  # neither is None
        return any(_same(value, one) for one in self.values) is (self.sign == "=")

    @property
    def broken(self) -> str:
        """Why rows that do not fulfil it are left out, in the words of the row: "system_id is 'M1'"."""
        return str(replace(self, sign=_OPPOSITE[self.sign]))


@dataclass(frozen=True)
class Narrowed:
    """Rows for which all conditions hold, the others, and how many each condition leaves out, the first counting."""

    rows: Sequence[Row]
    others: Sequence[Row]
    left_out: Mapping[str, int]
    places: Sequence[int]
    """Where the rows stand among all."""


def narrow(rows: Sequence[Row], conditions: Sequence[Condition]) -> Narrowed:
    """The rows for which all conditions hold. Raises UsageError where none is left."""
    if not conditions:
        return Narrowed(rows, (), {}, range(len(rows)))
    kept, others = array("q"), array("q")
    left_out: Counter[str] = Counter()
    values = zip(*(values_in(rows, one.field) for one in conditions), strict=True)
    for place, found in enumerate(values):
        broken = next(
            (one for one, value in zip(conditions, found, strict=True) if not one.fits(value)), None
        )
        (kept if broken is None else others).append(place)
        if broken is not None:
            left_out[broken.broken] += 1
    if not kept and others:
        raise UsageError(
            f"where=...: no row of {len(others)} is left: {' and '.join(map(str, conditions))}. "
            f"{'; '.join(_held(rows, one.field) for one in conditions)}"
        )
    return Narrowed(picked(rows, kept), Picked(rows, others), dict(left_out), kept)


def holding(whose: str, conditions: Sequence[Condition], kept: int, rows: int) -> str:
    """The conditions on the rows of the data or of a judge, and how many rows of how many they leave, for a caption."""
    return (
        f"Of {whose} only rows count where {listed([str(one) for one in conditions])}: {kept:,} of {rows:,}."
    )


def _held(rows: Sequence[Row], field: str) -> str:
    """What the field holds in some rows, as a condition has it."""
    found = dict.fromkeys(map(_shown, values_in(rows, field)))
    more = ", ..." if len(found) > _NAMED else ""
    return f"{field!r} holds {', '.join(list(found)[:_NAMED])}{more}"


def _shown(value: object) -> str:
    if value is None or value == "":
        return "nothing (a condition on that ends at the =)"
    if isinstance(value, list | Mapping):
        return "lists" if isinstance(value, list) else "objects"
    return f"{value if not isinstance(value, bool) else str(value).lower()!s:.40}"


def _bare(value: str) -> str:
    """A value without quotes around it."""
    return value[1:-1] if len(value) > 1 and value[0] == value[-1] and value[0] in _QUOTES else value


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
