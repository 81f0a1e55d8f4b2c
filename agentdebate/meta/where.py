"""Conditions on the fields of rows: FIELD=VALUE, FIELD!=VALUE, FIELD<NUMBER, FIELD={VALUE,VALUE}."""

import math
import operator
import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from agentdebate.datasets.row import Row
from agentdebate.errors import UsageError
from agentdebate.meta.fields import value_in
from agentdebate.meta.prose import listed

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


def holding(whose: str, conditions: Sequence[Condition], kept: int, rows: int) -> str:
    """The conditions on the rows of the data or of a judge, and how many rows of how many they leave, for a caption."""
    return (
        f"Of {whose} only rows count where {listed([str(one) for one in conditions])}: {kept:,} of {rows:,}."
    )


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
