"""OpenAI's Responses API: models that exist only there, and any other by `api=responses`."""

from collections.abc import Mapping
from typing import Any, ClassVar

from agentdebate.models.base import Finish, ModelRequest
from agentdebate.models.dialects.chat_completions import OpenAIChat, token_logprobs, usage_of
from agentdebate.models.dialects.dialect import dialect_of
from agentdebate.models.dialects.endpoint_model import RequestForm
from agentdebate.models.dialects.marks import Content
from agentdebate.models.dialects.options import ChatOptions
from agentdebate.models.dialects.reply import (
    Choice,
    Response,
    ended,
    mapping,
    objects,
    read_object,
    text_or_none,
)
from agentdebate.models.provider_keys import OPENAI, Provider

_LOGPROBS = "message.output_text.logprobs"
_FINISH: Mapping[str | None, Finish] = {
    **dict.fromkeys((None, "completed"), "stop"),
    "max_output_tokens": "length",
    "content_filter": "filter",
    **dict.fromkeys(("failed", "cancelled", "in_progress", "queued"), "refusal"),
}
"""Statuses and reasons of an incomplete response, as of openai 3.57.0 (2026-11-29); with every other one a text is not whole."""


class ResponsesModel(OpenAIChat):
    """A model behind an endpoint of the Responses API. It gives one completion a request, and nothing is kept at the endpoint."""

    schema_field: ClassVar[str] = "text.format"
    path: ClassVar[str] = "/responses"
    protocol: ClassVar[Mapping[str, Any]] = {
        "lacks": frozenset({"frequency_penalty", "presence_penalty", "seed", "stop"}),
        "limit": "max_output_tokens",
        "single": True,
    }

    def body(self, request: ModelRequest, form: RequestForm) -> dict[str, Any]:
        """The body of a request: that of chat completions in the words of Responses."""
        body = {"store": False, **super().body(request, form)}
        body["input"] = [{**one, "content": _parts(one["content"])} for one in body.pop("messages")]
        if body.pop("logprobs", False):
            body.setdefault("include", [_LOGPROBS])
        if (effort := body.pop("reasoning_effort", None)) is not None:
            body["reasoning"] = {"effort": effort, **mapping(body.get("reasoning"))}
        if held := body.pop("response_format", None):
            form_of_text = {"type": held["type"], **held["json_schema"]}
            body["text"] = {**mapping(body.get("text")), "format": form_of_text}
        return body

    def read(self, body: bytes, form: RequestForm) -> Response | None:
        """The reply in a body; None where it failed. Raises MalformedReply, which says where the body goes wrong."""
        said = read_object(body, "a response")
        if said.get("error") or not isinstance(said.get("output"), list):
            return None
        return Response(
            [_choice(said, objects(said["output"]), form.sampling.logprobs)],
            usage_of(said.get("usage"), "input", "output"),
            text_or_none(said.get("model")),
            text_or_none(said.get("id")),
            tier=text_or_none(said.get("service_tier")) or "standard",
        )


def _parts(content: Content) -> Content:
    """Content in the words of Responses."""
    return content if isinstance(content, str) else [{**part, "type": "input_text"} for part in content]


def _choice(said: Mapping[str, Any], output: list[dict[str, Any]], alternatives: int | None) -> Choice:
    """The text among what came out: no thoughts, and no comments on the way to it."""
    spoken = [one for one in output if one.get("type") == "message" and one.get("phase") != "commentary"]
    parts = [part for one in spoken for part in objects(one.get("content"))]
    text, refusal = (
        "".join(text_or_none(part.get(key)) or "" for part in parts) for key in ("text", "refusal")
    )
    tokens = [one for part in parts for one in objects(part.get("logprobs"))] or None
    logprobs = None if alternatives is None else token_logprobs(tokens, alternatives)
    if refusal:
        return Choice(refusal, "refusal", logprobs)
    called = [one["type"] for one in output if str(one.get("type")).endswith("_call")]
    why = mapping(said.get("incomplete_details")).get("reason") or (not text and called and called[-1])
    if text and said.get("status") == "incomplete" and why not in _FINISH:
        return Choice(text, "length", logprobs)  # whatever the reason, it is not whole
    return Choice(*ended(text, text_or_none(why or said.get("status")), _FINISH), logprobs)


def at_interface(model: str, options: ChatOptions, provider: Provider) -> OpenAIChat:
    """The model at the interface that is chosen, or at OpenAI's own address at the only one that has it."""
    own = provider.name == OPENAI.name and provider.placed(model, options.base_url) == model
    api = dialect_of(model).api if own and options.api == "auto" else options.api
    return (ResponsesModel if api == "responses" else OpenAIChat)(model, options, provider)
