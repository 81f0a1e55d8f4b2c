"""The score with the most votes, each ballot having one for its score, or as many as it weighs."""

from collections.abc import Sequence
from math import fsum

from agentdebate.ballots.ballot import Ballot, Rating
from agentdebate.ballots.merge_context import MergeContext
from agentdebate.ballots.merge_rule import MergeRule
from agentdebate.ballots.merges.mean import mean

_PLACES = 9
"""Decimals to which votes and distances are compared, so that the rounding of floats breaks no tie."""


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
