"""Google's generateContent: Gemini at Google's own address, and wherever else the protocol is spoken."""

import json
from collections.abc import Collection, Mapping
from typing import Annotated, Any, ClassVar, Literal

from pydantic import BeforeValidator, Field, ValidationError

from agentdebate.errors import ContentFiltered, MalformedReply, ModelError, RequestRefused
from agentdebate.models.base import ChatMessage, Completion, Finish, ModelRequest, Sampling, TokenLogprob
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

ApiVersion = Literal["v1", "v1beta"]
"""The version of the API, which is part of its paths."""

MOST_CANDIDATES = 8
"""More completions than this are asked for one by one."""
_MOST_READ = 64
_FLOOR = 4096
"""Tokens that the cache keeps at the least, where nothing is known of a model."""
_SPELLED = {
    "temperature": "temperature",
    "topP": "top_p",
    "seed": "seed",
    "maxOutputTokens": "max_tokens",
    "stopSequences": "stop",
    "presencePenalty": "presence_penalty",
    "frequencyPenalty": "frequency_penalty",
    "candidateCount": "n",
    "responseLogprobs": "logprobs",
    "logprobs": "top_logprobs",
}
_IN_WORDS = {"Logprobs": "logprobs", "Multiple candidates": "n", "Only one candidate": "n"}
"""What errors call a parameter that they do not call by its name."""
_SCHEMA = "responseJsonSchema"
_KEPT = frozenset({"minimum", "maximum", "minItems", "maxItems", "format", "prefixItems", "propertyOrdering"})
"""The keywords of a schema that it knows beside the usual ones."""
_FINISH: Mapping[str, Finish] = {
    "STOP": "stop",
    "MAX_TOKENS": "length",
    **dict.fromkeys(
        ("SAFETY", "RECITATION", "BLOCKLIST", "PROHIBITED_CONTENT", "SPII", "MODEL_ARMOR"), "filter"
    ),
}
_NO_LOGPROBS = "the endpoint gave no log-probabilities: use a model that does, or do not ask for them"


class GenerateContentOptions(SamplingOptions):
    """How to reach an endpoint that speaks generateContent, and what to send it beside the request."""

    ours: ClassVar[frozenset[str]] = frozenset(("contents", "model", "systemInstruction"))

    api_version: ApiVersion = "v1beta"
    """The version of the API, the first part of its paths."""
    schema_form: Literal["auto", "json_schema", "none"] = Field(default="auto", alias="schema")
    """Whether replies are held to schemas; "auto" begins so and follows the endpoint."""
    prompt_cache: Literal["auto", "off"] = "auto"
    """Whether the first call over a long brief goes alone, so that the others find it in the endpoint's cache."""


class GenerateContentModel(EndpointModel["GenerateContentForm"]):
    """A model behind an endpoint that speaks generateContent."""

    spelled: ClassVar[Mapping[str, str]] = {**_SPELLED, **_IN_WORDS, _SCHEMA: "response_format"}

    def __init__(
        self,
        model: str,
        options: GenerateContentOptions,
        provider: Provider,
        known: Parameters = Parameters(),
    ) -> None:
        dialect = Dialect.of(
            known.over(parameters_of(model)),
            limit="max_tokens",
            schema=options.schema_form,
            forms=("json_schema", "none"),
        )
        name = model.removeprefix("models/")
        super().__init__(
            name, provider, options, dialect, f"/{options.api_version}/models/{name}:generateContent"
        )
        if options.prompt_cache == "auto":
            self.prompt_caching = PromptCaching(parameters_of(name).cache_floor or _FLOOR)

    def _make_form(self, sampling: Sampling, dialect: Dialect) -> "GenerateContentForm":
        return GenerateContentForm(sampling, dialect, self._extra)

    def _said(
        self, answer: Answer, form: "GenerateContentForm", about: dict[str, Any]
    ) -> Completion | Problem | ModelError:
        reply = GenerateContentReply.read(answer.body)
        if not reply.candidates and not reply.prompt_feedback.block_reason:
            return self._endpoint.problem(answer)
        return check_size(reply.completion(form.sampling, **about))


