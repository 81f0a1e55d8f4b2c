"""Conditions on the rows that count: FIELD=VALUE, FIELD!=VALUE, FIELD<NUMBER (or <=, >, >=), FIELD={VALUE,VALUE}."""

import math
import operator
import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from agentdebate.datasets.row import Row
from agentdebate.errors import UsageError
from agentdebate.meta.fields import value_in

_CONDITION = re.compile(r"(?P<field>[^=!<>]+)(?P<sign>!=|<=|>=|=|<|>)(?P<value>.*)", re.DOTALL)
_BOUNDS: Mapping[str, Callable[[float, float], bool]] = {
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}
_OPPOSITE = {"=": "!=", "!=": "=", "<": ">=", ">=": "<", ">": "<=", "<=": ">"}
_WORDS = {"=": "is", "!=": "is not"}


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
        if sign in _BOUNDS and _number(value) is None:
            raise UsageError(f"where=...: {sign} takes a number, not {value!r}")
        several = value[1:-1].split(",") if value.startswith("{") and value.endswith("}") else [value]
        return cls(field, tuple(re.sub(r"^(['\"])(.*)\1$", r"\2", one.strip()) for one in several), sign)

    def __str__(self) -> str:
        shown = self.values[0] if self.sign in _BOUNDS else " or ".join(map(repr, self.values))
        return f"{self.field} {_WORDS.get(self.sign, self.sign)} {shown}"

    def holds(self, row: Row) -> bool:
        """Decide whether a row is as the condition wants it."""
        value = value_in(row, self.field)
        if self.sign not in _BOUNDS:
            return any(_same(value, one) for one in self.values) is (self.sign == "=")
        number, bound = _number(value), _number(self.values[0])
        return number is not None and bound is not None and _BOUNDS[self.sign](number, bound)

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
        first = {one.field: value_in(rows[0], one.field) for one in conditions}
        raise UsageError(
            f"where=...: no row of {len(others)} is left: {' and '.join(map(str, conditions))}; the first has {first!r:.200}"
        )
    return Narrowed(kept, others, dict(left_out))


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
