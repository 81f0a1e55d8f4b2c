"""How far people's own ratings can be relied on: Krippendorff's alpha and Fleiss' kappa over any number of annotators."""

from collections import Counter
from collections.abc import Mapping, Sequence
from functools import partial
from math import isfinite, isnan
from typing import Literal, get_args

from agentdebate.errors import UsageError, nearest
from agentdebate.meta.agreement import Agreement
from agentdebate.meta.arrays import Array, np
from agentdebate.meta.bootstrap import NO_INTERVAL, Bootstrap
from agentdebate.meta.krippendorff import Measure, alpha
from agentdebate.meta.places import places
from agentdebate.meta.rated import Rated, Ratings

ReliabilityStatistic = Literal["alpha", "alpha-ordinal", "alpha-nominal", "fleiss-kappa"]
"""What can be asked of single ratings. "alpha" is Krippendorff's with interval distances."""

PEOPLE = "people among themselves"
"""The judge of a reliability."""

ALONE = "rows with fewer than two ratings"
OTHER_COUNT = "rows with another number of ratings than most"
ALL_EQUAL = "all rows: all ratings equal"
_FEWEST = 2


def reliability(
    ratings: Ratings, statistic: ReliabilityStatistic, *, bootstrap: Bootstrap | None = None
) -> Agreement:
    """How well annotators agree beyond chance, over all rows.

    Alpha takes rows with two ratings or more. Fleiss' kappa ("Measuring nominal scale agreement among many raters", 1971)
    takes rows with the same number of ratings, the most frequent one, and the greater of two that are as frequent; both count what they leave out. A rating that is
    no finite number is none. Raises UsageError for an unknown statistic, and MissingExtra.
    """
    if statistic not in get_args(ReliabilityStatistic):
        raise UsageError(
            f"there is no reliability {statistic!r}. {nearest(statistic, get_args(ReliabilityStatistic))}"
        )
    rows, left_out = _kept(ratings.rows, same=statistic == "fleiss-kappa")
    table = _matrix(rows)
    value = float(_many(statistic, table, np.ones((1, len(rows))))[0])
    spread = NO_INTERVAL
    if bootstrap is not None and not isnan(value):
        spread = bootstrap.spread(places(rows), partial(_many, statistic, table))
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


def fleiss_kappa(table: Array, w: Array) -> Array:
    """Fleiss' kappa of many resamples: b values, NaN where all ratings are the same.

    `table` has a row a unit and a column a rating, u x r with none missing; `w` says how often each unit was drawn, b x u.
    """
    raters = table.shape[1]
    labels, place = np.unique(table, return_inverse=True)
    counts = np.eye(len(labels))[place.reshape(table.shape)].sum(axis=1)
    alike = ((counts**2).sum(axis=1) - raters) / (raters * (raters - 1))
    total = np.maximum(w.sum(axis=1), 1)
    chance = (((w @ counts) / (total * raters)[:, None]) ** 2).sum(axis=1)
    sound = (w.sum(axis=1) > 0) & ((w @ (counts > 0) > 0).sum(axis=1) > 1)
    return np.where(sound, (w @ alike / total) - chance, np.nan) / np.where(sound, 1 - chance, 1)


def _many(statistic: str, table: Array, w: Array) -> Array:
    if not len(table):
        return np.full(len(w), np.nan)
    if statistic == "fleiss-kappa":
        return fleiss_kappa(table, w)
    return alpha(table, w, _DISTANCES[statistic])


def _kept(rows: Sequence[Rated], *, same: bool) -> tuple[list[Rated], dict[str, int]]:
    known = [Rated(row.id, row.source, row.system, _known(row)) for row in rows]
    several = [row for row in known if len(row.ratings) >= _FEWEST]
    sizes = Counter(len(row.ratings) for row in several)
    usual = max(sizes, key=lambda size: (sizes[size], size), default=0)
    kept = [row for row in several if not same or len(row.ratings) == usual]
    counts = {ALONE: len(known) - len(several), OTHER_COUNT: len(several) - len(kept)}
    return sorted(kept, key=lambda row: (row.source, row.system, row.id)), {
        reason: count for reason, count in counts.items() if count
    }


def _known(row: Rated) -> tuple[float, ...]:
    return tuple(rating for rating in row.ratings if rating is not None and isfinite(rating))


def _matrix(rows: Sequence[Rated]) -> Array:
    widest = max((len(row.ratings) for row in rows), default=0)
    return np.array([[*row.ratings, *[np.nan] * (widest - len(row.ratings))] for row in rows], dtype=float)


_DISTANCES: Mapping[str, Measure] = {
    "alpha": "interval",
    "alpha-ordinal": "ordinal",
    "alpha-nominal": "nominal",
}
