"""The correlations of the papers' tables, in a few lines."""

from collections.abc import Sequence
from statistics import correlation


def pearson(ours: Sequence[float], theirs: Sequence[float]) -> float:
    """Pearson's r."""
    return correlation(ours, theirs)


def spearman(ours: Sequence[float], theirs: Sequence[float]) -> float:
    """Spearman's rho: Pearson's r of the ranks, equal values sharing their mean rank."""
    return correlation(_ranks(ours), _ranks(theirs))


def _ranks(values: Sequence[float]) -> list[float]:
    places: dict[float, list[int]] = {}
    for place, value in enumerate(sorted(values)):
        places.setdefault(value, []).append(place)
    return [sum(places[value]) / len(places[value]) for value in values]
