"""What single people said of a text, beside the mean that an item carries."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean

PLACES = 6
"""Decimals that a mean of ratings is rounded to, so that equal means are equal whichever way they were summed."""


@dataclass(frozen=True, slots=True)
class Ratings:
    """The single ratings of one text by people of one kind."""

    kind: str
    """What they are: "expert", "turker", "annotator"."""
    annotators: tuple[str, ...]
    """Their names, where they are published, or else their places: "expert_1". A place need not be one person throughout."""
    scores: Mapping[str, tuple[float | None, ...]]
    """Aspect to their scores, in the order of `annotators`; None where somebody gave none."""

    def means(self) -> dict[str, float | None]:
        """The mean of each aspect over those who gave a score, to 6 decimals; None where nobody did."""
        return {aspect: mean(scores) for aspect, scores in self.scores.items()}


def by_place(kind: str, scores: Mapping[str, Sequence[float | None]]) -> Ratings:
    """Ratings of people who are known by their places alone."""
    count = max(map(len, scores.values()), default=0)
    names = tuple(f"{kind}_{number}" for number in range(1, count + 1))
    return Ratings(kind, names, {aspect: tuple(given) for aspect, given in scores.items()})


def mean(scores: Sequence[float | None]) -> float | None:
    """The mean of the scores that there are, to 6 decimals; None where there is none."""
    given = [score for score in scores if score is not None]
    return round(fmean(given), PLACES) if given else None
