"""The scales of judges and people: as scale=... declares them, and as far as scores reach."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from agentdebate.datasets.named_values import free_pairs
from agentdebate.errors import UsageError, nearest
from agentdebate.meta.judgements import Judgements, is_score
from agentdebate.tasks import Scale

PEOPLE = "people"
"""The name under which people's own scale is declared."""


@dataclass(frozen=True)
class DeclaredScales:
    """Scales by what they were declared for: "" (all judges), an aspect, a judge, "JUDGE:ASPECT", "people", "people:ASPECT"."""

    texts: Mapping[str, str]
    """As they were written."""
    scales: Mapping[str, Scale]

    @classmethod
    def parse(cls, given: Sequence[str]) -> "DeclaredScales":
        """Read SCALE and NAME=SCALE. Raises UsageError."""
        named = free_pairs([text for text in given if "=" in text], "scale=...")
        plain = [text for text in given if "=" not in text]
        if len(plain) > 1:
            raise UsageError(
                f"scale=... is given twice, {plain[0]} and {plain[1]}: say whose each is, ASPECT=SCALE or JUDGE=SCALE"
            )
        texts = {**named, **({"": plain[0]} if plain else {})}
        return cls(texts, {name: Scale.parse(text) for name, text in texts.items()})

    def of(self, judge: str, aspect: str, own: Scale | None = None) -> Scale | None:
        """The scale of a judge's scores; `own` is the one that is known of it. None where none is known.

        What is said of the judge goes before what is said of the aspect, and a scale for everything comes last.
        """
        name = self._name(judge, aspect)
        return self.scales[name] if name else own or self.scales.get("")

    def of_people(self, aspect: str) -> Scale | None:
        """The scale of people's scores, where it was declared."""
        return self.scales.get(f"{PEOPLE}:{aspect}", self.scales.get(PEOPLE))

    def told(self, judge: str, aspects: Sequence[str]) -> str:
        """The scales that a judge's replies are read on, as they were written; empty where none was declared."""
        used = dict.fromkeys(self._name(judge, aspect) or "" for aspect in aspects)
        return ", ".join(self._told(name, judge) for name in used if name in self.texts)

    def names(self, judge: str) -> bool:
        """Whether a scale was declared for this judge by name."""
        return any(name == judge or name.startswith(f"{judge}:") for name in self.scales)

    def check(self, judges: Collection[str], aspects: Collection[str]) -> None:
        """Raise UsageError for a name that is neither a judge nor an aspect, or that is both where these differ."""
        alike = len(judges) == len(aspects) == 1
        for name in filter(None, self.scales):
            meanings = list(_meanings(name, judges, aspects))
            if not meanings:
                raise UsageError(
                    f"scale=...: there is no aspect {name!r}, and no judge of that name. {nearest(name, [*aspects, *judges, PEOPLE])}"
                )
            if _OF_PEOPLE in meanings and len(meanings) > 1:
                raise UsageError(
                    f"scale=...: {name!r} is {' and '.join(meanings)}: give the judge or the aspect another name"
                )
            if len(meanings) > 1 and not alike:
                raise UsageError(
                    f"scale=...: {name!r} is {' and '.join(meanings)}: JUDGE:ASPECT=SCALE says which is meant"
                )

    def _name(self, judge: str, aspect: str) -> str | None:
        """The most particular name that a scale was declared for."""
        return next((name for name in (f"{judge}:{aspect}", judge, aspect) if name in self.scales), None)

    def _told(self, name: str, judge: str) -> str:
        of_all = name in ("", judge)
        return self.texts[name] if of_all else f"{name.removeprefix(f'{judge}:')}={self.texts[name]}"


_OF_PEOPLE = "people's own scale"


def _meanings(name: str, judges: Collection[str], aspects: Collection[str]) -> Iterator[str]:
    """What a name can stand for."""
    who, colon, aspect = name.rpartition(":")
    of_aspect = bool(colon) and aspect in aspects
    if name in aspects:
        yield "an aspect"
    if name in judges:
        yield "a judge"
    if of_aspect and who in judges:
        yield "an aspect of a judge's"
    if name == PEOPLE or (of_aspect and who == PEOPLE):
        yield _OF_PEOPLE


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
