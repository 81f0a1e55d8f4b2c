"""Coverage of the data by a judge: the missing judgements, their share, and people's scores of them."""

from collections.abc import Iterable
from dataclasses import dataclass
from math import fsum

from agentdebate.meta.judgements import Judgements, is_judgement, is_score
from agentdebate.meta.labels import OTHER

NOTABLE = 0.05
"""A larger share than this changes what a figure over the rest says."""


@dataclass(frozen=True)
class People:
    """Summary of people's judgements of some of the texts."""

    n: int = 0
    """Number of texts that people have judged."""
    mean: float | None = None
    """The mean of people's scores; None where there are none, and where people choose."""


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
    others: int = 0
    """Texts with an answer that people never give, which counts as wrong."""

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
        """True if people have judged none of the texts, so that there is nothing to compare with."""
        return self.rows > 0 and self.of_judged.n == self.of_missing.n == 0

    @property
    def empty(self) -> bool:
        """True if nothing at all was judged, or not one reply could be read."""
        return (self.rows > 0 and self.missing == self.rows) or 0 < self.replies == self.unread


def coverage(entry: Judgements) -> Coverage:
    """Compute the share of a judge's rows that hold a judgement. A text counts once, also where every person has a row of it."""
    rows = entry.rows
    first = {row.text or -place - 1: row for place, row in reversed([*enumerate(rows)])}
    texts = first.values()
    return Coverage(
        judge=entry.judge,
        aspect=entry.aspect,
        rows=len(texts),
        missing=sum(not is_judgement(row.score) for row in texts),
        of_judged=_people((row.human, is_judgement(row.score)) for row in rows),
        of_missing=_people((row.human, not is_judgement(row.score)) for row in rows),
        replies=sum(row.replies for row in texts),
        unread=sum(row.unread for row in texts),
        of_read=_people((row.human, row.replies - row.unread) for row in rows),
        of_unread=_people((row.human, row.unread) for row in rows),
        others=sum(row.score == OTHER for row in texts),
    )


def _people(judgements: Iterable[tuple[float | str | None, int]]) -> People:
    """People's judgements of texts, each as often as it counts. The sum is exact, so the order of the rows decides nothing."""
    known = [(value, times) for value, times in judgements if times and is_judgement(value)]
    n = sum(times for _, times in known)
    scores = [value * times for value, times in known if is_score(value)]
    return People(n, fsum(scores) / n if scores else None)
