"""Anthropic's Messages: Claude at Anthropic's own address, and wherever else the protocol is spoken."""

import json
from collections.abc import Collection, Mapping
from dataclasses import replace
from typing import Annotated, Any, ClassVar, Literal

from pydantic import BeforeValidator, Field, ValidationError

from agentdebate.errors import ContextTooLong, MalformedReply, ModelError
from agentdebate.models.base import Completion, Finish, ModelRequest, Sampling
from agentdebate.models.dialects.cache_marks import Content, marked
from agentdebate.models.dialects.dialect import Dialect
from agentdebate.models.dialects.endpoint_model import EndpointModel
from agentdebate.models.dialects.half_characters import read_shape
from agentdebate.models.dialects.loose import Count, Loose, Shape, counts, mapping, what_is_wrong
from agentdebate.models.dialects.opener import Opener, Profile
from agentdebate.models.dialects.parameters import Parameters, parameters_of
from agentdebate.models.dialects.problems import Problem, tidy
from agentdebate.models.dialects.sampling_options import SamplingOptions
from agentdebate.models.dialects.schema_subset import subset
from agentdebate.models.http import Answer
from agentdebate.models.prompt_caching import PromptCaching
from agentdebate.models.provider_keys import Provider
from agentdebate.models.reply_size import check_size, largest_answer
from agentdebate.usage import Usage

ApiVersion = Literal["2026-10-21", "2023-06-01"]
"""The version of the API. The newer one takes no sampling parameters, and its key as a bearer."""

USUAL_LIMIT = 8192
"""Tokens of a reply where no limit is asked for: the protocol wants one, and thinking counts in it."""

_PATH = "/v1/messages"
_NEVER = Parameters(
    drops=frozenset({"frequency_penalty", "presence_penalty"}), refuses=frozenset({"logprobs", "seed"})
)
_NEWER = Parameters(drops=_NEVER.drops | {"temperature", "top_p"}, refuses=_NEVER.refuses)
_FINISH: Mapping[str, Finish] = {
    "end_turn": "stop",
    "stop_sequence": "stop",
    "max_tokens": "length",
    "refusal": "refusal",
}
_MOST_BLOCKS = 4096
_FLOOR = 512
"""Tokens that the cache keeps at the least, where nothing is known of a model: the least of all models."""


class MessagesOptions(SamplingOptions):
    """How to reach an endpoint that speaks Messages, and what to send it beside the request."""

    ours: ClassVar[frozenset[str]] = frozenset(("messages", "model", "stream", "system"))

    api_version: ApiVersion = "2026-10-21"
    """The version of the API (`anthropic-version`). Only "2023-06-01" has a temperature, on older models."""
    schema_form: Literal["auto", "json_schema", "none"] = Field(default="auto", alias="schema")
    """Whether replies are held to schemas; "auto" begins so and follows the endpoint."""
    prompt_cache: Literal["auto", "off"] = "auto"
    """Whether prompts have marks (cache_control) up to which the endpoint keeps them in its cache, for five minutes."""


class MessagesModel(EndpointModel["MessagesForm"]):
    """A model behind an endpoint that speaks Messages. It gives one completion a request, and no log-probabilities."""

    spelled: ClassVar[Mapping[str, str]] = {"output_config": "response_format", "stop_sequences": "stop"}
    hottest: ClassVar[float] = 1

    def __init__(
        self, model: str, options: MessagesOptions, provider: Provider, known: Parameters = Parameters()
    ) -> None:
        never = _NEWER if options.api_version == "2026-10-21" else _NEVER
        dialect = Dialect.of(
            never.over(known).over(parameters_of(model)),
            limit="max_tokens",
            schema=options.schema_form,
            single=True,
            forms=("json_schema", "none"),
        )
        super().__init__(model, _versioned(provider, options.api_version), options, dialect, _PATH)
        if options.prompt_cache == "auto":
            self.prompt_caching = PromptCaching(
                parameters_of(model).cache_floor or _FLOOR, parted_by_schema=options.schema_form == "auto"
            )

    def _make_form(self, sampling: Sampling, dialect: Dialect) -> "MessagesForm":
        return MessagesForm(self._model, sampling, dialect, self._extra, self.prompt_caching)

    def _said(
        self, answer: Answer, _form: "MessagesForm", about: dict[str, Any]
    ) -> Completion | Problem | ModelError:
        reply = MessagesReply.read(answer.body)
        return self._endpoint.problem(answer) if reply is None else check_size(reply.completion(**about))


def _versioned(provider: Provider, version: ApiVersion) -> Provider:
    """The provider as this version of the API is spoken to: the older one has a header of its own for the key."""
    header = "Authorization" if version == "2026-10-21" else "x-api-key"
    return replace(provider, key_header=header, headers={**provider.headers, "anthropic-version": version})


