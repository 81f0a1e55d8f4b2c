"""The score in the middle."""

import statistics
from collections.abc import Sequence

from agentdebate.ballots.ballot import Ballot, Rating
from agentdebate.ballots.merge_context import MergeContext


def median(ballots: Sequence[Ballot], context: MergeContext) -> list[Rating]:
    """The score in the middle; the mean of the middle two where the number of ballots is even."""
    return [column.rating(statistics.median(column.scores)) for column in context.columns(ballots)]
