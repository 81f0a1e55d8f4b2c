"""Whether a critic finds fault with a text or with the reasons for its score, in any words."""

import re
from collections.abc import Iterator

from agentdebate.ballots.anchors import first_words_of
from agentdebate.ballots.critic_words import DENIAL, FAULT, FAULT_BEGINNING, FAULT_BY_BEGINNING
from agentdebate.ballots.pattern import pattern
from agentdebate.ballots.sentences import Phrase

_FAULT = pattern(rf"(?:{FAULT}|{FAULT_BY_BEGINNING})\b")
_FIRST_WORDS = first_words_of(FAULT)
_WORD = pattern(r"\w+")
_DENIED = pattern(
    rf"\b(?:{DENIAL}|any|more than|outweighs?|despite|minor|small|slight|negligible|trivial|tiny|corrects?|fixe[sd]|without|least of all|neither)(?: [a-z']{{1,20}}){{0,2}} ?$"
)
"""A denial right before a fault: "no serious errors"."""
_REACH = 50


def finds_fault(said: Phrase) -> bool:
    """Whether a sentence says that something is wrong, and does not deny it."""
    return any(not _is_denied(said.text, found) for found in _faults(said))


def _faults(said: Phrase) -> Iterator[re.Match[str]]:
    """The faults, tried only at words that one begins with: there are too many to try them at every word."""
    end = 0
    for start in _starts(said):
        found = _FAULT.match(said.text, start) if start >= end else None
        if found is not None:
            end = found.end()
            yield found


def _starts(said: Phrase) -> list[int]:
    """Where words stand that a fault may begin with, in order."""
    words = _FIRST_WORDS & said.words
    if any(map(said.text.__contains__, FAULT_BEGINNING)):
        words |= {word for word in said.words if word.startswith(FAULT_BEGINNING)}
    return [word.start() for word in _WORD.finditer(said.text) if word[0] in words] if words else []


def _is_denied(sentence: str, found: re.Match[str]) -> bool:
    return _DENIED.search(sentence[max(found.start() - _REACH, 0) : found.start()]) is not None
