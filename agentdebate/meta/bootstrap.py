"""Bootstrap intervals that draw sources, systems or both, and not single rows, which share those (Deutsch, Dror and
Roth 2021, "A Statistical Analysis of Summarization Evaluation Metrics Using Resampling Methods", section 3).
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal, get_args

from agentdebate.errors import UsageError, nearest
from agentdebate.meta.arrays import Array, np
from agentdebate.meta.draws import Draws
from agentdebate.meta.places import Places

Units = Literal["sources", "systems", "both"]
"""What is drawn with replacement: sources with all their texts, systems with all of theirs, or each independently."""

Method = Literal["bootstrap", "wilson", ""]
"""How an interval was found: from resamples, or as Wilson's of a share."""

_SAME = 1e-12
"""Values of resamples that are no farther apart than this are the same: that is rounding."""


@dataclass(frozen=True, slots=True)
class Bootstrap:
    """How an interval is found: the percentiles of a statistic over resamples.

    Sources say how much a figure hangs on the texts that were judged, systems on what wrote them. The same seed, units
    and data give the same interval, and two judges of the same texts are measured on the same resamples. Raises
    UsageError for numbers that mean nothing.
    """

    resamples: int = 1000
    over: Units = "sources"
    confidence: float = 0.95
    seed: int = 0

    def __post_init__(self) -> None:
        if self.resamples < 1:
            raise UsageError(f"an interval takes at least one resample, not {self.resamples}")
        if self.over not in get_args(Units):
            raise UsageError(f"{self.over!r} cannot be resampled. {nearest(self.over, get_args(Units))}")
        if not 0 < self.confidence < 1:
            raise UsageError(f"a confidence lies between 0 and 1, not {self.confidence:g}: .95 is usual")
        if self.seed < 0:
            raise UsageError(f"a seed is not negative: {self.seed}")

    def draw(self, places: Places) -> Draws:
        """The resamples of the sources and systems that rows belong to."""
        return Draws(
            self.resamples,
            self.seed,
            places.sources if self.over != "systems" else 0,
            places.systems if self.over != "sources" else 0,
        )

    def can_vary(self, places: Places) -> bool:
        """Whether there is more than one unit of each kind that is drawn, without which resamples are all alike."""
        drawn = {
            "sources": (places.sources,),
            "systems": (places.systems,),
            "both": (places.sources, places.systems),
        }
        return min(drawn[self.over]) > 1

    def spread(self, places: Places, many: Callable[[Array], Array]) -> "Interval":
        """The interval of a statistic that is computed from the weights of rows, b x n, for b resamples at once."""
        if not self.can_vary(places):
            return NO_INTERVAL
        draws = self.draw(places)
        found = draws.values(len(places.source), lambda drawn: many(drawn.of_rows(places)))
        return interval(found, self.confidence, draws)


@dataclass(frozen=True, slots=True)
class Interval:
    """The percentiles of a statistic over resamples, or Wilson's interval of a share.

    None where fewer than half of the resamples have a value, and where they all have the same one, which says nothing.
    """

    low: float | None
    high: float | None
    error: float | None
    """The standard deviation over resamples: the statistic's standard error; None for Wilson's interval."""
    resamples: int
    degenerate: int
    """Resamples in which the statistic is not defined. They have no say."""
    method: Method = ""
    """How it was found; empty where there is none."""
    sources: int = 0
    """How many sources were drawn from; of Wilson's interval, how many there are."""
    systems: int = 0
    """How many systems were drawn from."""


NO_INTERVAL = Interval(None, None, None, 0, 0)


def interval(values: Array, confidence: float, draws: Draws) -> Interval:
    """The percentile interval of the values of resamples (NaN where there is none), which were drawn so."""
    sound = values[~np.isnan(values)]
    degenerate = len(values) - len(sound)
    if 2 * len(sound) < len(values) or not len(sound) or float(np.ptp(sound)) < _SAME:
        return Interval(None, None, None, len(values), degenerate)
    tail = (1 - confidence) / 2
    low, high = np.quantile(sound, (tail, 1 - tail))
    return Interval(
        float(low),
        float(high),
        float(sound.std(ddof=1)),
        len(values),
        degenerate,
        method="bootstrap",
        sources=draws.drawn_sources,
        systems=draws.drawn_systems,
    )