class GenerateContentForm:
    """The body of requests with the same sampling parameters. Fields of `extra` go before ours."""

    def __init__(self, sampling: Sampling, dialect: Dialect, extra: Mapping[str, Any]) -> None:
        self.sampling, self.dialect = sampling, dialect
        self.largest = largest_answer(sampling)
        given = dialect.parameters(sampling)
        if "n" in given:
            given["n"] = min(given["n"], MOST_CANDIDATES)
        self._config = {name: given[ours] for name, ours in _SPELLED.items() if ours in given}
        self._extra = extra
        self._own = {*(self._config.keys() - mapping(extra.get("generationConfig")).keys()), *_IN_WORDS}

    def __repr__(self) -> str:
        return f"<GenerateContentForm of {', '.join(self._config)}>"

    def sent(self, *, held: bool) -> Collection[str]:
        """The fields of a body that are ours to change; `held` says that there is a schema in it."""
        return {*self._own, _SCHEMA} if held else self._own

    def body(self, request: ModelRequest) -> bytes:
        """The body of a request."""
        system, turns = self.dialect.turns(request.messages)
        config = {
            **self._config,
            **self._held(request.schema),
            **mapping(self._extra.get("generationConfig")),
        }
        body: dict[str, Any] = {"contents": [_content(one) for one in turns], **self._extra}
        if config:
            body["generationConfig"] = config
        if system:
            body["systemInstruction"] = {"parts": [{"text": system}]}
        return json.dumps(body, separators=(",", ":"), allow_nan=False).encode()

    def _held(self, schema: Mapping[str, Any] | None) -> dict[str, Any]:
        """What holds a reply to a schema."""
        if schema is None or self.dialect.schema == "none":
            return {}
        return {"responseMimeType": "application/json", _SCHEMA: _ordered(subset(schema, _KEPT))}


def _content(message: ChatMessage) -> dict[str, Any]:
    role = "model" if message.role == "assistant" else "user"
    return {"role": role, "parts": [{"text": message.content}]}


def _ordered(schema: dict[str, Any]) -> dict[str, Any]:
    """The schema with its first properties in their order: the reason before the score."""
    properties = schema.get("properties")
    return {**schema, "propertyOrdering": list(properties)} if properties else schema


class _Part(Shape):
    text: Loose = None
    thought: bool | None = None


class _Content(Shape):
    parts: tuple[_Part, ...] | None = None


class _Token(Shape):
    token: str = ""
    log_probability: float = Field(default=0.0, alias="logProbability", allow_inf_nan=False, le=1e-3)


class _Top(Shape):
    candidates: tuple[_Token, ...] | None = None


class _Logprobs(Shape):
    chosen: tuple[_Token, ...] = Field(alias="chosenCandidates")
    top: tuple[_Top, ...] | None = Field(default=None, alias="topCandidates")

    def tokens(self, alternatives: int) -> tuple[TokenLogprob, ...]:
        """The tokens with so many alternatives each."""
        tops = [(one.candidates or ())[:alternatives] for one in self.top or ()]
        tops += [()] * (len(self.chosen) - len(tops))
        return tuple(
            TokenLogprob(
                token=one.token,
                logprob=min(one.log_probability, 0.0),
                top=tuple((other.token, min(other.log_probability, 0.0)) for other in top),
            )
            for one, top in zip(self.chosen, tops, strict=False)
        )


class _Candidate(Shape):
    content: Annotated[_Content, BeforeValidator(mapping)] = _Content()
    finish_reason: Loose = Field(default=None, alias="finishReason")
    logprobs: Any = Field(default=None, alias="logprobsResult")
    """Read where they were asked for."""

    @property
    def text(self) -> str:
        """What is said, without the thoughts that may stand before it."""
        return "".join(part.text or "" for part in self.content.parts or () if not part.thought)

    @property
    def finish(self) -> Finish:
        """Why the text ends where it does."""
        return _FINISH.get(self.finish_reason or "", "other")


class _Feedback(Shape):
    block_reason: Loose = Field(default=None, alias="blockReason")


