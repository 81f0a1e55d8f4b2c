"""The human ceiling: how well people agree with one another, each annotator being taken for a judge of the others."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from math import fsum, isfinite
from statistics import fmean

from agentdebate.errors import UsageError
from agentdebate.meta.agreement import Agreement, agree, value_over_draws
from agentdebate.meta.arrays import np
from agentdebate.meta.bootstrap import NO_INTERVAL, Bootstrap, Drawn, Interval, interval_of_share
from agentdebate.meta.columns import NO_HUMAN_CHOICE, Columns, columns
from agentdebate.meta.judgements import (
    Choices,
    Chosen,
    Entry,
    Judged,
    Judgements,
    Rated,
    Ratings,
    Voted,
    Votes,
    is_score,
    label_of,
    labels_of,
)
from agentdebate.meta.levels import Level
from agentdebate.meta.measures import OF_SCORES

PEOPLE = "people, one left out"
"""The judge of a ceiling."""

INCOMPLETE = "rows that not every annotator rated"
SPLIT = "rows on which the other annotators are split"
"""Why a row says nothing of an annotator, where no label stands for a tie."""
_FEWEST = 2


@dataclass(frozen=True)
class Ceiling:
    """Each annotator's agreement with the others together, as if that one were a judge, and the mean of these."""

    mean: Agreement
    """Its value is None where any annotator's is not defined. Its counts are those of the annotator with the fewest."""
    annotators: tuple[Agreement, ...]


def ceiling(
    people: Ratings | Votes, statistic: str, level: Level = "pooled", *, bootstrap: Bootstrap | None = None
) -> Ceiling:
    """The leave-one-annotator-out ceiling under a statistic and a level.

    Others' ratings together are their mean, so that of one annotator fewer than a judge is compared with: a judge who is as good
    as the best person can come out above it. Others' votes together are for what most are for; where several labels have as
    much, that is a tie if a label says so, and the row is left out for this annotator if none does. Only rows that every annotator
    rated count, and the others are counted. The interval draws the same sources or systems for all annotators. Raises UsageError
    as `agree` does, and where there are fewer than two annotators.
    """
    if isinstance(people, Ratings) and statistic not in OF_SCORES:
        people = as_votes(people)
    judged = _each_judged(people)
    found = tuple(_agreed(one, statistic, level) for one in judged)
    if bootstrap is None:
        return _averaged(found, NO_INTERVAL)
    tables = [columns(one, lone=False) for one in judged]
    if any(one.value is None for one in found):
        return _averaged(found, NO_INTERVAL)
    if isinstance(people, Ratings):
        found = tuple(_agreed(one, statistic, level, bootstrap) for one in judged)
    return _averaged(found, _interval(tables, found, statistic, level, bootstrap))


def _interval(
    tables: Sequence[Columns], found: Sequence[Agreement], statistic: str, level: Level, bootstrap: Bootstrap
) -> Interval:
    """The interval of the mean over annotators."""
    mean = fmean(one.value for one in found if one.value is not None)
    if statistic == "accuracy":
        right = np.concatenate([table.human == table.score for table in tables])
        source = np.concatenate([table.places.source for table in tables])
        return interval_of_share(right, source, bootstrap.confidence, share=mean)
    values = [value_over_draws(table, statistic, level) for table in tables]
    return bootstrap.interval(tables[0].places, _mean_of(values), mean)


def _mean_of(values: Sequence[Callable[[Drawn], float]]) -> Callable[[Drawn], float]:
    return lambda drawn: sum(value(drawn) for value in values) / len(values)


def _agreed(entry: Entry, statistic: str, level: Level, bootstrap: Bootstrap | None = None) -> Agreement:
    found = agree(entry, statistic, level, bootstrap=bootstrap)
    if not isinstance(entry, Choices):
        return found
    left_out = {SPLIT if why == NO_HUMAN_CHOICE else why: count for why, count in found.left_out.items()}
    return replace(found, left_out=left_out, missing=0)


