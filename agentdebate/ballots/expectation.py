"""The expected score: every score on the scale, weighed by the probability of its tokens (G-Eval, arXiv 2303.16634, Section 2.3)."""

import math
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from agentdebate.ballots.confidence import encoded, places
from agentdebate.tasks import Scale

_NUMBER = re.compile(r"(?<![\d.,])[0-9]+(?:[.,][0-9]+)?")
_PART = re.compile(r"[0-9]*[.,]?[0-9]*")
"""Tokens that a number consists of: "0", ".", "5"."""
_WRITTEN = re.compile(r"[0-9]*(?:[.,][0-9]+)?")
_BEFORE = " \t\r\n\u0120\u010a\u2581:=*_(\"'"
"""Characters before a number within its token; some servers show blanks as letters of their own."""


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
    probabilities: tuple[tuple[float, float], ...] = ()
    """Every score with its share of the mass, lowest first."""


class _Written:
    """Scores by the names under which they are written: numbers in digits, or grades."""

    def __init__(self, scores: Mapping[str, float], *, graded: bool) -> None:
        self.scores = scores
        self.graded = graded

    def place(self, text: str, given: float, after: int) -> int | None:
        """Find the first score behind a place."""
        if not self.graded:
            return next((m.start() for m in _NUMBER.finditer(text, after) if _value(m[0]) == given), None)
        names = sorted((name for name, score in self.scores.items() if score == given), key=len, reverse=True)
        alike = "|".join(map(re.escape, names)) or "(?!)"
        found = re.compile(rf"(?<!\w)(?:{alike})(?![\w+-])").search(text, after)
        return found and found.start()

    def part(self, said: str, so_far: str) -> str:
        """Return the beginning of a token that can belong to a score."""
        if not self.graded:
            part = _PART.match(said)
            return part[0] if part else ""
        lengths = range(len(said), -1, -1)
        return next(
            (said[:n] for n in lengths if any(name.startswith(so_far + said[:n]) for name in self.scores)), ""
        )

    def named(self, written: str) -> str:
        """A score as the scale's are named: "4" for "4." and "4,0", a grade as it is; nothing for what is none."""
        number = _WRITTEN.match(written)
        if self.graded:
            return written
        return _name(_value(number[0])) if number and number[0] else ""

    def goes_on(self, so_far: str) -> bool:
        """Tell whether a longer score begins like this."""
        begun = so_far if self.graded else so_far.replace(",", ".")
        return any(name != begun and name.startswith(begun) for name in self.scores)


def expected(
    tokens: Sequence[TokenChoice], text: str, given: float, scale: Scale, *, after: int = 0
) -> Expectation | None:
    """The expectation over the scores that could have stood where the reply gives the score `given`.

    The place is the first number of that value in `text` behind `after`. A score of several tokens ("10") counts with
    the product of their probabilities. Tokens that are not a score are left out, and so is the beginning of a longer score
    whose end was not sampled; the rest is made to sum up to 1. None where the place cannot be found, or its tokens do not
    spell the score `given`, or the scale has no steps.
    """
    if scale.values is None:
        return None
    digits = _Written({_name(value): value for value in scale.values}, graded=False)
    grades = _Written(dict(scale.grades), graded=True)
    found = scale.grades and _expected(tokens, text, given, grades, after)
    found = found or _expected(tokens, text, given, digits, after)
    return found and replace(
        found, score=min(max(found.score, scale.low), scale.high), mass=min(found.mass, 1.0)
    )


def _expected(
    tokens: Sequence[TokenChoice], text: str, given: float, written: _Written, after: int
) -> Expectation | None:
    at = _token_at(tokens, text, written.place(text, given, after))
    if at is None:
        return None
    weights: dict[float, float] = {}
    for name, probability in _paths(tokens, at, "", 1.0, written):
        score = written.scores[name]
        weights[score] = weights.get(score, 0.0) + probability
    mass = math.fsum(weights.values())
    if not mass or given not in weights:
        return None
    shares = tuple((score, weights[score] / mass) for score in sorted(weights))
    return Expectation(math.fsum(score * weight for score, weight in weights.items()) / mass, mass, shares)


def _token_at(tokens: Sequence[TokenChoice], text: str, start: int | None) -> int | None:
    """The token in which the score begins."""
    found = places([token.token for token in tokens], text)
    if start is None or found is None:
        return None
    byte = len(encoded(text[:start]))
    return next((at for at, (low, high) in enumerate(found) if low <= byte < high), None)


def _paths(
    tokens: Sequence[TokenChoice], at: int, before: str, weight: float, written: _Written
) -> Iterator[tuple[str, float]]:
    """Every score that goes on from `before` at this token, by name, with its probability."""
    if at >= len(tokens):
        if written.named(before) in written.scores:
            yield written.named(before), weight
        return
    chosen = tokens[at]
    for token, logprob in chosen.alternatives.items():
        probability = weight * math.exp(min(logprob, 0.0))
        said = token if before else token.lstrip(_BEFORE)
        part = written.part(said, before)
        so_far = before + part
        # A score that ends within its token does not go on in the next.
        if not part or len(part) < len(said) or not written.goes_on(so_far):
            if written.named(so_far) in written.scores and not _is_of_word(said[len(part) :], written):
                yield written.named(so_far), probability
        elif token == chosen.token:
            yield from _paths(tokens, at + 1, so_far, probability, written)


def _is_of_word(rest: str, written: _Written) -> bool:
    """Tell whether the rest of a token makes a word of what begins like a grade ("Based")."""
    return written.graded and rest[:1].isalnum()


def _value(number: str) -> float:
    return float(number.replace(",", "."))


def _name(score: float) -> str:
    return f"{score:.10g}"
