"""Objections to a score, and what is said for and against a text: read from anybody's words, checked against the text."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Literal

from agentdebate.offline.features import FEATURES, find, force
from agentdebate.offline.finding import Finding
from agentdebate.offline.matter import Matter
from agentdebate.offline.naming import about
from agentdebate.offline.profiles import Profile
from agentdebate.offline.text import quotable

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
_BLAME = re.compile(
    r"\b(?:weak\w*|worse|lack(?:s|ing)?|fails?|miss(?:es|ing)|vague\w*|generic|wrong|incorrect|poor\w*|thin|superficial"
    r"|repetiti\w+|redundan\w+|against|unclear|incomplete|shallow|less)\b",
    re.IGNORECASE,
)
_PRAISE = re.compile(
    r"\b(?:better|strong\w*|strengths?|clear(?:er|ly)?|good|well|helpful|detailed|thorough|specific|accurate|convincing"
    r"|favou?r|richer|fuller|precise|complete|more)\b",
    re.IGNORECASE,
)
_QUOTED = re.compile(r"“([^“”]{1,400})”|\"([^\"\n]{3,400})\"")
_SENTENCE = re.compile(r"(?<=[.!?])\s+(?=[A-Z“\"])")
_GAP = re.compile(r"\.{3}|…")
_LONGEST = 16_000
"""Characters of a message in which claims are looked for."""
_MOST_PASSAGES = 300
_TRUST = 0.7
"""Weight of a scorer's own feature in a critic's mouth."""
_ELSEWHERE = 0.3
"""Weight of a feature that the aspect's profile does not name."""

Manner = Literal["critique", "account", "talk"]
"""How words are meant: against a score, as an account that objects only where it says so, or as talk about the texts."""


@dataclass(frozen=True, slots=True)
class Claim:
    """One objection: that a matter's number is too low (`direction` 1) or too high (-1), with the words quoted for it.

    `features` are the features that it speaks of. In talk, the direction says whether it is for the text or against it.
    """

    matter: str
    direction: int
    quotes: tuple[str, ...]
    features: tuple[str, ...]

    @property
    def identity(self) -> tuple[object, ...]:
        """What makes two claims the same argument in whatever words: the same evidence for the same point."""
        return self.matter, self.direction, self.quotes, self.features


@dataclass(frozen=True, slots=True)
class Check:
    """What a claim is worth: how far the text bears it out (0 or less: not at all), by which finding, or why not."""

    strength: float
    finding: Finding | None = None
    trouble: str = ""


def read_claims(text: str, matters: Sequence[Matter], manner: Manner) -> list[Claim]:
    """The claims in a message. A critique that gives no direction is taken to say that the score is too high.

    In a critique and in an account a paragraph is a claim, in talk a sentence. What gives no direction there is none.
    """
    if text.rstrip(" \n\t.*_").endswith(NO_ISSUE):
        return []
    claims: list[Claim] = []
    direction = -1 if manner == "critique" else 0
    for paragraph in text[:_LONGEST].split("\n")[:_MOST_PASSAGES]:
        named = list(matters)
        for passage in islice(_sentences(paragraph), _MOST_PASSAGES) if manner == "talk" else (paragraph,):
            bare = _QUOTED.sub(" ", passage)
            named = about(bare, matters) or (named if manner == "talk" else list(matters))
            direction = (_tone(bare) if manner == "talk" else _direction(bare)) or direction
            quotes = tuple(one or other for one, other in _QUOTED.findall(passage))
            features = _cued(bare) if direction else ()
            if direction and (quotes or features):
                claims += [Claim(matter.key, direction, quotes, features) for matter in named]
            direction = 0 if manner == "talk" else direction
    return claims


def check(claim: Claim, matter: Matter, score: float) -> Check:
    """Test a claim: its quotes must stand in the item, and a feature it speaks of must point where it points."""
    wrong = missing(claim, matter)
    if wrong:
        said = quotable(wrong)
        return Check(0.0, trouble=f"the words {f'“{said}”' if said else 'quoted'} stand nowhere in the text")
    measured = [(name, find(matter.reading, name)) for name in _subjects(claim, matter)]
    checks = [
        Check(trust(matter.profile, name) * force(finding, claim.direction, matter.share(score)), finding)
        for name, finding in measured
        if finding is not None
    ]
    if not checks:
        return Check(0.0, trouble="it names nothing that can be checked in the text")
    return max(checks, key=lambda each: each.strength)


def missing(claim: Claim, matter: Matter) -> str:
    """The words quoted, where none of a claim's quotes stands in the item; else nothing."""
    parts = [part.strip() for quote in claim.quotes for part in _GAP.split(quote) if part.strip()]
    return "" if not parts or any(matter.reading.holds(part) for part in parts) else parts[0][:90]


def trust(profile: Profile, name: str) -> float:
    """How far a feature may be trusted to tell an aspect, from a critic."""
    if name in profile.critic:
        return profile.critic[name]
    return _TRUST if name in profile.scorer else _ELSEWHERE


def _subjects(claim: Claim, matter: Matter) -> tuple[str, ...]:
    # Cue words overlap between features; a claim in our own words quotes exactly what its feature quotes.
    for name in matter.profile.features:
        finding = find(matter.reading, name)
        sentence = finding.towards(claim.direction) if finding else ""
        if claim.quotes and sentence and name in claim.features and _quotes(sentence) == claim.quotes:
            return (name,)
    return claim.features


def _quotes(sentence: str) -> tuple[str, ...]:
    return tuple(one or other for one, other in _QUOTED.findall(sentence))


def _cued(words: str) -> tuple[str, ...]:
    """The features that words speak of."""
    return tuple(name for name, feature in FEATURES.items() if feature.cue.search(words))


def _sentences(paragraph: str) -> Iterator[str]:
    """The sentences of a paragraph; what ends inside a quote ends none."""
    masked = _QUOTED.sub(lambda quote: f"“{'x' * (len(quote[0]) - 2)}”", paragraph)
    start = 0
    for gap in _SENTENCE.finditer(masked):
        yield paragraph[start : gap.start()]
        start = gap.end()
    yield paragraph[start:]


def _direction(words: str) -> int:
    return _balance(words, _DOWN, _UP)


def _tone(words: str) -> int:
    return _direction(words) or _balance(words, _BLAME, _PRAISE)


def _balance(words: str, against: re.Pattern[str], in_favour: re.Pattern[str]) -> int:
    down, up = len(against.findall(words)), len(in_favour.findall(words))
    return (up > down) - (up < down)
