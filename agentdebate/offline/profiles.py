"""Which features speak to which aspect: the scorer's own, and others that are left for the critic to argue from.

Weights are set by hand in round figures. A critic's weight says how far a finding may be trusted to tell the aspect.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from agentdebate.tasks import Aspect


@dataclass(frozen=True, slots=True)
class Profile:
    """Weights of features: `scorer` decides the opening score, `critic` is what a critic may argue from."""

    scorer: Mapping[str, float]
    critic: Mapping[str, float]

    @property
    def features(self) -> tuple[str, ...]:
        """All features of the profile, the scorer's first."""
        return (*self.scorer, *self.critic)


_TEXTS = {
    "coherence": Profile(
        {"order": 0.4, "redundancy": 0.35, "reference": 0.25},
        {
            "variety": 0.8,
            "stutter": 0.7,
            "shape": 0.6,
            "ending": 0.6,
            "cohesion": 0.3,
            "focus": 0.4,
            "support": 0.4,
        },
    ),
    "consistency": Profile(
        {"unsupported": 0.5, "support": 0.5},
        {"numbers": 0.9, "pairs": 0.8, "copied": 0.7, "coverage": 0.4, "order": 0.4},
    ),
    "fluency": Profile(
        {"stutter": 0.4, "shape": 0.3, "ending": 0.3},
        {"marks": 0.8, "redundancy": 0.7, "variety": 0.6, "case": 0.5, "reference": 0.3},
    ),
    "relevance": Profile(
        {"coverage": 0.65, "focus": 0.35},
        {"redundancy": 0.7, "length": 0.6, "numbers": 0.6, "copied": 0.5, "unsupported": 0.5, "order": 0.4},
    ),
    "understandability": Profile(
        {"stutter": 0.3, "shape": 0.3, "reference": 0.4},
        {"marks": 0.6, "cohesion": 0.6, "ending": 0.6, "redundancy": 0.4},
    ),
    "engagingness": Profile(
        {"variety": 0.4, "redundancy": 0.3, "length": 0.3},
        {"shape": 0.6, "cohesion": 0.5, "stutter": 0.6, "coverage": 0.4},
    ),
    "overall": Profile(
        {"coverage": 0.3, "unsupported": 0.25, "cohesion": 0.25, "stutter": 0.2},
        {"support": 0.7, "redundancy": 0.7, "length": 0.6, "marks": 0.5, "shape": 0.6, "variety": 0.4},
    ),
}
_TEXTS["naturalness"] = _TEXTS["fluency"]
_TEXTS["groundedness"] = _TEXTS["consistency"]

_TALKS = {
    "coherence": Profile(
        {"link": 0.6, "generic": 0.4},
        {"stutter": 0.7, "thread": 0.6, "knowledge": 0.5, "redundancy": 0.6, "echo": 0.5, "fullness": 0.4},
    ),
    "consistency": Profile({"thread": 0.5, "unsupported": 0.5}, {"link": 0.6, "numbers": 0.8, "echo": 0.4}),
    "naturalness": Profile(
        {"stutter": 0.3, "redundancy": 0.3, "generic": 0.4},
        {"lively": 0.6, "link": 0.6, "ending": 0.5, "echo": 0.5, "shape": 0.4, "marks": 0.4},
    ),
    "engagingness": Profile(
        {"lively": 0.5, "knowledge": 0.3, "fullness": 0.2},
        {"generic": 0.8, "link": 0.6, "redundancy": 0.6, "echo": 0.5},
    ),
    "groundedness": Profile(
        {"knowledge": 1.0}, {"generic": 0.5, "thread": 0.5, "fullness": 0.4, "numbers": 0.7}
    ),
    "understandability": Profile(
        {"stutter": 0.35, "redundancy": 0.3, "link": 0.35},
        {"generic": 0.7, "thread": 0.5, "ending": 0.5, "shape": 0.5, "marks": 0.4},
    ),
    "overall": Profile(
        {"link": 0.3, "lively": 0.3, "knowledge": 0.2, "redundancy": 0.2},
        {"generic": 0.8, "stutter": 0.7, "thread": 0.6, "echo": 0.5, "fullness": 0.5, "shape": 0.4},
    ),
}
_TALKS["fluency"] = _TALKS["naturalness"]
_TALKS["relevance"] = _TALKS["coherence"]

