"""How far scores reach on either side, and whether people and a judge can have scored on the same scale."""

from dataclasses import dataclass

from agentdebate.meta.columns import is_score
from agentdebate.meta.judged import JudgedRows, Judgements
from agentdebate.tasks import Scale

_WIDER = 2.0
"""How many times as wide a range is at least that hints at another scale, where it also reaches beyond the narrower one."""
_PART = 0.5
"""The share of a declared scale that people's scores cover at least where they are taken to be on it."""
_SHARED = 0.25
"""The share of all that both ranges cover, below which they hardly meet."""


@dataclass(frozen=True, slots=True)
class Reach:
    """The least and the greatest score of each side, over the texts that both scored."""

    human: tuple[float, float]
    score: tuple[float, float]
    scale: Scale | None = None
    """The scale that the judge's scores are declared to be on, where that is known."""

    @property
    def off_scale(self) -> bool:
        """Whether people's scores are on another scale than the judge's declared one: some of them lie beyond it."""
        return self.scale is not None and not self.broken and not _within(self.human, self.scale)

    @property
    def broken(self) -> bool:
        """Whether the judge's own scores lie beyond the scale that is declared for them."""
        return self.scale is not None and not _within(self.score, self.scale)

    @property
    def unlike(self) -> bool:
        """Whether people and judge are on different scales, or look like it.

        Where the judge's scale is declared, and its scores are on it: people's scores lie beyond it, or cover less than half of it. Where it is not, the
        scores alone tell: both sides' hardly meet, or the judge's reach beyond people's and are at least twice as wide. That
        can be wrong where either side uses a part of its scale.
        """
        if self.scale is not None and not self.broken:
            part = (self.human[1] - self.human[0]) / (self.scale.high - self.scale.low)
            return self.off_scale or 0 < part < _PART
        return self._look_unlike()

    def _look_unlike(self) -> bool:
        together = max(self.human[1], self.score[1]) - min(self.human[0], self.score[0])
        shared = min(self.human[1], self.score[1]) - max(self.human[0], self.score[0])
        if together <= 0:
            return False
        widths = self.human[1] - self.human[0], self.score[1] - self.score[0]
        beyond = self.score[0] < self.human[0] or self.score[1] > self.human[1]
        wider = widths[1] >= _WIDER * widths[0] and beyond and widths[0] > 0
        return shared < _SHARED * together or wider


def reach(judgements: Judgements) -> Reach | None:
    """How far the scores of both sides reach, and on which scale the judge's are; None where no text has both."""
    rows = JudgedRows.of(judgements.rows)
    both = zip(rows.human, rows.score, strict=True)
    known = [(human, score) for human, score in both if is_score(human) and is_score(score)]
    human, score = ([float(pair[side] or 0) for pair in known] for side in (0, 1))
    if not known:
        return None
    return Reach((min(human), max(human)), (min(score), max(score)), judgements.scale)


def _within(ends: tuple[float, float], scale: Scale) -> bool:
    return scale.low <= ends[0] and ends[1] <= scale.high
