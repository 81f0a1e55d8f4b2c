"""What people and a judge say of the same texts, side by side: what every statistic of agreement is computed from."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from agentdebate.tasks import Scale


@dataclass(frozen=True, slots=True)
class Judged:
    """One aspect of one text: people's score and the judge's, None where there is none."""

    id: str
    source: str
    """What the text was made from, and shares with others: the article, the dialogue, the question."""
    system: str
    """What made the text; empty where that is not known."""
    human: float | None
    score: float | None
    replies: int = 0
    """Replies that the score is from, where replies were read."""
    unread: int = 0
    """Those of them in which no score was found."""
    text: int = 0
    """The number of the text, where it has a row for every person; 0 where it has this row alone."""


@dataclass(frozen=True)
class Judgements:
    """One judge's scores of one aspect."""

    judge: str
    aspect: str
    rows: tuple[Judged, ...]
    left_out: Mapping[str, int] = field(default_factory=dict)
    """Rows that are not among them, and why: reason to count."""
    scale: Scale | None = None
    """The scale of the scores, where it is known."""


@dataclass(frozen=True, slots=True)
class Chosen:
    """People's choice among the texts of one item and the judge's, as labels; None where there is none."""

    id: str
    source: str
    human: str | None
    choice: str | None
    replies: int = 0
    """Replies that the choice is from, where replies were read."""
    unread: int = 0
    """Those of them in which no choice was found."""
    text: int = 0
    """The number of the text, where it has a row for every person; 0 where it has this row alone."""


@dataclass(frozen=True)
class Choices:
    """One judge's choices on one aspect, among the same labels throughout."""

    judge: str
    aspect: str
    labels: tuple[str, ...]
    """Every label that can be chosen, in their order; a tie is a label too."""
    rows: tuple[Chosen, ...]
    left_out: Mapping[str, int] = field(default_factory=dict)
    """Rows that are not among them, and why: reason to count."""
    tie: str | None = None
    """The label that says that several texts are equally good; None where there is none."""
