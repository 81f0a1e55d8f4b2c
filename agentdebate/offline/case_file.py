"""Everything that a reply is made from: the request's context, the readings of its texts, what has been heard."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from agentdebate.ballots.lineup import ballot_lines
from agentdebate.models.base import Context
from agentdebate.offline.closing import closing_lines
from agentdebate.offline.history import History
from agentdebate.offline.matter import Matter
from agentdebate.offline.papers import paper_of, sureness
from agentdebate.offline.profiles import profile
from agentdebate.offline.reading import Reading

_CONTRAST = 2.0
"""How much farther apart texts are put side by side than each would be by itself: to compare is to look for differences."""
_WHOLE = "overall"
"""What the judgement on a text as a whole is called."""
_LEVELS = 20
"""Grades of quality that make a difference between places."""


@dataclass(frozen=True, slots=True)
class CaseFile:
    """One turn's material: the `matters` are what its ballot has to hold, in order."""

    context: Context
    matters: tuple[Matter, ...]
    history: History

    @classmethod
    def open(cls, context: Context, read: Callable[[str], Reading]) -> "CaseFile":
        """Lay out the material of a turn; `read` gives the reading of the text in a field of the item."""
        labels = {candidate.field: candidate.label for candidate in context.candidates}
        aspects = {aspect.name: aspect for aspect in context.aspects}
        matters = []
        for line in context.lines or ballot_lines(context.aspects, context.candidates):
            reading = read(context.task.judged if line.candidate is None else line.candidate)
            aspect = aspects.get(line.rated, line.aspect)
            label = labels.get(line.candidate or "", "")
            matters.append(Matter(line, label, aspect.title, reading, profile(aspect, reading.kind)))
        return cls(context, tuple(matters), History(context, tuple(matters)))

    @property
    def compares(self) -> bool:
        """Whether there is more than one text."""
        return bool(self.context.candidates)

    @property
    def averaged(self) -> str:
        """The aspect that stands for all the others together, the task itself having none of that name; empty for none."""
        asked = [aspect.name for aspect in self.context.aspects]
        own = any(aspect.name == _WHOLE for aspect in self.context.task.aspects)
        return _WHOLE if _WHOLE in asked and len(asked) > 1 and not own else ""

    @property
    def by_aspect(self) -> list[tuple[Matter, ...]]:
        """The matters by the aspect that they rate: one text each, in the order in which they are shown."""
        rated: dict[str, list[Matter]] = {}
        for matter in self.matters:
            rated.setdefault(matter.line.rated, []).append(matter)
        return [tuple(matters) for matters in rated.values()]

    def numbers(self, values: Mapping[str, float]) -> dict[str, float]:
        """The numbers that values from 0 to 1 come to: scores, or places by who is better."""
        found = {}
        for matters in self.by_aspect:
            middle = sum(values[matter.key] for matter in matters) / len(matters)
            for matter in matters:
                value = values[matter.key]
                found[matter.key] = (
                    _place(matter, matters, values)
                    if matter.ranked
                    else matter.number(middle + _CONTRAST * (value - middle) if len(matters) > 1 else value)
                )
        return found

    def filled(self, numbers: Mapping[str, float]) -> dict[str, float]:
        """These numbers, with those that the scorer would open with where there are none."""
        if len(numbers) == len(self.matters):
            return dict(numbers)
        return self.numbers({matter.key: matter.opinion().value for matter in self.matters}) | dict(numbers)

    def closing(self, numbers: Mapping[str, float]) -> str:
        """The closing lines that give these numbers, in the form that is wanted; and how sure it is, where it is asked."""
        wanted = paper_of(self.context.reply, self.by_aspect, numbers)
        lines = wanted or closing_lines(
            [matter.line.aspect for matter in self.matters],
            {matter.line.aspect.name: numbers[matter.key] for matter in self.matters},
        )
        if self.context.confidence != "asked":
            return lines
        return f"{lines}\nConfidence: {sureness(self.matters, numbers):.0%}"


def _place(matter: Matter, rivals: tuple[Matter, ...], values: Mapping[str, float]) -> float:
    """One more than those who are better; as good is not better, so that ties share a place."""
    own = round(values[matter.key] * _LEVELS)
    better = sum(1 for rival in rivals if round(values[rival.key] * _LEVELS) > own)
    scale = matter.scale
    return min(scale.low + better * (scale.step or 1.0), scale.high)
