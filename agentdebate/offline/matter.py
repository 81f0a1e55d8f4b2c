"""One line of a ballot: the text that it rates, its scale, and what the features say of it."""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

from agentdebate.ballots.lineup import Line
from agentdebate.offline.aspects import Profile
from agentdebate.offline.features import FeatureValue, JudgedText
from agentdebate.tasks import Scale


@dataclass(frozen=True, slots=True)
class Opinion:
    """A value from 0 to 1, and the findings that it is made of with their weights."""

    value: float
    findings: tuple[tuple[float, FeatureValue], ...]

    @property
    def reasons(self) -> list[str]:
        """The sentence that tells most, and the one that tells most to the contrary."""
        direction = 1 if self.value > 0.5 else -1  # noqa: PLR2004 - the middle
        pulls = sorted(self.findings, key=lambda each: -each[0] * abs(each[1].value - 0.5))
        both = (
            [one.towards(side) for _, one in pulls if one.towards(side)] for side in (direction, -direction)
        )
        return [sentence for said in both for sentence in said[:1]]


@dataclass(frozen=True)
class Matter:
    """A line of the ballot. `label` is what its text is called among others, empty where there is one alone."""

    line: Line
    label: str
    topic: str
    """The aspect's title."""
    text: JudgedText
    profile: Profile

    @property
    def key(self) -> str:
        """The name of its rating: "coherence", "overall.answer_1"."""
        return f"{self.line.rated}.{self.line.candidate}" if self.line.candidate else self.line.rated

    @property
    def name(self) -> str:
        """Name within a sentence: "coherence", "the coherence of Answer A"."""
        if not self.label:
            return self.topic.lower()
        return (
            self.label
            if self.line.aspect.title == self.label
            else f"the {self.topic.lower()} of {self.label}"
        )

    @property
    def ranked(self) -> bool:
        """Tell whether its number is a place, of which 1 is the best."""
        return self.line.aspect.rank

    @property
    def scale(self) -> Scale:
        """The scale of its number."""
        return self.line.aspect.scale

    @cached_property
    def opinion(self) -> Opinion:
        """The scorer's opinion, in which all of its features weigh alike."""
        return self.weighed(dict.fromkeys(self.profile.scorer, 1.0))

    def weighed(self, weights: Mapping[str, float]) -> Opinion:
        """The opinion by these features: the middle where none can be measured, nothing for a text without a word."""
        found = [(weight, self.text.find(name)) for name, weight in weights.items()]
        known = tuple((weight, one) for weight, one in found if one is not None)
        if not known:
            return Opinion(0.5 if self.text.words else 0.0, ())
        return Opinion(
            sum(weight * one.value for weight, one in known) / sum(weight for weight, _ in known), known
        )

    def share(self, number: float) -> float:
        """The value of a number: 0 at the bad end of its scale, 1 at the good end."""
        share = (number - self.scale.low) / (self.scale.high - self.scale.low)
        return 1 - share if self.ranked else share

    def number(self, value: float) -> float:
        """The number on the scale that is nearest to a value."""
        scale, value = self.scale, min(1.0, max(0.0, 1 - value if self.ranked else value))
        wanted = scale.low + value * (scale.high - scale.low)
        if scale.grades:
            return min(scale.values or (), key=lambda number: abs(number - wanted))
        if scale.step is None:
            digits = 2 - math.floor(math.log10((scale.high - scale.low) / 4))
            return min(scale.high, max(scale.low, round(wanted, digits)))
        most = math.floor((scale.high - scale.low) / scale.step + 1e-9)
        return scale.low + min(most, math.floor((wanted - scale.low) / scale.step + 0.5)) * scale.step

    @property
    def step(self) -> float:
        """The smallest move on the scale as a share of it; a twentieth where any number will do."""
        return self.scale.step / (self.scale.high - self.scale.low) if self.scale.step else 0.05

    def written(self, number: float) -> str:
        """A number as its grade, or in as few digits as keep it on its scale."""
        short = self.scale.grade(number) or f"{number:g}"
        return short if self.scale.grades or float(short) in self.scale else repr(number)
