"""How well people agree with one another: the ceiling that a judge's agreement with them is to be seen against."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import fsum, isfinite
from statistics import fmean

from agentdebate.errors import UsageError
from agentdebate.meta.agreement import Agreement, agree, resamples_of
from agentdebate.meta.arrays import Array, np
from agentdebate.meta.bootstrap import NO_INTERVAL, Bootstrap, Interval, interval
from agentdebate.meta.draws import Draws
from agentdebate.meta.judged import Judged, Judgements
from agentdebate.meta.levels import Level
from agentdebate.meta.measures import Statistic
from agentdebate.meta.rated import Ratings

PEOPLE = "people, one left out"
"""The judge of a ceiling."""

INCOMPLETE = "rows that not every annotator rated"
_FEWEST = 2


@dataclass(frozen=True)
class Ceiling:
    """Each annotator's agreement with the mean of the others, as if that one were a judge, and the mean of these."""

    mean: Agreement
    """Its value is None where any annotator's is not defined. Its counts are those of the annotator with the fewest."""
    annotators: tuple[Agreement, ...]


def ceiling(
    ratings: Ratings, statistic: Statistic, level: Level, *, bootstrap: Bootstrap | None = None
) -> Ceiling:
    """The leave-one-annotator-out ceiling under a statistic and a level.

    Only rows that every annotator rated count, and the others are counted. People's score is here the mean of one
    annotator fewer than a judge is compared with, so a judge who is as good as the best person can come out above it.
    The interval draws the same sources or systems for all annotators. Raises UsageError as `agree` does, and where
    there are fewer than two annotators.
    """
    judged = tuple(
        _judgements(ratings, number)
        for number in range(annotators([len(row.ratings) for row in ratings.rows]))
    )
    found = tuple(agree(one, statistic, level) for one in judged)
    if bootstrap is None:
        return averaged(found, NO_INTERVAL)
    drawn = [resamples_of(one, statistic, level, bootstrap) for one in judged]
    each = tuple(_with_interval(*pair, bootstrap) for pair in zip(found, drawn, strict=True))
    known = [one for one in drawn if one is not None]
    if len(known) < len(drawn) or any(one.value is None for one in found):
        return averaged(each, NO_INTERVAL)
    mean = np.mean(np.stack([values for values, _ in known]), axis=0)
    return averaged(each, interval(mean, bootstrap.confidence, known[0][1]))


def averaged(annotators: tuple[Agreement, ...], spread: Interval) -> Ceiling:
    """The ceiling that these come to, each annotator against the others, with the interval of their mean."""
    values = [one.value for one in annotators if one.value is not None]
    whole = len(values) == len(annotators)
    fewest = min(annotators, key=lambda one: (one.groups, one.n))
    mean = Agreement(
        judge=PEOPLE,
        aspect=fewest.aspect,
        statistic=fewest.statistic,
        level=fewest.level,
        value=fmean(values) if whole else None,
        n=fewest.n,
        groups=fewest.groups,
        left_out=fewest.left_out,
        missing=fewest.missing,
    )
    return Ceiling(mean.within(spread), annotators)


def annotators(sizes: Sequence[int]) -> int:
    """How many annotators there are, from how many each row has. Raises UsageError for fewer than two, or unlike rows."""
    counts = set(sizes)
    if len(counts) > 1:
        raise UsageError(
            f"rows have {min(counts)} to {max(counts)} ratings; each has to have one an annotator, None where there is none"
        )
    count = counts.pop() if counts else 0
    if count < _FEWEST:
        raise UsageError(
            f"a ceiling takes the single ratings of {_FEWEST} annotators or more, not of {count}"
        )
    return count


def _judgements(ratings: Ratings, number: int) -> Judgements:
    rows = []
    incomplete = 0
    for row in ratings.rows:
        others = [rating for place, rating in enumerate(row.ratings) if place != number]
        known = [rating for rating in others if rating is not None and isfinite(rating)]
        own = row.ratings[number]
        if own is None or not isfinite(own) or len(known) < len(others):
            incomplete += 1
        else:
            rows.append(Judged(row.id, row.source, row.system, fsum(known) / len(known), own))
    left_out = dict(ratings.left_out) | ({INCOMPLETE: incomplete} if incomplete else {})
    return Judgements(f"annotator {number + 1}", ratings.aspect, tuple(rows), left_out)


def _with_interval(one: Agreement, drawn: tuple[Array, Draws] | None, bootstrap: Bootstrap) -> Agreement:
    """The number with the interval of its resamples."""
    if one.value is None or drawn is None:
        return one
    return one.within(interval(drawn[0], bootstrap.confidence, drawn[1]))