def _averaged(annotators: tuple[Agreement, ...], spread: Interval) -> Ceiling:
    """The ceiling that these come to, each annotator against the others, with the interval of their mean."""
    values = [one.value for one in annotators if one.value is not None]
    fewest = min(annotators, key=lambda one: (one.groups, one.n))
    mean = Agreement(
        judge=PEOPLE,
        aspect=fewest.aspect,
        statistic=fewest.statistic,
        level=fewest.level,
        value=fmean(values) if len(values) == len(annotators) else None,
        n=fewest.n,
        groups=fewest.groups,
        left_out=fewest.left_out,
        missing=fewest.missing,
    )
    return Ceiling(mean.within(spread), annotators)


def _each_judged(people: Ratings | Votes) -> list[Entry]:
    """Each annotator as a judge of the others together, on the rows that all of them rated."""
    sizes = [len(row.ratings if isinstance(row, Rated) else row.votes) for row in people.rows]
    numbers = range(_annotators(sizes))
    if isinstance(people, Ratings):
        complete = [
            row for row in people.rows if all(one is not None and isfinite(one) for one in row.ratings)
        ]
    else:
        complete = [row for row in people.rows if all(row.votes)]  # type: ignore[misc]  # they are votes
    lost = len(people.rows) - len(complete)
    left_out = {**people.left_out, **({INCOMPLETE: lost} if lost else {})}
    if isinstance(people, Ratings):
        return [_of_ratings(people, complete, number, left_out) for number in numbers]
    return [_of_votes(people, complete, number, left_out) for number in numbers]  # type: ignore[arg-type]  # they are votes


def _annotators(sizes: Sequence[int]) -> int:
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


def _of_ratings(
    ratings: Ratings, rows: Sequence[Rated], number: int, left_out: Mapping[str, int]
) -> Judgements:
    judged = []
    for row in rows:
        others = [one for place, one in enumerate(row.ratings) if place != number and one is not None]
        judged.append(Judged(row.id, row.source, row.system, fsum(others) / len(others), row.ratings[number]))
    return Judgements(f"annotator {number + 1}", ratings.aspect, tuple(judged), left_out)


def _of_votes(votes: Votes, rows: Sequence[Voted], number: int, left_out: Mapping[str, int]) -> Choices:
    """One annotator's choices beside those of the others; people's is none where nothing can be said of a row."""
    judged = []
    for row in rows:
        others = chosen([vote for place, vote in enumerate(row.votes) if place != number], votes.tie)
        own = chosen([row.votes[number]], votes.tie)
        judged.append(Chosen(row.id, row.source, others if own is not None else None, own))
    return Choices(f"annotator {number + 1}", votes.aspect, votes.labels, tuple(judged), left_out)


def chosen(votes: Sequence[Mapping[str, float] | None], tie: str | None) -> str | None:
    """The label that most is for; where several have as much, that of a tie, which is None where there is none."""
    sums = Counter[str]()
    for vote in votes:
        sums.update(vote or {})
    best = [label for label, total in sums.items() if total == max(sums.values())]
    return best[0] if len(best) == 1 else tie if best else None


def as_votes(ratings: Ratings) -> Votes:
    """Ratings that are whole numbers as votes for labels, none of which is a tie. Raises UsageError for others."""
    known = [
        rating for row in ratings.rows for rating in row.ratings if rating is not None and is_score(rating)
    ]
    labels = labels_of(known, f"the single ratings of {ratings.aspect}")
    rows = tuple(
        Voted("/".join(filter(None, (row.id, row.system))), row.source, tuple(map(_vote, row.ratings)))
        for row in ratings.rows
    )
    return Votes(ratings.aspect, labels, None, rows, ratings.left_out)


def _vote(rating: float | None) -> dict[str, float] | None:
    label = label_of(rating)
    return None if label is None else {label: 1.0}


def as_ratings(votes: Votes) -> Ratings:
    """Votes as numbers of labels, in their order, for reliability. A vote that is split has the label of a tie."""
    place = {label: float(number) for number, label in enumerate(votes.labels)}
    rows = tuple(
        Rated(row.id, row.source, "", tuple(place.get(chosen([one], votes.tie) or "") for one in row.votes))
        for row in votes.rows
    )
    return Ratings(votes.aspect, rows, votes.left_out)
