"""Merging ballots into one set of ratings. Pure functions that say what they did with what was missing.

Every aspect (and candidate, where several texts are compared) is merged by itself. A missing ballot is left out and
counted; it is never a score. Fewer ballots than the quorum is a Shortage, not a result.
"""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from math import ceil, floor, isfinite
from statistics import fmean, median, pstdev
from typing import Literal, get_args

from pydantic import BaseModel, ConfigDict

from agentdebate.ballots.ballot import Ballot, Rating
from agentdebate.errors import UsageError, nearest

Merge = Literal["average", "median", "majority", "weighted", "trimmed"]
"""How ballots become one rating.

- average: the plain mean.
- median: the middle one; the mean of the middle two where their number is even.
- majority: the score that most gave. A tie goes to the tied score nearest the average of all ballots, and if two are
  equally near, to the lower one.
- weighted: the mean weighted by the agents' weights; an agent without one weighs 1.
- trimmed: the mean without the highest and the lowest fifth (rounded down, at least one of each from three ballots on).
"""

TRIM = 0.2
"""The share that is cut off at either end."""


class Spread(BaseModel):
    """How far the ballots on one rating lay apart: how many there were, their range and standard deviation."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    aspect: str
    candidate: str | None = None
    ballots: int
    lowest: float
    highest: float
    deviation: float
    """Population standard deviation, in units of the scale."""


class Merged(BaseModel):
    """Ballots merged: the ratings, how many ballots counted and how many were missing, and their spread."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    ratings: tuple[Rating, ...]
    counted: int
    missing: int
    spread: tuple[Spread, ...]


