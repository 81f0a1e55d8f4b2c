"""Tests of whether a difference between two judges is real, and what difference the data could show at all."""

from collections.abc import Mapping
from math import sqrt
from statistics import NormalDist

from agentdebate.errors import UsageError
from agentdebate.extras import optional
from agentdebate.meta.arrays import EXTRA

_LEAST = 4
"""The rows from which on Williams' test has a degree of freedom."""

_ROUNDING = 1e-9
"""A correlation this near 1 is 1: one judge's scores are the other's."""


def williams(first: float, second: float, between: float, n: int) -> float | None:
    """The two-sided p of Williams' test (1959): do two correlations with the same scores differ?

    `first` and `second` are two judges' correlations with people, `between` is that of the judges with each other, over
    `n` independent rows. None where the rows are too few or the correlations leave nothing to test. It is exact for
    Pearson's r of normal scores, and usual for Spearman's rho (Graham and Baldwin 2014).
    """
    for value in (first, second, between):
        if not -1 <= value <= 1:
            raise UsageError(f"a correlation lies from -1 to 1, not at {value:g}")
    if n < _LEAST:
        return None
    determinant = 1 - first**2 - second**2 - between**2 + 2 * first * second * between
    below = 2 * determinant * (n - 1) / (n - 3) + (first + second) ** 2 / 4 * (1 - between) ** 3
    if below <= 0 or between > 1 - _ROUNDING:
        return None
    t = (first - second) * sqrt((n - 1) * (1 + between) / below)
    return float(2 * optional("scipy.stats", EXTRA).t.sf(abs(t), n - 3))


def holm(p_values: Mapping[str, float]) -> dict[str, float]:
    """The p-values adjusted for being several, by name (Holm 1979): each is to be compared with the level itself.

    The chance of any false finding among all of them stays below the level, however they depend on each other.
    """
    adjusted: dict[str, float] = {}
    largest = 0.0
    for place, (name, p) in enumerate(sorted(p_values.items(), key=lambda entry: entry[1])):
        if not 0 <= p <= 1:
            raise UsageError(f"a p-value lies from 0 to 1, not at {p:g} ({name})")
        largest = max(largest, min(1.0, (len(p_values) - place) * p))
        adjusted[name] = largest
    return {name: adjusted[name] for name in p_values}


def smallest_difference(error: float, *, confidence: float = 0.95, power: float = 0.8) -> float:
    """The smallest true difference that data with this standard error would show.

    A two-sided test at the level 1 - `confidence` finds a difference of that size with the probability `power`; smaller ones
    are missed more often. It is (z of 1 - level / 2, plus z of power) standard errors of the difference: 2.8 by default.
    """
    if not 0 < confidence < 1 or not 0 < power < 1:
        raise UsageError(f"confidence and power lie between 0 and 1, not at {confidence:g} and {power:g}")
    normal = NormalDist()
    return (normal.inv_cdf((1 + confidence) / 2) + normal.inv_cdf(power)) * error
