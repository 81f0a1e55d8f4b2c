"""Reliability of people's own ratings: how far annotators agree with one another, over any number of them."""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from math import isfinite, isnan, nan
from typing import Any, Literal, get_args

from agentdebate.errors import UsageError, nearest
from agentdebate.meta.agreement import Agreement
from agentdebate.meta.arrays import Array, inter_rater, np
from agentdebate.meta.bootstrap import NO_INTERVAL, Bootstrap, drawn_rows
from agentdebate.meta.columns import Places
from agentdebate.meta.judgements import Rated, Ratings
from agentdebate.meta.measures import alpha

ReliabilityStatistic = Literal[
    "alpha", "alpha-ordinal", "alpha-nominal", "fleiss-kappa", "icc", "icc-mean", "ac1", "percent-agreement"
]
"""Statistics of single ratings. "alpha" is Krippendorff's with interval distances. "icc" is ICC(2,1), of one annotator,
and "icc-mean" is ICC(2,k), of the mean of all (Shrout and Fleiss 1979); "ac1" is Gwet's (2008).
"""
RELIABILITY: tuple[str, ...] = get_args(ReliabilityStatistic)

PEOPLE = "people among themselves"
"""The judge of a reliability."""
ALONE = "rows with fewer than two ratings"
OTHER_COUNT = "rows with another number of ratings than most"
ALL_EQUAL = "all rows: all ratings equal"
_FEWEST = 2
_AS_MANY = frozenset({"fleiss-kappa", "icc", "icc-mean"})
"""Statistics of rows with the same number of ratings."""


def usual_reliability(ratings: Ratings) -> str:
    """The statistic of ratings in the order of their scale: alpha over ranks of grades, and over values where some are fractions.

    Of choices it is Fleiss' kappa.
    """
    if ratings.labels:
        return "fleiss-kappa"
    known = (value for row in ratings.rows for value in _numbers(row, {}))
    return "alpha-ordinal" if all(value.is_integer() for value in map(float, known)) else "alpha"


def reliability(ratings: Ratings, statistic: str, *, bootstrap: Bootstrap | None = None) -> Agreement:
    """Compute the agreement of annotators over all rows.

    Alpha, AC1 and percent agreement take rows with two ratings or more. Fleiss' kappa ("Measuring nominal scale agreement among
    many raters", 1971) and ICC take rows with the same number of ratings, the most frequent one, and the greater of two that are
    as frequent; all count what they leave out. A rating that is not a finite number counts as missing. Raises UsageError for an unknown
    statistic, and MissingExtra.
    """
    if statistic not in RELIABILITY:
        raise UsageError(f"there is no reliability {statistic!r}. {nearest(statistic, RELIABILITY)}")
    rows, left_out = _kept(ratings, same=statistic in _AS_MANY)
    table, of = _matrix(rows), _STATISTICS[statistic]
    value = _value(of, table)
    spread = NO_INTERVAL
    if bootstrap is not None and not isnan(value):
        places = Places.of(rows)
        spread = bootstrap.interval(
            places.sources, lambda sources: _value(of, table[drawn_rows(places, sources)]), value
        )
    undefined = {ALL_EQUAL: len(rows)} if isnan(value) and rows else {}
    return Agreement(
        judge=PEOPLE,
        aspect=ratings.aspect,
        statistic=statistic,
        level="pooled",
        value=None if isnan(value) else value,
        n=len(rows),
        groups=1,
        left_out={**ratings.left_out, **left_out, **undefined},
        missing=sum(left_out.values()),
    ).within(spread)


def _value(of: Callable[[Array], Any], table: Array) -> float:
    """The statistic; NaN where all ratings are the same, or there are none."""
    known = table[~np.isnan(table)]
    if not known.size or known.min() == known.max():
        return nan
    value = float(of(table))
    return value if isfinite(value) else nan


def _counts(table: Array) -> Array:
    """Count the ratings of each unit by label, u x labels."""
    labels = np.unique(table[~np.isnan(table)])
    return (table[:, :, None] == labels).sum(axis=1)


def _fleiss(table: Array) -> float:
    return float(inter_rater.fleiss_kappa(_counts(table)))


def _percent(table: Array) -> float:
    """The share of pairs of ratings of a unit that are the same."""
    counts = _counts(table)
    size = counts.sum(axis=1)
    return float((((counts**2).sum(axis=1) - size) / (size * (size - 1))).mean())


def _ac1(table: Array) -> float:
    counts = _counts(table)
    share = (counts / counts.sum(axis=1, keepdims=True)).mean(axis=0)
    chance = (share * (1 - share)).sum() / (len(share) - 1)
    return float((_percent(table) - chance) / (1 - chance))


def _icc(table: Array, *, of_mean: bool) -> float:
    """The two-way random intraclass correlation for absolute agreement."""
    units, raters = table.shape
    if units < _FEWEST:
        return nan
    grand, of_unit, of_rater = table.mean(), table.mean(axis=1), table.mean(axis=0)
    between = raters * ((of_unit - grand) ** 2).sum() / (units - 1)
    among = units * ((of_rater - grand) ** 2).sum() / (raters - 1)
    rest = ((table - of_unit[:, None] - of_rater + grand) ** 2).sum() / ((units - 1) * (raters - 1))
    more = (among - rest) / units
    below = between + more if of_mean else between + (raters - 1) * rest + raters * more
    return float((between - rest) / below) if below else nan


_STATISTICS: Mapping[str, Callable[[Array], float]] = {
    "alpha": partial(alpha, distance="interval"),
    "alpha-ordinal": partial(alpha, distance="ordinal"),
    "alpha-nominal": partial(alpha, distance="nominal"),
    "fleiss-kappa": _fleiss,
    "icc": partial(_icc, of_mean=False),
    "icc-mean": partial(_icc, of_mean=True),
    "ac1": _ac1,
    "percent-agreement": _percent,
}


def _kept(ratings: Ratings, *, same: bool) -> tuple[list[Rated], dict[str, int]]:
    """The rows with several ratings, labels as numbers in their order, and why others are left out."""
    number = {label: float(place) for place, label in enumerate(ratings.labels)}
    known = [replace(row, ratings=tuple(_numbers(row, number))) for row in ratings.rows]
    several = [row for row in known if len(row.ratings) >= _FEWEST]
    sizes = Counter(len(row.ratings) for row in several)
    usual = max(sizes, key=lambda size: (sizes[size], size), default=0)
    kept = [row for row in several if not same or len(row.ratings) == usual]
    counts = {ALONE: len(known) - len(several), OTHER_COUNT: len(several) - len(kept)}
    kept.sort(key=lambda row: ((row.source, "") if row.source else ("", row.id), row.system, row.id))
    return kept, {reason: count for reason, count in counts.items() if count}


def _numbers(row: Rated, number: Mapping[str, float]) -> Iterator[float]:
    for rating in row.ratings:
        value = number[rating] if isinstance(rating, str) else rating
        if value is not None and isfinite(value):
            yield value


def _matrix(rows: Sequence[Rated]) -> Array:
    widest = max((len(row.ratings) for row in rows), default=0)
    padded = [[*row.ratings, *[np.nan] * (widest - len(row.ratings))] for row in rows]
    return np.array(padded, dtype=float).reshape(len(rows), widest)
