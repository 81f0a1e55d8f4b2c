"""The mean without the scores at either end."""

from collections.abc import Sequence
from math import ceil, floor

from pydantic import Field

from agentdebate.ballots.ballot import Ballot, Rating
from agentdebate.ballots.merge_context import MergeContext
from agentdebate.ballots.merge_rule import MergeRule
from agentdebate.ballots.merges.mean import mean


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
