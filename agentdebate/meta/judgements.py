"""Judgements of people and judges about the same texts: the rows from which every statistic of agreement is computed."""

from collections.abc import Mapping, Sequence
from dataclasses import KW_ONLY, dataclass, field
from math import isfinite
from typing import TypeGuard

from agentdebate.tasks import Scale

LARGEST = 1e100
"""Largest score: the square of a greater one is more than a number can hold."""


def reasons(counts: Mapping[str, int]) -> dict[str, int]:
    """The reasons for which anything was left out, with their counts."""
    return {reason: count for reason, count in counts.items() if count}


def is_score(score: float | str | None) -> TypeGuard[float]:
    """Decide whether this is a score that a statistic can take: a finite number, not beyond LARGEST."""
    return score is not None and not isinstance(score, str) and isfinite(score) and abs(score) <= LARGEST


def is_judgement(value: float | str | None) -> TypeGuard[float | str]:
    """Decide whether this is a label, or a score that a statistic can take."""
    return isinstance(value, str) or is_score(value)


@dataclass(frozen=True, slots=True)
class Judged:
    """One aspect of one text, or of the texts that are compared: what people say and what the judge does, None where there is nothing."""

    id: str
    source: str
    """Source of the text, which it shares with others: the article, the dialogue, the question."""
    system: str
    """System that wrote the text; empty where it is not known."""
    human: float | str | None
    """A score, or the label of a choice."""
    score: float | str | None
    replies: int = 0
    """Replies that the score is from, where replies were read; or recorded samples, where a list of them was."""
    unread: int = 0
    """Replies in which no score was found."""
    text: int = 0
    """The number of the text, where it has a row for every person; 0 where it has this row alone."""
    confidence: float | None = None
    """Confidence of the judge, where it was asked for."""

    @property
    def key(self) -> tuple[str, str, str]:
        """The names of the text."""
        return self.id, self.source, self.system


@dataclass(frozen=True)
class Judgements:
    """One judge's judgements on one aspect, beside people's: scores, or where there are `labels` choices."""

    judge: str
    aspect: str
    rows: Sequence[Judged]
    left_out: Mapping[str, int] = field(default_factory=dict)
    """Rows that are not among them, and why: reason to count."""
    _: KW_ONLY
    labels: tuple[str, ...] | None = None
    """Every label that can be chosen, in their order, a tie among them; None where texts are scored."""
    tie: str | None = None
    """The label that says that several texts are equally good; None where there is none."""
    scale: Scale | None = None
    """The scale of the judge's scores, where it is known."""
    people_scale: Scale | None = None
    """The scale of people's scores, where it is known and may be another one."""


@dataclass(frozen=True, slots=True)
class Rated:
    """One aspect of one text: each annotator's rating, or the label that they chose, None where there is none."""

    id: str
    source: str
    system: str
    ratings: tuple[float | str | None, ...]
    """One an annotator, in the same order in every row as far as who rated is known."""


@dataclass(frozen=True)
class Ratings:
    """All single ratings of one aspect, or all choices."""

    aspect: str
    rows: tuple[Rated, ...]
    left_out: Mapping[str, int] = field(default_factory=dict)
    """Rows that are not among them, and why: reason to count."""
    labels: tuple[str, ...] | None = None
    """Every label that can be chosen, in their order; None where texts are scored."""
    tie: str | None = None
    """The one of them that says that several are equally good; None where there is none."""
    scale: Scale | None = None
    """The scale of scores, where it is declared."""
