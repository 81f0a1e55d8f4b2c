"""The merges that come with the package. They are registered in pyproject.toml as those of others are."""

import statistics
from collections.abc import Sequence
from math import ceil, floor, fsum
from typing import Annotated, Literal

from pydantic import BeforeValidator, Field

from agentdebate.ballots.ballot import Ballot, Rating
from agentdebate.ballots.merge import Column, MergeContext, MergeRule
from agentdebate.errors import TooFewBallots

_PLACES = 9
"""Decimals to which votes and distances are compared, so that the rounding of floats breaks no tie."""


def average(ballots: Sequence[Ballot], context: MergeContext) -> list[Rating]:
    """The plain mean."""
    return [column.rating(mean(column.scores)) for column in context.columns(ballots)]


def median(ballots: Sequence[Ballot], context: MergeContext) -> list[Rating]:
    """The score in the middle; the mean of the middle two where the number of ballots is even."""
    return [column.rating(statistics.median(column.scores)) for column in context.columns(ballots)]


def majority(ballots: Sequence[Ballot], context: MergeContext) -> list[Rating]:
    """The score that most gave.

    A tie goes to the tied score nearest the mean of all ballots, and if two are equally near, to the lower one.
    """
    columns = context.columns(ballots)
    return [column.rating(most_voted(column.scores, (1.0,) * len(column.scores))) for column in columns]


class WeightedVotes(MergeRule):
    """The score that has the most votes, a ballot having as many as it weighs: `majority` with weights.

    A tie goes to the tied score nearest the weighted mean, and if two are equally near, to the lower one.
    """

    weights = "required"

    def __call__(self, ballots: Sequence[Ballot], context: MergeContext) -> list[Rating]:
        """The score with the most votes for each thing."""
        columns = context.columns(ballots)
        return [column.rating(most_voted(column.scores, column.weights)) for column in columns]


def most_voted(scores: Sequence[float], weights: Sequence[float]) -> float:
    """The score with the greatest sum of weights. Where no score that it is chosen from weighs anything, all weigh the same."""
    heaviest = max(weights)
    shares = [weight / heaviest if heaviest else 1.0 for weight in weights]
    parts: dict[float, list[float]] = {}
    for score, share in zip(scores, shares, strict=True):
        parts.setdefault(score, []).append(share)
    votes = {score: round(fsum(some), _PLACES) for score, some in parts.items()}
    middle, most = mean(scores, shares), max(votes.values())
    tied = [score for score, count in votes.items() if count == most]
    return min(tied, key=lambda score: (round(abs(score - middle), _PLACES), score))


class Trimmed(MergeRule):
    """The mean without the highest and the lowest `share` of the ballots (rounded down, at least one of each).

    Of fewer than 1 / (2 share) ballots, which is fewer than three by default, none is left out.
    """

    share: float = Field(default=0.2, gt=0, lt=0.5)
    """The share of the ballots that is left out at either end, above 0 and below 0.5."""

    def __call__(self, ballots: Sequence[Ballot], context: MergeContext) -> list[Rating]:
        """The mean of what is left."""
        return [column.rating(mean(self._left(column.scores))) for column in context.columns(ballots)]

    def _left(self, scores: Sequence[float]) -> Sequence[float]:
        count = len(scores)
        cut = max(floor(count * self.share), 1) if count >= ceil(1 / (2 * self.share)) else 0
        cut = min(cut, (count - 1) // 2)  # one is always left
        return sorted(scores)[cut : count - cut]


class Weighted(MergeRule):
    """The mean weighted by the agents' weights; an agent without one weighs 1."""

    weights = "required"

    def __call__(self, ballots: Sequence[Ballot], context: MergeContext) -> list[Rating]:
        """The weighted mean of each thing."""
        return [column.rating(mean(column.scores, column.weights)) for column in context.columns(ballots)]


def _unsaid_of(value: object) -> object:
    """A word or a number. A union of types would be refused in the words of one of them."""
    if value in ("mean", "lost"):
        return value
    try:
        number = float(value) if isinstance(value, int | float | str) else -1.0
    except ValueError:
        number = -1.0
    if not 0 <= number <= 1:
        raise ValueError("it is 'mean', 'lost', or a number from 0 to 1")
    return number


class ConfidenceWeighted(MergeRule):
    """The mean weighted by how sure each ballot is, from 0 to 1, and by the agents' weights where there are any."""

    weights = "optional"

    unsaid: Annotated[Literal["mean", "lost"] | float, BeforeValidator(_unsaid_of)] = "mean"
    """Confidence of a ballot that says none: as sure as the mean of those that say theirs, and where none says, all
    weigh the same (`mean`); not at all (`lost`); or as sure as a number from 0 to 1."""

    def __call__(self, ballots: Sequence[Ballot], context: MergeContext) -> list[Rating]:
        """The ratings by confidence. Raises TooFewBallots where a thing has no ballot that weighs anything."""
        columns = context.columns(ballots)
        return [column.rating(self._merged(column.scores, self._shares(column))) for column in columns]

    def _merged(self, scores: Sequence[float], shares: Sequence[float]) -> float:
        return mean(scores, shares)

    def _shares(self, column: Column) -> list[float]:
        unsaid = self._unsaid([sure for sure in column.confidences if sure is not None])
        sure = [unsaid if said is None else said for said in column.confidences]
        shares = [weight * one for weight, one in zip(column.weights, sure, strict=True)]
        if not any(shares):
            raise TooFewBallots(f"none of {len(shares)} ballots has a confidence, and a weight, above 0")
        return shares

    def _unsaid(self, said: Sequence[float]) -> float:
        if self.unsaid == "mean":
            return fsum(said) / len(said) if said else 1.0
        return 0.0 if self.unsaid == "lost" else self.unsaid


class ConfidenceVotes(ConfidenceWeighted):
    """The score with the most votes, a ballot having as many as it is sure; ties are settled as in `weighted-votes`."""

    def _merged(self, scores: Sequence[float], shares: Sequence[float]) -> float:
        return most_voted(scores, shares)


def mean(scores: Sequence[float], weights: Sequence[float] | None = None) -> float:
    """The mean, kept within the scores: the rounding of floats can lead a hair's breadth out of them.

    Weights are finite, not negative, and not all zero.
    """
    return min(max(statistics.fmean(scores, weights), min(scores)), max(scores))
