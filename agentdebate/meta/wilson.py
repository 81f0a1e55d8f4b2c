"""Wilson's interval of a share ("Probable inference, the law of succession, and statistical inference", 1927).

30 of 30 right leave room for a judge that is wrong now and then, and a bootstrap of them does not: all resamples are the same.
"""

from math import sqrt
from statistics import NormalDist

from agentdebate.meta.arrays import Array, np
from agentdebate.meta.bootstrap import NO_INTERVAL, Interval


def wilson(share: float, n: float, confidence: float) -> tuple[float, float]:
    """The ends of the interval of a share of `n` independent texts, which need not be a whole number."""
    z = NormalDist().inv_cdf((1 + confidence) / 2)
    middle = share + z**2 / (2 * n)
    reach = z * sqrt(share * (1 - share) / n + (z / (2 * n)) ** 2)
    low, high = ((middle + end) / (1 + z**2 / n) for end in (-reach, reach))
    return max(low, 0.0), min(high, 1.0)


def interval_of_share(
    right: Array, source: Array, confidence: float, *, share: float | None = None
) -> Interval:
    """Wilson's interval of the share of rows that are `right`, or of a `share` that is given; none for several rows of one source.

    `source` has the number of each row's source, from 0. Rows of one source are not independent: they count as fewer.
    """
    sources = len(np.unique(source))
    if not len(right) or sources == 1 < len(right):
        return NO_INTERVAL
    value = float(np.mean(right)) if share is None else share
    low, high = wilson(value, independent(right, source), confidence)
    return Interval(low, high, None, 0, 0, method="wilson", sources=sources)


def independent(right: Array, source: Array) -> float:
    """How many independent rows these are worth: their number over the design effect, the variance between sources over that of
    independent rows, and never more than there are. Where all or none are right, nothing varies, and a source is worth one row.
    """
    rows, share = len(right), float(np.mean(right))
    _, place, sizes = np.unique(source, return_inverse=True, return_counts=True)
    alone = rows * share * (1 - share)
    if len(sizes) == rows or not alone:
        return len(sizes)
    spread = float(((np.bincount(place, weights=right) - share * sizes) ** 2).sum())
    return rows * min(1.0, alone / spread) if spread else rows
