"""How far scores reach on either side, and whether people and a judge can have scored on the same scale."""

from dataclasses import dataclass

from agentdebate.meta.columns import is_score
from agentdebate.meta.judged import JudgedRows, Judgements
from agentdebate.tasks import Scale

_WIDER = 2.0
"""How many times as wide a range is at least that hints at another scale, where it also reaches beyond the narrower one."""
_PART = 0.5
"""Where no score of people's lies above this share of a declared scale, they may be on another one that ends there."""
_TINY = 0.1
"""The same where there are few texts, on which people may well use the lower half of a scale only."""
_FEW = 10
"""With fewer texts than this there are few."""
_SHARED = 0.25
"""The share of all that both ranges cover, below which they hardly meet."""


@dataclass(frozen=True, slots=True)
class Reach:
    """The least and the greatest score of each side, over the texts that count."""

    human: tuple[float, float]
    score: tuple[float, float] | None
    """None where the judge has scored none of them."""
    scale: Scale | None = None
    """The scale that the judge's scores are declared to be on, where that is known."""
    n: int = 0
    """How many texts count."""

    @property
    def off_scale(self) -> bool:
        """Whether people's scores are on another scale than the judge's declared one: some of them lie beyond it."""
        return self.scale is not None and not self.broken and not _within(self.human, self.scale)

    @property
    def broken(self) -> bool:
        """Whether the judge's own scores lie beyond the scale that is declared for them."""
        return self.scale is not None and self.score is not None and not _within(self.score, self.scale)

    @property
    def unlike(self) -> bool:
        """Whether people and judge are on different scales, or look like it.

        Where the judge's scale is declared, and its scores are on it: people's scores lie beyond it, or none of them lies in
        its upper half, as if theirs were a scale that ends there; with few texts, none above its lowest tenth. Where it is not, the
        scores alone tell: both sides' hardly meet, or the judge's reach beyond people's and are at least twice as wide. That
        can be wrong where either side uses a part of its scale.
        """
        if self.scale is not None and not self.broken:
            top = (self.human[1] - self.scale.low) / (self.scale.high - self.scale.low)
            spread = self.human[1] > self.human[0]
            return self.off_scale or (spread and top < (_TINY if self.n < _FEW else _PART))
        return self.score is not None and self._look_unlike(self.score)

    def _look_unlike(self, score: tuple[float, float]) -> bool:
        together = max(self.human[1], score[1]) - min(self.human[0], score[0])
        shared = min(self.human[1], score[1]) - max(self.human[0], score[0])
        if together <= 0:
            return False
        widths = self.human[1] - self.human[0], score[1] - score[0]
        beyond = score[0] < self.human[0] or score[1] > self.human[1]
        wider = widths[1] >= _WIDER * widths[0] and beyond and widths[0] > 0
        return shared < _SHARED * together or wider


def reach(judgements: Judgements, *, imputed: bool = False) -> Reach | None:
    """How far the scores of both sides reach, and on which scale the judge's are; None where no text counts.

    Texts count that both have scored; where missing scores are `imputed`, all that people have scored.
    """
    rows = JudgedRows.of(judgements.rows)
    both = zip(rows.human, rows.score, strict=True)
    known = [(human, score) for human, score in both if is_score(human) and (imputed or is_score(score))]
    people = [human for human, _ in known if human is not None]
    score = [score for _, score in known if score is not None and is_score(score)]
    if not people:
        return None
    ends = (min(score), max(score)) if score else None
    return Reach((min(people), max(people)), ends, judgements.scale, len(people))


def _within(ends: tuple[float, float], scale: Scale) -> bool:
    return scale.low <= ends[0] and ends[1] <= scale.high
