"""A figure: one statistic at one level, over all texts, within each source or over systems; and its interval.

Intervals come from resamples of sources, and not of single rows, which share those (Deutsch, Dror and Roth 2021, "A Statistical Analysis of
Summarization Evaluation Metrics Using Resampling Methods", section 3). They are bias-corrected and accelerated (Efron 1987, "Better
Bootstrap Confidence Intervals"), and reach as far as Student's t of the number of sources does, since percentiles of few sources lie
too near to each other. Shares and Cohen's kappa need no resamples: they have closed forms.
"""

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from math import floor, log10, nan, sqrt
from typing import Literal, get_args

from agentdebate.errors import UsageError, nearest
from agentdebate.meta.arrays import Array, np, proportion, stats
from agentdebate.meta.columns import Columns, Places
from agentdebate.meta.measures import PAIRWISE, Measure, calibrated, crossed

Level = Literal["pooled", "group", "system"]
"""One value over all rows; the mean of one value a source; or one value over the means of the systems."""

LEVELS: tuple[str, ...] = get_args(Level)
_DECIMALS = 6
Method = Literal["bootstrap", "wilson", "kappa", ""]
"""Method of an interval: from resamples, as Wilson's of a share, or as that less chance."""

_SAME = 1e-12
"""Largest difference of two resampled values that counts as rounding."""
_FEWEST = 10
"""Sources of which resamples do not reach farther than those of so many: captions say that fewer are too few."""
_LEFT_OUT = 200
"""Parts of the sources that are left out in turn, to see how skewed a statistic is."""


@dataclass(frozen=True, slots=True)
class Interval:
    """An interval of a figure. Its ends are None where there is none."""

    low: float | None = None
    high: float | None = None
    method: Method = ""
    """Method of the interval; empty where there is none."""
    sources: int = 0
    """Number of sources, of which rows without a name are one each."""
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
            raise UsageError(f"resamples and seed are 0 or more, a confidence is between 0 and 1, not {self}")

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

    def of_share(self, right: Array, places: Places, chance: float = 0.0) -> Interval:
        """The interval of the share of rows that are `right`, less agreement by `chance`: Wilson's ("Probable inference", 1927).

        Rows that share sources count as so many as would vary as much if they shared none, by Student's t of the sources (Korn and
        Graubard 1998, "Confidence intervals for proportions with small expected number of positive counts"); where all are right, or
        all wrong, as so many as there are sources.
        """
        share, count, sources = float(right.mean()), float(len(right)), places.sources
        if not self.resamples or (sources == 1 < count) or chance > 1 - _SAME:
            return NO_INTERVAL
        if sources < count:
            apart, alone = np.bincount(places.source, right - share), share * (1 - share)
            spread = (apart**2).sum() / count**2 * sources / (sources - 1)
            count = alone / max(spread, alone / count) if alone else float(sources)
            tail = (1 + self.confidence) / 2
            count *= (stats.norm.ppf(tail) / stats.t.ppf(tail, sources - 1)) ** 2
        ends = proportion.proportion_confint(share * count, count, alpha=1 - self.confidence, method="wilson")
        low, high = (float((end - chance) / (1 - chance)) for end in ends)
        return Interval(low, high, "kappa" if chance else "wilson", sources)


NO_RESAMPLES = Bootstrap(resamples=0)
"""No intervals."""


def _acceleration(count: int, value: Callable[[Array], float]) -> float:
    """Estimate how fast the standard error changes with the value, from the value without each of 200 parts of the sources."""
    parts = np.array_split(np.random.default_rng(0).permutation(count), min(count, _LEFT_OUT))
    found = np.array([value(np.delete(np.arange(count), part)) for part in parts])
    apart = np.nanmean(found) - found[~np.isnan(found)]
    spread = (apart**2).sum()
    return float((apart**3).sum() / (6 * spread**1.5)) if spread > _SAME**2 else 0.0


