"""Material of a reply: the context of the request, the lines of its ballot, and the talk so far."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from statistics import fmean

from agentdebate.ballots.lineup import ballot_lines
from agentdebate.models.base import Context
from agentdebate.offline.aspects import emphasis, profile_of
from agentdebate.offline.forms import last_lines
from agentdebate.offline.matter import Matter, Opinion
from agentdebate.offline.reading import Reading
from agentdebate.offline.talk import Argument, Talk

_CONTRAST = 2.0
"""Factor by which texts are put farther apart side by side than each would be by itself."""
_LEVELS = 20
"""Grades of quality that make a difference between places."""
_PULL = 0.25
"""Part of the way that a judge on a panel goes towards arguments that the text bears out."""


@dataclass(frozen=True, slots=True)
class View:
    """The view of a judge on a panel: its own opinion, the arguments that it grants, and the value that it comes to."""

    matter: Matter
    own: Opinion
    granted: tuple[Argument, ...]

    @property
    def value(self) -> float:
        """The own value, moved a little towards what is granted."""
        own = self.own.value
        return own + _PULL * fmean(each.finding.value - own for each in self.granted) if self.granted else own


@dataclass(frozen=True, slots=True)
class Case:
    """The material of one turn. The `matters` are what its ballot has to hold, in order."""

    context: Context
    matters: tuple[Matter, ...]
    talk: Talk

    @classmethod
    def of(cls, context: Context, read: Callable[[str], Reading]) -> "Case":
        """Lay out the material; `read` gives the reading of the text in a field of the item."""
        labels = {candidate.field: candidate.label for candidate in context.candidates}
        aspects = {aspect.name: aspect for aspect in context.aspects}
        matters = []
        for line in context.lines or ballot_lines(context.aspects, context.candidates):
            aspect = aspects.get(line.rated, line.aspect)
            reading = read(line.candidate or context.task.judged)
            matters.append(
                Matter(line, labels.get(line.candidate or "", ""), aspect.title, reading, profile_of(aspect))
            )
        return cls(context, tuple(matters), Talk(context, matters))

    @property
    def by_aspect(self) -> list[list[Matter]]:
        """The matters by the aspect that they rate: one for each text."""
        rated: dict[str, list[Matter]] = {}
        for matter in self.matters:
            rated.setdefault(matter.line.rated, []).append(matter)
        return list(rated.values())

    def views(self) -> list[View]:
        """The views of a judge of this card, after what the others said last."""
        heard, card = self.talk.arguments(self.talk.latest), self.context.card
        opens = self.context.purpose == "score"
        found = []
        for matter in self.matters:
            # An opening score leaves some features to the critic.
            features = matter.profile.scorer if opens else matter.profile.features
            own = matter.weighed({name: emphasis(card, name) for name in features})
            new = [each for each in heard if each.matter == matter.key and each.sentence not in own.reasons]
            found.append(View(matter, own, tuple(each for each in new if each.strength(own.value) > 0)))
        return found

    def numbers(self, values: Mapping[str, float]) -> dict[str, float]:
        """The numbers that these values, from 0 to 1, come to: scores, or places among the others."""
        found = {}
        for matters in self.by_aspect:
            middle = fmean(values[matter.key] for matter in matters)
            for matter in matters:
                value = values[matter.key]
                if matter.ranked and len(matters) > 1:
                    better = sum(round(values[one.key] * _LEVELS) > round(value * _LEVELS) for one in matters)
                    found[matter.key] = min(matter.scale.low + better, matter.scale.high)
                else:
                    found[matter.key] = matter.number(
                        middle + _CONTRAST * (value - middle) if len(matters) > 1 else value
                    )
        return found

    def filled(self, numbers: Mapping[str, float]) -> dict[str, float]:
        """These numbers, with the scorer's own where there are none."""
        return self.numbers({matter.key: matter.opinion.value for matter in self.matters}) | dict(numbers)

    def ballot(self, paragraphs: list[str], numbers: Mapping[str, float]) -> str:
        """A reply that ends with these numbers, in the form that is wanted."""
        lines = last_lines(
            self.context.reply, self.by_aspect, numbers, sure=self.context.confidence == "asked"
        )
        return "\n\n".join([*paragraphs, lines])
