"""Decision of a gate: whether a run's figures keep to limits, and whether its scores are worse than another run's.

A limit is kept, or broken, where the whole interval of its figure lies on one side of it; otherwise it is left open, and so many more
items would decide it. Intervals of means are Student's, with the texts of a source as one draw (Miller 2024, "Adding Error Bars to Evals",
sections 2 and 4); those of shares are Wilson's.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from math import ceil, sqrt
from typing import Any, Literal

from agentdebate.debates.outcome import ABSTAINED, FAILURE, outcome_of
from agentdebate.errors import UsageError, nearest
from agentdebate.meta.arrays import Array, np, stats
from agentdebate.meta.columns import Places
from agentdebate.meta.figure import NO_INTERVAL, Bootstrap, Interval

Decision = Literal["pass", "fail", "inconclusive"]
CONFIDENCE = 0.98
"""Confidence of the two-sided intervals: one check in a hundred fails, or passes, by chance."""
SHARES = {"failures": FAILURE, "abstentions": ABSTAINED}
"""Figures that are shares of the debates, 0 to 1."""

Debate = Mapping[str, Any]
"""A record, as Record.row() gives it."""


@dataclass(frozen=True)
class Limit:
    """A limit of a figure: the mean of a score, or a share of debates."""

    name: str
    """An aspect, "failures" or "abstentions"; NAME@GROUP takes the items of a group, or of a system, alone."""
    value: float
    least: bool
    """True if the figure may not be lower, else it may not be higher."""

    def check(self, rows: Sequence[Debate], confidence: float = CONFIDENCE) -> "Check":
        """Check the limit on the debates of a run. Raises UsageError for an unknown name."""
        name, _, group = self.name.partition("@")
        some = [row for row in rows if not group or group in (row["group"], row["system"])]
        known = [*SHARES, *dict.fromkeys(score for row in rows for score in row["aspects"])]
        known += [
            score
            for score in dict.fromkeys(key for row in rows for key in row["scores"])
            if score not in known
        ]
        if name not in known or not some:
            groups = sorted({one for row in rows for one in (row["group"], row["system"]) if one})
            raise UsageError(
                f"there is no {self.name!r}. {nearest(group, groups) if name in known else nearest(name, known)}"
            )
        told = f"{self.name} {'>=' if self.least else '<='} {self.value:g}"
        if name in SHARES:
            wrong = np.array([outcome_of(row) is SHARES[name] for row in some], dtype=float)
            spread = Bootstrap(confidence=confidence).of_share(wrong, _places(some, alone=bool(group)))
            reach = stats.norm.ppf((1 + confidence) / 2) * sqrt(max(self.value * (1 - self.value), 0))
            return self._decided(told, wrong, spread, reach / sqrt(len(wrong)))
        scored = [row for row in some if row["scores"].get(name) is not None]
        values = np.array([row["scores"][name] for row in scored], dtype=float)
        spread = of_mean(values, _places(scored, alone=bool(group)), confidence)
        return self._decided(told, values, spread)

    def _decided(self, told: str, values: Array, spread: Interval, reach: float | None = None) -> "Check":
        return _decided(
            told, values, spread, (self.value, self.value), sign=1 if self.least else -1, reach=reach
        )


@dataclass(frozen=True)
class Check:
    """One check of a gate, and what came of it."""

    rule: str
    decision: Decision
    value: float | None
    """The figure; of a comparison the mean of the run's score less the other's. None where nothing was scored."""
    spread: Interval
    n: int
    """Debates that the figure is of; of a comparison those that both runs scored."""
    more: int | None = None
    """Items, beside these, that would decide it if they were like these; None where it is decided, or cannot be told."""
    worse: tuple[tuple[str, float, float], ...] = ()
    """Debates whose score went down, with the scores before and now, the largest drops first."""


def not_worse(
    name: str, rows: Sequence[Debate], others: Sequence[Debate], margin: float, confidence: float = CONFIDENCE
) -> Check:
    """Check that a score is not lower than in another run, by the differences debate by debate.

    It passes where the mean cannot have gone down by more than `margin`, in points of the scale, and fails where it went down for sure.
    """
    before = {row["debate"]: row["scores"].get(name) for row in others}
    both = [row for row in rows if None not in (row["scores"].get(name), before.get(row["debate"]))]
    pairs = [(str(row["debate"]), float(before[row["debate"]]), float(row["scores"][name])) for row in both]
    told = f"{name} not worse, by at most {margin:g}"
    apart = np.array([now - then for _, then, now in pairs], dtype=float)
    spread = of_mean(apart, _places(both), confidence)
    worse = tuple(
        sorted((one for one in pairs if one[2] < one[1]), key=lambda one: (one[2] - one[1], one[0]))
    )
    return replace(_decided(told, apart, spread, (-margin, 0.0)), worse=worse)


def _decided(
    told: str,
    values: Array,
    spread: Interval,
    bounds: tuple[float, float],
    *,
    sign: int = 1,
    reach: float | None = None,
) -> Check:
    """Decide: a pass from the first bound up, a fail below the second; downwards where the sign is -1."""
    value = float(values.mean()) if len(values) else None
    if value is None or spread.low is None or spread.high is None:
        return Check(told, "inconclusive", value, spread, len(values))
    low, high = sorted((sign * spread.low, sign * spread.high))
    floor, ceiling = (sign * one for one in bounds)
    decision: Decision = "pass" if low >= floor else "fail" if high < ceiling else "inconclusive"
    gap, reach = max(sign * value - floor, ceiling - sign * value), reach or (high - low) / 2
    more = max(ceil(len(values) * (reach / gap) ** 2) - len(values), 1) if gap > 0 else None
    return Check(told, decision, value, spread, len(values), more if decision == "inconclusive" else None)


def of_mean(values: Array, places: Places, confidence: float) -> Interval:
    """The interval of a mean, by Student's t of the sources; none where there are fewer than two."""
    count, sources = len(values), places.sources
    if sources < 2:  # noqa: PLR2004 - one has no spread
        return NO_INTERVAL
    mean = values.mean()
    apart = np.bincount(places.source, values - mean)
    error = sqrt((apart**2).sum() * sources / (sources - 1)) / count
    reach = stats.t.ppf((1 + confidence) / 2, sources - 1) * error
    return Interval(float(mean - reach), float(mean + reach), "", sources)


def _places(rows: Sequence[Debate], *, alone: bool = False) -> Places:
    """The sources of debates; of a single group each item is `alone`."""
    names = [str((not alone and row["group"]) or f"\0{row['id']}") for row in rows]
    found, source = np.unique(np.array(names, dtype=str), return_inverse=True)
    return Places(source, np.zeros(len(names), dtype=int), len(found), 1)
