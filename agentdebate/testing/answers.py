"""The answers of a fault server, whole and spoiled, before they are sent."""

import email.utils
import json
import math
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from agentdebate.testing.chat import Asked, cut, usage
from agentdebate.testing.speech import CHAT, Speech
from agentdebate.testing.tokens import tokens

_REFUSAL = "I'm sorry, but I can't help with that."
_PAGE = b"<!doctype html><html><head><title>Sign in</title></head><body>Sign in to go on.</body></html>"
_OURS = "chat.completion"
"""What the replies that are made here call themselves."""
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


def whole(reply: Mapping[str, Any], speech: Speech = CHAT) -> Answer:
    """A reply as it should be. One that somebody wrote out in full stays as it is."""
    said = speech.reply(reply) if reply.get("object") == _OURS else reply
    return Answer(_json(said), usage=reply.get("usage") or {})


def error(status: int, message: str, *, kind: str, code: str | None = None, speech: Speech = CHAT) -> Answer:
    """An error as the provider words it."""
    return Answer(_json(speech.error(status, message, kind, code)), status=status)


def limited(which: str, seconds: float, speech: Speech = CHAT) -> Answer:
    """The answer to a call beyond a limit, which is passed in so many seconds; never, where they are infinite."""
    message, code = f"Rate limit reached for {which} per minute.", "rate_limit_exceeded"
    if math.isinf(seconds):
        return error(429, message, kind=which, code=code, speech=speech)
    headers, body = speech.wait(math.ceil(seconds), speech.error(429, message, which, code))
    exact = {"retry-after-ms": str(math.ceil(seconds * 1000))} if headers else {}
    return Answer(_json(body), status=429, headers={**headers, **exact})


def spoiled(
    fault: str | None,
    reply: Mapping[str, Any],
    asked: Asked,
    retry_after: float,
    speech: Speech = CHAT,
) -> Answer:
    """The answer with a fault that is in what is sent; the reply as it is for those in how it is sent.

    `retry_after` is in seconds.
    """
    if fault in {"429", "429-date", "429-bare"}:
        return _refused_for_now(fault, retry_after, speech)
    if fault in {"500", "503", "529"}:
        told = "The server had an error or is overloaded."
        return error(int(fault), told, kind="server_error", speech=speech)
    change, spoil = _CHANGED.get(fault or ""), _SPOILED.get(fault or "")
    answer = whole(change(reply, asked) if change else reply, speech)
    return spoil(answer, speech) if spoil else answer


def _refused_for_now(fault: str, seconds: float, speech: Speech) -> Answer:
    said = speech.error(429, "Rate limit reached.", "requests", "rate_limit_exceeded")
    if fault == "429":
        headers, body = speech.wait(seconds, said)
        return Answer(_json(body), status=429, headers=headers)
    date = email.utils.formatdate(math.ceil(time.time() + seconds), usegmt=True)
    return Answer(_json(said), status=429, headers={"retry-after": date} if fault == "429-date" else {})


def _malformed(answer: Answer, _: Speech) -> Answer:
    return Answer(answer.body[: len(answer.body) * 2 // 3])


def _wrong_type(_: Answer, __: Speech) -> Answer:
    return Answer(_PAGE, content_type="text/html")


def _usage_twice(answer: Answer, _: Speech) -> Answer:
    """The key stands twice in one object, which JSON leaves open."""
    said = json.loads(answer.body)
    key = next((name for name in ("usage", "usageMetadata") if name in said), "usage")
    twice = answer.body[:-1] + f',"{key}":'.encode() + _json(said.get(key)) + b"}"
    return replace(answer, body=twice)


def _not_utf8(answer: Answer, speech: Speech) -> Answer:
    key = f'"{speech.text_key}":"'.encode()
    place = answer.body.find(key) + len(key)
    return Answer(answer.body[:place] + b"\xff\xc3(\xed\xa0\x80" + answer.body[place:])


def _empty(reply: Mapping[str, Any], _: Asked) -> Mapping[str, Any]:
    return {**reply, "choices": []}


def _refused(reply: Mapping[str, Any], asked: Asked) -> Mapping[str, Any]:
    def change(choice: dict[str, Any]) -> dict[str, Any]:
        message = {**choice["message"], "content": None, "refusal": _REFUSAL}
        return {**choice, "message": message, "logprobs": None}

    return _changed(reply, asked, change)


def _cut(reply: Mapping[str, Any], asked: Asked) -> Mapping[str, Any]:
    def change(choice: dict[str, Any]) -> dict[str, Any]:
        return cut(choice, len(tokens(choice["message"]["content"])) // 2)

    return _changed(reply, asked, change)


def _thought(reply: Mapping[str, Any], asked: Asked) -> Mapping[str, Any]:
    """A reply in which all of the completion went into thinking."""

    def change(choice: dict[str, Any]) -> dict[str, Any]:
        message = {**choice["message"], "content": ""}
        return {**choice, "message": message, "logprobs": None, "finish_reason": "length"}

    changed, used = _changed(reply, asked, change), dict(reply.get("usage") or {})
    spent = {"completion_tokens_details": {"reasoning_tokens": used.get("completion_tokens", 0)}}
    return {**changed, "usage": {**used, **spent}}


def _filtered(reply: Mapping[str, Any], asked: Asked) -> Mapping[str, Any]:
    def change(choice: dict[str, Any]) -> dict[str, Any]:
        message = {**choice["message"], "content": None}
        return {**choice, "message": message, "logprobs": None, "finish_reason": "content_filter"}

    return _changed(reply, asked, change)


def _changed(
    reply: Mapping[str, Any], asked: Asked, change: Callable[[dict[str, Any]], dict[str, Any]]
) -> Mapping[str, Any]:
    """A reply with other choices. One that somebody wrote out in full, without texts in its choices, stays as it is."""
    choices = reply.get("choices")
    if not isinstance(choices, list) or not all(_has_text(choice) for choice in choices):
        return reply
    changed = [change(choice) for choice in choices]
    return {**reply, "choices": changed, "usage": usage(asked, changed)}


def _has_text(choice: object) -> bool:
    message = choice.get("message") if isinstance(choice, dict) else None
    return isinstance(message, dict) and isinstance(message.get("content"), str)


def _json(value: object) -> bytes:
    return _ENCODE(value).encode("utf-8", "surrogatepass")


_CHANGED: Mapping[str, Callable[[Mapping[str, Any], Asked], Mapping[str, Any]]] = {
    "empty-choices": _empty,
    "refusal": _refused,
    "length": _cut,
    "thinking": _thought,
    "filtered": _filtered,
}
"""Faults in what a reply says."""
_SPOILED: Mapping[str, Callable[[Answer, Speech], Answer]] = {
    "malformed-json": _malformed,
    "wrong-type": _wrong_type,
    "duplicated-usage": _usage_twice,
    "invalid-utf8": _not_utf8,
}
"""Faults in how it is written."""
