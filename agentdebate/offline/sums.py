"""Arithmetic that a text writes out ("12 x 3 = 36"), found and worked out."""

import math
import re
from collections.abc import Iterator
from dataclasses import dataclass

# Every run is bounded, so that no text makes the search slow.
_NUMBER = r"\d{1,15}(?:,\d{3}){0,5}(?:\.\d{1,15})?"
_SIGN = r"[-+*x×÷/^−–]"
_SUM = re.compile(
    rf"(?<![\w.,])({_NUMBER}(?:\s{{0,2}}{_SIGN}\s{{0,2}}{_NUMBER}){{1,6}})\s{{0,2}}=\s{{0,2}}({_NUMBER})"
)
_PIECE = re.compile(rf"{_NUMBER}|{_SIGN}")
_NO_START = frozenset("+-*×÷/^−–)]}")
_NEAR = 8
"""Characters before a sum that tell whether it is part of a longer one."""
_GOES_ON = re.compile(r"[\w.,]?\w|\s{0,2}[-+*x×÷/^%(\[]|\s{0,2}(?:thousand|million|billion|trillion)")
_MINUS = dict.fromkeys("−–", "-")
_TIMES = dict.fromkeys("x×", "*")
_OVER = {"÷": "/"}
_CLOSE = 0.02
"""Share of the result by which it may be off: texts round."""
_LARGEST_POWER = 40


@dataclass(frozen=True, slots=True)
class Sum:
    """A sum as it stands in a text: where it starts and ends, and whether it comes out."""

    start: int
    end: int
    right: bool


def find_sums(raw: str) -> Iterator[Sum]:
    """The sums of a text that stand by themselves, without brackets, units or letters in them."""
    for match in _SUM.finditer(raw):
        if _is_rest(raw[max(0, match.start() - _NEAR) : match.start()].rstrip()):
            continue
        if _GOES_ON.match(raw, match.end()):
            continue
        worth = _worth(match[1])
        if worth is not None:
            result = float(match[2].replace(",", ""))
            yield Sum(*match.span(), right=math.isclose(worth, result, rel_tol=_CLOSE, abs_tol=1e-9))


def _is_rest(before: str) -> bool:
    """Whether what stands before a sum, a sign or the letter of an unknown, makes it the rest of another one."""
    if not before or before[-1] in _NO_START:
        return bool(before)
    return before[-1].isalpha() and not before[-2:-1].isalpha()


def _worth(expression: str) -> float | None:
    """What the left side comes to; None where that is beyond numbers."""
    signs = _MINUS | _TIMES | _OVER
    pieces = [signs.get(piece, piece) for piece in _PIECE.findall(expression)]
    numbers = [float(piece.replace(",", "")) for piece in pieces[::2]]
    for level in ("^", "*/", "+-"):
        numbers, pieces = _fold(numbers, pieces[1::2], level)
        if not all(math.isfinite(number) for number in numbers):
            return None
    return numbers[0]


def _fold(numbers: list[float], signs: list[str], level: str) -> tuple[list[float], list[str]]:
    """Work out the signs of one level, from the left; what is left, as numbers and as pieces."""
    kept, left = [numbers[0]], [""]
    for sign, number in zip(signs, numbers[1:], strict=False):
        if sign in level:
            kept[-1] = _apply(kept[-1], sign, number)
        else:
            kept.append(number)
            left += [sign, ""]
    return kept, left


def _apply(one: float, sign: str, other: float) -> float:
    if sign == "^":
        return one**other if other <= _LARGEST_POWER and one < 1e6 else math.inf  # noqa: PLR2004 - no overflow below
    if sign == "/":
        return one / other if other else math.inf
    return {"*": one * other, "+": one + other, "-": one - other}[sign]
