"""Any endpoint that speaks OpenAI's chat completions: OpenAI, Azure, vLLM, Ollama, llama.cpp and many more."""

import re
from collections.abc import Mapping
from hashlib import sha256
from typing import Any, ClassVar

from agentdebate.models.base import Finish, ModelRequest, TokenLogprob
from agentdebate.models.dialects.dialect import dialect_of
from agentdebate.models.dialects.endpoint_model import EndpointModel, RequestForm
from agentdebate.models.dialects.marks import Content, marked, written
from agentdebate.models.dialects.options import ChatOptions
from agentdebate.models.dialects.reply import (
    MARK,
    MOST_CHOICES,
    Choice,
    Response,
    count,
    counts,
    ended,
    mapping,
    not_a,
    read_object,
    text_or_none,
    token_logprob,
)
from agentdebate.models.prompt_cache import brief_of
from agentdebate.models.provider_keys import OPENAI, Provider
from agentdebate.usage import Usage

_NAME = re.compile(r"[\w-]{1,64}", re.ASCII)
"""Pattern of a schema's name at OpenAI."""
_REPLY = "a chat completion"
_FINISH: Mapping[str | None, Finish] = {
    "stop": "stop",
    "eos": "stop",
    "end_turn": "stop",
    "stop_sequence": "stop",
    "length": "length",
    "max_tokens": "length",
    "content_filter": "filter",
    **dict.fromkeys(("refusal", "error", "tool_calls", "function_call"), "refusal"),
}
"""Finish reasons of endpoints; of openai all as of 3.57.0 (2026-11-29)."""


class OpenAIChat(EndpointModel):
    """A model behind a chat-completions endpoint. A refused token limit or schema is spelled another way."""

    path: ClassVar[str] = "/chat/completions"
    protocol: ClassVar[Mapping[str, Any]] = {}
    """Fields of the dialect that are the same for every model."""

    def __init__(
        self,
        model: str,
        options: ChatOptions,
        provider: Provider = OPENAI,
    ) -> None:
        named = dialect_of(f"{provider.name}/{model}").model_copy(update=self.protocol)
        dialect = named.choosing(options.schema_form)
        super().__init__(model, provider, options, dialect, self.path)

    def body(self, request: ModelRequest, form: RequestForm) -> dict[str, Any]:
        """The body of a request."""
        caching = self.prompt_caching
        said: list[tuple[str, Content]] = [(one.role, one.content) for one in request.messages]
        if caching and caching.mark and written(request, caching):
            brief, spoken = marked(request, caching)
            said = [*([("system", brief)] if brief else []), *spoken]
        held = _response_format(request.schema) if request.schema is not None and form.dialect.holds else {}
        first: dict[str, Any] = {
            "model": self._model,
            "messages": [{"role": role, "content": content} for role, content in said],
        }
        if form.sampling.effort is not None:
            first["reasoning_effort"] = form.sampling.effort
        if form.tier:
            first["service_tier"] = "flex" if form.tier == "flex" else "default"
        return {**first, **form.parameters, **self._cache_fields(request), **held, **self._extra}

    def _cache_fields(self, request: ModelRequest) -> dict[str, Any]:
        """The fields that have requests over the same brief reach the same cache, where it is long enough for one, and be written up to
        their marks alone.
        """
        if self.prompt_caching is None:
            return {}
        fields: dict[str, Any] = (
            {"prompt_cache_options": {"mode": "explicit"}} if self.prompt_caching.mark else {}
        )
        brief = brief_of(request)
        if self.prompt_caching.takes(brief):
            digest = sha256(brief.encode("utf-8", "replace")).hexdigest()
            fields["prompt_cache_key"] = f"agentdebate-{digest[:32]}"
        return fields

    def read(self, body: bytes, form: RequestForm) -> Response | None:
        """The reply in a body. Raises MalformedReply, which says where the body goes wrong."""
        said = read_object(body, _REPLY)
        listed = said.get("choices")
        if isinstance(listed, list):  # OpenRouter says in a choice what failed behind it
            listed = [one for one in listed if not mapping(one).get("error")]
        if not isinstance(listed, list) or not listed:
            return None
        if len(listed) > MOST_CHOICES:
            raise not_a(_REPLY, f"choices: there are more than {MOST_CHOICES}", body)
        choices: list[Choice] = []
        for number, one in enumerate(listed):
            message = mapping(one).get("message")
            content = mapping(message).get("content")
            if not isinstance(message, dict) or not isinstance(content, str | list | None):
                raise not_a(_REPLY, f"choices.{number}.message: there is no text in it", body)
            choices.append(_choice(one, message, None if choices else form.sampling.logprobs))
        return Response(
            choices,
            usage_of(said.get("usage"), "prompt", "completion"),
            text_or_none(said.get("model")),
            text_or_none(said.get("id")),
            tier=text_or_none(said.get("service_tier")) or "standard",
        )


def _response_format(schema: Mapping[str, Any]) -> dict[str, Any]:
    """The field that holds the reply to a schema."""
    title = schema.get("title")
    name = title if isinstance(title, str) and _NAME.fullmatch(title) else "reply"
    held = {"name": name, "strict": True, "schema": schema}
    return {"response_format": {"type": "json_schema", "json_schema": held}}


def _choice(found: Mapping[str, Any], message: Mapping[str, Any], alternatives: int | None) -> Choice:
    text, refusal = _text(message.get("content")), text_or_none(message.get("refusal")) or ""
    listed = mapping(found.get("logprobs")).get("content")
    logprobs = None if alternatives is None else token_logprobs(listed, alternatives)
    if refusal:
        return Choice(refusal, "refusal", logprobs)
    return Choice(*ended(text, text_or_none(found.get("finish_reason")), _FINISH), logprobs)


def _text(content: str | list[object] | None) -> str:
    """Content may be a list of parts; the text is in those that have some."""
    parts = [content] if isinstance(content, str) else content or []
    texts = [part if isinstance(part, str) else mapping(part).get("text") for part in parts]
    return "".join(text for text in texts if isinstance(text, str)).removeprefix(MARK)


def token_logprobs(listed: object, alternatives: int) -> tuple[TokenLogprob, ...] | None:
    """The log-probabilities in a list of tokens; None where there is none."""
    if listed is None:
        return None
    tokens = listed if isinstance(listed, list) else [listed]
    return tuple(
        token_logprob(one, "logprob", (mapping(one).get("top_logprobs") or ())[:alternatives])
        for one in tokens
    )


def usage_of(found: object, into: str, out: str) -> Usage:
    """The usage of a call, by the names of what went in and of what came out."""
    said = counts(found, f"{into}_tokens", f"{out}_tokens")
    prompt, completion = (mapping(said.get(f"{side}_tokens_details")) for side in (into, out))
    return Usage(
        calls=1,
        prompt_tokens=count(said.get(f"{into}_tokens")),
        cached_tokens=count(prompt.get("cached_tokens")),
        cache_write_tokens=count(prompt.get("cache_write_tokens")),
        completion_tokens=count(said.get(f"{out}_tokens")),
        reasoning_tokens=count(completion.get("reasoning_tokens")),
    )
