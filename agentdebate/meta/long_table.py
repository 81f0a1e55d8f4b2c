"""The long table: a row for each judgement of a person or a judge, and the group-bys that put judge and people side by side.

A run, files with a row a text, files with a row a person or an order, raw replies, and published data are each read into these
rows (`meta.readers`, `meta.run_rows`, `meta.recorded_rounds`). The rows of a text stand together.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import groupby
from operator import attrgetter
from statistics import fmean
from typing import NamedTuple, cast

from agentdebate.meta.expression import Function, Order
from agentdebate.meta.judgements import Choices, Judged, Judgements, Rated
from agentdebate.meta.labels import Labels, majority, vote
from agentdebate.meta.talk import Value

PEOPLE = ""
"""The judge of what people say."""


class Judgement(NamedTuple):
    """A row: one judgement of one text."""

    text: int
    """The number of the text."""
    item: str
    source: str
    """Source of the text, which it shares with others; empty where that is not known."""
    system: str
    judge: str
    """Its name, or PEOPLE."""
    aspect: str
    value: Value | None
    """A score, or a word for a choice."""
    rater: str = ""
    """A person, or a sample of a judge; empty where there is one judgement alone."""
    order: Order = ""
    """Order in which the texts were shown."""
    round: int = 0
    confidence: float | None = None


def by_text(table: Iterable[Judgement]) -> Iterator[list[Judgement]]:
    """The rows of each text."""
    return (list(rows) for _, rows in groupby(table, attrgetter("text")))


def scored(judge: str, aspect: str, table: Iterable[Judgement], people: Function = "") -> Judgements:
    """A judge's scores beside what people's come to: their mean, the most frequent, or each by itself."""
    rows = [one for rows in by_text(table) for one in _scored(rows, people)]
    return Judgements(judge, aspect, tuple(rows))


def _scored(rows: Sequence[Judgement], people: Function) -> Iterator[Judged]:
    known = [cast(float, row.value) for row in rows if row.judge and row.value is not None]
    of_people = [cast(float, row.value) for row in rows if not row.judge and row.value is not None]
    mean = fmean(of_people) if of_people else None
    together = _most_frequent(of_people) if people == "majority" else mean
    own = [row for row in rows if row.judge]
    said = fmean(known) if known else None
    each = people == "each"
    return _beside(rows[0], own, said, (of_people or [None]) if each else [together], each=each)


def _beside(
    first: Judgement,
    own: Sequence[Judgement],
    said: Value | None,
    people: Sequence[Value | None],
    *,
    each: bool,
) -> Iterator[Judged]:
    """The judge's judgement beside what people say together, or in `each` row beside that of one of them."""
    sure = next((row.confidence for row in own if row.confidence is not None), None)
    row = Judged(first.item, first.source, first.system, None, said, *_samples(own), confidence=sure)
    for place, human in enumerate(people, 1):
        person = replace(row, human=human)
        if each:
            name, source = f"{row.id}, person {place}", row.source or row.id
            person = replace(person, id=name, source=source, text=first.text)
        yield person


def _most_frequent(scores: Sequence[float]) -> float | None:
    """The most frequent score; None where several are as frequent."""
    best = Counter(scores).most_common(2)
    return best[0][0] if best and (len(best) == 1 or best[0][1] > best[1][1]) else None


def _samples(own: Sequence[Judgement]) -> tuple[int, int]:
    """Count the samples of a judgement and the empty ones among them; none for a single reply."""
    samples = [row for row in own if row.rater]
    return len(samples), sum(row.value is None for row in samples)


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
    used = {label for row in rows for label in (row.human, row.score) if isinstance(label, str)}
    names, tie = labels.ordered(used, several=several)
    return Choices(judge, aspect, tuple(rows), labels=names, tie=tie)


def _chosen(
    rows: Sequence[Judgement], labels: Labels, people: Function, orders: Sequence[Order]
) -> Iterator[Judged]:
    own = [row for row in rows if row.judge and row.order in orders]
    votes = [_in_order([row for row in own if row.order == order], order, labels) for order in orders]
    choice = vote(votes, labels.tie) if len(orders) > 1 else votes[0]
    of_people = [labels.of_people(str(row.value)) for row in rows if not row.judge and row.value is not None]
    each = people == "each"
    together = majority(of_people, labels.tie)
    return _beside(rows[0], own, choice, (of_people or [None]) if each else [together], each=each)


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
