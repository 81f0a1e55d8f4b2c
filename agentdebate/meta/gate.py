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
FEWEST = 10
"""Debates below which nothing is decided: a few scores are equal, or far from a limit, by chance. If three of eight items have another
score than the rest, ten in a row show none of them once in a hundred times."""
_ROUNDING = 1e-9
"""Largest distance of a mean from a limit that counts as rounding."""
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
        name, at, group = self.name.partition("@")
        known = [*SHARES, *(score for row in rows for score in (*row["aspects"], *row["scores"]))]
        if name not in known:
            raise UsageError(f"there is no {name!r}. {nearest(name, known)}")
        some = [row for row in rows if not at or group in (row["group"], row["system"])]
        if not some:
            groups = [one for row in rows for one in (row["group"], row["system"]) if one]
            raise UsageError(f"there is no group or system {group!r}. {nearest(group, groups)}")
        rule = f"{self.name} {'>=' if self.least else '<='} {self.value:g}"
        bounds, sign = (self.value, self.value), 1 if self.least else -1
        if name not in SHARES:
            some = [row for row in some if row["scores"].get(name) is not None]
            values, places = (
                np.array([row["scores"][name] for row in some], dtype=float),
                _places(some, alone=bool(at)),
            )
            return _decided(rule, values, of_mean(values, places, confidence), bounds, sign=sign)
        if not 0 < self.value < 1:
            raise UsageError(f"the limit of {name} is a share above 0 and below 1, not {self.value:g}")
        values, places = (
            np.array([outcome_of(row) is SHARES[name] for row in some], dtype=float),
            _places(some, alone=bool(at)),
        )
        spread = Bootstrap(confidence=confidence).of_share(values, places)
        # Wilson's interval ends at the limit where the share is so far from it; a share of 0 counts its sources alone.
        alike = len(values) if values.any() else places.sources
        reach = stats.norm.ppf((1 + confidence) / 2) * sqrt(self.value * (1 - self.value) / alike)
        return _decided(rule, values, spread, bounds, sign=sign, reach=reach)


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
    Where a debate that had a score has none now, it does not pass.
    """
    before = {row["debate"]: row["scores"].get(name) for row in others}
    both = [row for row in rows if None not in (row["scores"].get(name), before.get(row["debate"]))]
    pairs = [(row["debate"], float(before[row["debate"]]), float(row["scores"][name])) for row in both]
    apart = np.array([now - then for _, then, now in pairs], dtype=float)
    lost = sum(before.get(row["debate"]) is not None for row in rows) - len(both)
    told = f"{name} not worse, by at most {margin:g}" + (f"; {lost} have no score now" if lost else "")
    check = _decided(told, apart, of_mean(apart, _places(both), confidence), (-margin, 0.0))
    if lost and check.decision == "pass":  # what is not judged any more may be what got worse
        check = replace(check, decision="inconclusive")
    drops = sorted((now - then, name, then, now) for name, then, now in pairs if now < then)
    return replace(check, worse=tuple(drop[1:] for drop in drops))


def _decided(
    rule: str,
    values: Array,
    spread: Interval,
    bounds: tuple[float, float],
    *,
    sign: int = 1,
    reach: float = 0,
) -> Check:
    """Decide: a pass from the first bound up, a fail below the second; downwards where the sign is -1."""
    n, more = len(values), None
    decision: Decision = "inconclusive"
    value = float(values.mean()) if n else None
    if value is not None and spread.low is not None and spread.high is not None:
        low, high = sorted((sign * spread.low, sign * spread.high))
        floor, ceiling = (sign * bound - _ROUNDING for bound in bounds)
        if n >= FEWEST:
            decision = "pass" if low >= floor else "fail" if high < ceiling else decision
        gap = max(sign * value - floor, ceiling - sign * value)
        if decision == "inconclusive" and gap > 2 * _ROUNDING:
            more = max(ceil(n * ((reach or (high - low) / 2) / gap) ** 2), FEWEST, n + 1) - n
    return Check(rule, decision, value, spread, n, more)


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
