"""A statistic within each source: sources with equally many texts are computed at once."""

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from agentdebate.meta.arrays import Array, np
from agentdebate.meta.columns import Columns
from agentdebate.meta.draws import Drawn
from agentdebate.meta.measures import Measure

_LARGE = 48
"""Texts of a source from which on it is computed by itself: all its pairs would be too many."""

_CELLS = 1 << 19
"""About how many pairs are held at once."""


@dataclass(frozen=True)
class Within:
    """A value a source."""

    values: Array
    """NaN where it is not defined, or is no finite number."""
    defined: Array
    """Whether nothing speaks against a value."""
    reasons: Mapping[str, int]
    """Why sources have no value, and how many."""


def of_sources(columns: Columns, measure: Measure) -> Within:
    """The value within each source."""
    values, defined = np.full(columns.places.sources, np.nan), np.ones(columns.places.sources, dtype=bool)
    reasons: dict[int, str] = {}
    for rows in _stacks(columns):
        human, score, sources = columns.human[rows], columns.score[rows], columns.places.source[rows[:, 0]]
        if rows.shape[1] <= _LARGE:
            values[sources] = measure.many(human, score, np.ones(rows.shape))
        for place in np.flatnonzero(~np.isfinite(values[sources])):
            source = int(sources[place])
            reason = measure.undefined(human[place], score[place])
            if reason:
                reasons[source] = reason
                defined[source] = False
            else:
                values[source] = measure.of(human[place], score[place])
    return Within(values, defined, Counter(reasons[source] for source in sorted(reasons)))


def drawn_systems(columns: Columns, measure: Measure, drawn: Drawn) -> Array:
    """The value within each source in each resample of its systems, b x sources."""
    values = np.full((len(drawn), columns.places.sources), np.nan)
    for rows in _stacks(columns):
        w, sources = drawn.of_systems(columns.places.system[rows]), columns.places.source[rows[:, 0]]
        if rows.shape[1] > _LARGE:
            for place, own in enumerate(rows):
                values[:, sources[place]] = measure.of_weights(columns.human[own], columns.score[own])(
                    w[:, place]
                )
        else:
            values[:, sources] = _together(columns.human[rows], columns.score[rows], w, measure)
    return values


def _together(human: Array, score: Array, w: Array, measure: Measure) -> Array:
    """The values of g sources of k texts, b x g, from scores g x k and weights b x g x k."""
    found = []
    step = max(1, _CELLS // human.size // human.shape[1])
    for start in range(0, len(w), step):
        part = w[start : start + step]
        flat = [np.broadcast_to(one, part.shape).reshape(-1, human.shape[1]) for one in (human, score, part)]
        found.append(measure.many(*flat).reshape(part.shape[:2]))
    return np.concatenate(found)


def _stacks(columns: Columns) -> Iterator[Array]:
    """The rows of sources that have equally many, g x k, of some sources at a time."""
    sizes = np.bincount(columns.places.source, minlength=columns.places.sources)
    starts = np.cumsum(sizes) - sizes
    for size in np.unique(sizes):
        rows = starts[sizes == size][:, None] + np.arange(size)
        step = max(1, _CELLS // int(size) ** 2)
        yield from (rows[start : start + step] for start in range(0, len(rows), step))
