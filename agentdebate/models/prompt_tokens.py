"""How many tokens a request's prompt has: its texts, and what a chat template puts around each message."""

import json
from collections.abc import Iterator

from agentdebate.models.base import ModelRequest
from agentdebate.models.tokens import BYTES_A_TOKEN, count

AROUND = 4
"""Tokens that a chat template puts around a message, about."""


def counted(request: ModelRequest) -> int:
    """The tokens of the prompt, as exactly as `tokens.count` knows. It takes milliseconds a call."""
    return sum(count(text).n for text in _texts(request)) + _around(request)


def estimated(request: ModelRequest) -> float:
    """The tokens of the prompt by the bytes of its texts, which takes no time."""
    size = sum(len(text.encode("utf-8", "surrogatepass")) for text in _texts(request))
    return size / BYTES_A_TOKEN + _around(request)


def _texts(request: ModelRequest) -> Iterator[str]:
    """Everything that becomes prompt; a schema does too, with most endpoints."""
    yield from (message.content for message in request.messages)
    if request.schema is not None:
        yield json.dumps(request.schema)


def _around(request: ModelRequest) -> int:
    return AROUND * len(request.messages)
