"""The long table: a row for each judgement of a person or a judge, and the group-bys that put judge and people side by side.

A run, files with a row a text, files with a row a person or an order, raw replies, and published data are each read into these
rows (`meta.people_data`, `meta.request`, `meta.run_rows`, `meta.talks`). The rows of a text stand together.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import groupby
from operator import attrgetter
from statistics import fmean
from typing import NamedTuple, cast

from agentdebate.meta.expression import Function, Order
from agentdebate.meta.judgements import Judged, Judgements, Rated
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
    """Name of the judge, or PEOPLE."""
    aspect: str
    value: Value | None
    """A score, or the label of a choice, of the texts in the order of the data."""
    rater: str = ""
    """A person, or a sample of a judge; empty where there is one judgement alone."""
    order: Order = ""
    """Order in which the texts were shown."""
    round: int = 0
    confidence: float | None = None


def by_text(table: Iterable[Judgement]) -> Iterator[list[Judgement]]:
    """The rows of each text."""
    return (list(rows) for _, rows in groupby(table, attrgetter("text")))


def judgements(
    judge: str,
    aspect: str,
    table: Iterable[Judgement],
    labels: Labels | None = None,
    *,
    people: Function = "",
    orders: Sequence[Order] = ("",),
) -> Judgements:
    """A judge's judgements beside people's, a row a text, or where `people` is "each" a row a person.

    Of several scores of people or samples of a judge it is the mean, of several `labels` the most frequent, and where there are
    both `orders` their vote. People may come to their most frequent score.
    """
    tie = labels.tie if labels else None
    rows = tuple(one for text in by_text(table) for one in _rows(text, people, orders, tie))
    if labels is None:
        return Judgements(judge, aspect, rows)
    used = {label for row in rows for label in (row.human, row.score) if isinstance(label, str)}
    merged = people or len(orders) > 1 or any(row.replies > 1 for row in rows)
    names, tie = labels.ordered({*used, labels.tie} if merged else used)
    return Judgements(judge, aspect, rows, labels=names, tie=tie)


def _rows(
    text: Sequence[Judgement], people: Function, orders: Sequence[Order], tie: str | None
) -> Iterator[Judged]:
    own = [row for row in text if row.judge and row.order in orders]
    votes = [_merged([row for row in own if row.order == order], tie) for order in orders]
    score = vote(cast(list[str | None], votes), tie or "") if len(orders) > 1 else votes[0]
    of_people = [row for row in text if not row.judge]
    samples = [row for row in own if row.rater]
    row = Judged(
        id=text[0].item,
        source=text[0].source,
        system=text[0].system,
        human=_merged(of_people, tie, most_frequent=people == "majority"),
        score=score,
        replies=len(samples),
        unread=sum(sample.value is None for sample in samples),
        confidence=next((row.confidence for row in own if row.confidence is not None), None),
    )
    if people != "each":
        yield row
        return
    for place, human in enumerate(_known(of_people) or [None], 1):
        name, source = f"{row.id}, person {place}", row.source or row.id
        yield replace(row, id=name, source=source, human=human, text=text[0].text)


def _merged(rows: Sequence[Judgement], tie: str | None, *, most_frequent: bool = False) -> Value | None:
    """The mean of scores; of labels, or where it is asked for, the most frequent."""
    values = _known(rows)
    if most_frequent or any(isinstance(value, str) for value in values):
        return majority(values, tie)
    return fmean(cast(list[float], values)) if values else None


def _known(rows: Sequence[Judgement]) -> list[Value]:
    return [row.value for row in rows if row.value is not None]


def rated(table: Iterable[Judgement]) -> tuple[Rated, ...]:
    """Each person's rating of each text that has one."""
    return tuple(
        Rated(rows[0].item, rows[0].source, rows[0].system, tuple(row.value for row in rows))
        for rows in by_text(table)
        if _known(rows)
    )
