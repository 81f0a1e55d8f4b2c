"""Agreement as tables like the papers': for each statistic and level the judges as rows, and the aspects as columns."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from statistics import fmean

from agentdebate.meta.agreement import Agreement
from agentdebate.meta.ceiling import PEOPLE
from agentdebate.meta.prose import counted
from agentdebate.report.figures import figure, interval, merit, statistic_name
from agentdebate.report.grid import Grid

MEAN = "mean"
"""The column of the mean over the aspects."""

COUNTS = "counts"
"""The row that says what the figures of each column are computed from."""

LONGEST, LONGEST_CAPTION = 200, 20_000
"""Characters of a name in a table, and of what is said below it, before they are cut."""

LEVELS: Mapping[str, str] = {"pooled": "pooled", "group": "mean over sources", "system": "system level"}
"""Levels as a table's head names them."""


@dataclass(frozen=True, slots=True)
class Cell:
    """A figure of a table as text: the value, its interval, and its count where not all of the table have the same."""

    value: str
    interval: str = ""
    count: str = ""
    best: bool = False


@dataclass(frozen=True)
class Panel:
    """One statistic at one level: agreements by judge and aspect."""

    statistic: str
    level: str
    judges: tuple[str, ...]
    aspects: tuple[str, ...]
    found: Mapping[tuple[str, str], Agreement]
    unlike: frozenset[str] = frozenset()
    """The aspects of which judges have figures of other texts than one another."""

    @property
    def title(self) -> str:
        """What the figures are, and what they are computed from where that is the same for all."""
        same = f" ({self.same_count})" if self.same_count else ""
        return f"{statistic_name(self.statistic)}, {LEVELS.get(self.level, self.level)}{same}"

    @property
    def columns(self) -> tuple[str, ...]:
        """The heads of the columns: the aspects, and their mean where there are several."""
        return (*self.aspects, MEAN) if self.has_mean else self.aspects

    @property
    def has_mean(self) -> bool:
        """Whether there are several aspects to take the mean of."""
        return len(self.aspects) > 1

    @cached_property
    def same_count(self) -> str:
        """What all figures are computed from; empty where that differs."""
        counts = {_count(one) for one in self._of_judges()}
        return counts.pop() if len(counts) == 1 else ""

    @cached_property
    def column_counts(self) -> tuple[str, ...]:
        """What the figures of each column are computed from, where that differs and is the same for all judges.

        Nothing where all columns have the same, or judges differ.
        """
        counts = {
            aspect: {_short(one) for one in self._of_judges() if one.aspect == aspect}
            for aspect in self.aspects
        }
        if self.same_count or len(self._ranked) == 1 or any(len(found) > 1 for found in counts.values()):
            return ()
        return tuple(counts[column].pop() if column in counts else "" for column in self.columns)

    def cells(self, judge: str) -> list[Cell]:
        """The figures of a judge, in the order of the columns."""
        return [self._cell(judge, column) for column in self.columns]

    def value(self, judge: str, column: str) -> float | None:
        """The value of a judge in a column; the mean is that of all aspects, and there is none where one lacks."""
        if column == MEAN and MEAN not in self.aspects:
            values = [self.value(judge, aspect) for aspect in self.aspects]
            known = [value for value in values if value is not None]
            return fmean(known) if len(known) == len(values) else None
        one = self.found.get((judge, column))
        return one.value if one else None

    def _cell(self, judge: str, column: str) -> Cell:
        value, one = self.value(judge, column), self.found.get((judge, column))
        if one is None:
            return Cell(figure(value), best=self._is_best(judge, column))
        return Cell(
            figure(value), interval(one.low, one.high), self._cell_count(one), self._is_best(judge, column)
        )

    def _cell_count(self, one: Agreement) -> str:
        """The count of a figure that is said nowhere else; people's own wherever it is not that of the judges."""
        if one.judge == PEOPLE and PEOPLE not in self._ranked:
            return "" if _count(one) == self.same_count else _short(one)
        return "" if self.same_count or self.column_counts else _short(one)

    @property
    def _ranked(self) -> tuple[str, ...]:
        """The judges; people are one only where there is no other."""
        return tuple(name for name in self.judges if name != PEOPLE) or self.judges

    def _of_judges(self) -> list[Agreement]:
        return [one for one in self.found.values() if one.judge in self._ranked]

    def _is_best(self, judge: str, column: str) -> bool:
        """Whether no other judge has a better figure as it is printed.

        Nobody is best where there is no other, or where figures are of other texts, as where judges lack more or fewer scores.
        """
        if not self._alike(column):
            return False
        values = {name: self.value(name, column) for name in self._ranked}
        merits = {
            name: merit(self.statistic, float(figure(value)))
            for name, value in values.items()
            if value is not None
        }
        return judge in merits and len(merits) > 1 and merits[judge] == max(merits.values())

    def _alike(self, column: str) -> bool:
        """Whether all judges have scored the same texts of a column; of the mean, of every column."""
        aspects = [column] if column in self.aspects else list(self.aspects)
        if self.unlike.intersection(aspects):
            return False
        lacking = {
            aspect: {one.missing for one in self._of_judges() if one.aspect == aspect} for aspect in aspects
        }
        return all(len(found) <= 1 for found in lacking.values())


def panels(agreements: Sequence[Agreement], unlike: frozenset[str] = frozenset()) -> tuple[Panel, ...]:
    """A panel for each statistic and level; judges and aspects in the order in which they come.

    `unlike` are aspects of which judges have figures of other texts than one another.
    """
    kinds = dict.fromkeys((one.statistic, one.level) for one in agreements)
    return tuple(_panel(statistic, level, agreements, unlike) for statistic, level in kinds)


def grid_of(panel: Panel) -> Grid:
    """The panel as texts, without what shows the best."""
    rows = [(judge, *map(_text, panel.cells(judge))) for judge in panel.judges]
    counts = [(COUNTS, *panel.column_counts)] if panel.column_counts else []
    return Grid(panel.title, ("judge", *panel.columns), (*rows, *counts))


def _text(cell: Cell) -> str:
    count = f"({cell.count})" if cell.count else ""
    return " ".join(part for part in (cell.value, cell.interval, count) if part)


def _panel(statistic: str, level: str, agreements: Sequence[Agreement], unlike: frozenset[str]) -> Panel:
    own = [one for one in agreements if (one.statistic, one.level) == (statistic, level)]
    return Panel(
        statistic,
        level,
        tuple(dict.fromkeys(one.judge for one in own)),
        tuple(dict.fromkeys(one.aspect for one in own)),
        {(one.judge, one.aspect): one for one in own},
        unlike,
    )


def _count(one: Agreement) -> str:
    """What a figure is computed from."""
    if one.level == "group":
        left_out = one.groups_left_out
        among = (
            f"{one.groups} of {one.groups + left_out} sources" if left_out else counted(one.groups, "source")
        )
        return f"{among}, n={one.n}"
    if one.level == "system":
        return f"{counted(one.groups, 'system')}, n={one.n}"
    return f"n={one.n}"


def _short(one: Agreement) -> str:
    """The same where there is little room; what is counted stands in the title."""
    if one.level == "group":
        return f"{one.groups} of {one.groups + one.groups_left_out}, n={one.n}"
    return _count(one)
