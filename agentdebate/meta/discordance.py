"""Sums over all pairs of rows in n log n steps a resample: what has to be sorted is sorted once, and only weights change."""

from dataclasses import dataclass

from agentdebate.meta.arrays import Array, np


@dataclass(frozen=True)
class _Split:
    """Pairs of rows on two sides of a split: for each row on the left, a run of those on the right."""

    left: Array
    right: Array
    """In the order of their values, half by half."""
    start: Array
    """Where the run of each row on the left begins."""
    stop: Array

    def weighed(self, w: Array) -> Array:
        """The sum of w_i w_j over the pairs, b values."""
        below = np.zeros((len(w), len(self.right) + 1))
        np.cumsum(w.take(self.right, axis=1), axis=1, out=below[:, 1:])
        runs = below.take(self.stop, axis=1)
        runs -= below.take(self.start, axis=1)
        return np.einsum("bi,bi->b", w.take(self.left, axis=1), runs)


class Pairs:
    """Pairs of rows of which the second has the greater code, and a value that stands in some relation to the first's."""

    def __init__(self, splits: list[_Split]) -> None:
        self._splits = splits

    @classmethod
    def discordant(cls, codes: Array, values: Array) -> "Pairs":
        """Pairs of which the one with the greater code has the smaller value. Codes are 0, 1, 2 and so on."""
        ranks = np.unique(values, return_inverse=True)[1]
        return cls(_splits(codes, ranks, np.zeros_like(ranks), ranks))

    @classmethod
    def concordant(cls, codes: Array, values: Array, epsilon: float) -> "Pairs":
        """Pairs of which the one with the greater code has a value that is greater by more than `epsilon`."""
        known, ranks = np.unique(values, return_inverse=True)
        first = np.searchsorted(known, known + epsilon, side="right")[ranks]
        return cls(_splits(codes, ranks, first, np.full_like(ranks, len(known))))

    def weighed(self, w: Array) -> Array:
        """The sum of w_i w_j over the pairs, b values."""
        total = np.zeros(len(w))
        for split in self._splits:
            total += split.weighed(w)
        return total


def _splits(codes: Array, ranks: Array, start: Array, stop: Array) -> list[_Split]:
    """The pairs by the highest bit in which their codes differ: every pair is on two sides of exactly one split.

    For each row, the ranks from `start` to before `stop` are looked for among rows of greater codes.
    """
    width = int(ranks.max(initial=0)) + 1
    found = []
    for bit in range(int(codes.max(initial=0)).bit_length()):
        half, base = (codes >> bit) & 1, (codes >> (bit + 1)) * (width + 1)
        left, right = np.flatnonzero(half == 0), np.flatnonzero(half == 1)
        left, right = (side[np.argsort((base + ranks)[side], kind="stable")] for side in (left, right))
        keys = (base + ranks)[right]
        runs = (np.searchsorted(keys, (base + bound)[left]) for bound in (start, stop))
        found.append(_Split(left, right, *runs))
    return found


class Ties:
    """Pairs of rows with the same code whose values differ by no more than epsilon."""

    def __init__(self, codes: Array, values: Array, epsilon: float) -> None:
        known, ranks = np.unique(values, return_inverse=True)
        base = codes * (len(known) + 1)
        self._order = np.lexsort((ranks, codes))
        keys = (base + ranks)[self._order]
        bounds = (
            np.searchsorted(known, known - epsilon, side="left"),
            np.searchsorted(known, known + epsilon, side="right"),
        )
        self._runs = [np.searchsorted(keys, (base + bound[ranks])[self._order]) for bound in bounds]

    def weighed(self, w: Array) -> Array:
        """The sum of w_i w_j over the pairs, both ways around and each row with itself; b values."""
        ordered = w.take(self._order, axis=1)
        below = np.zeros((len(w), ordered.shape[1] + 1))
        np.cumsum(ordered, axis=1, out=below[:, 1:])
        runs = below.take(self._runs[1], axis=1)
        runs -= below.take(self._runs[0], axis=1)
        return np.einsum("bi,bi->b", ordered, runs)
