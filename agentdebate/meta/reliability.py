"""Agreement of people among themselves: reliability, over any number of annotators; and the human ceiling, each annotator being
taken for a judge of the others.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import zip_longest
from math import isfinite, isnan, nan
from statistics import fmean
from typing import Any

from agentdebate.errors import UsageError, nearest
from agentdebate.meta.agreement import Agreement, agree, figure_of
from agentdebate.meta.arrays import Array, inter_rater, np
from agentdebate.meta.columns import Places
from agentdebate.meta.figure import NO_INTERVAL, NO_RESAMPLES, Bootstrap, Level
from agentdebate.meta.judgements import (
    Judged,
    Judgements,
    Rated,
    Ratings,
    is_judgement,
)
from agentdebate.meta.labels import majority
from agentdebate.meta.measures import ALPHAS, alpha

AMONG = "people among themselves"
"""The judge of a reliability."""
ONE_LEFT_OUT = "people, one left out"
"""The judge of a ceiling."""

ALONE = "rows with fewer than two ratings"
OTHER_COUNT = "rows with another number of ratings than most"
_FEWEST = 2
_FEW = 11
"""Values of a scale whose ratings are taken by their ranks; those of a finer one are taken as they are."""
_AS_MANY = frozenset({"fleiss-kappa", "icc", "icc-mean"})
"""Statistics of rows with the same number of ratings."""


def usual_reliability(ratings: Ratings) -> str:
    """Krippendorff's alpha: nominal of choices; of scores ordinal, and interval where their scale, else they, have more than 11 values."""
    if ratings.labels is not None:
        return "alpha-nominal"
    known = {one for row in ratings.rows for one in row.ratings if is_judgement(one)}
    values = ratings.scale.values if ratings.scale else known
    return "alpha" if values is None or len(values) > _FEW else "alpha-ordinal"


def reliability(ratings: Ratings, statistic: str, *, bootstrap: Bootstrap = NO_RESAMPLES) -> Agreement:
    """Compute the agreement of annotators over all rows.

    Alpha, AC1 and percent agreement take rows with two ratings or more. Fleiss' kappa ("Measuring nominal scale agreement among
    many raters", 1971) and ICC take rows with the same number of ratings, the most frequent one, and the greater of two that are
    as frequent; all count what they leave out. A rating that is not a finite number counts as missing. Raises UsageError for an unknown
    statistic, and MissingExtra.
    """
    if statistic not in _STATISTICS:
        raise UsageError(f"there is no reliability {statistic!r}. {nearest(statistic, _STATISTICS)}")
    rows, left_out = _kept(ratings, same=statistic in _AS_MANY)
    table, places = _matrix(rows, ratings.labels or ()), Places.of(rows)

    def of_drawn(sources: Array) -> float:
        return _value(_STATISTICS[statistic], table[places.drawn(sources)])

    value = of_drawn(np.arange(places.sources))
    defined = not isnan(value)
    undefined = {} if defined or not rows else {"all rows: all ratings equal": len(rows)}
    found = Agreement(
        judge=AMONG,
        aspect=ratings.aspect,
        statistic=statistic,
        level="pooled",
        value=value if defined else None,
        n=len(rows),
        groups=1,
        left_out={**ratings.left_out, **left_out, **undefined},
        missing=sum(left_out.values()),
    )
    return found.within(bootstrap.interval(places.sources, of_drawn, value)) if defined else found


def _kept(ratings: Ratings, *, same: bool) -> tuple[list[Rated], dict[str, int]]:
    """The rows with several ratings, by source, without those that are missing, and why others are left out."""
    known = [replace(row, ratings=tuple(filter(is_judgement, row.ratings))) for row in ratings.rows]
    kept = [row for row in known if len(row.ratings) >= _FEWEST]
    if same:
        usual = _usual_count(kept)
        kept = [row for row in kept if len(row.ratings) == usual]
    kept.sort(key=lambda row: (row.source, row.id))
    lost = len(known) - len(kept)
    return kept, {OTHER_COUNT if same else ALONE: lost} if lost else {}


def _usual_count(rows: Sequence[Rated]) -> int:
    """The number of ratings that most rows have, the greater of two that are as frequent; 0 without rows."""
    sizes = Counter(len(row.ratings) for row in rows)
    return max(sizes, key=lambda size: (sizes[size], size), default=0)


def _matrix(rows: Sequence[Rated], labels: Sequence[str]) -> Array:
    """The ratings as numbers, labels by their places, a row a unit; NaN where a unit has fewer than others."""
    numbers = [[labels.index(one) if isinstance(one, str) else one for one in row.ratings] for row in rows]
    columns = list(zip_longest(*numbers, fillvalue=nan))
    return np.array(columns, dtype=float).reshape(len(columns), len(rows)).T


