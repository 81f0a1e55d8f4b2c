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