class _Usage(Shape):
    prompt: Count = Field(default=0, alias="promptTokenCount")
    cached: Count = Field(default=0, alias="cachedContentTokenCount")
    candidates: Count = Field(default=0, alias="candidatesTokenCount")
    thoughts: Count = Field(default=0, alias="thoughtsTokenCount")

    def usage(self) -> Usage:
        """What a call cost; the prompt's tokens include those from the cache, and the candidates' leave thoughts out."""
        return Usage(
            calls=1,
            prompt_tokens=self.prompt,
            cached_tokens=self.cached,
            completion_tokens=self.candidates + self.thoughts,
            reasoning_tokens=self.thoughts,
        )


class GenerateContentReply(Shape):
    """The body of a reply, as far as it is read."""

    candidates: tuple[_Candidate, ...] = Field(default=(), max_length=_MOST_READ)
    prompt_feedback: Annotated[_Feedback, BeforeValidator(mapping)] = Field(
        default=_Feedback(), alias="promptFeedback"
    )
    usage: Annotated[
        _Usage,
        BeforeValidator(counts("promptTokenCount", maybe=("candidatesTokenCount", "thoughtsTokenCount"))),
    ] = Field(default=_Usage(), alias="usageMetadata")
    model: Loose = Field(default=None, alias="modelVersion")
    id: Loose = Field(default=None, alias="responseId")

    @classmethod
    def read(cls, body: bytes) -> "GenerateContentReply":
        """The reply in a body. Raises MalformedReply, which says where the body goes wrong."""
        try:
            return read_shape(cls, body)
        except ValidationError as error:
            shown = tidy(body[:1000].decode("utf-8", "replace"))
            raise MalformedReply(f"no reply of generateContent: {what_is_wrong(error)}: {shown}") from error

    def completion(
        self,
        sampling: Sampling,
        *,
        structured: bool,
        model: str,
        latency: float,
        request_id: str | None = None,
    ) -> Completion:
        """The completion in it, for a request with these sampling parameters.

        Raises ContentFiltered where a filter stopped the prompt or every candidate, and RequestRefused where log-probabilities
        that were asked for are not there.
        """
        candidates = [one for one in self.candidates if one.finish != "filter"]
        if not candidates:
            raise ContentFiltered(f"the provider's filter stopped {self._stopped}")
        first, others = candidates[0], candidates[1 : sampling.n]
        return Completion(
            text=first.text,
            model=tidy(self.model or "") or model,
            usage=self.usage.usage(),
            finish=first.finish,
            structured=structured,
            logprobs=_logprobs(first, sampling.logprobs),
            latency=latency,
            request_id=request_id or tidy(self.id or "") or None,
            others=tuple(one.text for one in others),
            cut=tuple(number for number, one in enumerate(others) if one.finish == "length"),
        )

    @property
    def _stopped(self) -> str:
        if self.prompt_feedback.block_reason:
            return f"the prompt: {tidy(self.prompt_feedback.block_reason)}"
        return f"the reply: {tidy(self.candidates[0].finish_reason or '')}"


def _logprobs(candidate: _Candidate, alternatives: int | None) -> tuple[TokenLogprob, ...] | None:
    if alternatives is None:
        return None
    if candidate.logprobs is None:
        if candidate.text:
            raise RequestRefused(_NO_LOGPROBS).about("logprobs")
        return ()
    try:
        return _Logprobs.model_validate(candidate.logprobs).tokens(alternatives)
    except ValidationError as error:
        raise MalformedReply(
            f"the log-probabilities in the reply are none: {what_is_wrong(error)}"
        ) from error


GEMINI = Provider(
    "gemini",
    "https://generativelanguage.googleapis.com",
    "GEMINI_API_KEY",
    moved="GOOGLE_GEMINI_BASE_URL",
    key_header="x-goog-api-key",
)
"""Who answers as "gemini/..."."""

open_gemini = Opener(
    GEMINI,
    GenerateContentModel,
    GenerateContentOptions,
    profile=Profile(
        can=frozenset({"schema", "temperature", "seed"}), cache_floor=_FLOOR, names=("gemini-*",)
    ),
)
"""Opens "gemini/NAME"."""