class MessagesForm:
    """The body of requests with the same sampling parameters. Fields of `extra` go before ours."""

    def __init__(
        self,
        model: str,
        sampling: Sampling,
        dialect: Dialect,
        extra: Mapping[str, Any],
        caching: PromptCaching | None = None,
    ) -> None:
        self.sampling, self.dialect, self._caching = sampling, dialect, caching
        self.largest = largest_answer(sampling)
        sent = dialect.parameters(sampling)
        if "stop" in sent:
            sent["stop_sequences"] = sent.pop("stop")
        self._own = frozenset(sent.keys() - extra.keys())
        self._fields = {"model": model, "max_tokens": USUAL_LIMIT, **sent, **extra}

    def __repr__(self) -> str:
        return f"<MessagesForm of {', '.join(self._fields)}>"

    def sent(self, *, held: bool) -> Collection[str]:
        """The fields of a body that are ours to change; `held` says that there is a schema in it."""
        return (*self._own, "output_config") if held else self._own

    def body(self, request: ModelRequest) -> bytes:
        """The body of a request."""
        said, turns = self.dialect.turns(request.messages)
        system: Content = said
        contents: list[Content] = [one.content for one in turns]
        # Marks of the user's own, in `extra`, count among the four that there may be.
        if self._caching is not None and "cache_control" not in self._fields:
            system, contents = marked(said, turns, request.talk, self._caching)
        body: dict[str, Any] = {**self._fields}
        body["messages"] = [
            {"role": one.role, "content": content} for one, content in zip(turns, contents, strict=True)
        ]
        if system:
            body["system"] = system
        if request.schema is not None and self.dialect.schema != "none":
            held = {"format": {"type": "json_schema", "schema": subset(request.schema)}}
            body["output_config"] = {**held, **mapping(self._fields.get("output_config"))}
        return json.dumps(body, separators=(",", ":"), allow_nan=False).encode()


class _Created(Shape):
    thinking_tokens: Count = 0


class _Usage(Shape):
    input_tokens: Count = 0
    cache_creation_input_tokens: Count = 0
    cache_read_input_tokens: Count = 0
    output_tokens: Count = 0
    output_tokens_details: Annotated[_Created, BeforeValidator(mapping)] = _Created()

    def usage(self) -> Usage:
        """What a call cost; `input_tokens` are those beside the cache."""
        written, read = self.cache_creation_input_tokens, self.cache_read_input_tokens
        return Usage(
            calls=1,
            prompt_tokens=self.input_tokens + written + read,
            cached_tokens=read,
            cache_write_tokens=written,
            completion_tokens=self.output_tokens,
            reasoning_tokens=min(self.output_tokens_details.thinking_tokens, self.output_tokens),
        )


class _Block(Shape):
    type: Loose = None
    text: Loose = None


class _Details(Shape):
    category: Loose = None
    explanation: Loose = None


class MessagesReply(Shape):
    """The body of a reply, as far as it is read. A reply has content; an error has none."""

    id: Loose = None
    model: Loose = None
    content: tuple[_Block, ...] = Field(max_length=_MOST_BLOCKS)
    stop_reason: Loose = None
    stop_details: Annotated[_Details, BeforeValidator(mapping)] = _Details()
    usage: Annotated[_Usage, BeforeValidator(counts("input_tokens", "output_tokens"))] = _Usage()

    @classmethod
    def read(cls, body: bytes) -> "MessagesReply | None":
        """The reply in a body; None where the body is an error. Raises MalformedReply, which says what is wrong."""
        try:
            return read_shape(cls, body)
        except ValidationError as error:
            if _is_error(body):
                return None
            shown = tidy(body[:1000].decode("utf-8", "replace"))
            raise MalformedReply(f"no reply of Messages: {what_is_wrong(error)}: {shown}") from error

    def completion(
        self, *, structured: bool, model: str, latency: float, request_id: str | None = None
    ) -> Completion:
        """The completion in it. Raises ContextTooLong where the model's context was full before the reply was whole."""
        if self.stop_reason == "model_context_window_exceeded":
            raise ContextTooLong(
                "the reply ran into the end of the model's context: shorten items or debates"
            )
        if not self.content and self.stop_reason is None:
            raise MalformedReply("the reply has no content and does not say why")
        finish = _FINISH.get(self.stop_reason or "", "other")
        text = "".join(block.text or "" for block in self.content if block.type == "text")
        return Completion(
            text=text or (self._refusal if finish == "refusal" else ""),
            model=tidy(self.model or "") or model,
            usage=self.usage.usage(),
            finish=finish,
            structured=structured,
            latency=latency,
            request_id=request_id or tidy(self.id or "") or None,
        )

    @property
    def _refusal(self) -> str:
        """Why a reply was refused, as far as it says so."""
        told = self.stop_details.explanation or self.stop_details.category
        return tidy(f"refused: {told}") if told else "refused"


def _is_error(body: bytes) -> bool:
    try:
        return mapping(json.loads(body)).get("type") == "error"
    except ValueError:
        return False


ANTHROPIC = Provider(
    "anthropic", "https://api.anthropic.com", "ANTHROPIC_API_KEY", moved="ANTHROPIC_BASE_URL"
)
"""Who answers as "anthropic/..."."""

open_anthropic = Opener(
    ANTHROPIC,
    MessagesModel,
    MessagesOptions,
    profile=Profile(
        can=frozenset({"schema"}),
        cannot=frozenset({"n", "logprobs", "seed", "temperature"}),
        cache_floor=_FLOOR,
        names=("claude-*",),
    ),
)
"""Opens "anthropic/NAME"."""
