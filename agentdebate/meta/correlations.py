"""Correlations of many resamples at once. A resample is a weight for each row: how often the row was drawn.

`x` and `y` are n numbers that all resamples share, or b x n where each resample has its own (means, say). `w` is b x n.
Every function gives b values, each the one that the drawn rows written out one after the other would have, and NaN where
that is not defined. Tests hold them against scipy on exactly such rows.
"""

from agentdebate.meta import weighted
from agentdebate.meta.arrays import Array, np
from agentdebate.meta.weighted import Kendall, Spearman, geometric, ratio, unit, varied


def pearson(x: Array, y: Array, w: Array) -> Array:
    """Pearson's r."""
    return weighted.pearson(unit(x), unit(y), w)


def spearman(x: Array, y: Array, w: Array) -> Array:
    """Spearman's rho: Pearson's r of the ranks, equal values sharing their mean rank."""
    if x.ndim == 1:
        return Spearman(x, y)(w)
    return weighted.pearson(midranks(x, w), midranks(y, w), w)


def kendall_b(x: Array, y: Array, w: Array) -> Array:
    """Kendall's tau-b: concordant less discordant pairs, over the geometric mean of the pairs not tied in each."""
    if x.ndim == 1:
        return Kendall(x, y).b(w)
    total = _pairs(w.sum(axis=1))
    apart = [total - _tied_pairs(column, w) for column in (x, y)]
    return ratio(_concordance(x, y, w), _where_varied(x, y, w, geometric(*apart)))


def kendall_c(x: Array, y: Array, w: Array) -> Array:
    """Stuart's tau-c: for scales that differ in how many values they have."""
    if x.ndim == 1:
        return Kendall(x, y).c(w)
    least = np.minimum(_distinct(x, w), _distinct(y, w))
    below = w.sum(axis=1) ** 2 * (least - 1)
    return ratio(2 * _concordance(x, y, w) * least, _where_varied(x, y, w, below))


def midranks(x: Array, w: Array) -> Array:
    """The rank of each row among the drawn ones, b x n; equal values share the mean of their ranks."""
    below, equal = levels(x, w)
    return below + (equal + 1) / 2


def levels(x: Array, w: Array) -> tuple[Array, Array]:
    """How many drawn rows have a smaller value than each row, and how many the same; b x n both."""
    if x.ndim > 1:
        smaller = (x[:, None, :] < x[:, :, None]).astype(float)
        same = (x[:, None, :] == x[:, :, None]).astype(float)
        return np.einsum("bij,bj->bi", smaller, w), np.einsum("bij,bj->bi", same, w)
    column = weighted.Ranks(x)
    equal = column.counts(w)
    return (np.cumsum(equal, axis=1) - equal).take(column.level, axis=1), equal.take(column.level, axis=1)


def _concordance(x: Array, y: Array, w: Array) -> Array:
    """Concordant less discordant pairs."""
    both = _signs(x[:, :, None], x[:, None, :]) * _signs(y[:, :, None], y[:, None, :])
    return np.einsum("bi,bij,bj->b", w, both, w, optimize=True) / 2


def _signs(first: Array, second: Array) -> Array:
    return (first > second).astype(np.float32) - (first < second)


def _where_varied(x: Array, y: Array, w: Array, below: Array) -> Array:
    return np.where(varied(x, w) & varied(y, w), below, 0)


def _pairs(count: Array) -> Array:
    return count * (count - 1) / 2


def _tied_pairs(x: Array, w: Array) -> Array:
    """Pairs of drawn rows with the same value."""
    return (np.einsum("bi,bi->b", w, levels(x, w)[1]) - w.sum(axis=1)) / 2


def _distinct(x: Array, w: Array) -> Array:
    """How many different values were drawn."""
    return np.rint((w / np.maximum(levels(x, w)[1], 1)).sum(axis=1))
