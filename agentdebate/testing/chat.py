"""Chat completions as JSON: what is asked, and what is answered."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Self

from agentdebate.testing.chance import Draws, digest
from agentdebate.testing.tokens import logprobs, prompt_tokens, tokens

_MOST_CHOICES = 128
_TOP = 20
_HINTS = frozenset({"prompt_cache_key", "prompt_cache_options", "prompt_cache_retention"})
"""Hints of a request to the cache, which change no reply."""


class BadRequest(ValueError):
    """Error for a request that a chat-completions endpoint does not take; the message is the one it answers with."""


@dataclass(frozen=True, slots=True)
class Asked:
    """A request: its JSON, and the digest that it is known by."""

    body: Mapping[str, Any]
    """Request in the form of chat completions."""
    digest: str
    given: Mapping[str, Any] = field(default_factory=dict)
    """Request as it came, in whichever protocol."""

    @classmethod
    def of(
        cls, body: Mapping[str, Any], *, given: Mapping[str, Any], known_by: Mapping[str, Any] | None = None
    ) -> Self:
        """A request that came in another protocol. It is known by what came, or by what of that decides its reply."""
        return cls(body, digest(given if known_by is None else known_by), given)

    @classmethod
    def read(cls, raw: bytes) -> Self:
        """The request in a body. Raises BadRequest."""
        body = read_object(raw)
        if not _are_messages(body.get("messages")):
            raise BadRequest("'messages' has to be a list of messages with a role and a content")
        if body.get("stream"):
            raise BadRequest("'stream' is not supported here")
        count = body.get("n")
        if count is not None and not (isinstance(count, int) and 1 <= count <= _MOST_CHOICES):
            raise BadRequest(f"'n' has to be a whole number from 1 to {_MOST_CHOICES}")
        decisive = {name: value for name, value in body.items() if name not in _HINTS}
        return cls(body, digest(decisive), body)

    @property
    def n(self) -> int:
        """Number of choices that are wanted."""
        return self.body.get("n") or 1

    @property
    def prompt(self) -> str:
        """Last message of the user."""
        said = [one for one in self.body["messages"] if one.get("role") == "user"] or self.body["messages"]
        return _text(said[-1]) if said else ""

    @property
    def prompt_tokens(self) -> int:
        """The size of all messages."""
        return sum(prompt_tokens(_text(message)) for message in self.body["messages"])

    @property
    def alternatives(self) -> int | None:
        """Number of alternatives a token that log-probabilities are asked for with; None where they are not."""
        if not self.body.get("logprobs"):
            return None
        return min(int(self.body.get("top_logprobs") or 0), _TOP)

    @property
    def max_tokens(self) -> int | None:
        """The token limit of a choice."""
        return self.body.get("max_completion_tokens") or self.body.get("max_tokens")


def read_object(raw: bytes) -> dict[str, Any]:
    """The JSON object in a body; an empty one for other JSON. Raises BadRequest."""
    try:
        body = json.loads(raw)
    except ValueError as error:
        raise BadRequest("the body of the request is not JSON") from error
    return body if isinstance(body, dict) else {}


def completion(asked: Asked, texts: Sequence[str]) -> dict[str, Any]:
    """The reply to a request, with a choice for each text. Equal requests with equal texts get equal replies."""
    choices = [_choice(asked, place, text) for place, text in enumerate(texts)]
    return {
        "id": f"chatcmpl-{asked.digest[:24]}",
        "object": "chat.completion",
        "created": 0,
        "model": str(asked.body.get("model") or "fault-server"),
        "choices": choices,
        "usage": usage(asked, choices),
    }


def usage(asked: Asked, choices: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """Compute the usage of a reply: a token for four characters of the prompt, and one for each word and mark of the choices."""
    prompt = asked.prompt_tokens
    said = sum(
        len(tokens(_text(choice["message"]) or choice["message"].get("refusal") or "")) for choice in choices
    )
    return {"prompt_tokens": prompt, "completion_tokens": said, "total_tokens": prompt + said}


def cut(choice: Mapping[str, Any], most: int) -> dict[str, Any]:
    """A choice cut off after so many tokens."""
    kept = tokens(_text(choice["message"]))[:most]
    told = choice.get("logprobs")
    return {
        **choice,
        "message": {**choice["message"], "content": "".join(kept)},
        "logprobs": told and {**told, "content": told["content"][:most]},
        "finish_reason": "length",
    }


def _choice(asked: Asked, place: int, text: str) -> dict[str, Any]:
    wanted = asked.alternatives
    told = None
    if wanted is not None:
        told = logprobs(text, wanted, Draws("logprobs", asked.digest, place))
    whole = {
        "index": place,
        "message": {"role": "assistant", "content": text, "refusal": None},
        "logprobs": told,
        "finish_reason": "stop",
    }
    most = asked.max_tokens
    return cut(whole, most) if most and len(tokens(text)) > most else whole


def _are_messages(found: object) -> bool:
    return isinstance(found, list) and bool(found) and all(isinstance(one, dict) for one in found)


def _text(message: Mapping[str, Any]) -> str:
    """The text of a message, whose content may come in parts."""
    content = message.get("content")
    if isinstance(content, list):
        return "".join(str(part.get("text", "")) for part in content if isinstance(part, dict))
    return content if isinstance(content, str) else ""


class Speech:
    """The protocol of a fault server."""

    def read(self, raw: bytes, headers: Mapping[str, str], model: str) -> Asked:  # noqa: ARG002 - for subclasses
        """The request in a body; `model` is the one that the path names. Raises BadRequest."""
        return Asked.read(raw)

    def reply(self, completion: Mapping[str, Any]) -> dict[str, Any]:
        """The JSON of a reply, from a chat completion."""
        return dict(completion)

    def error(self, status: int, message: str, kind: str) -> dict[str, Any]:  # noqa: ARG002 - for subclasses
        """The JSON of an error."""
        return {"error": {"message": message, "type": kind, "param": None, "code": None}}

    def wait(self, seconds: float, error: Mapping[str, Any]) -> tuple[dict[str, str], dict[str, Any]]:
        """The headers and the body of a refusal that asks for a wait of so many seconds."""
        return {"retry-after": f"{seconds:g}"}, dict(error)

    def call(self, id: str) -> dict[str, str]:
        """The headers that name a call."""
        return {"x-request-id": id}


CHAT = Speech()
"""Chat completions."""
