"""What a text is worth in one aspect by a mix of features, and the reasons for it."""

import zlib
from collections.abc import Mapping
from dataclasses import dataclass

from agentdebate.models.offline_judge.features import find
from agentdebate.models.offline_judge.finding import Finding
from agentdebate.models.offline_judge.reading import Reading

_NEUTRAL = ("scorer", "judge", "grader", "evaluator", "")
"""Cards with no viewpoint of their own."""
_GOOD, _BAD = 0.85, 0.6
"""Shares of the scale above and below which one kind of reason is enough."""


@dataclass(frozen=True, slots=True)
class Opinion:
    """A value from 0 to 1, and the findings it comes from with their weights."""

    value: float
    findings: tuple[tuple[float, Finding], ...]

    def reasons(self, skip: int = 0) -> list[str]:
        """One to three sentences with quoted evidence: what decides first. `skip` passes over what was said before."""
        weak = [finding.weak for _, finding in self._pulls(-1) if finding.weak]
        strong = [finding.strong for _, finding in self._pulls(1) if finding.strong]
        if self.value >= _GOOD:
            ordered = strong[:2] + weak[:1] + strong[2:]
        elif self.value <= _BAD:
            ordered = weak[:2] + strong[:1] + weak[2:]
        else:
            ordered = strong[:1] + weak[:1] + strong[1:] + weak[1:]
        start = min(2 * skip, max(0, len(ordered) - 2))
        return ordered[start : start + 2]

    def _pulls(self, direction: int) -> list[tuple[float, Finding]]:
        pulls = [
            (weight * (finding.value if direction > 0 else 1.0 - finding.value), finding)
            for weight, finding in self.findings
        ]
        notable = [each for each in pulls if each[0] > 0.1 * (direction < 0)]
        return sorted(notable, key=lambda each: (-each[0], each[1].feature))


def weigh(reading: Reading, weights: Mapping[str, float], *, card: str = "") -> Opinion:
    """The weighted mean of the features that find something; a card with a viewpoint weighs in its own way.

    A text without a word in it is worth nothing.
    """
    found = []
    for name, weight in weights.items():
        finding = find(reading, name)
        if finding is not None:
            found.append((weight * _emphasis(card, name), finding))
    if not reading.text.words:
        return Opinion(0.0, ())
    total = sum(weight for weight, _ in found)
    value = sum(weight * finding.value for weight, finding in found) / total if total else 0.5
    return Opinion(value, tuple(found))


def _emphasis(card: str, feature: str) -> float:
    """A factor from 0.5 to 1.5 that is the same wherever the card speaks."""
    if card in _NEUTRAL:
        return 1.0
    return 0.5 + zlib.crc32(f"{card}/{feature}".encode("utf-8", "replace")) % 101 / 100
