"""How sure a model was of a part of its reply, from the log-probabilities of the tokens (DRPE, Equation 3)."""

import math
from collections.abc import Sequence

from agentdebate.ballots.alignment import encoded, places


def confidence(tokens: Sequence[tuple[str, float]], text: str, start: int, end: int) -> float | None:
    """The exponential of the mean log-probability (natural) of the tokens that overlap `start` to `end` of `text`.

    The text may be the end of what the tokens say, and may have lost blanks at its ends; special tokens are passed
    over. A token that straddles an edge counts. None where tokens and text do not go together, or nothing overlaps.
    """
    return confidence_over(tokens, text, [(start, end)])


def confidence_over(
    tokens: Sequence[tuple[str, float]], text: str, parts: Sequence[tuple[int, int]]
) -> float | None:
    """As `confidence`, over the tokens of several parts of the text together; each token counts once.

    None where one of the parts has no token.
    """
    bounds = [(max(start, 0), min(end, len(text))) for start, end in parts]
    if not bounds or any(start >= end for start, end in bounds):
        return None
    found_at = places([token for token, _ in tokens], text)
    if found_at is None:
        return None
    found: dict[int, float] = {}
    for start, end in bounds:
        first, last = len(encoded(text[:start])), len(encoded(text[:end]))
        here = {
            at: logprob
            for at, ((_, logprob), (low, high)) in enumerate(zip(tokens, found_at, strict=True))
            if low < high and low < last and high > first
        }
        if not here:
            return None
        found |= here
    if any(math.isnan(logprob) for logprob in found.values()):
        return None
    # Above 0 lies only what rounding made of a certainty.
    return math.exp(sum(min(logprob, 0.0) for logprob in found.values()) / len(found))
