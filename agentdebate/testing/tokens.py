"""Tokens of a fault server: words, single marks, and the blanks before them; and their made-up log-probabilities."""

import math
import re
from typing import Any

from agentdebate.testing.chance import Draws

_TOKEN = re.compile(r"\s*\w+|\s*[^\w\s]|\s+")
CHARACTERS = 4
"""Characters of a prompt that count as a token."""
_LEAST_SURE = 0.5
"""The lowest probability of the token that is chosen."""
_OTHERS = tuple(
    word.strip()
    for word in _TOKEN.findall("the a of and to in is it that for on with as by this at from or be no")
)
"""Alternatives of a word."""


def tokens(text: str) -> list[str]:
    """The tokens of a text; put together they are the text."""
    return _TOKEN.findall(text)


def prompt_tokens(text: str) -> int:
    """Count the tokens of a prompt: one for every four characters begun."""
    return -(-len(text) // CHARACTERS)


def logprobs(text: str, alternatives: int, draws: Draws) -> dict[str, Any]:
    """The log-probabilities of a reply as chat completions give them, with so many alternatives a token.

    The token that was chosen is always the most probable. A number has other numbers for alternatives, the nearest first.
    """
    return {"content": [_told(token, alternatives, draws) for token in tokens(text)]}


def _told(token: str, alternatives: int, draws: Draws) -> dict[str, Any]:
    sure = _LEAST_SURE + (1 - _LEAST_SURE) * 0.99 * draws.share()
    top = [_entry(token, sure)]
    for rank, other in enumerate(_others(token)[: max(alternatives - 1, 0)], 1):
        top.append(_entry(other, (1 - sure) * 0.5**rank))
    return {**top[0], "top_logprobs": top[:alternatives]}


def _others(token: str) -> list[str]:
    said = token.strip()
    blanks = token[: len(token) - len(token.lstrip())]
    if said.isascii() and said.isdigit():
        near = sorted(range(11), key=lambda one: (abs(one - int(said)), one))
        return [f"{blanks}{one}" for one in near if str(one) != said]
    return [f"{blanks}{word}" for word in _OTHERS if word != said]


def _entry(token: str, probability: float) -> dict[str, Any]:
    return {
        "token": token,
        "logprob": round(math.log(probability), 6),
        "bytes": list(token.encode("utf-8", "surrogatepass")),
    }
