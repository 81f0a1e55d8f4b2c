"""How many tokens a request's prompt has: its texts, and what a chat template puts around each message."""

import json

from agentdebate.models.base import ModelRequest
from agentdebate.models.tokens import BYTES_A_TOKEN, count

AROUND = 4
"""Tokens that a chat template puts around a message, about."""


def counted(request: ModelRequest, model: str = "") -> int:
    """The tokens of the prompt, as exactly as `tokens.count` knows the model's. It takes milliseconds a call."""
    return sum(count(text, model).n for text in texts_of(request)) + AROUND * len(request.messages)


def estimated(request: ModelRequest) -> float:
    """The tokens of the prompt by the bytes of its texts, which takes no time."""
    size = 0
    for text in texts_of(request):
        size += len(text) if text.isascii() else len(text.encode("utf-8", "surrogatepass"))
    return size / BYTES_A_TOKEN + AROUND * len(request.messages)


def texts_of(request: ModelRequest) -> list[str]:
    """Everything that becomes prompt; a schema does too, with most endpoints."""
    texts = [message.content for message in request.messages]
    return texts if request.schema is None else [*texts, json.dumps(request.schema)]