@dataclass(frozen=True)
class Figure:
    """One statistic of people's and a judge's scores at one level: its value, and that over sources that are drawn.

    Pairwise accuracy is taken with the epsilon that it is largest at. Raises UsageError for an unknown level.
    """

    columns: Columns
    statistic: str
    level: Level

    def __post_init__(self) -> None:
        if self.level not in LEVELS:
            raise UsageError(f"there is no level {self.level!r}. {nearest(self.level, LEVELS)}")

    @cached_property
    def measure(self) -> Measure:
        """The statistic."""
        epsilon = calibrated(self.compared) if self.statistic == PAIRWISE else 0.0
        return Measure(self.statistic, epsilon)

    @cached_property
    def compared(self) -> list[tuple[Array, Array]]:
        """People's scores and the judge's that are compared with one another: of each source, of the systems, or all."""
        human, score = self.columns.human, self.columns.score
        if self.level == "group":
            return [(human[rows], score[rows]) for rows in self.columns.groups()]
        return [self._means(np.arange(len(human))) if self.level == "system" else (human, score)]

    @cached_property
    def values(self) -> Array:
        """The value within each source, or the one over all; NaN where it is not defined."""
        return np.array([self.measure.of(*pair) for pair in self.compared], dtype=float)

    @property
    def value(self) -> float:
        """The value over the data; NaN where it is not defined."""
        return known_mean(self.values)

    @property
    def groups(self) -> int:
        """Sources that the value is the mean over, or systems; 1 where all rows are pooled."""
        if self.level == "group":
            return int((~np.isnan(self.values)).sum())
        return self.columns.places.systems if self.level == "system" else 1

    @property
    def n(self) -> int:
        """Rows that the value is computed from."""
        if self.level != "group":
            return len(self.columns)
        return int((~np.isnan(self.values))[self.columns.places.source].sum())

    @property
    def left_out(self) -> dict[str, int]:
        """Counts of sources, systems or rows that the statistic is not defined for, by reason."""
        reasons = Counter(self.measure.undefined(*pair) for pair in self.compared)
        if self.level == "group":
            return {f"groups with {reason}": count for reason, count in reasons.items() if reason}
        of = "systems" if self.level == "system" else "rows"
        return {
            f"all {of}: {reason.replace('rows', of)}": len(self.compared[0][0])
            for reason in reasons
            if reason
        }

    @cached_property
    def drawn(self) -> Callable[[Array], float]:
        """The value over sources that are drawn, by their numbers; copies of a source are sources."""
        if self.level == "group":
            return lambda sources: known_mean(self.values[sources])
        places = self.columns.places
        if self.level == "system":
            return lambda sources: self.measure.of(*self._means(places.drawn(sources)))
        value = self.measure.drawn(self.columns.human, self.columns.score)
        return lambda sources: value(places.drawn(sources))

    def interval(self, bootstrap: Bootstrap) -> Interval:
        """The interval: of a share or of kappa in closed form, and else of resamples."""
        human, score, places = self.columns.human, self.columns.score, self.columns.places
        if self.statistic == "accuracy":
            return bootstrap.of_share(human == score, places)
        if self.statistic == "kappa":
            table = crossed(human, score)
            chance = table.sum(axis=0) @ table.sum(axis=1) / table.sum() ** 2
            return bootstrap.of_share(human == score, places, chance)
        return bootstrap.interval(places.sources, self.drawn, self.value)

    def _means(self, rows: Array) -> tuple[Array, Array]:
        """People's and the judge's mean score of each system that has rows among these, rounded.

        Means that are equal can differ in their last digits by the order of their sums, which would rank them. They are
        rounded to six decimals; to more where all scores are under a hundredth, so that none is too small.
        """
        system = self.columns.places.system[rows]
        count = np.bincount(system)
        there = count > 0

        def rounded(scores: Array) -> Array:
            total, largest = np.bincount(system, weights=scores[rows]), np.abs(scores).max(initial=0.0)
            return np.round(total[there] / count[there], max(_DECIMALS, 4 - floor(log10(largest or 1))))

        return rounded(self.columns.human), rounded(self.columns.score)


def known_mean(values: Array) -> float:
    """The mean of the values that are defined; NaN where none is."""
    known = values[~np.isnan(values)]
    return float(known.mean()) if len(known) else nan
