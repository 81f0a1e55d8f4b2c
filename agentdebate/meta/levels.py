"""Level at which a statistic is taken: over all texts, within each source, or over systems; for the data and for resamples of it."""

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from math import floor, log10, nan
from typing import Literal, get_args

from agentdebate.errors import UsageError, nearest
from agentdebate.meta.arrays import Array, np
from agentdebate.meta.bootstrap import drawn_rows
from agentdebate.meta.columns import Columns
from agentdebate.meta.measures import PAIRWISE, Measure, calibrated

Level = Literal["pooled", "group", "system"]
"""One value over all rows; the mean of one value a source; or one value over the means of the systems."""

LEVELS: tuple[str, ...] = get_args(Level)
_DECIMALS = 6


@dataclass(frozen=True)
class Figure:
    """One statistic of people's and a judge's scores at one level: its value, and that over sources that are drawn.

    Pairwise accuracy is taken with the epsilon that it is largest at. Raises UsageError for an unknown level.
    """

    columns: Columns
    statistic: str
    level: Level

    def __post_init__(self) -> None:
        if self.level not in LEVELS:
            raise UsageError(f"there is no level {self.level!r}. {nearest(self.level, LEVELS)}")

    @cached_property
    def measure(self) -> Measure:
        """The statistic."""
        epsilon = calibrated(self.compared) if self.statistic == PAIRWISE else 0.0
        return Measure(self.statistic, epsilon)

    @cached_property
    def compared(self) -> list[tuple[Array, Array]]:
        """People's scores and the judge's that are compared with one another: of each source, of the systems, or all."""
        human, score = self.columns.human, self.columns.score
        if self.level == "group":
            return [(human[rows], score[rows]) for rows in self.columns.groups()]
        return [self._means(np.arange(len(human))) if self.level == "system" else (human, score)]

    @cached_property
    def values(self) -> Array:
        """The value within each source, or the one over all; NaN where it is not defined."""
        return np.array([self.measure.of(*pair) for pair in self.compared], dtype=float)

    @property
    def value(self) -> float:
        """The value over the data; NaN where it is not defined."""
        return known_mean(self.values)

    @property
    def groups(self) -> int:
        """Sources that the value is the mean over, or systems; 1 where all rows are pooled."""
        if self.level == "group":
            return int((~np.isnan(self.values)).sum())
        return self.columns.places.systems if self.level == "system" else 1

    @property
    def n(self) -> int:
        """Rows that the value is computed from."""
        if self.level != "group":
            return len(self.columns)
        return int((~np.isnan(self.values))[self.columns.places.source].sum())

    @property
    def left_out(self) -> dict[str, int]:
        """Counts of sources, systems or rows that the statistic is not defined for, by reason."""
        reasons = Counter(self.measure.undefined(*pair) for pair in self.compared)
        if self.level == "group":
            return {f"groups with {reason}": count for reason, count in reasons.items() if reason}
        of = "systems" if self.level == "system" else "rows"
        return {
            f"all {of}: {reason.replace('rows', of)}": len(self.compared[0][0])
            for reason in reasons
            if reason
        }

    @cached_property
    def drawn(self) -> Callable[[Array], float]:
        """The value over sources that are drawn, by their numbers; copies of a source are sources."""
        if self.level == "group":
            return lambda sources: known_mean(self.values[sources])
        places, value = self.columns.places, self.measure.drawn(self.columns.human, self.columns.score)
        if self.level == "system":
            value = self._of_systems
        return lambda sources: value(drawn_rows(places, sources))

    def _of_systems(self, rows: Array) -> float:
        return self.measure.of(*self._means(rows))

    def _means(self, rows: Array) -> tuple[Array, Array]:
        """People's and the judge's mean score of each system that has rows among these, rounded.

        Means that are equal can differ in their last digits by the order of their sums, which would rank them. They are
        rounded to six decimals; to more where all scores are under a hundredth, so that none is too small.
        """
        system = self.columns.places.system[rows]
        count = np.bincount(system)
        there = count > 0

        def rounded(scores: Array) -> Array:
            total = np.bincount(system, weights=scores[rows])
            return np.round(total[there] / count[there], _decimals(scores))

        return rounded(self.columns.human), rounded(self.columns.score)


def known_mean(values: Array) -> float:
    """The mean of the values that are defined; NaN where none is."""
    known = values[~np.isnan(values)]
    return float(known.mean()) if len(known) else nan


def _decimals(scores: Array) -> int:
    largest = np.abs(scores).max(initial=0.0)
    return _DECIMALS + (max(0, -2 - floor(log10(largest))) if largest > 0 else 0)
