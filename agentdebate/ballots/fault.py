"""Whether a critic finds fault with a text or with the reasons for its score, in whatever words."""

import re

from agentdebate.ballots.critic_words import DENIAL, FAULT

_FAULT = re.compile(rf"\b(?:{FAULT})(?![a-z])")
_DENIED = re.compile(
    rf"\b(?:{DENIAL}|any|more than|outweighs?|despite|minor|small|slight|negligible|trivial|tiny|corrects?|fixe[sd]|without|least of all|neither)(?: [a-z']{{1,20}}){{0,2}} ?$"
)
"""A denial right before a fault: "no serious errors"."""
_REACH = 50


def finds_fault(sentence: str) -> bool:
    """Whether a sentence says that something is wrong, and does not deny it."""
    return any(not _is_denied(sentence, found) for found in _FAULT.finditer(sentence))


def _is_denied(sentence: str, found: re.Match[str]) -> bool:
    return _DENIED.search(sentence[max(found.start() - _REACH, 0) : found.start()]) is not None
