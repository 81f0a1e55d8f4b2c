"""Numbers as people write them: 4, 4.0, 2,5, four, four and a half, 4/5, 4 out of 5."""

import math
import re
from dataclasses import dataclass

from agentdebate.tasks import Scale

_WORDS = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen "
    "seventeen eighteen nineteen twenty"
)
_TENS = "twenty thirty forty fifty sixty seventy eighty ninety"
TENS: dict[str, float] = {ten: 10.0 * i for i, ten in enumerate(_TENS.split(), start=2)}
"""Before a hyphen and one to nine: "eighty-five"."""
NUMBER_WORDS: dict[str, float] = {word: float(i) for i, word in enumerate(_WORDS.split())} | TENS
_NAMED = {"nan": math.nan, "inf": math.inf, "infinity": math.inf, **NUMBER_WORDS}

_PLAIN = re.compile(r"[+-]?(?:[0-9]+(?:[.,][0-9]+)?|[.][0-9]+)(?:e-[0-9]+)?")
_THOUSANDS = re.compile(r"[+-]?[1-9][0-9]{0,2}(?:,[0-9]{3})+(?:[.][0-9]+)?")
_LONGEST = 40
"""Digits beyond which a number is of no scale; reading a million of them would take long."""


@dataclass(
    frozen=True, slots=True, eq=False
)  # told apart by identity, so that sets of words are quick to ask
class Value:
    """A number as it stands in a reply: one, or several where the reply gives a choice ("4-5", "4 or 5").

    `over` is the denominator of "4/5". `moved` says that it is where a change ends ("from 3 to 4", "3 → 4"), `unit` that points or
    stars are counted.
    """

    numbers: tuple[float, ...]
    shown: str
    over: float | None = None
    moved: bool = False
    unit: bool = False

    def on(self, scale: Scale) -> float | None:
        """The number as a score of this scale; None where it is not on it, or is a fraction of another."""
        if len(self.numbers) > 1 or (self.over is not None and self.over != scale.high):
            return None
        return self.numbers[0] if self.numbers[0] in scale else None


def to_number(token: str) -> float | None:
    """The number that a token stands for, in digits or as an English word up to twenty; None where it is none."""
    if not token:
        return None
    if token[0] not in "+-.0123456789":
        return _NAMED.get(token)
    if len(token) > _LONGEST:
        return math.inf if token.lstrip("+-").isdigit() else None
    if "e" in token and "e-" not in token:
        return math.inf  # "4e0": nobody writes a score so
    if _THOUSANDS.fullmatch(token):
        return float(token.replace(",", ""))
    return float(token.replace(",", ".")) if _PLAIN.fullmatch(token) else None


def show(number: float) -> str:
    """A number as a message shows it."""
    return f"{number:.10g}"
