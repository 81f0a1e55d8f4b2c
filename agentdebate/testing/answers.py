"""The answers of a fault server, whole and spoiled, before they are sent."""

import email.utils
import json
import math
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from agentdebate.testing.chat import Asked, cut, usage
from agentdebate.testing.tokens import tokens

_REFUSAL = "I'm sorry, but I can't help with that."
_PAGE = b"<!doctype html><html><head><title>Sign in</title></head><body>Sign in to go on.</body></html>"
_ENCODE = json.JSONEncoder(separators=(",", ":"), ensure_ascii=False).encode


@dataclass(frozen=True, slots=True)
class Answer:
    """An HTTP answer."""

    body: bytes
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)
    content_type: str = "application/json"
    usage: Mapping[str, Any] = field(default_factory=dict)
    """What is in the reply of usage, where it is a whole reply."""

    def telling(self, headers: Mapping[str, str]) -> "Answer":
        """The answer with more headers."""
        return replace(self, headers={**self.headers, **headers})


def whole(reply: Mapping[str, Any]) -> Answer:
    """A reply as it should be."""
    return Answer(_json(reply), usage=reply.get("usage") or {})


def error(status: int, message: str, *, kind: str, code: str | None = None) -> Answer:
    """An error as OpenAI words it."""
    return Answer(
        _json({"error": {"message": message, "type": kind, "param": None, "code": code}}), status=status
    )


def limited(which: str, seconds: float) -> Answer:
    """The answer to a call beyond a limit, which is passed in so many seconds; never, where they are infinite."""
    told = error(429, f"Rate limit reached for {which} per minute.", kind=which, code="rate_limit_exceeded")
    if math.isinf(seconds):
        return told
    return told.telling(
        {"retry-after": str(math.ceil(seconds)), "retry-after-ms": str(math.ceil(seconds * 1000))}
    )


def spoiled(fault: str | None, reply: Mapping[str, Any], asked: Asked, retry_after: float) -> Answer:
    """The answer with a fault that is in what is sent; the reply as it is for those in how it is sent.

    `retry_after` is in seconds.
    """
    if fault in {"429", "429-date", "429-bare"}:
        told = error(429, "Rate limit reached.", kind="requests", code="rate_limit_exceeded")
        return told.telling(_waiting(fault, retry_after))
    if fault in {"500", "503"}:
        return error(int(fault), "The server had an error or is overloaded.", kind="server_error")
    spoil = _SPOILED.get(fault or "")
    return spoil(reply, asked) if spoil else whole(reply)


def _waiting(fault: str, seconds: float) -> dict[str, str]:
    if fault == "429-bare":
        return {}
    if fault == "429":
        return {"retry-after": f"{seconds:g}"}
    return {"retry-after": email.utils.formatdate(math.ceil(time.time() + seconds), usegmt=True)}


def _malformed(reply: Mapping[str, Any], _: Asked) -> Answer:
    body = _json(reply)
    return Answer(body[: len(body) * 2 // 3])


def _empty(reply: Mapping[str, Any], _: Asked) -> Answer:
    return whole({**reply, "choices": []})


def _wrong_type(_: Mapping[str, Any], __: Asked) -> Answer:
    return Answer(_PAGE, content_type="text/html")


def _usage_twice(reply: Mapping[str, Any], _: Asked) -> Answer:
    """The key stands twice in one object, which JSON leaves open."""
    body = _json(reply)
    twice = body[:-1] + b',"usage":' + _json(reply.get("usage")) + b"}"
    return replace(whole(reply), body=twice)


def _not_utf8(reply: Mapping[str, Any], _: Asked) -> Answer:
    body = _json(reply)
    place = body.find(b'"content":"') + len(b'"content":"')
    return Answer(body[:place] + b"\xff\xc3(\xed\xa0\x80" + body[place:])


def _refused(reply: Mapping[str, Any], asked: Asked) -> Answer:
    def change(choice: dict[str, Any]) -> dict[str, Any]:
        message = {**choice["message"], "content": None, "refusal": _REFUSAL}
        return {**choice, "message": message, "logprobs": None}

    return _changed(reply, asked, change)


def _cut(reply: Mapping[str, Any], asked: Asked) -> Answer:
    def change(choice: dict[str, Any]) -> dict[str, Any]:
        return cut(choice, len(tokens(choice["message"]["content"])) // 2)

    return _changed(reply, asked, change)


def _changed(
    reply: Mapping[str, Any], asked: Asked, change: Callable[[dict[str, Any]], dict[str, Any]]
) -> Answer:
    """A reply with other choices. One that somebody wrote out in full, without texts in its choices, stays as it is."""
    choices = reply.get("choices")
    if not isinstance(choices, list) or not all(_has_text(choice) for choice in choices):
        return whole(reply)
    changed = [change(choice) for choice in choices]
    return whole({**reply, "choices": changed, "usage": usage(asked, changed)})


def _has_text(choice: object) -> bool:
    message = choice.get("message") if isinstance(choice, dict) else None
    return isinstance(message, dict) and isinstance(message.get("content"), str)


def _json(value: object) -> bytes:
    return _ENCODE(value).encode("utf-8", "surrogatepass")


_SPOILED: Mapping[str, Callable[[Mapping[str, Any], Asked], Answer]] = {
    "malformed-json": _malformed,
    "empty-choices": _empty,
    "wrong-type": _wrong_type,
    "duplicated-usage": _usage_twice,
    "invalid-utf8": _not_utf8,
    "refusal": _refused,
    "length": _cut,
}
