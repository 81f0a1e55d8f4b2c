"""Pairwise accuracy with ties (Deutsch, Foster and Freitag 2023, "Ties Matter", arXiv 2305.14324).

Of each pair of texts people prefer one or hold them equal, and so does the judge, who is taken to hold two texts equal
where its scores differ by no more than epsilon. Accuracy is the share of pairs on which both say the same (acc_eq,
section 5). `meta.tie_calibration` finds epsilon.
"""

from agentdebate.meta.arrays import Array, np
from agentdebate.meta.discordance import Pairs, Ties

SAME = 1e-9
"""Differences of scores are the same where they differ by less than this share of them: that is rounding."""


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
        codes, apart = np.unique(human, return_inverse=True)[1], epsilon * (1 + SAME)
        self._preferred, self._equal = Pairs.concordant(codes, score, apart), Ties(codes, score, apart)

    def __call__(self, w: Array) -> Array:
        """Accuracy in each resample."""
        return _share(2 * self._preferred.weighed(w) + self._equal.weighed(w), w)


def _share(right: Array, w: Array) -> Array:
    """Of all pairs of different rows; `right` has those on which both say the same, both ways around, and rows themselves."""
    itself = (w**2).sum(axis=1)
    pairs = w.sum(axis=1) ** 2 - itself
    return np.where(pairs > 0, right - itself, np.nan) / np.maximum(pairs, 1)


def _same(human: Array, score: Array, humans: Array, scores: Array, epsilon: float) -> Array:
    """1 where people and judge say the same of two texts."""
    equal = np.abs(score - scores) <= epsilon * (1 + SAME)
    alike = np.where(human == humans, equal, ~equal & ((human > humans) == (score > scores)))
    return alike.astype(np.float32)
