"""Whether critiques speak of the item that is judged, or could stand under any."""

import re
from collections.abc import Iterable

from agentdebate.talk.messages import Critique, Message, of_kind
from agentdebate.tasks import Item

_WORD = re.compile(r"\w+")
_LONG = 6
"""Letters of a word that is taken to name something; shorter ones stand in any text."""
_LONG_WORD = re.compile(rf"\b(?:\w{{{_LONG},}}|\d{{2,}}\b)", re.ASCII)
"""A word of so many letters, or a number."""

_ANYWHERE = frozenset(
    [
        "accurate",
        "accuracy",
        "actual",
        "actually",
        "agreed",
        "although",
        "another",
        "answer",
        "answers",
        "aspect",
        "aspects",
        "assessment",
        "because",
        "before",
        "better",
        "between",
        "clarity",
        "clearly",
        "coherence",
        "coherent",
        "complete",
        "completely",
        "concise",
        "consistency",
        "consistent",
        "content",
        "correct",
        "critical",
        "deserves",
        "detail",
        "details",
        "either",
        "enough",
        "engaging",
        "entire",
        "entirely",
        "evaluation",
        "explain",
        "explains",
        "factual",
        "fluency",
        "fluent",
        "generous",
        "grammar",
        "grammatical",
        "harsh",
        "higher",
        "highest",
        "however",
        "important",
        "improve",
        "improved",
        "inconsistent",
        "information",
        "instead",
        "issues",
        "justify",
        "justified",
        "little",
        "lowest",
        "mention",
        "mentions",
        "missing",
        "natural",
        "naturalness",
        "nothing",
        "number",
        "original",
        "overall",
        "points",
        "quality",
        "rather",
        "rating",
        "reader",
        "readers",
        "readable",
        "reason",
        "reasons",
        "reduce",
        "relevance",
        "relevant",
        "response",
        "responses",
        "scorer",
        "scores",
        "should",
        "simply",
        "source",
        "sources",
        "specific",
        "statement",
        "statements",
        "strong",
        "structure",
        "suggest",
        "suggests",
        "summary",
        "summaries",
        "support",
        "supported",
        "therefore",
        "though",
        "through",
        "version",
        "weaknesses",
        "whether",
        "without",
        "wording",
        "writing",
        "written",
    ]
)
"""Long words with which any text may be criticised."""


def unrelated(messages: Iterable[Message], item: Item) -> int:
    """How many objections of critics name nothing of the item: no number of its texts, and no word that tells them apart.

    A word of six letters and more that stands in a text names it, unless any text may be criticised with it. It is a
    measure of the surface: an objection that paraphrases well is counted too.
    """
    objections = [one.text for one in of_kind(messages, Critique) if not one.no_issue]
    if not objections:
        return 0
    shown = " ".join(item.fields.values()).lower()
    return sum([not any(_stands_in(shown, word) for word in _naming(text)) for text in objections])


def _naming(text: str) -> set[str]:
    """The words and numbers of a text that can name something; those of scripts without blanks by their characters."""
    if text.isascii():  # most words are short ones
        return set(_LONG_WORD.findall(text.lower())) - _ANYWHERE
    return {word for word in map(str.lower, set(_WORD.findall(text))) if _names(word)}


def _stands_in(text: str, word: str) -> bool:
    """Whether a word is one of the words of a text. Few are asked about, and most texts are long."""
    at = text.find(word)
    while at >= 0:
        end = at + len(word)
        if not (_is_in_word(text[at - 1 : at]) or _is_in_word(text[end : end + 1])):
            return True
        at = text.find(word, at + 1)
    return False


def _is_in_word(character: str) -> bool:
    return character.isalnum() or character == "_"


def _names(word: str) -> bool:
    """Whether a word can name something."""
    if not word.isascii():
        return True
    if word.isdecimal():
        return len(word) > 1
    return len(word) >= _LONG and word not in _ANYWHERE
