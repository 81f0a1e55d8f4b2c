"""Replies of the Responses API, as OpenAI sends them."""

from typing import Any


def response_part(text: str, *, logprobs: bool = False, **changes: Any) -> dict[str, Any]:
    """A message of a response."""
    top = {"token": text, "bytes": [51], "logprob": -0.5}
    tokens = [{**top, "top_logprobs": [top]}] if logprobs else []
    said = {"type": "output_text", "text": text, "annotations": [], "logprobs": tokens}
    message = {"id": "msg_1", "type": "message", "role": "assistant", "status": "completed"}
    return {**message, "content": [said], **changes}


def responded(
    text: str | None = "fine",
    /,
    *,
    refusal: str = "",
    incomplete: str = "",
    logprobs: bool = False,
    **changes: Any,
) -> dict[str, Any]:
    """A response of the Responses API."""
    refused = [response_part("", content=[{"type": "refusal", "refusal": refusal}])] if refusal else []
    usage = {
        "input_tokens": 10,
        "input_tokens_details": {"cached_tokens": 2, "cache_write_tokens": 1},
        "output_tokens": 4,
        "output_tokens_details": {"reasoning_tokens": 3},
        "total_tokens": 14,
    }
    return {
        "id": "resp_1",
        "object": "response",
        "created_at": 1,
        "model": "tiny-001",
        "status": "incomplete" if incomplete else "completed",
        "incomplete_details": {"reason": incomplete} if incomplete else None,
        "error": None,
        "output": refused if text is None else [response_part(text, logprobs=logprobs)],
        "usage": usage,
        "parallel_tool_calls": True,
        "tool_choice": "auto",
        "tools": [],
        **changes,
    }
