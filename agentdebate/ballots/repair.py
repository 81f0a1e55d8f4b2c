"""Broken JSON, repaired: within bounds, since repairing takes cubic time and worse on brackets within brackets."""

import re
from itertools import accumulate
from typing import Any

_LONGEST = 8_000
"""Characters of broken JSON that are worth repairing."""
_DEEPEST = 16
"""Brackets within brackets that no ballot has."""
_MOST_BRACKETS = 400
_BRACKET = re.compile(r"[{}\[\]()]")


def repaired(text: str) -> Any:
    """What broken JSON probably says; None where it is too long or too deep to tell in a moment, or says nothing."""
    if len(text) > _LONGEST or not _is_flat(text):
        return None
    import json_repair

    try:
        return json_repair.loads(text)
    except (ValueError, RecursionError):
        return None


def _is_flat(text: str) -> bool:
    """Whether no more than a few brackets are open anywhere, whether they are quoted or not."""
    steps = [1 if mark in "{[(" else -1 for mark in _BRACKET.findall(text)]
    return len(steps) <= _MOST_BRACKETS and max(accumulate(steps), default=0) <= _DEEPEST
