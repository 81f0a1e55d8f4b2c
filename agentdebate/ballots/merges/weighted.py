"""The mean of scores by what each ballot weighs."""

from collections.abc import Sequence

from agentdebate.ballots.ballot import Ballot, Rating
from agentdebate.ballots.merge_context import MergeContext
from agentdebate.ballots.merge_rule import MergeRule
from agentdebate.ballots.merges.mean import mean


class Weighted(MergeRule):
    """The mean weighted by the agents' weights; an agent without one weighs 1."""

    weights = "required"

    def __call__(self, ballots: Sequence[Ballot], context: MergeContext) -> list[Rating]:
        """The weighted mean of each thing."""
        return [column.rating(mean(column.scores, column.weights)) for column in context.columns(ballots)]
