"""How far scores reach on either side, and whether people and a judge can have scored on the same scale."""

from dataclasses import dataclass

from agentdebate.meta.columns import why_missing
from agentdebate.meta.judged import Judgements

_WIDER = 2.0
"""How many times as wide a range is at least that hints at another scale, where it also reaches beyond the narrower one."""
_SHARED = 0.25
"""The share of all that both ranges cover, below which they hardly meet."""


@dataclass(frozen=True, slots=True)
class Reach:
    """The least and the greatest score of each side, over the texts that both scored."""

    human: tuple[float, float]
    score: tuple[float, float]

    @property
    def unlike(self) -> bool:
        """Whether the two look like different scales: they hardly meet, or the judge's reaches beyond people's and is at least
        twice as wide. This goes by the scores alone, so it can be wrong where either side uses a part of its scale.
        """
        together = max(self.human[1], self.score[1]) - min(self.human[0], self.score[0])
        shared = min(self.human[1], self.score[1]) - max(self.human[0], self.score[0])
        if together <= 0:
            return False
        widths = self.human[1] - self.human[0], self.score[1] - self.score[0]
        beyond = self.score[0] < self.human[0] or self.score[1] > self.human[1]
        wider = widths[1] >= _WIDER * widths[0] and beyond and widths[0] > 0
        return shared < _SHARED * together or wider


def reach(judgements: Judgements) -> Reach | None:
    """How far the scores of both sides reach; None where no text has both."""
    rows = [(row.human, row.score) for row in judgements.rows if why_missing(row) is None]
    human = [float(one) for one, _ in rows if one is not None]
    score = [float(one) for _, one in rows if one is not None]
    return Reach((min(human), max(human)), (min(score), max(score))) if rows else None
