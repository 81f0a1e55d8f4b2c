"""The long table: a row for each judgement of a person or a judge, and the group-bys that put judge and people side by side.

A run, files with a row a text, files with a row a person or an order, raw replies, and published data are each read into these
rows (`meta.readers`, `meta.run_rows`, `meta.recorded_rounds`). The rows of a text stand together.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from operator import attrgetter
from statistics import fmean
from typing import NamedTuple, TypeVar, cast

from agentdebate.meta.expression import Function, Order
from agentdebate.meta.judgements import Choices, Chosen, Judged, Judgements, Rated
from agentdebate.meta.labels import Labels, majority, vote
from agentdebate.meta.talk import Value

T = TypeVar("T")

PEOPLE = ""
"""The judge of what people say."""


class Judgement(NamedTuple):
    """A row: one judgement of one text."""

    text: int
    """The number of the text."""
    item: str
    source: str
    """What the text was made from, and shares with others; empty where that is not known."""
    system: str
    judge: str
    """Its name, or PEOPLE."""
    aspect: str
    value: Value | None
    """A score, or a word for a choice."""
    rater: str = ""
    """A person, or a sample of a judge; empty where there is one judgement alone."""
    order: Order = ""
    """In which order the texts were shown."""
    round: int = 0
    confidence: float | None = None


def by_text(table: Iterable[Judgement]) -> Iterator[list[Judgement]]:
    """The rows of each text."""
    return (list(rows) for _, rows in groupby(table, attrgetter("text")))


def scored(judge: str, aspect: str, table: Iterable[Judgement], people: Function = "") -> Judgements:
    """A judge's scores beside what people's come to: their mean, the most frequent, or each by itself."""
    rows = [one for rows in by_text(table) for one in _judged(rows, people)]
    return Judgements(judge, aspect, tuple(rows))


def _judged(rows: Sequence[Judgement], people: Function) -> Iterator[Judged]:
    first, own = rows[0], [row for row in rows if row.judge]
    known = [cast(float, row.value) for row in own if row.value is not None]
    score = fmean(known) if known else None
    of_people = [cast(float, row.value) for row in rows if not row.judge and row.value is not None]
    counts, sure = _samples(own), _confidence(own)
    if people != "each":
        together = (
            _most_frequent(of_people) if people == "majority" else fmean(of_people) if of_people else None
        )
        yield Judged(first.item, first.source, first.system, together, score, *counts, confidence=sure)
        return
    for name, source, human in _persons(first, of_people):
        yield Judged(name, source, first.system, human, score, *counts, text=first.text, confidence=sure)


def _most_frequent(scores: Sequence[float]) -> float | None:
    """The most frequent score; None where several are as frequent."""
    best = Counter(scores).most_common(2)
    return best[0][0] if best and (len(best) == 1 or best[0][1] > best[1][1]) else None


def _persons(first: Judgement, said: Sequence[T]) -> Iterator[tuple[str, str, T | None]]:
    """A name, a source and a judgement a person; a row without one where nobody says anything."""
    for place, human in enumerate(said or (None,), 1):
        yield f"{first.item}, person {place}", first.source or first.item, human


def _samples(own: Sequence[Judgement]) -> tuple[int, int]:
    """How many samples a judgement is from, and how many of them are empty; none where it is one alone."""
    samples = [row for row in own if row.rater]
    return len(samples), sum(row.value is None for row in samples)


def _confidence(own: Sequence[Judgement]) -> float | None:
    return next((row.confidence for row in own if row.confidence is not None), None)


def chosen(
    judge: str,
    aspect: str,
    table: Iterable[Judgement],
    labels: Labels,
    *,
    people: Function = "",
    orders: Sequence[Order] = ("",),
) -> Choices:
    """A judge's choices beside people's: the most frequent of samples, and where there are both `orders` their vote."""
    rows = [one for rows in by_text(table) for one in _chosen(rows, labels, people, orders)]
    several = bool(people) or len(orders) > 1 or any(row.replies > 1 for row in rows)
    used = {label for row in rows for label in (row.human, row.choice) if label is not None}
    names, tie = labels.ordered(used, several=several)
    return Choices(judge, aspect, names, tuple(rows), tie=tie)


def _chosen(
    rows: Sequence[Judgement], labels: Labels, people: Function, orders: Sequence[Order]
) -> Iterator[Chosen]:
    first, own = rows[0], [row for row in rows if row.judge and row.order in orders]
    votes = [_in_order([row for row in own if row.order == order], order, labels) for order in orders]
    choice = vote(votes, labels.tie) if len(orders) > 1 else votes[0]
    of_people = [labels.of_people(str(row.value)) for row in rows if not row.judge and row.value is not None]
    counts, sure = _samples(own), _confidence(own)
    if people != "each":
        together = majority(of_people, labels.tie)
        yield Chosen(first.item, first.source, together, choice, *counts, confidence=sure)
        return
    for name, source, human in _persons(first, of_people):
        yield Chosen(name, source, human, choice, *counts, text=first.text, confidence=sure)


def _in_order(own: Sequence[Judgement], order: Order, labels: Labels) -> str | None:
    """The choice in one order, as said of the texts in their first order."""
    said = [labels.of_judge(str(row.value)) for row in own if row.value is not None]
    choice = majority(said, labels.tie)
    return labels.turned(choice) if choice is not None and order == "flip" else choice


def rated(table: Iterable[Judgement]) -> tuple[Rated, ...]:
    """Each person's rating of each text that has one."""
    return tuple(
        Rated(
            rows[0].item, rows[0].source, rows[0].system, tuple(cast(float | None, row.value) for row in rows)
        )
        for rows in by_text(table)
        if any(row.value is not None for row in rows)
    )
