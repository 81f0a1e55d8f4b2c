"""What a text is worth in one aspect by a mix of features, and the reasons for it."""

from dataclasses import dataclass

from agentdebate.offline.features import find
from agentdebate.offline.finding import Finding
from agentdebate.offline.profiles import Profile
from agentdebate.offline.reading import Reading
from agentdebate.offline.viewpoints import emphasis, looks_at

_GOOD, _BAD = 0.85, 0.6
"""Shares of the scale above and below which one kind of reason is enough."""
_BESIDES = 0.3
"""Weight, beside its trust, of a feature that only the speaker's card brings up."""


@dataclass(frozen=True, slots=True)
class Reason:
    """A sentence with quoted evidence, and whether it speaks for the text (1) or against it (-1)."""

    direction: int
    sentence: str


@dataclass(frozen=True, slots=True)
class Opinion:
    """A value from 0 to 1, and the findings it comes from with their weights."""

    value: float
    findings: tuple[tuple[float, Finding], ...]

    @classmethod
    def of(cls, findings: tuple[tuple[float, Finding], ...]) -> "Opinion":
        """The weighted mean of findings; a half where there are none."""
        total = sum(weight for weight, _ in findings)
        value = sum(weight * finding.value for weight, finding in findings) / total if total else 0.5
        return cls(value, findings)

    def reasons(self, skip: int = 0, *, most: int = 2) -> list[Reason]:
        """The reasons that decide, strongest first, up to `most`. `skip` passes over turns that gave theirs before."""
        weak, strong = self.towards(-1), self.towards(1)
        if self.value >= _GOOD:
            ordered = strong[:2] + weak[:1] + strong[2:]
        elif self.value <= _BAD:
            ordered = weak[:2] + strong[:1] + weak[2:]
        else:
            ordered = strong[:1] + weak[:1] + strong[1:] + weak[1:]
        start = min(most * skip, max(0, len(ordered) - most))
        return ordered[start : start + most]

    def towards(self, direction: int) -> list[Reason]:
        """The reasons that speak for the text or against it, strongest first."""
        pulls = [
            (weight * (finding.value if direction > 0 else 1.0 - finding.value), finding)
            for weight, finding in self.findings
        ]
        notable = [each for each in pulls if each[0] > 0.1 * (direction < 0)]
        notable.sort(key=lambda each: (-each[0], each[1].feature))
        sentences = [finding.towards(direction) for _, finding in notable]
        return [Reason(direction, sentence) for sentence in sentences if sentence]


def weigh(reading: Reading, profile: Profile, *, card: str = "") -> Opinion:
    """What the scorer's features come to; a card with a viewpoint weighs in its own way and brings up its own.

    A text without a word in it is worth nothing.
    """
    if not reading.text.words:
        return Opinion(0.0, ())
    weights = {name: weight * emphasis(card, name) for name, weight in profile.scorer.items()}
    for name in looks_at(card):
        if name in profile.critic:
            weights[name] = _BESIDES * profile.critic[name]
    measured = [(weight, find(reading, name)) for name, weight in weights.items()]
    return Opinion.of(tuple((weight, finding) for weight, finding in measured if finding is not None))
