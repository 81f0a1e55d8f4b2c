"""Level at which a statistic is taken: over all texts, within each source, or over systems; for the data and for resamples of it."""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from math import ceil, fsum, log10, nan
from typing import Literal, get_args

from agentdebate.errors import UsageError, nearest
from agentdebate.meta.arrays import Array, np
from agentdebate.meta.bootstrap import drawn_rows
from agentdebate.meta.columns import Columns
from agentdebate.meta.measures import Measure

Level = Literal["pooled", "group", "system"]
"""One value over all rows; the mean of one value a source; or one value over the means of the systems."""

LEVELS: tuple[str, ...] = get_args(Level)
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
    values: Array = None
    """For a mean over sources: the values of the sources that have one."""


def point(columns: Columns, measure: Measure, level: Level) -> Point:
    """The value over the data. Raises UsageError for an unknown level."""
    if level not in LEVELS:
        raise UsageError(f"there is no level {level!r}. {nearest(level, LEVELS)}")
    if level == "group":
        return _mean_of_sources(columns, measure)
    ((human, score),) = compared(columns, level)
    reason = measure.undefined(human, score)
    over, count, groups = ("rows", len(columns), 1)
    if level == "system":
        over, count, groups = "systems", columns.places.systems, columns.places.systems
    left_out = {f"all {over}: {reason.replace('rows', over)}": count} if reason else {}
    return Point(measure.of(human, score), len(columns), groups, left_out)


def compared(columns: Columns, level: Level) -> Iterator[tuple[Array, Array]]:
    """People's scores and the judge's that are compared with one another at a level."""
    if level == "group":
        for rows in columns.groups():
            yield columns.human[rows], columns.score[rows]
    elif level == "system":
        human, score = _system_means(columns)(np.arange(len(columns)))
        yield human, score
    else:
        yield columns.human, columns.score


def of_sources(columns: Columns, measure: Measure) -> Array:
    """The value within each source, NaN where it is not defined."""
    return np.array(
        [measure.of(columns.human[rows], columns.score[rows]) for rows in columns.groups()], dtype=float
    )


def drawn_value(columns: Columns, measure: Measure, level: Level) -> Callable[[Array], float]:
    """The value over sources that are drawn, by their numbers; copies of a source are sources."""
    return {"pooled": _pooled, "group": _group, "system": _system}[level](columns, measure)


def _mean_of_sources(columns: Columns, measure: Measure) -> Point:
    values = of_sources(columns, measure)
    reasons, defined = Counter[str](), np.ones(len(values), dtype=bool)
    for source, rows in enumerate(columns.groups()):
        if np.isnan(values[source]):
            reason = measure.undefined(columns.human[rows], columns.score[rows])
            defined[source] = reason is None
            reasons[reason or ""] += 1
    known = values[defined]
    left_out = {f"groups with {reason}": count for reason, count in reasons.items() if reason}
    count = int(defined[columns.places.source].sum())
    return Point(fsum(known) / len(known) if len(known) else nan, count, len(known), left_out, known)


def _system_means(columns: Columns) -> Callable[[Array], tuple[Array, Array]]:
    """People's and the judge's mean score of each system over rows by their numbers, rounded; NaN for a system without any.

    Means that are equal can differ in their last digits by the order of their sums, which would rank them. They are
    rounded to six decimals; to more where all means of the data are under a hundredth, so that no score is too small.
    """
    system, systems = columns.places.system, columns.places.systems

    def means(column: Array, rows: Array) -> Array:
        count = np.bincount(system[rows], minlength=systems)
        total = np.bincount(system[rows], weights=column[rows], minlength=systems)
        return np.where(count > 0, total, np.nan) / np.maximum(count, 1)

    def decimals(column: Array) -> int:
        largest = np.abs(means(column, np.arange(len(column)))).max(initial=0.0)
        more = max(0, ceil(-log10(largest)) - 2) if largest > 0 else 0
        return min(_DECIMALS + more, _FINEST)

    digits = decimals(columns.human), decimals(columns.score)
    return lambda rows: (
        np.round(means(columns.human, rows), digits[0]),
        np.round(means(columns.score, rows), digits[1]),
    )


def _pooled(columns: Columns, measure: Measure) -> Callable[[Array], float]:
    value = measure.drawn(columns.human, columns.score)
    return lambda sources: value(drawn_rows(columns.places, sources))


def _system(columns: Columns, measure: Measure) -> Callable[[Array], float]:
    means = _system_means(columns)

    def value(sources: Array) -> float:
        human, score = means(drawn_rows(columns.places, sources))
        return measure.drawn(human, score)(np.flatnonzero(~np.isnan(human)))

    return value


def _group(columns: Columns, measure: Measure) -> Callable[[Array], float]:
    values = of_sources(columns, measure)

    def value(sources: Array) -> float:
        known = values[sources]
        known = known[~np.isnan(known)]
        return float(known.mean()) if len(known) else nan

    return value
