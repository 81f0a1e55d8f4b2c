"""Material of a reply: the context of the request, the lines of its ballot, and the talk so far."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean

from agentdebate.ballots.lineup import ballot_lines
from agentdebate.models.base import Context
from agentdebate.offline.aspects import emphasis, profile_of
from agentdebate.offline.features import JudgedText
from agentdebate.offline.matter import Matter, Opinion
from agentdebate.offline.talk import Argument, Talk

_CONTRAST = 2.0
"""Factor by which texts are put farther apart side by side than each would be by itself."""
_LEVELS = 20
"""Grades of quality that make a difference between places."""
_PULL = 0.25
"""Part of the way that a judge on a panel goes towards arguments that the text bears out."""
_ENOUGH = 0.5
"""Share of the scale from which on a text is approved of."""


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
    def of(cls, context: Context, read: Callable[[str], JudgedText]) -> "Case":
        """Lay out the material; `read` gives the text in a field of the item."""
        labels = {candidate.field: candidate.label for candidate in context.candidates}
        aspects = {aspect.name: aspect for aspect in context.aspects}
        matters = []
        for line in context.lines or ballot_lines(context.aspects, context.candidates):
            aspect = aspects.get(line.rated, line.aspect)
            text = read(line.candidate or context.task.judged)
            matters.append(
                Matter(line, labels.get(line.candidate or "", ""), aspect.title, text, profile_of(aspect))
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
        """Fill in the scorer's own numbers where there are none."""
        return self.numbers({matter.key: matter.opinion.value for matter in self.matters}) | dict(numbers)

    def ballot(self, paragraphs: list[str], numbers: Mapping[str, float]) -> str:
        """A reply that ends with these numbers, in the form that is wanted."""
        lines = last_lines(
            self.context.reply, self.by_aspect, numbers, sure=self.context.confidence == "asked"
        )
        return "\n\n".join([*paragraphs, lines])


def last_lines(
    reply: str, by_aspect: Sequence[Sequence[Matter]], numbers: Mapping[str, float], *, sure: bool = False
) -> str:
    """The lines for a kind of reply; with `sure`, another that says how far the numbers are from the middle of their scales."""
    lines = []
    for matters in by_aspect:
        alone = len(by_aspect) == 1
        if reply == "ranking":
            lines.append(f"{'Ranking' if alone else matters[0].topic}: {_order(matters, numbers)}")
        elif reply == "approval":
            good = [one.label for one in matters if one.share(numbers[one.key]) >= _ENOUGH]
            lines.append(f"{'Approved' if alone else matters[0].topic}: {', '.join(good) or 'none'}")
        else:
            given = _points(matters, numbers) if reply == "points" else numbers
            lines += [f"{one.line.aspect.title}: {one.written(given[one.key])}" for one in matters]
    if sure:
        shares = [one.share(numbers[one.key]) for matters in by_aspect for one in matters]
        lines.append(f"Confidence: {0.5 + fmean(abs(share - 0.5) for share in shares):.0%}")
    return "\n".join(lines)


def _order(matters: Sequence[Matter], numbers: Mapping[str, float]) -> str:
    places: dict[float, list[str]] = {}
    for matter in sorted(matters, key=lambda one: numbers[one.key]):
        places.setdefault(numbers[matter.key], []).append(matter.label)
    return " > ".join(" = ".join(tied) for tied in places.values())


def _points(matters: Sequence[Matter], numbers: Mapping[str, float]) -> dict[str, float]:
    """Points in proportion to the numbers; the text, not its place, decides who gets those that rounding leaves."""
    budget = round(matters[0].scale.high)
    total = sum(numbers[one.key] for one in matters)
    exact = {
        one.key: budget * numbers[one.key] / total if total else budget / len(matters) for one in matters
    }
    points = {key: float(int(share)) for key, share in exact.items()}
    by_loss = sorted(matters, key=lambda one: (points[one.key] - exact[one.key], one.text.raw))
    for matter in by_loss[: budget - round(sum(points.values()))]:
        points[matter.key] += 1
    return points
