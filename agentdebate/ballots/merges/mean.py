"""The mean of scores, within them."""

from collections.abc import Sequence
from statistics import fmean


def mean(scores: Sequence[float], weights: Sequence[float] | None = None) -> float:
    """The mean, kept within the scores: the rounding of floats can lead a hair's breadth out of them.

    Weights are finite, not negative, and not all zero.
    """
    return min(max(fmean(scores, weights), min(scores)), max(scores))
