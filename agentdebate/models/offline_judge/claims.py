"""Objections to a score: read from a critic's words, whoever the critic is, and checked against the text."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from agentdebate.models.offline_judge.closing import share_of
from agentdebate.models.offline_judge.features import FEATURES, find, force
from agentdebate.models.offline_judge.finding import Finding
from agentdebate.models.offline_judge.profiles import Profile
from agentdebate.models.offline_judge.reading import Reading
from agentdebate.tasks import Aspect

NO_ISSUE = "NO ISSUE"
_DOWN = re.compile(
    r"\btoo (?:high|generous|lenient|kind|favou?rable)\b|\boverrate|\binflated\b|\boverstate|\blower(?:ed)?\b"
    r"|\bdeserves? less\b|\breduced?\b",
    re.IGNORECASE,
)
_UP = re.compile(
    r"\btoo (?:low|harsh|strict|severe|hard)\b|\bunderrate|\bundersell|\bhigher\b|\braised?\b|\bdeserves? more\b",
    re.IGNORECASE,
)
_QUOTED = re.compile(r"“([^“”]{1,400})”|\"([^\"\n]{3,400})\"")
_GAP = re.compile(r"\.{3}|…")
_TRUST = 0.7
"""Weight of a scorer's own feature in a critic's mouth."""
_ELSEWHERE = 0.3
"""Weight of a feature that the aspect's profile does not name."""


@dataclass(frozen=True, slots=True)
class Claim:
    """One objection: that an aspect's score is too low (`direction` 1) or too high (-1), with the words quoted for it.

    `features` are the features that it speaks of.
    """

    aspect: str
    direction: int
    quotes: tuple[str, ...]
    features: tuple[str, ...]

    @property
    def identity(self) -> tuple[object, ...]:
        """What makes two claims the same argument in whatever words: the same evidence for the same point."""
        return self.aspect, self.direction, self.quotes, self.features


@dataclass(frozen=True, slots=True)
class Check:
    """What a claim is worth: how far the text bears it out (0 or less: not at all), by which finding, or why not."""

    strength: float
    finding: Finding | None = None
    trouble: str = ""


def read_claims(text: str, aspects: Sequence[Aspect], *, critique: bool) -> list[Claim]:
    """The claims in a message, a paragraph each. What says neither "too high" nor "too low" is one only in a critique.

    A critique that gives no direction is taken to say that the score is too high.
    """
    if text.rstrip(" \n\t.*_").endswith(NO_ISSUE):
        return []
    claims: list[Claim] = []
    direction = -1 if critique else 0
    for paragraph in text.split("\n"):
        bare = _QUOTED.sub(" ", paragraph)
        direction = _direction(bare) or direction
        quotes = tuple(one or other for one, other in _QUOTED.findall(paragraph))
        features = tuple(name for name, feature in FEATURES.items() if feature.cue.search(bare))
        if direction and (quotes or features):
            claims += [Claim(aspect.name, direction, quotes, features) for aspect in _about(bare, aspects)]
    return claims


def check(claim: Claim, reading: Reading, profile: Profile, aspect: Aspect, score: float) -> Check:
    """Test a claim: its quotes must stand in the item, and a feature it speaks of must point where it points."""
    parts = [part.strip() for quote in claim.quotes for part in _GAP.split(quote) if part.strip()]
    found = [part for part in parts if reading.holds(part)]
    if parts and not found:
        return Check(0.0, trouble=f"the words “{parts[0][:90]}” stand nowhere in the text")
    measured = [(name, find(reading, name)) for name in _subjects(claim, reading, profile)]
    checks = [
        Check(trust(profile, name) * force(finding, claim.direction, share_of(aspect.scale, score)), finding)
        for name, finding in measured
        if finding is not None
    ]
    if not checks:
        return Check(0.0, trouble="it names nothing that can be checked in the text")
    return max(checks, key=lambda each: each.strength)


def trust(profile: Profile, name: str) -> float:
    """How far a feature may be trusted to tell an aspect, from a critic."""
    if name in profile.critic:
        return profile.critic[name]
    return _TRUST if name in profile.scorer else _ELSEWHERE


def _subjects(claim: Claim, reading: Reading, profile: Profile) -> tuple[str, ...]:
    # Cue words overlap between features; a claim in our own words quotes exactly what its feature quotes.
    for name in profile.features:
        finding = find(reading, name)
        sentence = finding.towards(claim.direction) if finding else ""
        if claim.quotes and sentence and name in claim.features and _quotes(sentence) == claim.quotes:
            return (name,)
    return claim.features


def _quotes(sentence: str) -> tuple[str, ...]:
    return tuple(one or other for one, other in _QUOTED.findall(sentence))


def _direction(words: str) -> int:
    down, up = len(_DOWN.findall(words)), len(_UP.findall(words))
    return (up > down) - (up < down)


def _about(words: str, aspects: Sequence[Aspect]) -> list[Aspect]:
    lower = words.lower()
    named = [aspect for aspect in aspects if aspect.title.lower() in lower or aspect.name in lower]
    return named or list(aspects)
