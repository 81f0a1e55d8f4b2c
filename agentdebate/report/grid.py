"""Table with a head, rows of typed values and notes, and its figures as papers print them.

The printers turn it into text, Markdown, LaTeX and HTML.
"""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from decimal import ROUND_HALF_UP, Decimal
from operator import attrgetter
from typing import Any

from agentdebate.visible import shortened

LONGEST = 500
"""Characters of a cell before it is cut."""
_DECIMALS, _SMALL = 3, 0.01
"""Most decimals of a plain number, and the size below which it has more."""
_LEAST = 0.001
"""The p below which no digits are shown."""

NONE = "-"
"""Placeholder for a missing figure."""

NAMES: Mapping[str, str] = {
    "pearson": "Pearson's r",
    "spearman": "Spearman's rho",
    "kendall-b": "Kendall's tau-b",
    "kendall-c": "Kendall's tau-c",
    "pairwise-accuracy": "Pairwise accuracy",
    "accuracy": "Accuracy",
    "kappa": "Cohen's kappa, unweighted",
    "kappa-linear": "Cohen's kappa, linear weights",
    "kappa-quadratic": "Cohen's kappa, quadratic weights",
    "alpha": "Krippendorff's alpha, interval",
    "alpha-ordinal": "Krippendorff's alpha, ordinal",
    "alpha-nominal": "Krippendorff's alpha, nominal",
    "fleiss-kappa": "Fleiss' kappa",
    "icc": "ICC(2,1)",
    "icc-mean": "ICC(2,k)",
    "ac1": "Gwet's AC1",
    "percent-agreement": "Percent agreement",
    "bias": "Bias",
    "mean-absolute-error": "Mean absolute error",
    "root-mean-square-error": "Root mean square error",
}
"""Statistics as a table's head names them."""

LEVELS: Mapping[str, str] = {"pooled": "pooled", "group": "mean over sources", "system": "system level"}
"""Levels likewise."""


def figure(value: float | None) -> str:
    """A figure with three decimals and without the zero before the point; halves are rounded up, as in print."""
    if value is None:
        return NONE
    # 43 of 80 is a little less than .5375 as the machine has it; what is rounded is the number that it stands for.
    rounded = Decimal(repr(float(value))).quantize(Decimal("0.001"), ROUND_HALF_UP)
    text = f"{abs(rounded):f}".removeprefix("0")
    return f"-{text}" if rounded < 0 else text


def percent(share: float) -> str:
    """A share from 0 to 1 as print has it, with one decimal; halves are rounded up."""
    return f"{Decimal(repr(100 * float(share))).quantize(Decimal('0.1'), ROUND_HALF_UP):f}%"


def p_value(value: float | None) -> str:
    """Write a p-value; a small one as less than .001."""
    return NONE if value is None else f"<{figure(_LEAST)}" if value < _LEAST else figure(value)


def interval(low: float | None, high: float | None) -> str:
    """An interval in brackets; nothing where there is none."""
    return "" if low is None or high is None else f"[{figure(low)}, {figure(high)}]"


def money(amount: float | None) -> str:
    """An amount of money, or that it is unknown."""
    return "unknown" if amount is None else f"{amount:.4f}"


def statistic_name(name: str) -> str:
    """Name a statistic in print."""
    return NAMES.get(name, name)


def merit(statistic: str, value: float) -> float:
    """A number that is the greater the better the judge."""
    return -abs(value) if statistic in ("bias", "mean-absolute-error", "root-mean-square-error") else value


@dataclass(frozen=True, slots=True)
class Number:
    """A statistic: its value, its interval, what it was computed from, and whether it is the best of its column."""

    value: float | None
    low: float | None = None
    high: float | None = None
    count: str = ""
    best: bool = False

    @property
    def parts(self) -> tuple[str, ...]:
        """Value, interval and count as text, as far as there are any."""
        count = f"({self.count})" if self.count else ""
        return tuple(filter(None, (figure(self.value), interval(self.low, self.high), count)))

    def __str__(self) -> str:
        return " ".join(self.parts)


Columns = Mapping[str, str | Callable[[Any], object]]
"""The columns of a table by their titles: the field of a record that each shows (of an object also "cost.calls"), or what makes a cell of the record."""


@dataclass(frozen=True)
class Grid:
    """A table; its first column names the rows, and the columns in `numeric` hold figures."""

    title: str
    head: Sequence[str]
    rows: Sequence[Sequence[object]]
    numeric: Collection[str] | None = None
    """The columns that are set flush right; None for all but the first."""
    notes: Sequence[str] = ()
    """Notes below the table."""
    whole: Collection[str] = ()
    """Columns of texts in which no word is broken."""

    @classmethod
    def of(cls, title: str, records: Iterable[Any], columns: Columns, **more: Any) -> "Grid":
        """Make a table of records, which are mappings or objects, by the declaration of its columns."""
        rows = [[_value(record, source) for source in columns.values()] for record in records]
        return cls(title, tuple(columns), rows, **more)

    @property
    def figures(self) -> tuple[bool, ...]:
        """For each column whether it holds figures."""
        if self.numeric is None:
            return (False, *[True] * (len(self.head) - 1))
        return tuple(name in self.numeric for name in self.head)

    @property
    def texts(self) -> list[list[str]]:
        """The rows as texts, each cell on one line."""
        return [[cell_text(value) for value in row] for row in self.rows]


Block = Grid | str
"""A part of what is printed: a table, or a line; an empty one is a blank line."""


def shown(form: Callable[..., object], *fields: str) -> Callable[[Any], object]:
    """Make a cell of the fields of a record."""
    return lambda record: form(*(_value(record, field) for field in fields))


def _value(record: Any, source: str | Callable[[Any], object]) -> object:
    if callable(source):
        return source(record)
    return record[source] if isinstance(record, Mapping) else attrgetter(source)(record)


def cell_text(value: object) -> str:
    """Write a cell on one line; a text that is too long is cut."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float):
        return f"{round(value, _DECIMALS) if abs(value) >= _SMALL else value:g}"
    return shortened(str(value), LONGEST)