def _value(of: Callable[[Array], Any], table: Array) -> float:
    """The statistic; NaN where all ratings are the same, or there are none."""
    known = table[~np.isnan(table)]
    if not known.size or np.ptp(known) == 0:
        return nan
    with np.errstate(all="ignore"):  # one unit has no variance
        value = float(of(table))
    return value if isfinite(value) else nan


def _counts(table: Array) -> Array:
    """Count the ratings of each unit by label, u x labels."""
    labels = np.unique(table[~np.isnan(table)])
    return (table[:, :, None] == labels).sum(axis=1)


def _percent(table: Array) -> Any:
    """The share of pairs of ratings of a unit that are the same."""
    counts = _counts(table)
    size = counts.sum(axis=1)
    return (((counts**2).sum(axis=1) - size) / (size * (size - 1))).mean()


def _ac1(table: Array) -> Any:
    counts = _counts(table)
    share = (counts / counts.sum(axis=1, keepdims=True)).mean(axis=0)
    chance = (share * (1 - share)).sum() / (len(share) - 1)
    return (_percent(table) - chance) / (1 - chance)


def _icc(table: Array, *, of_mean: bool) -> Any:
    """The two-way random intraclass correlation for absolute agreement."""
    units, raters = table.shape
    of_unit, of_rater = table.mean(axis=1), table.mean(axis=0)
    between, among = raters * of_unit.var(ddof=1), units * of_rater.var(ddof=1)
    rest = ((table - of_unit[:, None] - of_rater + table.mean()) ** 2).sum() / ((units - 1) * (raters - 1))
    more = (among - rest) / units
    return (between - rest) / (between + more if of_mean else between + (raters - 1) * rest + raters * more)


_STATISTICS: Mapping[str, Callable[[Array], Any]] = {
    **{name: partial(alpha, distance=distance) for name, distance in ALPHAS.items()},
    "fleiss-kappa": lambda table: inter_rater.fleiss_kappa(_counts(table)),
    "icc": partial(_icc, of_mean=False),
    "icc-mean": partial(_icc, of_mean=True),
    "ac1": _ac1,
    "percent-agreement": _percent,
}
"""Statistics of single ratings. "alpha" is Krippendorff's with interval distances. "icc" is ICC(2,1), of one annotator,
and "icc-mean" is ICC(2,k), of the mean of all (Shrout and Fleiss 1979); "ac1" is Gwet's (2008).
"""


@dataclass(frozen=True)
class Ceiling:
    """Each annotator's agreement with the others together, as if that one were a judge, and the mean of these."""

    mean: Agreement
    """Mean of the annotators, None where one of theirs is not defined, with the counts of the one with the fewest."""
    annotators: tuple[Agreement, ...]


def ceiling(
    people: Ratings, statistic: str, level: Level = "pooled", *, bootstrap: Bootstrap = NO_RESAMPLES
) -> Ceiling:
    """The leave-one-annotator-out ceiling under a statistic and a level.

    Others' ratings together are their mean, so that of one annotator fewer than a judge is compared with: a judge who is as good
    as the best person can come out above it. Others' labels together are the most frequent one; where several are as frequent, that
    is a tie if a label says so, and the row is left out for this annotator if none does. Only rows that have as many ratings as most, and
    all of them, count: each place is an annotator. The others are counted. The interval draws the same sources or systems for all annotators.
    Raises UsageError as `agree` does, and where there are fewer than two annotators.
    """
    judged = list(_each_judged(people))
    found = tuple(agree(one, statistic, level) for one in judged)
    values = [one.value for one in found if one.value is not None]
    fewest, defined = min(found, key=lambda one: (one.groups, one.n)), len(values) == len(found)
    spread = NO_INTERVAL
    if defined:
        figures = [figure_of(one, statistic, level, lone=False) for one in judged]
        spread = bootstrap.interval(
            figures[0].columns.places.sources,
            lambda drawn: sum(one.drawn(drawn) for one in figures) / len(figures),
            fmean(values),
        )
    mean = replace(fewest, judge=ONE_LEFT_OUT, value=fmean(values) if defined else None)
    return Ceiling(mean.within(spread), found)


def _each_judged(people: Ratings) -> Iterator[Judgements]:
    """Each annotator as a judge of the others together, on the rows that all of them rated."""
    count = _usual_count(people.rows)
    if count < _FEWEST:
        raise UsageError(f"a ceiling takes the ratings of 2 annotators or more of each text, not {count}")
    complete = [
        row for row in people.rows if len(row.ratings) == count and all(map(is_judgement, row.ratings))
    ]
    lost = len(people.rows) - len(complete)
    left_out = {**people.left_out, **({OTHER_COUNT: lost} if lost else {})}
    together: Any = fmean if people.labels is None else partial(majority, tie=people.tie)
    for number in range(count):
        rows = []
        for row in complete:
            others = [*row.ratings]
            one = others.pop(number)
            rows.append(Judged(row.id, row.source, row.system, together(others), one))
        yield Judgements(f"annotator {number + 1}", people.aspect, rows, left_out, labels=people.labels)
