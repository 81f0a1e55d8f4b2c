"""Closing lines, one an aspect ("Coherence: 4"): written onto a reply, and read from one."""

import math
import re
from collections.abc import Mapping, Sequence
from functools import lru_cache

from agentdebate.tasks import Aspect, Scale

# Every run is bounded, so that no line of a quoted text makes the search slow. A range ("1-5", "1 to 5") tells of the
# scale and gives no score.
_NUMBER = r"-?\d{1,15}(?:\.\d{1,15})?(?![\d.]*\d)(?!\s{0,3}(?:-|–|to\b)\s{0,3}\d)"
_NAME = r"^[^\w\n]{0,16}([A-Za-z][\w ]{0,60}?)[^\w\n]{0,8}?[:=][^\w\n(]{0,8}?"
_LINK = r"(?:is|an?|at|as|of|be|gets?|score|scores|deserves|would|with|to)"
"""Words that may stand between an aspect and its score in prose."""
_DIGITS = range(6, 18)
"""Significant digits to try: six as %g has them, more only where the scale's step needs them."""


def snap(scale: Scale, share: float) -> float:
    """The number on the scale that lies nearest to this share of the way from low to high."""
    width = scale.high - scale.low
    share = min(1.0, max(0.0, share))
    if scale.grades:
        wanted = scale.low + share * width
        return min(scale.values or (), key=lambda number: abs(number - wanted))
    if scale.step is None:
        digits = 2 - math.floor(math.log10(width / 4))
        return min(scale.high, max(scale.low, round(scale.low + share * width, digits)))
    most = math.floor(width / scale.step + 1e-9)
    return scale.low + min(most, math.floor(share * width / scale.step + 0.5)) * scale.step


def share_of(scale: Scale, score: float) -> float:
    """How far up its scale a score lies: 0 at low, 1 at high."""
    return min(1.0, max(0.0, (score - scale.low) / (scale.high - scale.low)))


def step_of(scale: Scale) -> float:
    """The smallest move on a scale as a share of its width; a twentieth where any number will do."""
    return 0.05 if scale.step is None else scale.step / (scale.high - scale.low)


def written(scale: Scale, score: float) -> str:
    """A score as its grade, or in as few digits as keep it on its scale."""
    grade = scale.grade(score)
    if grade is not None:
        return grade
    for digits in _DIGITS:
        text = f"{score:.{digits}g}"
        if float(text) in scale:
            return text
    return repr(score)


def closing_lines(aspects: Sequence[Aspect], scores: Mapping[str, float]) -> str:
    """One line an aspect, in the order of the aspects."""
    return "\n".join(f"{aspect.title}: {written(aspect.scale, scores[aspect.name])}" for aspect in aspects)


def read_scores(text: str, aspects: Sequence[Aspect]) -> dict[str, float]:
    """The scores that a text gives: from its closing lines, or else from its prose."""
    found = read_lines(text, aspects)
    for aspect in aspects:
        score = None if aspect.name in found else _from_prose(text, aspect)
        if score is not None and score in aspect.scale:
            found[aspect.name] = score
    return found


def read_lines(text: str, aspects: Sequence[Aspect]) -> dict[str, float]:
    """The scores of a text's closing lines; the last of a name counts, and one off the scale does not."""
    found: dict[str, float] = {}
    for scale in dict.fromkeys(aspect.scale for aspect in aspects):
        lines = {_plain(match[1]): _score(match[2], scale) for match in _line(scale).finditer(text)}
        given = {aspect.name: lines.get(_plain(aspect.name)) for aspect in aspects if aspect.scale == scale}
        found |= {name: score for name, score in given.items() if score is not None and score in scale}
    return {aspect.name: found[aspect.name] for aspect in aspects if aspect.name in found}


@lru_cache(maxsize=64)
def _line(scale: Scale) -> re.Pattern[str]:
    return re.compile(_NAME + _value(scale), re.MULTILINE)


def _value(scale: Scale) -> str:
    """The pattern of a score: a number, or one of the scale's grades."""
    grades = sorted((re.escape(name) for name, _ in scale.grades), key=len, reverse=True)
    return rf"((?-i:{'|'.join(grades)})(?![\w+-])|{_NUMBER})" if grades else f"({_NUMBER})"


def _score(said: str, scale: Scale) -> float:
    grades = dict(scale.grades)
    return grades[said] if said in grades else float(said)


def _from_prose(text: str, aspect: Aspect) -> float | None:
    gap = r"[\s:=*_,]{1,4}"
    said = re.findall(
        rf"\b{aspect.title}\b(?:{gap}{_LINK}\b){{0,4}}{gap}{_value(aspect.scale)}", text, re.IGNORECASE
    )
    return _score(said[-1], aspect.scale) if said else None


def _plain(name: str) -> str:
    return " ".join(name.lower().replace("_", " ").split())
