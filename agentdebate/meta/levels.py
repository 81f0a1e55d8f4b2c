"""Where a statistic is taken: over all texts, within each source, or over systems; for the data and for resamples of it."""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from math import ceil, fsum, log10
from typing import Literal

from agentdebate.errors import UsageError, nearest
from agentdebate.meta.arrays import Array, np
from agentdebate.meta.bootstrap import Draws
from agentdebate.meta.columns import Columns
from agentdebate.meta.measures import Measure

Level = Literal["pooled", "group", "system"]
"""One value over all rows; the mean of one value a source; or one value over the means of the systems."""

_DECIMALS = 6
_FINEST = 250
_CELLS = 1 << 20
"""About how many numbers a part of the resamples takes up."""


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
    if level == "group":
        return _group_resampled(columns, measure, draws)
    size = len(columns.rows) if level == "pooled" else len(columns.rows) + columns.places.systems**2
    values = _pooled_resampled if level == "pooled" else _system_resampled
    return np.concatenate([values(columns, measure, draws, part) for part in _parts(len(draws), size)])


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
    member = (columns.places.system[:, None] == np.arange(columns.places.systems)).astype(float)
    count = np.maximum(w @ member, 1)
    human, score = (
        _rounded((w * column) @ member / count, column, member) for column in (columns.human, columns.score)
    )
    return human, score


def _rounded(means: Array, column: Array, member: Array) -> Array:
    largest = np.abs(column @ member / np.maximum(member.sum(axis=0), 1)).max(initial=0.0)
    more = max(0, ceil(-log10(largest)) - 2) if largest > 0 else 0
    return np.round(means, min(_DECIMALS + more, _FINEST))


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
    left_out: Counter[str] = Counter()
    values, count = [], 0
    for human, score in groups(columns, "group"):
        reason = measure.undefined(human, score)
        if reason:
            left_out[f"groups with {reason}"] += 1
        else:
            values.append(measure.of(human, score))
            count += len(human)
    value = fsum(values) / len(values) if values else float("nan")
    return Point(value, count, len(values), dict(left_out))


def _pooled_resampled(columns: Columns, measure: Measure, draws: Draws, part: slice) -> Array:
    return measure.many(columns.human, columns.score, draws.of_rows(part, columns.places))


def _system_resampled(columns: Columns, measure: Measure, draws: Draws, part: slice) -> Array:
    w = draws.of_sources(part, columns.places.source)
    drawn = draws.of_systems(part, np.arange(columns.places.systems))
    seen = np.stack(
        [w[:, columns.places.system == system].sum(axis=1) > 0 for system in range(columns.places.systems)],
        axis=1,
    )
    return measure.many(*system_means(columns, w), drawn * seen)


def _group_resampled(columns: Columns, measure: Measure, draws: Draws) -> Array:
    values = np.stack([_of_group(columns, measure, draws, rows) for rows in columns.groups()], axis=1)
    drawn = np.ones((1, 1)) if draws.sources is None else draws.sources
    weight = drawn * ~np.isnan(values)
    total = weight.sum(axis=1)
    return np.where(total > 0, (weight * np.nan_to_num(values)).sum(axis=1), np.nan) / np.maximum(total, 1)


def _of_group(columns: Columns, measure: Measure, draws: Draws, rows: Array) -> Array:
    """One source's value in each resample; one value for all where only sources are drawn."""
    human, score = columns.human[rows], columns.score[rows]
    if draws.systems is None:
        return np.array([measure.of(human, score)])
    return np.concatenate(
        [
            measure.many(human, score, draws.of_systems(part, columns.places.system[rows]))
            for part in _parts(len(draws), len(rows))
        ]
    )


def _parts(count: int, size: int) -> Iterator[slice]:
    step = max(1, _CELLS // max(size, 1))
    return (slice(start, min(start + step, count)) for start in range(0, count, step))


_POINTS: Mapping[str, Callable[[Columns, Measure], Point]] = {
    "pooled": _pooled,
    "group": _group,
    "system": _system,
}
