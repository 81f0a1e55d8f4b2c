"""Pairwise accuracy with tie calibration (Deutsch, Foster and Freitag 2023, "Ties Matter", arXiv 2305.14324).

Of each pair of texts people prefer one or hold them equal, and so does the judge, who is taken to hold two texts equal
where its scores differ by no more than epsilon. Accuracy is the share of pairs on which both say the same (acc_eq,
section 5); epsilon is the one that makes it largest over all the data (section 6), the smallest where several do.
"""

from collections.abc import Iterable, Iterator, Sequence

from agentdebate.meta.arrays import Array, np
from agentdebate.meta.cells import Cells
from agentdebate.meta.discordance import Pairs, Ties
from agentdebate.meta.places import Places

_SAME = 1e-9
"""Differences of scores are the same where they differ by less than this share of them: that is rounding."""

_MOST = 4_000_000
"""Pairs up to which every difference is tried as epsilon."""

_MANY = 500
"""Texts from which on those that are scored alike are put together."""

_STEPS = 100_000
_PART = 1 << 20
"""About how many pairs are held at once."""


def accuracy(human: Array, score: Array, w: Array, epsilon: float) -> Array:
    """The share of pairs of different rows on which both say the same, b values; NaN where there are none.

    What was drawn twice makes no pair with itself, on which everyone would agree.
    """
    if score.ndim == 1:
        return Accuracy(human, score, epsilon)(w)
    columns, rows = (human[:, :, None], score[:, :, None]), (human[:, None, :], score[:, None, :])
    return _share(np.einsum("bi,bij,bj->b", w, _same(*columns, *rows, epsilon), w, optimize=True), w)


class Accuracy:
    """Pairwise accuracy of n scores, whatever their weights: called with those, b x n, it gives b values."""

    def __init__(self, human: Array, score: Array, epsilon: float) -> None:
        codes, apart = np.unique(human, return_inverse=True)[1], epsilon * (1 + _SAME)
        self._preferred, self._equal = Pairs.concordant(codes, score, apart), Ties(codes, score, apart)

    def __call__(self, w: Array) -> Array:
        """Accuracy in each resample."""
        return _share(2 * self._preferred.weighed(w) + self._equal.weighed(w), w)


def _share(right: Array, w: Array) -> Array:
    """Of all pairs of different rows; `right` has those on which both say the same, both ways around, and rows themselves."""
    itself = (w**2).sum(axis=1)
    pairs = w.sum(axis=1) ** 2 - itself
    return np.where(pairs > 0, right - itself, np.nan) / np.maximum(pairs, 1)


def calibrated(groups: Iterable[tuple[Array, Array]]) -> float:
    """The epsilon that makes the mean accuracy over groups largest: (people's scores, the judge's), n numbers each.

    One group is the pooled variant, which compares every text with every other; a group a source compares texts of the
    same source only. Beyond some million pairs epsilon is sought in steps of a hundred-thousandth of the largest difference.
    """
    # A pair that people hold equal is right from the epsilon on that its scores differ by; any other pair on which both
    # agree is right below it. So one pass over the differences in order gives the accuracy at every epsilon.
    parts = [_counted(human, score) for human, score in groups if len(human) > 1]
    step = _step(parts)
    gaps, gains = [np.zeros(1)], [np.zeros(1)]
    for part in parts:
        for gap, gain in _changes(*part):
            rounded = np.ceil(gap / step * (1 - _SAME)) * step if step else gap
            values, place = np.unique(rounded, return_inverse=True)
            gaps.append(values)
            gains.append(np.bincount(place, weights=gain, minlength=len(values)))
    gap, gain = np.concatenate(gaps), np.concatenate(gains)
    order = np.argsort(gap, kind="stable")
    gap, total = gap[order], np.cumsum(gain[order])
    last = np.append(gap[1:] > gap[:-1] * (1 + _SAME), True)  # the last of those that are the same
    best = np.flatnonzero(last)[np.argmax(np.round(total[last], 12))]
    return float(gap[best])


def _counted(human: Array, score: Array) -> tuple[Array, Array, Array]:
    """Scores, and how often they are there: where texts are many, each pair of scores but once."""
    if len(human) < _MANY:
        return human, score, np.ones(len(human))
    cells = Cells.of(human, score, Places(*(np.zeros(len(human), dtype=int) for _ in range(2))))
    return cells.first, cells.second, np.diff(cells.starts, append=len(human)).astype(float)


def _step(parts: Sequence[tuple[Array, Array, Array]]) -> float:
    """How fine differences are told apart; 0 is as fine as they are."""
    pairs = sum(len(score) * (len(score) - 1) / 2 for _, score, _ in parts)
    if pairs <= _MOST:
        return 0.0
    return max(float(score.max() - score.min()) for _, score, _ in parts) / _STEPS


def _changes(human: Array, score: Array, times: Array) -> Iterator[tuple[Array, Array]]:
    """For each pair that epsilon decides about: where accuracy changes, and by how much. In parts, as pairs are many."""
    count = len(human)
    pairs = times.sum() * (times.sum() - 1) / 2
    yield np.zeros(1), np.array([(times * (times - 1) / 2).sum() / pairs])  # texts that are the same to both
    rows = max(1, _PART // count)
    for start in range(0, count, rows):
        first, second = np.nonzero(np.arange(start, min(start + rows, count))[:, None] < np.arange(count))
        first = first + start
        preferred = np.sign(human[first] - human[second])
        difference = score[first] - score[second]
        gain = np.where(preferred == 0, 1.0, -1.0 * (preferred == np.sign(difference)))
        counts = gain != 0
        yield np.abs(difference)[counts], (gain * times[first] * times[second])[counts] / pairs


def _same(human: Array, score: Array, humans: Array, scores: Array, epsilon: float) -> Array:
    """1 where people and judge say the same of two texts."""
    equal = np.abs(score - scores) <= epsilon * (1 + _SAME)
    alike = np.where(human == humans, equal, ~equal & ((human > humans) == (score > scores)))
    return alike.astype(np.float32)
