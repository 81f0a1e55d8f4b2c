"""Coverage of the data by a judge: the missing judgements, their share, and people's scores of them."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import partial

from agentdebate.meta.judgements import Entry, is_judgement

NOTABLE = 0.05
"""A larger share than this changes what a figure over the rest says."""

Key = tuple[str, str, str]
"""A text by its id, source and system."""


@dataclass(frozen=True)
class People:
    """Summary of people's judgements of some of the texts."""

    n: int = 0
    """Number of texts that people have judged."""
    mean: float | None = None
    """The mean of people's scores; None where there are none, and where people choose."""
    labels: Mapping[str, float] = field(default_factory=dict)
    """Share of each label, where people choose."""


@dataclass(frozen=True)
class Coverage:
    """Number of texts, and of those that one judge did not judge.

    What is missing is seldom missing at random, so people's judgements of it stand beside those of the rest.
    """

    judge: str
    aspect: str
    rows: int
    """Texts that conditions leave."""
    missing: int
    """Texts without a judgement of the judge's: no row, null, a failed debate, or replies that cannot be read."""
    of_judged: People = People()
    of_missing: People = People()
    replies: int = 0
    """Replies about these texts, where replies were read."""
    unread: int = 0
    """Replies in which no judgement was found."""
    of_read: People = People()
    """People's judgements of the texts of replies that could be read, each as often as the text has such replies."""
    of_unread: People = People()
    recorded: bool = False
    """True if `replies` counts recorded samples, and `unread` those that are empty."""
    orders: tuple["Coverage", ...] = ()
    """The same of each order by itself, where texts were judged in both."""

    @property
    def judged(self) -> int:
        """Texts with a judgement of the judge's."""
        return self.rows - self.missing

    @property
    def share(self) -> float:
        """The share of texts without a judgement, from 0 to 1."""
        return self.missing / self.rows if self.rows else 0.0

    @property
    def unread_share(self) -> float:
        """The share of replies that could not be read, from 0 to 1."""
        return self.unread / self.replies if self.replies else 0.0

    @property
    def uncompared(self) -> bool:
        """True if people have judged none of the texts, and there is no other order, so that there is nothing to compare with."""
        return self.rows > 0 and self.of_judged.n == self.of_missing.n == 0 and not self.orders

    @property
    def empty(self) -> bool:
        """True if nothing at all was judged, or not one reply could be read."""
        return (self.rows > 0 and self.missing == self.rows) or 0 < self.replies == self.unread


def coverage(entry: Entry) -> Coverage:
    """Compute the share of a judge's rows that hold a judgement."""
    rows = entry.rows
    there = [is_judgement(row.score) for row in rows]
    replies, unread = [row.replies for row in rows], [row.unread for row in rows]
    texts = _texts([row.text for row in rows])
    of = partial(_people, [row.human for row in rows])
    return Coverage(
        judge=entry.judge,
        aspect=entry.aspect,
        rows=len(texts),
        missing=sum(not there[place] for place in texts),
        of_judged=of([int(one) for one in there]),
        of_missing=of([int(not one) for one in there]),
        replies=sum(replies[place] for place in texts),
        unread=sum(unread[place] for place in texts),
        of_read=of([whole - part for whole, part in zip(replies, unread, strict=True)]),
        of_unread=of(unread),
        recorded=entry.recorded and any(replies),
    )


def _texts(numbers: Sequence[int]) -> list[int]:
    """The place of each text, the first where every person has a row of it; `numbers` are those of the rows' texts."""
    places = {number or -place - 1: place for place, number in reversed([*enumerate(numbers)])}
    return sorted(places.values())


def _people(values: Sequence[float | str | None], times: Sequence[int]) -> People:
    """People's judgements of texts, each as often as it counts. Sums are exact, so the order of the rows decides nothing."""
    counted = Counter[float | str]()
    for value, count in zip(values, times, strict=True):
        if count and is_judgement(value):
            counted[value] += count
    total = counted.total()
    if not total:
        return People()
    labels = {one: count / total for one, count in sorted(counted.items()) if isinstance(one, str)}
    if labels:
        return People(total, labels=labels)
    mean = sum((Fraction(one) * count for one, count in counted.items()), Fraction()) / total
    return People(total, float(mean))
