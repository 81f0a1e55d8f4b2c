"""Replies and errors of the other dialects, as their endpoints send them, and models that talk to an endpoint of answers."""

from typing import Any

import httpx
from endpoint_double import Endpoint

from agentdebate.models.dialects.endpoint_model import EndpointModel
from agentdebate.models.dialects.generate_content import open_gemini
from agentdebate.models.dialects.messages import open_anthropic

ADDRESS = "http://127.0.0.1:9"


def claude(endpoint: Endpoint, name: str = "claude-opus-5", **options: Any) -> EndpointModel:
    """A model of Messages that talks to this endpoint."""
    return open_anthropic(
        name, **{"base_url": ADDRESS, "transport": httpx.MockTransport(endpoint), **options}
    )


def gemini(endpoint: Endpoint, name: str = "gemini-3.5-flash", **options: Any) -> EndpointModel:
    """A model of generateContent that talks to this endpoint."""
    return open_gemini(name, **{"base_url": ADDRESS, "transport": httpx.MockTransport(endpoint), **options})


def message(text: str | None = "fine", /, **changes: Any) -> dict[str, Any]:
    """A reply of Messages."""
    thinking = {"type": "thinking", "thinking": "hm", "signature": "c2ln"}
    said = [] if text is None else [{"type": "text", "text": text, "citations": None}]
    usage = {"input_tokens": 10, "output_tokens": 4}
    return {
        "id": "msg_1",
        "type": "message",
        "role": "assistant",
        "model": "claude-opus-5-1",
        "content": [thinking, *said],
        "stop_reason": "end_turn",
        "stop_sequence": None,
        "usage": {**usage, **changes.pop("usage", {})},
        **changes,
    }


def candidate(text: str | None = "fine", /, **changes: Any) -> dict[str, Any]:
    """A candidate of generateContent, behind a thought."""
    parts = [{"text": "hm", "thought": True}, *([] if text is None else [{"text": text}])]
    return {"content": {"role": "model", "parts": parts}, "finishReason": "STOP", "index": 0, **changes}


def generated(*candidates: dict[str, Any], **changes: Any) -> dict[str, Any]:
    """A reply of generateContent."""
    usage = {"promptTokenCount": 10, "candidatesTokenCount": 4, "totalTokenCount": 14}
    return {
        "candidates": list(candidates) or [candidate()],
        "usageMetadata": {**usage, **changes.pop("usage", {})},
        "modelVersion": "gemini-3.5-flash-001",
        "responseId": "resp-1",
        **changes,
    }


def claude_error(kind: str, text: str) -> dict[str, Any]:
    """An error of Messages."""
    return {"type": "error", "error": {"type": kind, "message": text}}


def google_error(code: int, status: str, text: str, *details: dict[str, Any]) -> dict[str, Any]:
    """An error of generateContent."""
    return {"error": {"code": code, "status": status, "message": text, "details": list(details)}}
