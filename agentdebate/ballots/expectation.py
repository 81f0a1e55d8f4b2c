"""The expected score: every score on the scale, weighed by the probability of its tokens (G-Eval, arXiv 2303.16634, Section 2.3)."""

import math
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from agentdebate.ballots.alignment import encoded, places
from agentdebate.ballots.numbers import show
from agentdebate.tasks import Scale

_NUMBER = re.compile(r"(?<![\d.,])[0-9]+(?:[.,][0-9]+)?")
_PART = re.compile(r"[0-9]*[.,]?[0-9]*")
"""What a token can have of a number: "0", ".", "5"."""
_WRITTEN = re.compile(r"[0-9]*(?:[.,][0-9]+)?")
_BEFORE = " \t\r\n\u0120\u010a\u2581:=*_(\"'"
"""What a token may have before a number that begins in it; some servers show blanks as letters of their own."""


@dataclass(frozen=True, slots=True)
class TokenChoice:
    """A token of a reply with the alternatives at its place, itself among them, and the log-probability of each."""

    token: str
    alternatives: Mapping[str, float]


@dataclass(frozen=True, slots=True)
class Expectation:
    """The expected score, and the probability of the tokens that are scores on the scale, which it is taken over."""

    score: float
    mass: float


def expected(
    tokens: Sequence[TokenChoice], text: str, given: float, scale: Scale, *, after: int = 0
) -> Expectation | None:
    """The expectation over the scores that could have stood where the reply gives the score `given`.

    The place is the first number of that value in `text` behind `after`. A score of several tokens ("10") counts with
    the product of their probabilities. Tokens that are no score are left out, and so is the beginning of a longer score
    whose end was not sampled; the rest is made to sum up to 1. None where the place cannot be found, or its tokens do not
    spell the score `given`, or the scale has no steps.
    """
    at = _token_at(tokens, text, given, after)
    if at is None or scale.values is None:
        return None
    scores = {show(value): value for value in scale.values}
    weights: dict[str, float] = {}
    for name, probability in _paths(tokens, at, "", 1.0, scores):
        weights[name] = weights.get(name, 0.0) + probability
    mass = math.fsum(weights.values())
    if not mass or show(given) not in weights:
        return None
    mean = math.fsum(scores[name] * weight for name, weight in weights.items()) / mass
    return Expectation(min(max(mean, scale.low), scale.high), min(mass, 1.0))


def _token_at(tokens: Sequence[TokenChoice], text: str, given: float, after: int) -> int | None:
    """The token in which the number begins."""
    start = next((m.start() for m in _NUMBER.finditer(text, after) if _value(m[0]) == given), None)
    found = places([token.token for token in tokens], text)
    if start is None or found is None:
        return None
    byte = len(encoded(text[:start]))
    return next((at for at, (low, high) in enumerate(found) if low <= byte < high), None)


def _paths(
    tokens: Sequence[TokenChoice], at: int, before: str, weight: float, scores: Mapping[str, float]
) -> Iterator[tuple[str, float]]:
    """Every score that goes on from `before` at this token, by name, with its probability."""
    if at >= len(tokens):
        if _named(before) in scores:
            yield _named(before), weight
        return
    chosen = tokens[at]
    for token, logprob in chosen.alternatives.items():
        probability = weight * math.exp(min(logprob, 0.0))
        digits, ended = _digits(token, first=not before)
        so_far = before + digits
        if not digits or ended or not _goes_on(so_far, scores):
            if _named(so_far) in scores:
                yield _named(so_far), probability
        elif token == chosen.token:
            yield from _paths(tokens, at + 1, so_far, probability, scores)


def _digits(token: str, *, first: bool) -> tuple[str, bool]:
    """The part of a number in a token, and whether the number ends within the token."""
    said = token.lstrip(_BEFORE) if first else token
    part = _PART.match(said)
    digits = part[0] if part else ""
    return digits, len(digits) < len(said)


def _named(written: str) -> str:
    """A number as the scale's are named: "4" for "4." and "4,0"; nothing for what is none."""
    number = _WRITTEN.match(written)
    return show(_value(number[0])) if number and number[0] else ""


def _goes_on(so_far: str, scores: Mapping[str, float]) -> bool:
    """Whether a longer score begins like this."""
    begun = so_far.replace(",", ".")
    return any(name != begun and name.startswith(begun) for name in scores)


def _value(number: str) -> float:
    return float(number.replace(",", "."))
