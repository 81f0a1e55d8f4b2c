"""Resamples of sources, and not of single rows, which share those (Deutsch, Dror and Roth 2021, "A Statistical Analysis of
Summarization Evaluation Metrics Using Resampling Methods", section 3); and the intervals they give.

An interval is bias-corrected and accelerated (Efron 1987, "Better Bootstrap Confidence Intervals"), and reaches as far as
Student's t of the number of sources does, since percentiles of few sources lie too near to each other.
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
    """An interval of a figure.

    Its ends are None where fewer than half of the resamples have a value, and where they all have the same one, which says
    nothing.
    """

    low: float | None
    high: float | None
    error: float | None
    """The standard deviation over resamples, or the standard error of kappa; None for Wilson's interval."""
    resamples: int
    degenerate: int
    """Resamples in which the statistic is not defined. They have no say."""
    method: Method = ""
    """Method of the interval; empty where there is none."""
    sources: int = 0
    """Number of sources that were drawn from; where nothing is drawn, the number of sources."""


NO_INTERVAL = Interval(None, None, None, 0, 0)


@dataclass(frozen=True, slots=True)
class Bootstrap:
    """Settings for the draw of resamples.

    The same seed and data give the same interval, and two judges of the same texts are measured on the same resamples. Raises
    UsageError for numbers that mean nothing.
    """

    resamples: int = 1000
    confidence: float = 0.95
    seed: int = 0

    def __post_init__(self) -> None:
        if self.resamples < 1:
            raise UsageError(f"an interval takes at least one resample, not {self.resamples}")
        if not 0 < self.confidence < 1:
            raise UsageError(f"a confidence lies between 0 and 1, not {self.confidence:g}: .95 is usual")
        if self.seed < 0:
            raise UsageError(f"a seed is not negative: {self.seed}")

    def interval(self, count: int, value: Callable[[Array], float], at: float) -> Interval:
        """The interval of a statistic of `count` sources whose value over the data is `at`; `value` is that over some by their numbers."""
        if count < 2:  # noqa: PLR2004 - resamples of one source are all alike
            return NO_INTERVAL
        generator = np.random.default_rng(self.seed)
        found = np.array([value(generator.integers(0, count, count)) for _ in range(self.resamples)])
        sound = found[~np.isnan(found)]
        degenerate = len(found) - len(sound)
        if 2 * len(sound) < len(found) or not len(sound) or float(np.ptp(sound)) < _SAME:
            return Interval(None, None, None, len(found), degenerate)
        low, high = np.quantile(sound, self._shares(sound, at, value_of_parts(count, value), count))
        error = float(sound.std(ddof=1)) if len(sound) > 1 else None
        return Interval(float(low), float(high), error, len(found), degenerate, "bootstrap", count)

    def _shares(self, found: Array, at: float, left_out: Array, units: int) -> Array:
        """The shares of resamples below the two ends."""
        least = 1 / (len(found) + 1)
        below = ((found < at - _SAME).mean() + (found <= at + _SAME).mean()) / 2
        bias = stats.norm.ppf(np.clip(below, least, 1 - least))
        units = max(units, _FEWEST)
        reach = sqrt(units / (units - 1)) * stats.t.ppf((1 + self.confidence) / 2, units - 1)
        ends = bias + np.array([-reach, reach])
        return stats.norm.cdf(bias + ends / np.maximum(1 - _acceleration(left_out) * ends, least))


def value_of_parts(sources: int, value: Callable[[Array], float]) -> Array:
    """The value without each source, or without each of 200 parts of them."""
    parts = np.array_split(np.random.default_rng(0).permutation(sources), min(sources, _LEFT_OUT))
    found = np.array([value(np.setdiff1d(np.arange(sources), part)) for part in parts])
    return found[~np.isnan(found)]


def _acceleration(left_out: Array) -> float:
    """Estimate how fast the standard error changes with the value."""
    apart = left_out.mean() - left_out if len(left_out) else left_out
    spread = (apart**2).sum()
    return float((apart**3).sum() / (6 * spread**1.5)) if spread > _SAME**2 else 0.0


def interval_of_share(
    right: Array, source: Array, confidence: float, *, share: float | None = None
) -> Interval:
    """Wilson's interval of the share of rows that are `right`, or of a `share` that is given; none for several rows of one source.

    ("Probable inference, the law of succession, and statistical inference", 1927.) `source` has the number of each row's source.
    Rows of one source are not independent: they count as fewer, and the reach is that of Student's t.
    """
    sources = len(np.unique(source))
    if not len(right) or sources == 1 < len(right):
        return NO_INTERVAL
    value, n = float(np.mean(right)) if share is None else share, independent(right, source)
    outside = 1 - confidence
    if sources < len(right):
        outside = 2 * float(stats.norm.sf(stats.t.ppf((1 + confidence) / 2, sources - 1)))
    low, high = proportion.proportion_confint(value * n, n, alpha=outside, method="wilson")
    return Interval(max(float(low), 0.0), min(float(high), 1.0), None, 0, 0, "wilson", sources)


def independent(right: Array, source: Array) -> float:
    """Effective number of independent rows: their number over the design effect, the variance between sources over that of
    independent rows, and never more than there are. Where all or none are right, nothing varies, and a source is worth one row.
    """
    rows, share = len(right), float(np.mean(right))
    _, place, sizes = np.unique(source, return_inverse=True, return_counts=True)
    alone = rows * share * (1 - share)
    if len(sizes) == rows or not alone:
        return len(sizes)
    spread = float(((np.bincount(place, weights=right) - share * sizes) ** 2).sum())
    return rows * min(1.0, alone / spread) if spread else rows


def interval_of_kappa(table: Array, weights: str | None, confidence: float) -> Interval:
    """The interval of Cohen's kappa of independent rows, from its standard error (Fleiss, Cohen and Everitt 1969)."""
    with np.errstate(all="ignore"):  # where nothing varies, there is no standard error
        found = inter_rater.cohens_kappa(table, wt=weights)
    rows, error = int(table.sum()), float(found.std_kappa)
    if not error > _SAME:
        return NO_INTERVAL
    reach = float(stats.norm.ppf((1 + confidence) / 2)) * error
    return Interval(max(found.kappa - reach, -1.0), min(found.kappa + reach, 1.0), error, 0, 0, "kappa", rows)


@dataclass(frozen=True)
class Resampling:
    """Options for intervals."""

    resamples: int = 1000
    confidence: float = 0.95
    seed: int = 0

    @property
    def bootstrap(self) -> Bootstrap | None:
        """Settings of the bootstrap; None where no intervals are wanted. Raises UsageError."""
        if not isinstance(self.resamples, int) or self.resamples < 0:
            raise UsageError(f"resamples=... is 0 or more, not {self.resamples!r:.80}")
        return self._of(self.resamples) if self.resamples else None

    @property
    def of_differences(self) -> Bootstrap:
        """A difference that could be detected takes resamples, whether or not intervals are wanted."""
        return self.bootstrap or self._of(Bootstrap().resamples)

    def _of(self, resamples: int) -> Bootstrap:
        return Bootstrap(resamples, self.confidence, self.seed)
