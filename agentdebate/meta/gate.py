"""Decision of a gate: whether a run's figures keep to limits, and whether its scores are worse than another run's.

A limit is kept, or broken, where the whole interval of its figure lies on one side of it; otherwise it is left open, and so many more
items would decide it. Intervals of means are Student's, with the texts of a source as one draw (Miller 2024, "Adding Error Bars to Evals",
sections 2 and 4); those of shares are Wilson's.
"""

from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from math import inf, sqrt
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
_MOST = 1_000_000
"""Items beyond which none is told: the figure is at the limit, or too near."""
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

    def check(self, rows: Sequence[Debate]) -> "Check":
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
        decided = partial(_decided, rule, sign=1 if self.least else -1, alone=bool(at))
        if name not in SHARES:
            aspect, aspects = name.partition(".")[0], {one for row in rows for one in row["aspects"]}
            some = [row for row in some if aspect in row["aspects"] or aspect not in aspects]
            return decided([(row, row["scores"].get(name)) for row in some], self.value, self.value)
        if self.least:
            raise UsageError(f"{name} are to be few: set the most of them, at_most, not at_least")
        if not 0 < self.value < 1:
            raise UsageError(f"the limit of {name} is a share above 0 and below 1, not {self.value:g}")
        held = [(row, outcome_of(row) is SHARES[name]) for row in some]
        return decided(held, self.value, self.value, share=True)


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
    without: Mapping[str, int] = field(default_factory=dict)
    """Debates without a score, of a comparison those that had one, by how they ended."""
    more: int | None = None
    """Items, beside these, that would decide it if they were like these; None where it is decided, or no number is likely to."""
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
    pairs = [
        (row, before[row["debate"]], row["scores"].get(name))
        for row in rows
        if before.get(row["debate"]) is not None
    ]
    apart = [(row, None if now is None else now - then) for row, then, now in pairs]
    check = _decided(f"{name} not worse, by at most {margin:g}", apart, -margin, 0, confidence=confidence)
    if check.without and check.decision != "fail":  # what is not judged any more may be what got worse
        check = replace(check, decision="inconclusive", more=None)
    drops = sorted(
        (now - then, row["debate"], then, now) for row, then, now in pairs if now is not None and now < then
    )
    return replace(check, worse=tuple(drop[1:] for drop in drops))


def _decided(
    rule: str,
    scored: Sequence[tuple[Debate, float | None]],
    passes: float,
    fails: float,
    *,
    sign: int = 1,
    confidence: float = CONFIDENCE,
    share: bool = False,
    alone: bool = False,
) -> Check:
    """Decide by the mean, or the share, of what debates have: a pass from the first bound up, a fail below the second; downwards where
    the sign is -1. Of a single group each item is `alone`, a source of its own.
    """
    rows = [row for row, value in scored if value is not None]
    values = np.array([value for _, value in scored if value is not None], dtype=float)
    places, tail = _places(rows, alone=alone), (1 + confidence) / 2
    spread = (
        Bootstrap(confidence=confidence).of_share(values, places) if share else _of_mean(values, places, tail)
    )
    lost = (outcome_of(row) for row, value in scored if value is None)
    without = dict(Counter(one.cell or one.noun for one in lost))
    check = Check(
        rule, "inconclusive", float(values.mean()) if rows else None, spread, len(rows), without=without
    )
    if check.value is None or spread.low is None or spread.high is None:
        return check
    low, high = sorted((sign * spread.low, sign * spread.high))
    floor, ceiling = sign * passes - _ROUNDING, sign * fails - _ROUNDING
    if len(rows) >= FEWEST and (low >= floor or high < ceiling):
        return replace(check, decision="pass" if low >= floor else "fail")
    sources, reach = float(spread.sources), (high - low) / 2
    if share:
        sources = inf if sources == len(rows) else sources
        reach = _reach_of_share(check.value, spread.low, spread.high, passes) / sqrt(1 - 1 / sources)
    larger = max(sign * check.value - floor, ceiling - sign * check.value) / reach if reach else inf
    items = len({row["id"] for row, _ in scored})
    return replace(check, more=_more(items, len(rows), partial(_student, tail, sources), larger))


def _reach_of_share(share: float, low: float, high: float, limit: float) -> float:
    """The distance from a limit at which Wilson's interval of a share ends there; `low` and `high` are the ends of the one that is known.

    Where w is the squared quantile by the number of rows, the product of its ends is share**2 / (1 + w), and that of what they lack of 1
    likewise.
    """
    apart = (share**2 + (1 - share) ** 2) / (low * high + (1 - low) * (1 - high)) - 1
    return sqrt(limit * (1 - limit) * apart)


def _more(items: int, n: int, student: Callable[[float], float], larger: float) -> int | None:
    """The fewest items beside these with which, were they like these, an interval may be so many times as large as it is."""

    def enough(many: int) -> bool:
        times = many / items
        return n * times >= FEWEST and student(times) / student(1) / sqrt(times) <= larger

    more = bisect_left(range(items + 1, _MOST), True, key=enough) + 1
    return more if items + more < _MOST else None


def _of_mean(values: Array, places: Places, tail: float) -> Interval:
    """The interval of a mean, by Student's t of the sources; none where there are fewer than two."""
    if places.sources < 2:  # noqa: PLR2004 - one has no spread
        return NO_INTERVAL
    mean = float(values.mean())
    error = sqrt((np.bincount(places.source, values - mean) ** 2).sum()) / len(values)
    reach = _student(tail, places.sources) * error
    return Interval(mean - reach, mean + reach, "", places.sources)


def _student(tail: float, sources: float, times: float = 1) -> float:
    """Student's quantile for so many times the sources, times what their spread is larger than it seems."""
    return float(stats.t.ppf(tail, sources * times - 1) / sqrt(1 - 1 / sources / times))


def _places(rows: Sequence[Debate], *, alone: bool = False) -> Places:
    names = [str((not alone and row["group"]) or f"\0{row['id']}") for row in rows]
    found, source = np.unique(np.array(names, dtype=str), return_inverse=True)
    return Places(source, np.zeros(len(names), dtype=int), len(found), 1)
