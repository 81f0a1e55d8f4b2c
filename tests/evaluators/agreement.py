"""The correlations of the papers' tables, in a few lines."""

from collections.abc import Sequence
from itertools import combinations
from math import sqrt
from statistics import correlation


def pearson(ours: Sequence[float], theirs: Sequence[float]) -> float:
    """Pearson's r."""
    return correlation(ours, theirs)


def spearman(ours: Sequence[float], theirs: Sequence[float]) -> float:
    """Spearman's rho: Pearson's r of the ranks, equal values sharing their mean rank."""
    return correlation(_ranks(ours), _ranks(theirs))


def tau_b(ours: Sequence[float], theirs: Sequence[float]) -> float:
    """Kendall's tau-b."""
    pairs = [
        (_sign(a - b), _sign(x - y)) for (a, x), (b, y) in combinations(zip(ours, theirs, strict=True), 2)
    ]
    apart = sum(one != 0 for one, _ in pairs) * sum(other != 0 for _, other in pairs)
    return sum(one * other for one, other in pairs) / sqrt(apart)


def _ranks(values: Sequence[float]) -> list[float]:
    places: dict[float, list[int]] = {}
    for place, value in enumerate(sorted(values)):
        places.setdefault(value, []).append(place)
    return [sum(places[value]) / len(places[value]) for value in values]


def _sign(difference: float) -> int:
    return (difference > 0) - (difference < 0)
