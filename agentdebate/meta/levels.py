"""Where a statistic is taken: over all texts, within each source, or over systems; for the data and for resamples of it."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from math import ceil, fsum, log10
from typing import Literal

from agentdebate.errors import UsageError, nearest
from agentdebate.meta.arrays import Array, np
from agentdebate.meta.cells import Cells
from agentdebate.meta.columns import Columns
from agentdebate.meta.draws import Drawn, Draws
from agentdebate.meta.measures import Measure
from agentdebate.meta.within import drawn_systems, of_sources

Level = Literal["pooled", "group", "system"]
"""One value over all rows; the mean of one value a source; or one value over the means of the systems."""

_DECIMALS = 6
_FINEST = 250


@dataclass(frozen=True)
class Point:
    """The value of a statistic at a level, and what it is the value of."""

    value: float
    """NaN where it is not defined."""
    n: int
    """Rows that it is computed from."""
    groups: int
    """Sources that it is the mean over, or systems; 1 where all rows are pooled."""
    left_out: Mapping[str, int] = field(default_factory=dict)


def point(columns: Columns, measure: Measure, level: Level) -> Point:
    """The value over the data. Raises UsageError for an unknown level."""
    if level not in _POINTS:
        raise UsageError(f"there is no level {level!r}. {nearest(level, _POINTS)}")
    return _POINTS[level](columns, measure)


def resampled(columns: Columns, measure: Measure, level: Level, draws: Draws) -> Array:
    """The value of each resample, NaN where it is not defined."""
    return _RESAMPLED[level](columns, measure, draws)


def groups(columns: Columns, level: Level) -> Iterator[tuple[Array, Array]]:
    """People's scores and the judge's that are compared with one another at a level."""
    if level == "group":
        for rows in columns.groups():
            yield columns.human[rows], columns.score[rows]
    elif level == "system":
        human, score = system_means(columns, np.ones((1, len(columns.rows))))
        yield human[0], score[0]
    else:
        yield columns.human, columns.score


def system_means(columns: Columns, w: Array) -> tuple[Array, Array]:
    """People's and the judge's mean score of each system in each resample, b x systems, rounded.

    Means that are equal can differ in their last digits by the order of their sums, which would rank them. They are
    rounded to six decimals; to more where all means of the data are under a hundredth, so that no score is too small.
    """
    members = Members(columns.places.system)
    human, score = (members.means(column, w) for column in (columns.human, columns.score))
    return human, score


class Members:
    """The rows of each system."""

    def __init__(self, system: Array) -> None:
        self._order = np.argsort(system, kind="stable")
        self._starts = np.flatnonzero(np.diff(system[self._order], prepend=-1))

    def sums(self, w: Array) -> Array:
        """The sum over each system's rows, b x systems."""
        return np.add.reduceat(w.take(self._order, axis=1), self._starts, axis=1)

    def means(self, column: Array, w: Array) -> Array:
        """The weighted mean of each system's rows, b x systems, rounded as `system_means` says."""
        own = np.abs(self.sums(column[None]) / self.sums(np.ones((1, len(column)))))
        largest = own.max(initial=0.0)
        more = max(0, ceil(-log10(largest)) - 2) if largest > 0 else 0
        found = self.sums(w * column) / np.maximum(self.sums(w), 1)
        return np.round(found, min(_DECIMALS + more, _FINEST))


def _pooled(columns: Columns, measure: Measure) -> Point:
    reason = measure.undefined(columns.human, columns.score)
    left_out = {f"all rows: {reason}": len(columns.rows)} if reason else {}
    return Point(measure.of(columns.human, columns.score), len(columns.rows), 1, left_out)


def _system(columns: Columns, measure: Measure) -> Point:
    (means,) = groups(columns, "system")
    reason = measure.undefined(*means)
    left_out = {f"all systems: {reason.replace('rows', 'systems')}": columns.places.systems} if reason else {}
    return Point(measure.of(*means), len(columns.rows), columns.places.systems, left_out)


def _group(columns: Columns, measure: Measure) -> Point:
    found = of_sources(columns, measure)
    known = found.values[found.defined]
    value = fsum(known) / len(known) if len(known) else float("nan")
    count = int(np.bincount(columns.places.source)[found.defined].sum())
    return Point(
        value, count, len(known), {f"groups with {reason}": n for reason, n in found.reasons.items()}
    )


def _pooled_resampled(columns: Columns, measure: Measure, draws: Draws) -> Array:
    cells = Cells.of(columns.human, columns.score, columns.places, together=measure.of_cells)
    value = measure.of_weights(cells.first, cells.second)
    return draws.values(len(columns.rows), lambda drawn: value(cells.weights(drawn)))


def _system_resampled(columns: Columns, measure: Measure, draws: Draws) -> Array:
    members, systems = Members(columns.places.system), np.arange(columns.places.systems)

    def values(drawn: Drawn) -> Array:
        w = drawn.of_sources(columns.places.source)
        return measure.many(*system_means(columns, w), drawn.of_systems(systems) * (members.sums(w) > 0))

    return draws.values(len(columns.rows) + len(systems) ** 2, values)


def _group_resampled(columns: Columns, measure: Measure, draws: Draws) -> Array:
    one = None if draws.drawn_systems else _values(of_sources(columns, measure).values, draws)

    def values(drawn: Drawn) -> Array:
        each = one if one is not None else drawn_systems(columns, measure, drawn)
        counts = drawn.sources_counted
        weight = (np.ones((1, 1)) if counts is None else counts) * ~np.isnan(each)
        total = weight.sum(axis=1)
        return np.where(total > 0, (weight * np.nan_to_num(each)).sum(axis=1), np.nan) / np.maximum(total, 1)

    return draws.values(len(columns.rows) if one is None else columns.places.sources, values)


def _values(values: Array, draws: Draws) -> Array:
    """The values of the sources that are drawn from, 1 x sources: of all, or of those that have one."""
    return values[None] if draws.drawn_sources == len(values) else values[None, ~np.isnan(values)]


_POINTS: Mapping[str, Callable[[Columns, Measure], Point]] = {
    "pooled": _pooled,
    "group": _group,
    "system": _system,
}
_RESAMPLED: Mapping[str, Callable[[Columns, Measure, Draws], Array]] = {
    "pooled": _pooled_resampled,
    "group": _group_resampled,
    "system": _system_resampled,
}
