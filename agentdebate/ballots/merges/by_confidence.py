"""Merges in which a ballot weighs as much as it is sure."""

from abc import abstractmethod
from collections.abc import Sequence
from math import fsum
from typing import Annotated, Literal

from pydantic import BeforeValidator

from agentdebate.ballots.ballot import Ballot, Rating
from agentdebate.ballots.merge_context import Column, MergeContext
from agentdebate.ballots.merge_rule import MergeRule
from agentdebate.ballots.merges.majority import most_voted
from agentdebate.ballots.merges.mean import mean
from agentdebate.errors import TooFewBallots


def _of_unsaid(value: object) -> object:
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


class ByConfidence(MergeRule):
    """A ballot weighs its confidence, times its weight where weights are given."""

    weights = "optional"

    unsaid: Annotated[Literal["mean", "lost"] | float, BeforeValidator(_of_unsaid)] = "mean"
    """How a ballot counts that says no confidence: as sure as the mean of those that say theirs, and where none says, all
    weigh the same (`mean`); not at all (`lost`); or as sure as a number from 0 to 1."""

    def __call__(self, ballots: Sequence[Ballot], context: MergeContext) -> list[Rating]:
        """The ratings by confidence. Raises TooFewBallots where a thing has no ballot that weighs anything."""
        return [column.rating(self._score(column)) for column in context.columns(ballots)]

    @abstractmethod
    def merged(self, scores: Sequence[float], shares: Sequence[float]) -> float:
        """The score of one thing."""

    def _score(self, column: Column) -> float:
        unsaid = self._unsaid([sure for sure in column.confidences if sure is not None])
        sure = [unsaid if said is None else said for said in column.confidences]
        shares = [weight * one for weight, one in zip(column.weights, sure, strict=True)]
        if not any(shares):
            raise TooFewBallots(f"none of {len(shares)} ballots has a confidence, and a weight, above 0")
        return self.merged(column.scores, shares)

    def _unsaid(self, said: Sequence[float]) -> float:
        if self.unsaid == "mean":
            return fsum(said) / len(said) if said else 1.0
        return 0.0 if self.unsaid == "lost" else self.unsaid


class ConfidenceWeighted(ByConfidence):
    """The mean weighted by how sure each ballot is, from 0 to 1, and by the agents' weights where there are any."""

    def merged(self, scores: Sequence[float], shares: Sequence[float]) -> float:
        """The weighted mean."""
        return mean(scores, shares)


class ConfidenceVotes(ByConfidence):
    """The score with the most votes, a ballot having as many as it is sure; ties are settled as in `weighted-votes`."""

    def merged(self, scores: Sequence[float], shares: Sequence[float]) -> float:
        """The score with the most votes."""
        return most_voted(scores, shares)