_ANSWERS = {
    **_TEXTS,
    "helpfulness": Profile(
        {"aim": 0.3, "detail": 0.3, "layout": 0.2, "commits": 0.2},
        {"complete": 0.8, "sums": 0.8, "concrete": 0.7, "padding": 0.6, "unity": 0.4},
    ),
    "relevance": Profile(
        {"aim": 0.7, "commits": 0.3}, {"unity": 0.6, "padding": 0.6, "detail": 0.5, "complete": 0.4}
    ),
    "accuracy": Profile(
        {"concrete": 0.4, "unity": 0.3, "sums": 0.3},
        {"unsupported": 0.8, "numbers": 0.8, "commits": 0.5, "complete": 0.5, "padding": 0.3},
    ),
    "detail": Profile(
        {"detail": 0.6, "concrete": 0.4}, {"padding": 0.6, "complete": 0.6, "layout": 0.5, "unity": 0.3}
    ),
    "overall": Profile(
        {"aim": 0.2, "detail": 0.2, "concrete": 0.2, "commits": 0.2, "layout": 0.1, "complete": 0.1},
        {"sums": 0.8, "padding": 0.7, "unity": 0.5},
    ),
}
_ANSWERS["consistency"] = _ANSWERS["accuracy"]

_WORDS = (
    ("helpfulness", r"help|useful"),
    ("detail", r"detail|depth|thorough"),
    ("groundedness", r"ground|knowledge|uses? (?:of )?the fact"),
    ("consistency", r"consisten|fact|faithful|accura|hallucinat|truth|supported|correct"),
    ("coherence", r"coheren|cohesi|organi[sz]|structur|logic|order|flow"),
    ("relevance", r"relevan|important|main point|cover|complete|informati|on.topic|helpful"),
    ("naturalness", r"natural|human.like"),
    ("engagingness", r"engag|interest|surpris|fun\b|dull|empath|lively|humou?r"),
    ("fluency", r"fluen|gramma|spelling|readab|well.written|style|punctuation"),
    ("understandability", r"understand|clear|clarity|comprehen|intelligib"),
)
_KNOWN = tuple((name, re.compile(rf"\b(?:{words})", re.IGNORECASE)) for name, words in _WORDS)


_TABLES = {"text": _TEXTS, "talk": _TALKS, "answer": _ANSWERS}
_FEATURES = {
    kind: frozenset(feature for profile in table.values() for feature in profile.features)
    for kind, table in _TABLES.items()
}


def spoken_of(words: str) -> tuple[str, ...]:
    """The aspects that some words speak of, most particular first."""
    plain = words.replace("_", " ")
    return tuple(name for name, cue in _KNOWN if cue.search(plain))


def overall(kind: Literal["text", "talk", "answer"]) -> Profile:
    """The profile of a whole judgement on this kind of text."""
    return _TABLES[kind]["overall"]


def speaks_to(kind: Literal["text", "talk", "answer"]) -> frozenset[str]:
    """The features that speak to any aspect of this kind of text."""
    return _FEATURES[kind]


def profile(aspect: Aspect, kind: Literal["text", "talk", "answer"]) -> Profile:
    """The profile of an aspect for this kind of text: by its name, else by the words of its criterion, else a mix."""
    table = _TABLES[kind]
    if aspect.name in table:
        return table[aspect.name]
    for words in (aspect.title, aspect.criterion):
        for name, cue in _KNOWN:
            if name in table and cue.search(words):
                return table[name]
    return table["overall"]
