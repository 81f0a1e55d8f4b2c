"""Numbers and grades as judges write them: 4, 4.0, 2,5, four, 4/5, 4 out of 5, B+."""

import re
from functools import lru_cache

from agentdebate.tasks import Scale

_WORDS = ["zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"]
_ONE = r"(?:(?<=a )|(?<=of )|(?<=is )|(?<=: ))one|one(?= out of)"
"""The word is a number where it cannot be a pronoun."""
ANY_NUMBER = re.compile(rf"\d|[ (\n](?:{'|'.join(_WORDS)})(?!\w)")
_DIGITS = r"-?(?:[0-9]{1,9}(?:[.][0-9]{1,9}|,[0-9]{1,2})?|[.][0-9]{1,9})"
_BESIDE = r"(?<![\w.,/-])"
_BEHIND = r"(?![\w%?]| ?[+] ?\d|[./]\d|: ?\d| ?(?:-|to|,? or|and) ?(?:an? |perhaps |maybe )?\d|, ?\d|-[a-z]| and a half| ?percent)"
_COUNTED = (
    r"(?! (?!(?:out|for|from|stars?|because|since|as|in|on|at|to|based|due|with|overall|and|but|which|that|given|when|while|here|is|would|"
    r"seems|indicat\w+|reflect\w+|suggest\w+|mean\w*|according|instead|may|might|could|should|rather|though|although|after|if|was|has|does|"
    r"appears|represents|by|i|so|or|not|rating|score|then|where|the|this|it)\b)[a-z])"
)
"""Behind a number in prose there is no word for what it could count: "3 examples"."""


_ANY = Scale(low=0, high=1, step=None)


@lru_cache(maxsize=256)
def number_pattern(scale: Scale, *, prose: bool = False) -> str:
    """Write the pattern of a value: a number, with what it is out of, or a grade where the scale has some; in prose, one that counts nothing."""
    grades = [
        rf"(?-i:{re.escape(name)})" if len(name.rstrip("+-")) == 1 else re.escape(name)
        for name, _ in scale.grades
    ]
    values = "|".join(
        [*sorted(grades, key=len, reverse=True), _DIGITS, _ONE, *(word for word in _WORDS if word != "one")]
    )
    over = rf"(?>(?: ?(?:/| (?:points )?(?:out )?of) ?(?:a )?(?P<over>{_DIGITS}|{'|'.join(_WORDS)})(?![\w%]|[.,]\d))?)"
    return rf"{_BESIDE}(?P<n>{values})(?![+\w]|-(?:\W|\Z))(?: (?:points?|stars?)(?! for| too| more| less| higher| lower))?{over}{_BEHIND}{_COUNTED if prose else ''}"


def number_of(found: re.Match[str], scale: Scale) -> float | None:
    """Give what was found as a score of the scale; None where it is off it, or a part of another whole."""
    over = found["over"]
    if over is not None and _number(over) != scale.high:
        return None
    said = found["n"]
    graded = next((number for name, number in scale.grades if name.lower() == said.lower()), None)
    number = _number(said) if graded is None else graded
    return number if number is not None and number in scale else None


def numbers_in(said: str, scale: Scale | None) -> list[float | None]:
    """Give all numbers of a plain text in order, without the ends of ranges; None for those that are not on the scale, where there is one."""
    ranges = rf"{_DIGITS} ?(?:-|to|or) ?{_DIGITS}"
    found = re.finditer(rf"{ranges}|{number_pattern(scale or _ANY)}", said, re.IGNORECASE)
    return [_number(one["n"]) if scale is None else number_of(one, scale) for one in found if one["n"]]


def _number(said: str) -> float | None:
    low = said.lower()
    if low in _WORDS:
        return float(_WORDS.index(low))
    return float(low.replace(",", ".")) if low[-1].isdigit() else None
