"""Kinds of evaluators: what they compare, what they can and cannot tell, and which aspects that informs.

Which aspects are set by hand from how each is computed, and not from how well it agreed with anybody.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from agentdebate.offline.profiles import spoken_of
from agentdebate.offline.text import Text
from agentdebate.tasks import Aspect

_ROOTS = {
    "coherence": "coherence",
    "consistency": "consistency",
    "groundedness": "consistency",
    "accuracy": "consistency",
    "relevance": "relevance",
    "helpfulness": "relevance",
    "detail": "relevance",
    "fluency": "fluency",
    "naturalness": "fluency",
    "understandability": "fluency",
    "engagingness": "engagingness",
}
"""Aspects that the same evaluators speak to, under one name."""
_TALK = re.compile(r"dialog|conversation|history|context|chat|turn")
_EVERYWHERE = frozenset(
    Text.read(
        """text texts summary source reference article response reply answer question conversation dialogue score scores
        rate rating evaluator evaluators compare compares whether good well better how much many tell tells something"""
    ).stems
)
"""Stems that say nothing of what an aspect or an evaluator is about."""


@dataclass(frozen=True, slots=True)
class Family:
    """A kind of evaluator. `does` follows its name, with braces for what it compares with."""

    does: str
    tells: str
    misses: str
    informs: frozenset[str]


@dataclass(frozen=True, slots=True)
class Assistant:
    """One evaluator as a planner is told of it."""

    name: str
    premise: str
    about: str
    ranged: bool
    """Whether it is told which scores it can give."""

    @classmethod
    def told(cls, given: Mapping[str, Any]) -> "Assistant":
        """Read what the strategy gave the turn."""
        low, high = given.get("low"), given.get("high")
        name, premise, about = (str(given.get(key) or "") for key in ("name", "premise", "about"))
        return cls(name, premise, about, low is not None and high is not None)

    @property
    def family(self) -> Family:
        """Its kind: by its name, else by what is said about it and what it compares with."""
        name = self.name.lower().replace("_", "-")
        known = next((family for cue, family in _FAMILIES if cue.search(name)), None)
        return known or Family(*_UNKNOWN, informs=self._presumed())

    def informs(self, aspect: Aspect) -> bool:
        """Whether it can tell anything on an aspect."""
        informed = self.family.informs
        if is_whole(aspect):
            return bool(informed)
        known = root(aspect)
        return known in informed if known else bool(_stems(_asked(aspect)) & self._stems())

    def _presumed(self) -> frozenset[str]:
        named = spoken_of(self.name) or spoken_of(self.about)
        if named:
            return frozenset(_ROOTS[name] for name in named)
        if not self.premise:
            return frozenset()
        if _TALK.search(self.premise):
            return frozenset(["coherence"])
        return frozenset(["relevance"] if "reference" in self.premise else ["consistency", "relevance"])

    def _stems(self) -> set[str]:
        return _stems(f"{self.name.replace('_', ' ')} {self.about} {self.family.tells}")


def is_whole(aspect: Aspect) -> bool:
    """Whether an aspect is the text as a whole, which anything speaks to that speaks to a part of it."""
    return aspect.name == "overall" or aspect.rank


def root(aspect: Aspect) -> str:
    """The name under which an aspect is known here: by its name, its title or its criterion; empty for none."""
    if aspect.name in _ROOTS:
        return _ROOTS[aspect.name]
    if is_whole(aspect):
        return ""
    for words in (aspect.title, aspect.criterion):
        found = spoken_of(words)
        if found:
            return _ROOTS[found[0]]
    return ""


def _asked(aspect: Aspect) -> str:
    return f"{aspect.title} {aspect.criterion}"


def _stems(words: str) -> set[str]:
    stems = set(Text.read(words).stems) - _EVERYWHERE - {""}
    return {stem.rstrip("e") for stem in stems}  # "joke" is too short to lose anything, "jokes" is not


def _family(cue: str, does: str, tells: str, misses: str, informs: str) -> tuple[re.Pattern[str], Family]:
    return re.compile(cue), Family(does, tells, misses, frozenset(informs.split()))


_UNKNOWN = (
    "compares the text with {}",
    "what its description says, and nothing else may be taken from it",
    "what it was not made for",
)
_UNMARKED = "the order of thoughts, grammar, and anything said in other words"
_FAMILIES = (
    _family(
        r"nli\b|entail|factcc|summac",
        "is a classifier that asks whether {} bears out the text",
        "statements without support and contradictions",
        "importance, style and grammar: what is borne out may still be beside the point or badly put",
        "consistency",
    ),
    _family(
        r"sum[-_ ]?bleurt",
        "is a regressor, trained on what people thought of summaries, that compares the text with {}",
        "how much of the content comes back and whether it reads as one account",
        "single invented facts in a text that otherwise matches",
        "relevance coherence",
    ),
    _family(
        r"bleurt|comet",
        "is a regressor, trained on what people thought of sentences, that compares the text with {}",
        "how much of the meaning is kept",
        "faults of form in a text that keeps the meaning",
        "relevance consistency",
    ),
    _family(
        r"bart[-_ ]?score",
        "is the likelihood of the text under a model that has read {}",
        "whether the words follow from what was read and from each other",
        "what the text leaves out; short and common wordings have it easier",
        "consistency fluency coherence",
    ),
    _family(
        r"prob|perplex|likelihood|language[-_ ]?model|gpt[-_ ]?score|\bllm?\b",
        "is the likelihood of the wording under a language model that has read {}",
        "whether the text is worded as people word things and continues what came before",
        "whether it is true or matters; short and common wordings have it easier",
        "fluency coherence",
    ),
    _family(
        r"\bbert|bert[-_ ]?score|mover|embed|cosine|\bwmd\b",
        "matches the words of the text with those of {} by their vectors",
        "how much of the content is there, also in other words",
        "a changed name, number or negation, and faults of grammar, which hardly move a vector",
        "relevance consistency",
    ),
    _family(
        r"rouge[-_ ]?(?:l|w|s)",
        "takes the longest run of words, gaps allowed, that the text has in common with {}",
        "how much of the content is there, and in the same order",
        f"{_UNMARKED}; an order of its own may be as good",
        "relevance consistency coherence",
    ),
    _family(
        r"rouge",
        "counts the words and runs of words that the text has in common with {}",
        "how much of the content is there, in the same words",
        _UNMARKED,
        "relevance consistency",
    ),
    _family(
        r"bleu|meteor|cider|nist",
        "counts how many of the text's short runs of words {} has as well",
        "how much of what is said can be found there, word for word",
        f"what the text leaves out, {_UNMARKED}",
        "relevance consistency",
    ),
    _family(
        r"chrf",
        "counts the runs of letters that the text has in common with {}",
        "how much of the content is there, whatever the endings of the words",
        _UNMARKED,
        "relevance consistency",
    ),
)
"""Kinds of evaluators and the names that tell of them, the more particular first."""
