"""The plain mean."""

from collections.abc import Sequence

from agentdebate.ballots.ballot import Ballot, Rating
from agentdebate.ballots.merge_context import MergeContext
from agentdebate.ballots.merges.mean import mean


def average(ballots: Sequence[Ballot], context: MergeContext) -> list[Rating]:
    """The plain mean."""
    return [column.rating(mean(column.scores)) for column in context.columns(ballots)]
