"""Every reason to end that the providers' own packages know: a reply that was not finished is a refusal with its name."""

from collections.abc import Iterator
from typing import Any, get_args

import httpx
import pytest
from dialects.responses_reply import responded

from agentdebate.errors import ContentFiltered, ContextTooLong
from agentdebate.models.base import ChatMessage, ModelRequest
from agentdebate.models.registry import open_bare

pytestmark = pytest.mark.sdk
FINISHED = {"stop", "end_turn", "stop_sequence", "STOP", "FINISH_REASON_UNSPECIFIED"}
CUT = {"length", "max_tokens", "max_output_tokens", "MAX_TOKENS", "CONTINUATION"}


def _known() -> Iterator[tuple[str, str, dict[str, Any]]]:
    """The provider, the reason, and a reply without a text that ends so."""
    from anthropic.types import StopReason
    from google.genai.types import BlockedReason, FinishReason
    from openai.types.chat.chat_completion import Choice
    from openai.types.responses.response import IncompleteDetails

    for reason in get_args(Choice.model_fields["finish_reason"].annotation):
        yield (
            "openai",
            reason,
            {"choices": [{"message": {"role": "assistant", "content": None}, "finish_reason": reason}]},
        )
    for reason in get_args(get_args(IncompleteDetails.model_fields["reason"].annotation)[0]):
        yield "responses", reason, responded(None, incomplete=reason)
    for reason in get_args(StopReason):
        yield "anthropic", reason, {"type": "message", "content": [], "stop_reason": reason}
    for one in FinishReason:
        yield "gemini", one.value, {"candidates": [{"finishReason": one.value}]}
    for one in BlockedReason:
        yield "gemini", f"the prompt: {one.value}", {"promptFeedback": {"blockReason": one.value}}


async def test_what_was_not_finished_is_a_refusal_with_its_name_and_no_empty_text() -> None:
    for provider, reason, body in _known():
        there = httpx.MockTransport(lambda _, body=body: httpx.Response(200, json=body))
        name, api = ("openai", {"api": provider}) if provider == "responses" else (provider, {})
        model = open_bare(f"{name}/tiny", base_url="http://127.0.0.1:9", transport=there, **api)
        try:
            said = await model.complete(ModelRequest((ChatMessage("user", "Hi"),)))
        except (ContentFiltered, ContextTooLong) as error:
            named = reason in str(error) or reason in {"content_filter", "model_context_window_exceeded"}
            assert named, (provider, reason)
        else:
            finish = "length" if reason in CUT else "refusal"
            assert reason in FINISHED or said.finish == finish, (provider, reason)
            assert (said.text == f"refused: {reason}") is (said.finish == "refusal"), (provider, reason)
        finally:
            await model.aclose()
