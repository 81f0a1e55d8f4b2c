"""Anthropic's Messages: Claude at Anthropic's own address, and wherever else the protocol is spoken."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, ClassVar, Literal

from agentdebate.errors import ContextTooLong, MalformedReply
from agentdebate.models.base import Effort, Finish, ModelRequest
from agentdebate.models.dialects.dialect import Droppable, Required, dialect_of, subset
from agentdebate.models.dialects.endpoint_model import EndpointModel, Opener, RequestForm
from agentdebate.models.dialects.marks import marked
from agentdebate.models.dialects.options import DialectOptions
from agentdebate.models.dialects.reply import (
    Choice,
    Response,
    count,
    counts,
    ended,
    mapping,
    not_a,
    objects,
    read_object,
    text_or_none,
    tidy,
)
from agentdebate.models.prompt_cache import PromptCaching
from agentdebate.models.provider_keys import Provider
from agentdebate.models.tokens import THINKING
from agentdebate.project.model_spec import bare_name
from agentdebate.usage import Usage

ApiVersion = Literal["2026-10-21", "2023-06-01"]
"""The version of the API. The newer one takes no sampling parameters, and its key as a bearer."""

USUAL_LIMIT = 8192
"""Tokens of a reply where no limit is asked for: the protocol wants one, and thinking counts in it."""

_PATH = "/v1/messages"
_DROPS: frozenset[Droppable] = frozenset({"frequency_penalty", "presence_penalty"})
_NEWER_DROPS: frozenset[Droppable] = _DROPS | {"temperature", "top_p"}
_REFUSES: frozenset[Required] = frozenset({"logprobs", "seed"})
_EFFORTS: tuple[Effort, ...] = ("none", "low", "medium", "high", "xhigh", "max")
"""Efforts of `output_config`, as of anthropic 2.14.0 (2026-11-29), and none, at which thinking is disabled."""
_FINISH: Mapping[str | None, Finish] = {
    "end_turn": "stop",
    "stop_sequence": "stop",
    "max_tokens": "length",
    **dict.fromkeys(("refusal", "tool_use", "pause_turn"), "refusal"),
}
"""Stop reasons, all as of anthropic 2.14.0 (2026-11-29) but the one of a full context."""
_FLOOR = 512
"""Fewest tokens that the cache keeps, where nothing is known of a model: the least of all models."""
_REPLY = "a reply of Messages"


class MessagesOptions(DialectOptions):
    """Options of an endpoint that speaks Messages."""

    ours: ClassVar[frozenset[str]] = frozenset(("messages", "model", "stream", "system"))

    api_version: ApiVersion = "2026-10-21"
    """The version of the API (`anthropic-version`). Only "2023-06-01" has a temperature, on older models."""
    prompt_cache_ttl: Literal["5m", "1h"] = "5m"
    """Time that marked prompts are kept: writing them for an hour costs twice a fresh token, and 1.25 times for five minutes."""

    def caching(self, name: str) -> PromptCaching:
        """Rules of the cache: nothing is written without a mark."""
        hour = self.prompt_cache_ttl == "1h"
        control = {"type": "ephemeral", **({"ttl": "1h"} if hour else {})}
        return PromptCaching(
            dialect_of(bare_name(name)).cache_floor or _FLOOR,
            lifetime=3600 if hour else 300,
            on=self.prompt_cache != "off",
            mark=None if "cache_control" in self.extra else {"cache_control": control},
            parted_by_schema=self.schema_form == "auto",
        )


class MessagesModel(EndpointModel):
    """A model behind an endpoint that speaks Messages. It gives one completion a request, and no log-probabilities."""

    schema_field: ClassVar[str] = "output_config"

    def __init__(self, model: str, options: MessagesOptions, provider: Provider) -> None:
        newer = options.api_version == "2026-10-21"
        known = dialect_of(model)
        drops = known.drops | (_NEWER_DROPS if newer else _DROPS)
        never = {"drops": drops, "refuses": known.refuses | _REFUSES, "single": True, "efforts": _EFFORTS}
        dialect = known.model_copy(update=never).choosing(options.schema_form)
        # The older version has a header of its own for the key.
        versioned = replace(
            provider,
            key_header="Authorization" if newer else "x-api-key",
            headers={**provider.headers, "anthropic-version": options.api_version},
        )
        super().__init__(model, versioned, options, dialect, _PATH)
        if options.prompt_cache_ttl == "1h":
            self.tier = "1h-writes"

    def body(self, request: ModelRequest, form: RequestForm) -> dict[str, Any]:
        """The body of a request."""
        system, said = marked(request, self.prompt_caching)
        own = {"stop_sequences" if name == "stop" else name: one for name, one in form.parameters.items()}
        effort, config = form.sampling.effort, dict[str, Any]()
        if effort == "none":
            own["thinking"] = {"type": "disabled"}
        elif effort is not None:
            config["effort"] = effort
        thinks = THINKING[effort] if effort else 0  # counts among the tokens of the reply
        body = {"model": self._model, "max_tokens": USUAL_LIMIT + thinks, **own, **self._extra}
        body["messages"] = [{"role": role, "content": content} for role, content in said]
        if system:
            body["system"] = system
        if request.schema is not None and form.dialect.holds:
            config["format"] = {"type": "json_schema", "schema": subset(request.schema)}
        if config:
            body["output_config"] = {**config, **mapping(self._extra.get("output_config"))}
        return body

    def read(self, body: bytes, form: RequestForm) -> Response | None:  # noqa: ARG002 - as all have it
        """The reply in a body; None where it is an error. Raises MalformedReply, which says where the body goes wrong.

        Raises ContextTooLong where the model's context was full before the reply was whole.
        """
        said = read_object(body, _REPLY)
        content, reason = said.get("content"), text_or_none(said.get("stop_reason"))
        if not isinstance(content, list):
            if said.get("type") == "error":
                return None
            raise not_a(_REPLY, "content: it is not a list", body)
        if reason == "model_context_window_exceeded":
            raise ContextTooLong(
                "the reply ran into the end of the model's context: shorten items or debates"
            )
        if not content and reason is None:
            raise MalformedReply("the reply has no content and does not say why")
        texts = [text_or_none(one.get("text")) or "" for one in objects(content) if one.get("type") == "text"]
        text = "".join(texts) or _refusal(said.get("stop_details"))
        return Response(
            [Choice(*ended(text, reason, _FINISH))],
            _usage(said.get("usage")),
            text_or_none(said.get("model")),
            text_or_none(said.get("id")),
            tier="1h-writes" if _for_an_hour(said.get("usage")) else "standard",
        )


def _for_an_hour(usage: object) -> bool:
    """Tell whether something was written into the cache for an hour."""
    return count(mapping(mapping(usage).get("cache_creation")).get("ephemeral_1h_input_tokens")) > 0


def _refusal(details: object) -> str:
    """Read why a reply was refused, as far as it says so; empty where it does not."""
    said = mapping(details)
    told = text_or_none(said.get("explanation")) or text_or_none(said.get("category"))
    return tidy(f"refused: {told}") if told else ""


def _usage(found: object) -> Usage:
    """Read the usage of a call; `input_tokens` are those beside the cache."""
    said = counts(found, "input_tokens", "output_tokens")
    read, written = count(said.get("cache_read_input_tokens")), count(said.get("cache_creation_input_tokens"))
    output = count(said.get("output_tokens"))
    thinking = count(mapping(said.get("output_tokens_details")).get("thinking_tokens"))
    return Usage(
        calls=1,
        prompt_tokens=count(said.get("input_tokens")) + written + read,
        cached_tokens=read,
        cache_write_tokens=written,
        completion_tokens=output,
        reasoning_tokens=min(thinking, output),
    )


ANTHROPIC = Provider(
    "anthropic", "https://api.anthropic.com", "ANTHROPIC_API_KEY", moved="ANTHROPIC_BASE_URL"
)
"""Provider of "anthropic/..."."""

open_anthropic = Opener(
    ANTHROPIC,
    MessagesModel,
    MessagesOptions,
    "Claude, by Anthropic's Messages.",
)
