"""Numbers and grades as judges write them: 4, 4.0, 2,5, four, 4/5, 4 out of 5, B+."""

import re
from functools import lru_cache

from agentdebate.tasks import Scale

_WORDS = ["zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"]
_DIGITS = r"-?(?:[0-9]{1,9}(?:[.,][0-9]{1,9})?|[.][0-9]{1,9})"
_BESIDE = r"(?<![\w.,/-])"
_BEHIND = r"(?![\w%]|[.:/]\d| ?(?:-|to|or|and) ?\d|, ?\d|-[a-z])"


@lru_cache(maxsize=256)
def number_pattern(scale: Scale) -> str:
    """Write the pattern of a value: a number, with what it is out of, or a grade where the scale has some."""
    grades = [rf"(?-i:{re.escape(name)})" if len(name.rstrip("+-")) == 1 else re.escape(name) for name, _ in scale.grades]
    values = "|".join([*sorted(grades, key=len, reverse=True), _DIGITS, *_WORDS])
    over = rf"(?: ?(?:/| out of| points out of) ?(?:a )?(?P<over>{_DIGITS}|{'|'.join(_WORDS)})(?![\w%]|[.,]\d))?"
    return rf"{_BESIDE}(?P<n>{values})(?![+\w])(?: points?)?{over}{_BEHIND}"


def number_of(found: re.Match[str], scale: Scale) -> float | None:
    """Give what was found as a score of the scale; None where it is off it, or a part of another whole."""
    over = found["over"]
    if over is not None and _number(over) != scale.high:
        return None
    said = found["n"]
    graded = next((number for name, number in scale.grades if name.lower() == said.lower()), None)
    number = _number(said) if graded is None else graded
    return number if number is not None and number in scale else None


def _number(said: str) -> float | None:
    low = said.lower()
    if low in _WORDS:
        return float(_WORDS.index(low))
    return float(low.replace(",", ".")) if low[-1].isdigit() else None
