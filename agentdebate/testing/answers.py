"""The answers of a fault server, whole and spoiled, before they are sent."""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from agentdebate.testing.chat import CHAT, Asked, Speech, cut, usage
from agentdebate.testing.tokens import tokens

_REFUSAL = "I'm sorry, but I can't help with that."
_LONG = "word " * 1_000_000
_OURS = "chat.completion"
"""Value of `object` in the replies that are made here."""

Choice = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Answer:
    """An HTTP answer."""

    body: bytes
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)
    usage: Mapping[str, Any] = field(default_factory=dict)
    """Usage in the reply, where it is a whole one."""


def whole(reply: Mapping[str, Any], speech: Speech = CHAT) -> Answer:
    """A reply as it should be. One that somebody wrote out in full stays as it is."""
    said = speech.reply(reply) if reply.get("object") == _OURS else reply
    return Answer(_json(said), usage=reply.get("usage") or {})


def error(status: int, message: str, *, kind: str, speech: Speech = CHAT) -> Answer:
    """An error as the provider words it."""
    return Answer(_json(speech.error(status, message, kind)), status=status)


def spoiled(
    fault: str | None, reply: Mapping[str, Any], asked: Asked, retry_after: float, speech: Speech = CHAT
) -> Answer:
    """The answer with a fault that is in what is sent; the reply as it is for those in how it is sent.

    `retry_after` is in seconds.
    """
    if fault == "429":
        headers, body = speech.wait(retry_after, speech.error(429, "Rate limit reached.", "requests"))
        return Answer(_json(body), status=429, headers=headers)
    if fault in {"500", "503", "529"}:
        return error(
            int(fault), "The server had an error or is overloaded.", kind="server_error", speech=speech
        )
    if fault == "empty-choices":
        return whole({**reply, "choices": []}, speech)
    change = _CHANGES.get(fault or "")
    said = _changed(reply, asked, change) if change else reply
    answer = whole(_with_thinking(said, reply) if fault == "thinking" else said, speech)
    if fault == "malformed-json":
        return replace(answer, body=answer.body[: len(answer.body) * 2 // 3])
    return answer


def _changed(reply: Mapping[str, Any], asked: Asked, change: Callable[[Choice], Choice]) -> Mapping[str, Any]:
    """A reply with other choices. One that somebody wrote out in full stays as it is."""
    if reply.get("object") != _OURS:
        return reply
    choices = [change(choice) for choice in reply["choices"]]
    return {**reply, "choices": choices, "usage": usage(asked, choices)}


def _with_thinking(said: Mapping[str, Any], whole: Mapping[str, Any]) -> Mapping[str, Any]:
    """A reply that says of the whole reply's tokens that they went into thinking."""
    used = whole.get("usage") or {}
    spent = {"completion_tokens_details": {"reasoning_tokens": used.get("completion_tokens", 0)}}
    return {**said, "usage": {**used, **spent}}


def _refused(choice: Choice) -> Choice:
    return _saying(choice, None, finish_reason=choice["finish_reason"], refusal=_REFUSAL)


def _cut(choice: Choice) -> Choice:
    return cut(choice, len(tokens(choice["message"]["content"])) // 2)


def _thought(choice: Choice) -> Choice:
    """A choice for which thinking used up the token limit."""
    return _saying(choice, "", finish_reason="length")


def _filtered(choice: Choice) -> Choice:
    return _saying(choice, None, finish_reason="content_filter")


def _endless(choice: Choice) -> Choice:
    return _saying(choice, _LONG, finish_reason="stop")


def _saying(choice: Choice, text: str | None, *, finish_reason: str, refusal: str | None = None) -> Choice:
    message = {**choice["message"], "content": text, "refusal": refusal}
    return {**choice, "message": message, "logprobs": None, "finish_reason": finish_reason}


def _json(value: object) -> bytes:
    written = json.dumps(value, separators=(",", ":"), ensure_ascii=False)
    return written.encode("utf-8", "surrogatepass")


_CHANGES: Mapping[str, Callable[[Choice], Choice]] = {
    "refusal": _refused,
    "length": _cut,
    "thinking": _thought,
    "filtered": _filtered,
    "long": _endless,
}
"""Faults in what a reply says."""
