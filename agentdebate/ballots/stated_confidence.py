"""How sure an agent says that it is: a line or a key of its reply, read apart from its ballot."""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass

from agentdebate.ballots.ballot import Confidence
from agentdebate.ballots.braces import spans
from agentdebate.ballots.markup import plain

KEY = "confidence"
"""The key in JSON; in text the line begins with it."""

_LINE = re.compile(
    r"[^\w\n]*(?:(?:my|the|final|overall)\s+)*confidence(?:\s*\([^()\n]{0,60}\))?\s*[:=]\s*(.*)"
)
_VALUE = re.compile(r"[\[(\s]*([0-9]{1,3}(?:\.[0-9]{1,9})?)[\])\s]*(%|percent|/\s*100|out of 100)?[\])\s.]*")
_HUNDRED = 100.0
_LONGEST = 200
"""Characters of a line that says how sure somebody is."""


@dataclass(frozen=True, slots=True)
class StatedConfidence:
    """A reply without its line of confidence, and what that said; where it says nothing that can be told, why not."""

    rest: str
    confidence: Confidence | None
    problem: str = ""


def stated_confidence(text: str) -> StatedConfidence:
    """Take a reply apart. It says a number from 0 to 100, with or without a sign of percent, or a share such as 0.8.

    A bare 1 may be a hundredth or all of it, so it is neither; numbers that differ say nothing.
    """
    lines = text.split("\n")
    hits = [_LINE.fullmatch(plain(line).strip()) if len(line) <= _LONGEST else None for line in lines]
    kept = [line for line, hit in zip(lines, hits, strict=True) if hit is None]
    stated = [hit[1] for hit in hits if hit is not None]
    stated = stated or [str(value) for value in _in_objects(text)]
    values = {_share(one) for one in stated}
    rest = "\n".join(kept) if len(kept) < len(lines) else text
    if not values:
        return StatedConfidence(rest, None, "I found no line in the reply that begins with Confidence:")
    value = values.pop()
    if values:
        return StatedConfidence(
            rest, None, "I found several confidences, and cannot tell which one is meant."
        )
    if value is None:
        said = stated[0].strip()[:60]
        problem = f'I cannot tell how sure "{said}" is; give a number from 0 to 100 with % behind it.'
        return StatedConfidence(rest, None, problem)
    return StatedConfidence(rest, Confidence(value=value, source="asked"))


def _in_objects(text: str) -> Iterator[object]:
    """What the objects of a text have under the key."""
    for span in spans(text) if "{" in text else ():
        try:
            value = json.loads(span.text, strict=False)
        except (ValueError, RecursionError):
            continue
        if isinstance(value, dict) and KEY in value:
            yield value[KEY]


def _share(said: str) -> float | None:
    """A number as a share of 1; None where it is none, or may be one of two."""
    found = _VALUE.fullmatch(said)
    if found is None:
        return None
    number, unit = float(found[1]), found[2]
    if unit:
        return number / _HUNDRED if number <= _HUNDRED else None
    if "." in found[1] and number <= 1:
        return number
    if number == 1 or number > _HUNDRED:
        return None
    return number / _HUNDRED
