"""How sure a model was of a part of its reply, from the log-probabilities of the tokens (DRPE, Equation 3)."""

import math
from collections.abc import Sequence

from agentdebate.ballots.alignment import encoded, places


def confidence(tokens: Sequence[tuple[str, float]], text: str, start: int, end: int) -> float | None:
    """The exponential of the mean log-probability (natural) of the tokens that overlap `start` to `end` of `text`.

    The text may be the end of what the tokens say, and may have lost blanks at its ends; special tokens are passed
    over. A token that straddles an edge counts. None where tokens and text do not go together, or nothing overlaps.
    """
    start, end = max(start, 0), min(end, len(text))
    if start >= end:
        return None
    found_at = places([token for token, _ in tokens], text)
    if found_at is None:
        return None
    first, last = len(encoded(text[:start])), len(encoded(text[:end]))
    found = [
        logprob
        for (_, logprob), (low, high) in zip(tokens, found_at, strict=True)
        if low < high and low < last and high > first
    ]
    if not found or any(math.isnan(logprob) for logprob in found):
        return None
    # Above 0 lies only what rounding made of a certainty.
    return math.exp(sum(min(logprob, 0.0) for logprob in found) / len(found))