class Shortage(BaseModel):
    """Fewer ballots than the quorum, or none that has a weight: nothing was merged."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    counted: int
    missing: int
    quorum: int
    weightless: bool = False
    """Whether there were ballots enough, and all of them had the weight 0."""

    def __str__(self) -> str:
        read = f"{self.counted} of {self.counted + self.missing} ballots could be read"
        return (
            f"{read}, and none of them has a weight"
            if self.weightless
            else f"{read}; the quorum is {self.quorum}"
        )


def merge(
    ballots: Sequence[Ballot | None],
    how: Merge = "average",
    *,
    weights: Sequence[float] | None = None,
    quorum: int = 1,
    partial: bool = False,
) -> Merged | Shortage:
    """Merge ballots; None stands for one that is missing. `weights` go with the ballots, one each.

    `partial` ballots may lack ratings, and each thing is merged from those that rate it, none of which is weighted.
    Where only ballots of the weight 0 are left, that is a Shortage too. Raises UsageError for a merge that does not
    exist, for weights that are not one a ballot, not finite, negative or all zero, and for ballots that do not rate the
    same things.
    """
    if how not in get_args(Merge):
        raise UsageError(f"there is no merge {how!r}. {nearest(how, get_args(Merge))}")
    weighed = _weighed(ballots, weights if how == "weighted" else None)
    cast = [(ballot, weight) for ballot, weight in weighed if ballot is not None]
    missing = len(ballots) - len(cast)
    shares = [weight for _, weight in cast]
    if len(cast) < max(quorum, 1) or not any(shares):
        weightless = len(cast) >= max(quorum, 1)
        return Shortage(counted=len(cast), missing=missing, quorum=max(quorum, 1), weightless=weightless)
    columns = _columns([ballot for ballot, _ in cast], partial=partial)
    ratings = [
        Rating(aspect=aspect, candidate=candidate, score=_MERGES[how](scores, shares[: len(scores)]))
        for (aspect, candidate), scores in columns.items()
    ]
    spread = tuple(_spread(key, scores) for key, scores in columns.items())
    return Merged(ratings=tuple(ratings), counted=len(cast), missing=missing, spread=spread)


def winners(ratings: Sequence[Rating], *, lowest: bool = False) -> tuple[str, ...]:
    """The candidates with the best sum of ratings: one, or all that tie; none where no candidate was rated.

    `lowest` takes the lowest sum for the best, as with ranks. Sums are compared to nine decimals, so that the order of
    adding decides nothing.
    """
    sums: dict[str, float] = {}
    for rating in ratings:
        if rating.candidate is not None:
            sums[rating.candidate] = sums.get(rating.candidate, 0.0) + rating.score
    if not sums:
        return ()
    rounded = {name: round(total, 9) for name, total in sums.items()}
    best = min(rounded.values()) if lowest else max(rounded.values())
    return tuple(sorted(name for name, total in rounded.items() if total == best))


def vote(ballots: Sequence[Ballot | None], *, lowest: bool = False) -> tuple[str, ...]:
    """The candidates that most ballots put first: one, or all that tie. A ballot that ties shares its vote evenly."""
    return most_often([winners(ballot.ratings, lowest=lowest) for ballot in ballots if ballot is not None])


def most_often(firsts: Sequence[Sequence[str]]) -> tuple[str, ...]:
    """What comes first most often: one name, or all that tie. Several first ones share their vote evenly."""
    votes: dict[str, float] = {}
    for first in firsts:
        for name in first:
            votes[name] = votes.get(name, 0.0) + 1 / len(first)
    most = max((round(count, 9) for count in votes.values()), default=0.0)
    return tuple(sorted(name for name, count in votes.items() if round(count, 9) == most))


def alike(ratings: Sequence[Sequence[Rating]], *, lowest: bool = False) -> bool:
    """Whether several ratings of the same come to the same: the same scores, or the same winner where there is one."""
    if any(winners(some) for some in ratings):
        return len({winners(some, lowest=lowest) for some in ratings}) == 1
    return len({tuple(sorted((rating.name, rating.score) for rating in some)) for some in ratings}) == 1


def _weighed(
    ballots: Sequence[Ballot | None], weights: Sequence[float] | None
) -> list[tuple[Ballot | None, float]]:
    given = [1.0] * len(ballots) if weights is None else list(weights)
    if len(given) != len(ballots):
        raise UsageError(f"{len(ballots)} ballots need as many weights, not {len(given)}")
    if any(not isfinite(weight) or weight < 0 for weight in given) or (given and not any(given)):
        raise UsageError("weights are finite, not negative, and not all of them zero")
    return list(zip(ballots, given, strict=True))


def _columns(
    ballots: Sequence[Ballot], *, partial: bool = False
) -> dict[tuple[str, str | None], list[float]]:
    """The scores that each thing got, in the order of the ballots."""
    rated = ballots if partial else ballots[:1]
    keys = dict.fromkeys((rating.aspect, rating.candidate) for ballot in rated for rating in ballot.ratings)
    columns: dict[tuple[str, str | None], list[float]] = {key: [] for key in keys}
    for ballot in ballots:
        scores = {(rating.aspect, rating.candidate): rating.score for rating in ballot.ratings}
        if not partial and scores.keys() != columns.keys():
            raise UsageError(
                f"these ballots do not rate the same things: {sorted(map(str, scores))} and {list(keys)}"
            )
        for key, score in scores.items():
            columns[key].append(score)
    return columns


def _spread(key: tuple[str, str | None], scores: Sequence[float]) -> Spread:
    return Spread(
        aspect=key[0],
        candidate=key[1],
        ballots=len(scores),
        lowest=min(scores),
        highest=max(scores),
        deviation=pstdev(scores),
    )


def _average(scores: Sequence[float], shares: Sequence[float] | None = None) -> float:
    """The mean, kept within the scores: the rounding of floats can lead a hair's breadth out of them."""
    return min(max(fmean(scores, shares), min(scores)), max(scores))


def _median(scores: Sequence[float], _: Sequence[float]) -> float:
    return median(scores)


def _majority(scores: Sequence[float], _: Sequence[float]) -> float:
    counts = Counter(scores)
    most = max(counts.values())
    middle = fmean(scores)
    tied = [score for score, count in counts.items() if count == most]
    return min(tied, key=lambda score: (round(abs(score - middle), 9), score))


def _trimmed(scores: Sequence[float], _: Sequence[float]) -> float:
    cut = max(floor(len(scores) * TRIM), 1) if len(scores) > ceil(1 / (2 * TRIM)) - 1 else 0
    return _average(sorted(scores)[cut : len(scores) - cut])


_MERGES: Mapping[Merge, Callable[[Sequence[float], Sequence[float]], float]] = {
    "average": lambda scores, _: _average(scores),
    "median": _median,
    "majority": _majority,
    "weighted": _average,
    "trimmed": _trimmed,
}
