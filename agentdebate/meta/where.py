"""Which rows are looked at: conditions on their fields."""

import math
from array import array
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from agentdebate.datasets.picked import Picked, picked
from agentdebate.datasets.row import Row
from agentdebate.errors import UsageError
from agentdebate.meta.fields import value_in, values_in
from agentdebate.meta.prose import listed

_NAMED = 6
"""Values of a field that an error names."""
_QUOTES = ('"', "'")


@dataclass(frozen=True, slots=True)
class Condition:
    """What a field has to hold, or where `other` is set, anything else.

    Two numbers are equal where their values are ("3" and 3.0); everything else where it reads the same. The empty value
    is that of an empty field, of null, and of a field that is not there.
    """

    field: str
    value: str
    other: bool = False

    @classmethod
    def parse(cls, text: str) -> "Condition":
        """Read FIELD=VALUE or FIELD!=VALUE; quotes around the value are taken off. Raises UsageError."""
        field, equals, value = text.partition("=")
        other = field.endswith("!")
        field = field.removesuffix("!").strip()
        if not (equals and field):
            raise UsageError(f"where=... takes FIELD=VALUE or FIELD!=VALUE, not {text!r}")
        value = value.strip()
        if len(value) > 1 and value[0] == value[-1] and value[0] in _QUOTES:
            value = value[1:-1]
        return cls(field, value, other)

    def __str__(self) -> str:
        return f"{self.field} {'is not' if self.other else 'is'} {self.value!r}"

    def holds(self, row: Row) -> bool:
        """Whether a row is as the condition wants it."""
        return self.fits(value_in(row, self.field))

    def fits(self, value: object) -> bool:
        """Whether what the field holds is as the condition wants it."""
        return _same(value, self.value) is not self.other


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
            left_out[reason_of(broken)] += 1
    if not kept and others:
        raise UsageError(
            f"where=...: no row of {len(others)} is left: {' and '.join(map(str, conditions))}. "
            f"{'; '.join(_held(rows, one.field) for one in conditions)}"
        )
    return Narrowed(picked(rows, kept), Picked(rows, others), dict(left_out), kept)


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


def reason_of(condition: Condition) -> str:
    """Why rows that do not fulfil a condition are left out, in the words of the row: "system_id is 'M1'"."""
    return str(Condition(condition.field, condition.value, other=not condition.other))


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


def holding(whose: str, conditions: Sequence[Condition], kept: int, rows: int) -> str:
    """The conditions on the rows of the data or of a judge, and how many rows of how many they leave."""
    return (
        f"Of {whose} only rows count where {listed([str(one) for one in conditions])}: {kept:,} of {rows:,}."
    )
