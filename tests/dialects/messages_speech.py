"""Anthropic's Messages as a fault server speaks them, as strict as the endpoint itself is known to be."""

from collections.abc import Mapping
from typing import Any

from agentdebate.testing.chat import BadRequest, Speech, read_object
from dialects.prompt_cache import MOST_MARKS, MarkedAsked, marks_in, unmarked
from dialects.strict_schema import schema_fault

NEWEST, OLDER = "2026-10-21", "2023-06-01"
_SAMPLING = frozenset({"temperature", "top_p", "top_k"})
_KNOWN = (
    frozenset({"model", "max_tokens", "messages", "system", "stop_sequences", "output_config", "thinking"})
    | frozenset(
        {"metadata", "service_tier", "cache_control", "tools", "tool_choice", "inference_geo", "stream"}
    )
    | _SAMPLING
)
_KEYWORDS = frozenset(
    {
        "$defs", "$ref", "anyOf", "allOf", "type", "enum", "const", "title", "description", "properties", "items",
    }
    | {"required", "additionalProperties", "format", "minItems"}
)  # fmt: skip
_STOP = {"stop": "end_turn", "length": "max_tokens", "content_filter": "refusal"}
_KINDS = {
    400: "invalid_request_error",
    401: "authentication_error",
    404: "not_found_error",
    405: "invalid_request_error",
    429: "rate_limit_error",
    500: "api_error",
    529: "overloaded_error",
}


class MessagesSpeech(Speech):
    """Messages: requests are checked as the endpoint of the version in `anthropic-version` would check them."""

    def read(self, raw: bytes, headers: Mapping[str, str], model: str) -> MarkedAsked:
        """The request in a body. Raises BadRequest."""
        body = read_object(raw)
        _check(body, headers.get("anthropic-version", ""))
        system = [{"role": "system", "content": body["system"]}] if body.get("system") else []
        read = {
            "model": body["model"],
            "messages": [*system, *body["messages"]],
            "max_tokens": body["max_tokens"],
            "stop": body.get("stop_sequences"),
        }
        form = (body.get("output_config") or {}).get("format")
        if form is not None:
            read["response_format"] = {"type": "json_schema", "json_schema": {"schema": form["schema"]}}
        return MarkedAsked.of(read, given=body, known_by=unmarked(body))

    def reply(self, completion: Mapping[str, Any]) -> dict[str, Any]:
        """A message, from the first choice of a chat completion."""
        choices = completion.get("choices") or [None]
        return {
            "id": completion["id"].replace("chatcmpl-", "msg_"),
            "type": "message",
            "role": "assistant",
            "model": completion["model"],
            **_ending(choices[0]),
            "stop_sequence": None,
            "usage": _usage(completion["usage"]),
        }

    def error(self, status: int, message: str, kind: str) -> dict[str, Any]:
        """An error as Anthropic words it."""
        return {
            "type": "error",
            "error": {"type": _KINDS.get(status, "api_error"), "message": message},
            "request_id": None,
        }

    def call(self, id: str) -> dict[str, str]:
        """The request-id header."""
        return {"request-id": id}


MESSAGES = MessagesSpeech()
"""Messages."""


def _check(body: Mapping[str, Any], version: str) -> None:
    """Raise BadRequest for what the endpoint does not take."""
    if version not in {NEWEST, OLDER}:
        raise BadRequest("anthropic-version: header is required")
    for name in body:
        if name not in _KNOWN:
            raise BadRequest(f"{name}: Extra inputs are not permitted")
    if not isinstance(body.get("max_tokens"), int):
        raise BadRequest("max_tokens: Field required")
    for name in sorted(_SAMPLING & body.keys()):
        if version == NEWEST:
            raise BadRequest(f"`{name}` is deprecated for this model.")
    if not isinstance(body.get("model"), str) or body.get("stream"):
        raise BadRequest(
            "model: Field required" if not body.get("stream") else "'stream' is not supported here"
        )
    _check_turns(body.get("messages"))
    _check_marks(body)
    form = (body.get("output_config") or {}).get("format")
    fault = schema_fault(form["schema"], _KEYWORDS) if form else None
    if fault:
        raise BadRequest(f"output_config.format.schema: {fault}")


def _check_turns(turns: object) -> None:
    if not isinstance(turns, list) or not turns:
        raise BadRequest("messages: at least one message is required")
    for number, one in enumerate(turns):
        if not isinstance(one, dict) or one.get("role") not in {"user", "assistant"}:
            raise BadRequest(f"messages.{number}.role: Input should be 'user' or 'assistant'")
        if not one.get("content"):
            raise BadRequest(f"messages.{number}: text content blocks must be non-empty")
    if turns[-1]["role"] == "assistant":
        raise BadRequest("This model does not support assistant message prefill.")


def _check_marks(body: Mapping[str, Any]) -> None:
    marks = marks_in(body)
    if len(marks) > MOST_MARKS:
        raise BadRequest(
            f"A maximum of {MOST_MARKS} blocks with cache_control may be provided. Found {len(marks)}."
        )
    for block in marks:
        kind = block["cache_control"]
        if kind.get("type") != "ephemeral" or kind.get("ttl", "5m") not in {"5m", "1h"}:
            raise BadRequest("cache_control: Input tag does not match any of the expected tags: 'ephemeral'")
        if not block.get("text"):
            raise BadRequest("cache_control cannot be set for empty text blocks")


def _ending(choice: Mapping[str, Any] | None) -> dict[str, Any]:
    """Return what a message says and why it ends; nothing of either where there is no choice."""
    if choice is None:
        return {"content": [], "stop_reason": None}
    said, why = choice["message"], choice["finish_reason"]
    refused = said.get("refusal")
    if refused or why == "content_filter":
        details = {"type": "refusal", "category": None, "explanation": refused}
        return {"content": [], "stop_reason": "refusal", "stop_details": details}
    text = said.get("content")
    blocks = [{"type": "text", "text": text, "citations": None}] if text else []
    return {"content": blocks, "stop_reason": _STOP.get(why, "end_turn")}


def _usage(said: Mapping[str, Any]) -> dict[str, Any]:
    """Usage with the cache beside the input, and thinking as part of the output."""
    prompt, completion = said.get("prompt_tokens_details") or {}, said.get("completion_tokens_details") or {}
    read, written = prompt.get("cached_tokens", 0), prompt.get("cache_write_tokens", 0)
    return {
        "input_tokens": said["prompt_tokens"] - read - written,
        "cache_read_input_tokens": read,
        "cache_creation_input_tokens": written,
        "cache_creation": {"ephemeral_5m_input_tokens": written, "ephemeral_1h_input_tokens": 0},
        "output_tokens": said["completion_tokens"],
        "output_tokens_details": {"thinking_tokens": completion.get("reasoning_tokens", 0)},
        "service_tier": "standard",
    }
