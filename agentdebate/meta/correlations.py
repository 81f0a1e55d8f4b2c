"""Correlations of many resamples at once. A resample is a weight for each row: how often the row was drawn.

`x` and `y` are n numbers that all resamples share, or b x n where each resample has its own (means, say). `w` is b x n.
Every function gives b values, each the one that the drawn rows written out one after the other would have, and NaN where
that is not defined. Tests hold them against scipy on exactly such rows.
"""

from collections.abc import Callable

from agentdebate.meta.arrays import Array, np

_BLOCK = 1 << 21
"""About how many signs of pairs are held at once."""


def pearson(x: Array, y: Array, w: Array) -> Array:
    """Pearson's r."""
    return _pearson(unit(x), unit(y), w, varied(x, w) & varied(y, w))


def spearman(x: Array, y: Array, w: Array) -> Array:
    """Spearman's rho: Pearson's r of the ranks, equal values sharing their mean rank."""
    return _pearson(midranks(x, w), midranks(y, w), w, varied(x, w) & varied(y, w))


def kendall_b(x: Array, y: Array, w: Array) -> Array:
    """Kendall's tau-b: concordant less discordant pairs, over the geometric mean of the pairs not tied in each."""
    total = _pairs(w.sum(axis=1))
    apart = [total - _tied_pairs(column, w) for column in (x, y)]
    return _ratio(concordance(x, y, w), np.sqrt(apart[0]) * np.sqrt(apart[1]), varied(x, w) & varied(y, w))


def kendall_c(x: Array, y: Array, w: Array) -> Array:
    """Stuart's tau-c: for scales that differ in how many values they have."""
    least = np.minimum(_distinct(x, w), _distinct(y, w))
    below = w.sum(axis=1) ** 2 * (least - 1)
    return _ratio(2 * concordance(x, y, w) * least, below, varied(x, w) & varied(y, w))


def varied(x: Array, w: Array) -> Array:
    """Whether at least two different values were drawn."""
    drawn = w > 0
    return np.where(drawn, x, -np.inf).max(axis=1) > np.where(drawn, x, np.inf).min(axis=1)


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
    values, level = np.unique(x, return_inverse=True)
    order = np.argsort(level, kind="stable")
    starts = np.searchsorted(level[order], np.arange(len(values)))
    equal = np.add.reduceat(w[:, order], starts, axis=1)
    return (np.cumsum(equal, axis=1) - equal)[:, level], equal[:, level]


def concordance(x: Array, y: Array, w: Array) -> Array:
    """Concordant less discordant pairs."""
    if x.ndim > 1:
        both = _signs(x[:, :, None], x[:, None, :]) * _signs(y[:, :, None], y[:, None, :])
        return np.einsum("bi,bij,bj->b", w, both, w, optimize=True) / 2
    return quadratic(w, lambda block: _signs(x[:, None], x[block]) * _signs(y[:, None], y[block])) / 2


def quadratic(w: Array, pairs: Callable[[slice], Array]) -> Array:
    """The sum over all pairs of rows i, j of w_i w_j times what `pairs` has for them: for a slice of the j, n x j numbers."""
    count = w.shape[1]
    step = max(1, _BLOCK // max(count, 1))
    # Whole numbers up to 2^24 are exact in single precision, which is twice as fast; the sum over j is in double.
    single, total = w.astype(np.float32), np.zeros(len(w))
    for start in range(0, count, step):
        block = slice(start, start + step)
        total += np.einsum("bj,bj->b", (single @ pairs(block)).astype(float), w[:, block])
    return total


def _signs(first: Array, second: Array) -> Array:
    return (first > second).astype(np.float32) - (first < second)


def _pearson(x: Array, y: Array, w: Array, defined: Array) -> Array:
    total = np.maximum(w.sum(axis=1, keepdims=True), 1)
    apart = [column - (w * column).sum(axis=1, keepdims=True) / total for column in (x, y)]
    weighted = w * apart[0]
    product = np.einsum("bi,bi->b", weighted, apart[1])
    squares = np.einsum("bi,bi->b", weighted, apart[0]), np.einsum("bi,bi,bi->b", w, apart[1], apart[1])
    return _ratio(product, np.sqrt(squares[0]) * np.sqrt(squares[1]), defined)


def _ratio(above: Array, below: Array, defined: Array) -> Array:
    sound = defined & (below > 0)
    return np.clip(np.where(sound, above, np.nan) / np.where(sound, below, 1), -1, 1)


def unit(x: Array) -> Array:
    """The values from 0 to 1 (n or b x n), which changes no correlation and keeps squares from being too small or too large."""
    low, high = (
        (x.min() / 2, x.max() / 2) if x.size else (0, 0)
    )  # halves: the whole can be more than a number holds
    return (x / 2 - low) / (high - low) if high > low else x * 0


def _pairs(count: Array) -> Array:
    return count * (count - 1) / 2


def _tied_pairs(x: Array, w: Array) -> Array:
    """Pairs of drawn rows with the same value."""
    return (np.einsum("bi,bi->b", w, levels(x, w)[1]) - w.sum(axis=1)) / 2


def _distinct(x: Array, w: Array) -> Array:
    """How many different values were drawn."""
    return np.rint((w / np.maximum(levels(x, w)[1], 1)).sum(axis=1))
