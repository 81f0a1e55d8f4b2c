"""Resamples of sources, and not of single rows, which share those (Deutsch, Dror and Roth 2021, "A Statistical Analysis of
Summarization Evaluation Metrics Using Resampling Methods", section 3); and the intervals they give.

An interval is bias-corrected and accelerated (Efron 1987, "Better Bootstrap Confidence Intervals"), and reaches as far as
Student's t of the number of sources does, since percentiles of few sources lie too near to each other. Shares and Cohen's kappa of
independent rows need no resamples: they have closed forms.
"""

from collections.abc import Callable
from dataclasses import dataclass
from math import sqrt
from typing import Literal

from agentdebate.errors import UsageError
from agentdebate.meta.arrays import Array, inter_rater, np, proportion, stats
from agentdebate.meta.columns import Places

Method = Literal["bootstrap", "wilson", "kappa", ""]
"""Method of an interval: from resamples, as Wilson's of a share, or by the standard error of kappa."""

_SAME = 1e-12
"""Largest difference of two resampled values that counts as rounding."""
_FEWEST = 10
"""Sources of which resamples do not reach farther than those of so many: captions say that fewer are too few."""
_LEFT_OUT = 200
"""Parts of the sources that are left out in turn, to see how skewed a statistic is."""


def drawn_rows(places: Places, sources: Array) -> Array:
    """The numbers of the rows of sources that are drawn, by their numbers."""
    if places.sources == len(places.source):
        return sources
    size = np.bincount(places.source, minlength=places.sources)[sources]
    first = np.searchsorted(places.source, sources)
    return np.arange(size.sum()) + np.repeat(first - np.cumsum(size) + size, size)


@dataclass(frozen=True, slots=True)
class Interval:
    """An interval of a figure. Its ends are None where there is none."""

    low: float | None = None
    high: float | None = None
    method: Method = ""
    """Method of the interval; empty where there is none."""
    sources: int = 0
    """Number of sources that were drawn from; where nothing is drawn, the number of rows."""
    resamples: int = 0


NO_INTERVAL = Interval()


@dataclass(frozen=True, slots=True)
class Bootstrap:
    """Settings for the draw of resamples; without resamples there are no intervals.

    The same seed and data give the same interval, and two judges of the same texts are measured on the same resamples. Raises
    UsageError for numbers that mean nothing.
    """

    resamples: int = 1000
    confidence: float = 0.95
    seed: int = 0

    def __post_init__(self) -> None:
        if self.resamples < 0 or not 0 < self.confidence < 1 or self.seed < 0:
            raise UsageError(
                f"an interval takes 1 resample or more (0 for none), a confidence between 0 and 1 (.95 is usual) and a seed of 0 or more, not {self}"
            )

    def interval(self, count: int, value: Callable[[Array], float], at: float) -> Interval:
        """The interval of a statistic of `count` sources whose value over the data is `at`; `value` is that over some by their numbers.

        There is none where fewer than half of the resamples have a value, and where they all have the same one, which says nothing.
        """
        if count < 2 or not self.resamples:  # noqa: PLR2004 - resamples of one source are all alike
            return NO_INTERVAL
        generator = np.random.default_rng(self.seed)
        found = np.array([value(generator.integers(0, count, count)) for _ in range(self.resamples)])
        sound = found[~np.isnan(found)]
        if 2 * len(sound) < len(found) or float(np.ptp(sound)) < _SAME:
            return NO_INTERVAL
        low, high = np.quantile(sound, self._shares(sound, at, _acceleration(count, value), count))
        return Interval(float(low), float(high), "bootstrap", count, self.resamples)

    def _shares(self, found: Array, at: float, acceleration: float, sources: int) -> Array:
        """The shares of resamples below the two ends."""
        least = 1 / (len(found) + 1)
        below = ((found < at - _SAME).mean() + (found <= at + _SAME).mean()) / 2
        bias = stats.norm.ppf(np.clip(below, least, 1 - least))
        sources = max(sources, _FEWEST)
        reach = sqrt(sources / (sources - 1)) * stats.t.ppf((1 + self.confidence) / 2, sources - 1)
        ends = bias + np.array([-reach, reach])
        return stats.norm.cdf(bias + ends / np.maximum(1 - acceleration * ends, least))

    def of_share(self, right: Array) -> Interval:
        """The interval of the share of independent rows that are `right`: Wilson's ("Probable inference", 1927)."""
        low, high = proportion.proportion_confint(
            right.sum(), len(right), alpha=1 - self.confidence, method="wilson"
        )
        return Interval(float(low), float(high), "wilson", len(right))

    def of_kappa(self, table: Array, weights: str | None) -> Interval:
        """The interval of Cohen's kappa of independent rows, from its standard error (Fleiss, Cohen and Everitt 1969)."""
        with np.errstate(all="ignore"):  # where nothing varies, there is no standard error
            found = inter_rater.cohens_kappa(table, wt=weights)
        error = float(found.std_kappa)
        if not error > _SAME:
            return NO_INTERVAL
        reach = float(stats.norm.ppf((1 + self.confidence) / 2)) * error
        low, high = max(found.kappa - reach, -1.0), min(found.kappa + reach, 1.0)
        return Interval(float(low), float(high), "kappa", int(table.sum()))


def _acceleration(count: int, value: Callable[[Array], float]) -> float:
    """Estimate how fast the standard error changes with the value, from the value without each of 200 parts of the sources."""
    parts = np.array_split(np.random.default_rng(0).permutation(count), min(count, _LEFT_OUT))
    found = np.array([value(np.setdiff1d(np.arange(count), part)) for part in parts])
    apart = np.nanmean(found) - found[~np.isnan(found)]
    spread = (apart**2).sum()
    return float((apart**3).sum() / (6 * spread**1.5)) if spread > _SAME**2 else 0.0
