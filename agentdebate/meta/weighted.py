"""Statistics of the same two columns under many weights: what has to be sorted or searched is so once, for all resamples.

Each is made from n values of people and of the judge, and called with weights, b x n: b values, NaN where it is not defined.
"""

from agentdebate.meta.arrays import Array, np
from agentdebate.meta.discordance import Pairs

_SAFE = 1e-3
"""The share of the squares that a variance has to be of, for sums of squares to have its digits."""

_TINY = 1e-280
"""Products from which on all digits are there."""


class Ranks:
    """The levels of one column, for ranks among the drawn rows."""

    def __init__(self, x: Array) -> None:
        self.known, self.level = np.unique(x, return_inverse=True)
        self._order = np.argsort(self.level, kind="stable")
        self._starts = np.searchsorted(self.level[self._order], np.arange(len(self.known)))

    def counts(self, w: Array) -> Array:
        """How many drawn rows have each of the values, b x levels."""
        ordered = w.take(self._order, axis=1)
        if len(self._starts) == ordered.shape[1]:
            return ordered
        return np.add.reduceat(ordered, self._starts, axis=1)

    def centred(self, w: Array) -> tuple[Array, Array]:
        """The mean rank of each value among the drawn rows, less the mean of all ranks, and its count; b x levels."""
        counts = self.counts(w)
        ranks = np.cumsum(counts, axis=1)
        ranks -= counts / 2
        ranks -= w.sum(axis=1, keepdims=True) / 2
        return ranks, counts


class Spearman:
    """Pearson's r of the ranks; equal values share their mean rank."""

    def __init__(self, x: Array, y: Array) -> None:
        self._columns = Ranks(x), Ranks(y)

    def __call__(self, w: Array) -> Array:
        """Rho in each resample."""
        ranks, squares = [], []
        for column in self._columns:
            each, counts = column.centred(w)
            squares.append(np.einsum("bi,bi,bi->b", counts, each, each))
            ranks.append(each.take(column.level, axis=1))
        ranks[0] *= w
        product = np.einsum("bi,bi->b", *ranks)
        return ratio(product, geometric(*squares))


class Kendall:
    """Concordant less discordant pairs, and pairs that are tied."""

    def __init__(self, x: Array, y: Array) -> None:
        self._x, self._y = Ranks(x), Ranks(y)
        self._both = Ranks(self._x.level * len(self._y.known) + self._y.level)
        fewer, more = sorted((self._x, self._y), key=lambda column: len(column.known))
        self._discordant = Pairs.discordant(fewer.level, more.level)

    def b(self, w: Array) -> Array:
        """Tau-b in each resample."""
        total = _pairs(w.sum(axis=1))
        apart = [total - _pairs(column.counts(w)).sum(axis=1) for column in (self._x, self._y)]
        return ratio(self._concordance(w, total, apart), geometric(*apart))

    def c(self, w: Array) -> Array:
        """Tau-c in each resample."""
        count = w.sum(axis=1)
        drawn = [column.counts(w) for column in (self._x, self._y)]
        apart = [_pairs(count) - _pairs(counts).sum(axis=1) for counts in drawn]
        least = np.minimum(*((counts > 0).sum(axis=1) for counts in drawn))
        above = 2 * self._concordance(w, _pairs(count), apart) * least
        return ratio(above, count**2 * (least - 1))

    def _concordance(self, w: Array, total: Array, apart: list[Array]) -> Array:
        """Concordant less discordant pairs: those that are tied on neither side, less the discordant ones twice."""
        tied_in_both = _pairs(self._both.counts(w)).sum(axis=1)
        untied = apart[0] + apart[1] - total + tied_in_both
        return untied - 2 * self._discordant.weighed(w)


class Pearson:
    """Pearson's r, from sums where those have the digits, and from differences with the means where they have not."""

    def __init__(self, x: Array, y: Array) -> None:
        self._x, self._y = (_centred(unit(column)) for column in (x, y))
        columns = np.ones_like(self._x), self._x, self._y, self._x**2, self._y**2, self._x * self._y
        self._products = np.stack(columns)

    def __call__(self, w: Array) -> Array:
        """R in each resample."""
        # Not a matrix product: its library starts threads of its own, which would be in the way of ours.
        count, x, y, xx, yy, xy = np.einsum("bi,ki->kb", w, self._products)
        total = np.maximum(count, 1)
        squares = xx - x**2 / total, yy - y**2 / total
        found = ratio(xy - x * y / total, geometric(*(np.maximum(one, 0) for one in squares)))
        unsafe = (squares[0] <= _SAFE * xx) | (squares[1] <= _SAFE * yy)
        if unsafe.any():
            found[unsafe] = pearson(self._x, self._y, w[unsafe])
        return found


def pearson(x: Array, y: Array, w: Array) -> Array:
    """Pearson's r of n values, or b x n where each resample has its own, under weights b x n."""
    total = np.maximum(w.sum(axis=1, keepdims=True), 1)
    apart = [column - (w * column).sum(axis=1, keepdims=True) / total for column in (x, y)]
    weighted = w * apart[0]
    product = np.einsum("bi,bi->b", weighted, apart[1])
    squares = np.einsum("bi,bi->b", weighted, apart[0]), np.einsum("bi,bi,bi->b", w, apart[1], apart[1])
    both = varied(x, w) & varied(y, w)
    return ratio(product, np.where(both, geometric(*squares), 0))


def varied(x: Array, w: Array) -> Array:
    """Whether at least two different values were drawn."""
    drawn = w > 0
    return np.where(drawn, x, -np.inf).max(axis=1) > np.where(drawn, x, np.inf).min(axis=1)


def unit(x: Array) -> Array:
    """The values from 0 to 1 (n, or b x n each by itself), which changes no correlation.

    It keeps squares from being too small or too large.
    """
    if not x.size:
        return x * 0.0
    # Halves, as the whole can be more than a number holds.
    low, high = x.min(axis=-1, keepdims=True) / 2, x.max(axis=-1, keepdims=True) / 2
    return (x / 2 - low) / np.where(high > low, high - low, 1)


def ratio(above: Array, below: Array) -> Array:
    """A correlation; NaN where there is nothing to divide by."""
    sound = below > 0
    return np.clip(np.where(sound, above, np.nan) / np.where(sound, below, 1), -1, 1)


def geometric(first: Array, second: Array) -> Array:
    """The square root of the product; root by root where the product is too small for its digits."""
    product = first * second
    return np.where(product > _TINY, np.sqrt(product), np.sqrt(first) * np.sqrt(second))


def _centred(x: Array) -> Array:
    return x - x.mean() if x.size else x


def _pairs(count: Array) -> Array:
    return count * (count - 1) / 2
