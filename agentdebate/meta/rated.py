"""What several people said of the same texts, each for themselves."""

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Rated:
    """One aspect of one text: each annotator's rating, None where there is none."""

    id: str
    source: str
    """What the text was made from, and shares with others: the article, the dialogue, the question."""
    system: str
    """What made the text; empty where that is not known."""
    ratings: tuple[float | None, ...]
    """One an annotator, in the same order in every row as far as who rated is known."""


@dataclass(frozen=True)
class Ratings:
    """All ratings of one aspect."""

    aspect: str
    rows: tuple[Rated, ...]
    left_out: Mapping[str, int] = field(default_factory=dict)
    """Rows that are not among them, and why: reason to count."""


@dataclass(frozen=True, slots=True)
class Voted:
    """What each annotator says of which text of one item is best."""

    id: str
    source: str
    votes: tuple[Mapping[str, float] | None, ...]
    """One an annotator: label to how much they are for it, a single 1 where they chose one label; None where there is none."""


@dataclass(frozen=True)
class Votes:
    """All votes on one aspect, for the same labels throughout."""

    aspect: str
    labels: tuple[str, ...]
    """Every label that can be chosen, in their order."""
    tie: str | None
    """The one of them that says that several are equally good; None where there is none."""
    rows: tuple[Voted, ...]
    left_out: Mapping[str, int] = field(default_factory=dict)
    """Rows that are not among them, and why: reason to count."""
