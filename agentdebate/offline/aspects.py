"""Features that tell an aspect: the scorer's own, and others that are left for a critic to argue from."""

import re
import zlib
from dataclasses import dataclass
from functools import lru_cache

from agentdebate.tasks import Aspect


@dataclass(frozen=True, slots=True)
class Profile:
    """The features from which a scorer judges an aspect, and those from which a critic may argue."""

    name: str
    scorer: tuple[str, ...]
    critic: tuple[str, ...]

    @property
    def features(self) -> tuple[str, ...]:
        """Features of all aspects, the scorer's first."""
        return (*self.scorer, *self.critic)


_OVERALL = Profile(
    "overall", ("overlap", "novelty", "repetition", "length"), ("figures", "order", "sentences")
)
_CUES = (
    (
        r"ground|knowledge|uses? (?:of )?the fact",
        Profile("groundedness", ("overlap",), ("figures", "length")),
    ),
    (
        r"consisten|fact|faithful|accura|hallucinat|truth|true|support|correct|nli|entail",
        Profile("consistency", ("novelty",), ("figures", "order", "repetition")),
    ),
    (
        r"coheren|cohesi|organi[sz]|structur|logic|order|flow",
        Profile("coherence", ("order", "repetition", "overlap"), ("sentences",)),
    ),
    (
        r"relevan|important|main|cover|complete|informati|helpful|useful|detail",
        Profile("relevance", ("overlap", "length"), ("repetition", "novelty", "figures")),
    ),
    (
        r"engag|interest|lively|dull|surpris",
        Profile("engagingness", ("length", "overlap"), ("repetition", "sentences")),
    ),
    (
        r"fluen|gramma|natural|readab|understand|clear|clarity|style|perplex|likelihood|language",
        Profile("fluency", ("sentences", "repetition"), ("order",)),
    ),
)
_KNOWN = tuple((re.compile(rf"(?<![a-z])(?:{cue})", re.IGNORECASE), profile) for cue, profile in _CUES)


def profiles_named(words: str) -> list[Profile]:
    """The profiles that some words speak of."""
    plain = words.replace("_", " ")
    return [profile for cue, profile in _KNOWN if cue.search(plain)]


@lru_cache(maxsize=256)
def profile_of(aspect: Aspect) -> Profile:
    """The profile of an aspect: by its name, else by the words of its criterion, else that of a text as a whole."""
    if aspect.name == _OVERALL.name:
        return _OVERALL
    named = profiles_named(aspect.title) or profiles_named(aspect.criterion)
    return named[0] if named else _OVERALL


def emphasis(card: str, feature: str) -> float:
    """The weight that a judge of this name gives a feature, from 0.5 to 1.5: the same wherever it speaks. The scorer's are alike."""
    if card == "scorer":
        return 1.0
    return 0.5 + zlib.crc32(f"{card}/{feature}".encode("utf-8", "replace")) % 101 / 100
