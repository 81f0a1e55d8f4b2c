"""The paired permutation test: what if, for all texts of a source, each judge's scores were the other's? (Deutsch, Dror
and Roth 2021, "A Statistical Analysis of Summarization Evaluation Metrics Using Resampling Methods", PERM-INPUTS.)
"""

from dataclasses import replace

from agentdebate.meta.arrays import Array, np
from agentdebate.meta.columns import Columns
from agentdebate.meta.correlations import midranks
from agentdebate.meta.levels import Level, groups, point
from agentdebate.meta.measures import CORRELATIONS, RANKED, Statistic, measure
from agentdebate.meta.pair_accuracy import calibrated

_ROUNDING = 1e-12
"""Differences less than this apart are the same difference, summed in another order."""


def permuted(
    first: Columns, second: Columns, statistic: Statistic, level: Level, *, permutations: int, seed: int
) -> float | None:
    """The two-sided p of two judges of the same rows: the share of swaps with a difference at least as large.

    The difference as it is counts as one of the swaps, so p is never 0. None where there are no permutations, where
    there is but one source, and for pooled pairwise accuracy, whose epsilon would have to be found anew each time.
    """
    pooled_pairs = statistic == "pairwise-accuracy" and level == "pooled"
    if not permutations or pooled_pairs or first.places.sources < 2:  # noqa: PLR2004 - two can be swapped apart
        return None
    generator = np.random.default_rng(seed)
    swaps = generator.integers(0, 2, size=(permutations, first.places.sources)).astype(bool)
    if level == "group":
        return _within_sources(first, second, statistic, swaps)
    return _across_sources(first, second, statistic, level, swaps)


def _within_sources(first: Columns, second: Columns, statistic: Statistic, swaps: Array) -> float:
    """A mean over sources: to swap a source's scores is to turn its difference around."""
    apart = _values(first, statistic) - _values(second, statistic)
    found = np.where(swaps, -apart, apart).mean(axis=1)
    return share(found, float(apart.mean()))


def _values(table: Columns, statistic: Statistic) -> Array:
    epsilon = calibrated(groups(table, "group")) if statistic == "pairwise-accuracy" else 0.0
    asked = measure(statistic, epsilon)
    return np.array([asked.of(human, score) for human, score in groups(table, "group")])


def _across_sources(
    first: Columns, second: Columns, statistic: Statistic, level: Level, swaps: Array
) -> float:
    ours, theirs = (_comparable(table.score, statistic, level) for table in (first, second))

    def difference(one: Array, other: Array) -> float:
        return _value(first, one, statistic, level) - _value(first, other, statistic, level)

    found = np.empty(len(swaps))
    for number, swap in enumerate(swaps):
        turned = swap[first.places.source]
        found[number] = difference(np.where(turned, theirs, ours), np.where(turned, ours, theirs))
    return share(found, difference(ours, theirs))


def _value(table: Columns, score: Array, statistic: Statistic, level: Level) -> float:
    scored = replace(table, score=score)
    epsilon = calibrated(groups(scored, level)) if statistic == "pairwise-accuracy" else 0.0
    return point(scored, measure(statistic, epsilon), level).value


def _comparable(score: Array, statistic: Statistic, level: Level) -> Array:
    """The scores on a scale that does not tell one judge from the other."""
    if level == "pooled" and statistic in RANKED:
        return midranks(score, np.ones((1, len(score))))[0]
    if statistic in RANKED or statistic in CORRELATIONS:
        return (score - score.mean()) / (score.std() or 1)
    return score


def share(found: Array, observed: float) -> float:
    """The two-sided p: the share of swaps with a difference at least as large as the observed one, which is one of them."""
    # What is not defined after a swap counts against a difference.
    extreme = np.isnan(found) | (np.abs(found) >= abs(observed) - _ROUNDING)
    return float((1 + extreme.sum()) / (1 + len(found)))
