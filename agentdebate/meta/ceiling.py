"""The human ceiling: how well people agree with one another, each annotator being taken for a judge of the others."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from math import fsum
from statistics import fmean

from agentdebate.errors import UsageError
from agentdebate.meta.agreement import Agreement, agree, value_over_draws
from agentdebate.meta.arrays import Array, np
from agentdebate.meta.bootstrap import NO_INTERVAL, Bootstrap, Interval, interval_of_share
from agentdebate.meta.columns import NO_HUMAN_CHOICE, columns
from agentdebate.meta.judgements import (
    Choices,
    Entry,
    Judged,
    Judgements,
    Rated,
    Ratings,
    is_judgement,
    is_score,
    label_of,
    labels_of,
)
from agentdebate.meta.labels import majority
from agentdebate.meta.levels import Level
from agentdebate.meta.measures import OF_SCORES

PEOPLE = "people, one left out"
"""The judge of a ceiling."""

INCOMPLETE = "rows that not every annotator rated"
SPLIT = "rows on which the other annotators are split"
"""Reason why a row says nothing about an annotator, where no label stands for a tie."""
_FEWEST = 2


@dataclass(frozen=True)
class Ceiling:
    """Each annotator's agreement with the others together, as if that one were a judge, and the mean of these."""

    mean: Agreement
    """Its value is None where any annotator's is not defined. Its counts are those of the annotator with the fewest."""
    annotators: tuple[Agreement, ...]


def ceiling(
    people: Ratings, statistic: str, level: Level = "pooled", *, bootstrap: Bootstrap | None = None
) -> Ceiling:
    """The leave-one-annotator-out ceiling under a statistic and a level.

    Others' ratings together are their mean, so that of one annotator fewer than a judge is compared with: a judge who is as good
    as the best person can come out above it. Others' labels together are the most frequent one; where several are as frequent, that
    is a tie if a label says so, and the row is left out for this annotator if none does. Only rows that every annotator rated
    count, and the others are counted. The interval draws the same sources or systems for all annotators. Raises UsageError
    as `agree` does, and where there are fewer than two annotators.
    """
    if statistic not in OF_SCORES and not people.labels:
        people = _labelled(people)
    judged = list(_each_judged(people))
    found = tuple(_agreed(one, statistic, level) for one in judged)
    if bootstrap is None or any(one.value is None for one in found):
        return _averaged(found, NO_INTERVAL)
    if not people.labels:
        found = tuple(_agreed(one, statistic, level, bootstrap) for one in judged)
    return _averaged(found, _interval(judged, found, statistic, level, bootstrap))


def _interval(
    judged: Sequence[Entry], found: Sequence[Agreement], statistic: str, level: Level, bootstrap: Bootstrap
) -> Interval:
    """The interval of the mean over annotators."""
    mean = fmean(one.value for one in found if one.value is not None)
    tables = [columns(one, lone=False) for one in judged]
    if statistic == "accuracy":
        right = np.concatenate([table.human == table.score for table in tables])
        source = np.concatenate([table.places.source for table in tables])
        return interval_of_share(right, source, bootstrap.confidence, share=mean)
    values = [value_over_draws(table, statistic, level) for table in tables]

    def of_mean(sources: Array) -> float:
        return sum(value(sources) for value in values) / len(values)

    return bootstrap.interval(tables[0].places.sources, of_mean, mean)


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


def _each_judged(people: Ratings) -> Iterator[Entry]:
    """Each annotator as a judge of the others together, on the rows that all of them rated."""
    counts = {len(row.ratings) for row in people.rows}
    if len(counts) != 1 or min(counts) < _FEWEST:
        raise UsageError(
            f"a ceiling takes the single ratings of {_FEWEST} annotators or more, None where there is none, and as many of every text, "
            f"not {', '.join(map(str, sorted(counts))) or 0}"
        )
    complete = [row for row in people.rows if all(map(is_judgement, row.ratings))]
    lost = len(people.rows) - len(complete)
    left_out = {**people.left_out, **({INCOMPLETE: lost} if lost else {})}
    for number in range(counts.pop()):
        name = f"annotator {number + 1}"
        rows = tuple(_beside_others(row, number, people) for row in complete)
        if people.labels:
            yield Choices(name, people.aspect, rows, left_out, labels=people.labels)
        else:
            yield Judgements(name, people.aspect, rows, left_out)


def _beside_others(row: Rated, number: int, people: Ratings) -> Judged:
    """One annotator's rating beside what the others' come to."""
    others = [one for place, one in enumerate(row.ratings) if place != number]
    together = (
        majority([str(one) for one in others], people.tie)
        if people.labels
        else fsum(one for one in others if is_score(one)) / len(others)
    )
    return Judged(row.id, row.source, row.system, together, row.ratings[number])


def _labelled(people: Ratings) -> Ratings:
    """Ratings that are whole numbers as labels, none of which is a tie. Raises UsageError for others."""
    known = [rating for row in people.rows for rating in row.ratings if is_score(rating)]
    rows = tuple(replace(row, ratings=tuple(map(label_of, row.ratings))) for row in people.rows)
    labels = labels_of(known, f"the single ratings of {people.aspect}")
    return replace(people, rows=rows, labels=labels)
