"""How far scores reach on either side, and whether people and a judge can have scored on the same scale."""

from dataclasses import dataclass
from typing import Literal

from agentdebate.meta.judgements import Judgements, is_score
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

Apart = Literal["declared", "people beyond", "judge beyond"]
"""How it is known that two sides score on different scales: both are declared, or one side's scores lie beyond the other's."""


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
    people: Scale | None = None
    """The scale that people's scores are declared to be on, where that is known."""

    @property
    def broken(self) -> bool:
        """Whether scores of either side lie beyond the scale that is declared for them."""
        sides = ((self.score, self.scale), (self.human, self.people))
        return any(ends and scale and not _within(ends, scale) for ends, scale in sides)

    @property
    def apart(self) -> Apart | None:
        """How it is known that people and judge are on different scales; None where it is not."""
        if self.scale and self.people:
            return "declared" if _ends(self.scale) != _ends(self.people) else None
        if self.broken:
            return None
        if self.scale and not _within(self.human, self.scale):
            return "people beyond"
        return "judge beyond" if self.people and self.score and not _within(self.score, self.people) else None

    @property
    def unlike(self) -> bool:
        """Whether people and judge are on different scales, or look like it.

        Where both scales are declared, these tell. Where the judge's alone is, and its scores are on it: people's scores lie
        beyond it, or none of them lies in its upper half, as if theirs were a scale that ends there; with few texts, none above
        its lowest tenth. Where people's alone is: the judge's scores lie beyond it. Where none is, the scores alone tell:
        both sides' hardly meet, or the judge's reach beyond people's and are at least twice as wide. That can be wrong where
        either side uses a part of its scale.
        """
        if self.apart or (self.scale and self.people):
            return self.apart is not None
        if self.scale is not None and not self.broken:
            top = (self.human[1] - self.scale.low) / (self.scale.high - self.scale.low)
            return self.human[1] > self.human[0] and top < (_TINY if self.n < _FEW else _PART)
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
    both = ((row.human, row.score) for row in judgements.rows)
    known = [(human, score) for human, score in both if is_score(human) and (imputed or is_score(score))]
    people = [human for human, _ in known if human is not None]
    score = [score for _, score in known if score is not None and is_score(score)]
    if not people:
        return None
    ends = (min(score), max(score)) if score else None
    return Reach((min(people), max(people)), ends, judgements.scale, len(people), judgements.people_scale)


def _ends(scale: Scale) -> tuple[float, float]:
    return scale.low, scale.high


def _within(ends: tuple[float, float], scale: Scale) -> bool:
    return scale.low <= ends[0] and ends[1] <= scale.high
