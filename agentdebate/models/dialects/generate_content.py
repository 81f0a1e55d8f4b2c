"""Google's generateContent: Gemini at Google's own address, and wherever else the protocol is spoken."""

from collections.abc import Mapping
from typing import Any, ClassVar

from agentdebate.models.base import ChatMessage, Effort, Finish, ModelRequest, TokenLogprob
from agentdebate.models.dialects.dialect import dialect_of, subset, turns
from agentdebate.models.dialects.endpoint_model import EndpointModel, Opener, RequestForm
from agentdebate.models.dialects.options import TierOptions
from agentdebate.models.dialects.reply import (
    MOST_CHOICES,
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
    token_logprob,
)
from agentdebate.models.prompt_cache import PromptCaching
from agentdebate.models.provider_keys import Provider
from agentdebate.models.tokens import THINKING
from agentdebate.project.model_spec import bare_name
from agentdebate.usage import Usage

MOST_CANDIDATES = 8
"""More completions than this are asked for one by one."""
_FLOOR = 4096
"""Fewest tokens that the cache keeps, where nothing is known of a model."""
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
_EFFORTS: tuple[Effort, ...] = ("none", "minimal", "low", "medium", "high", "xhigh")
"""Levels of thinking, as of google-genai 3.6.1 (2026-11-29), and none, which is a budget of no tokens where a model can do without."""
_KEPT = frozenset({"minimum", "maximum", "minItems", "maxItems", "format", "prefixItems", "propertyOrdering"})
"""The keywords of a schema that it knows beside the usual ones."""
_FILTERED = (
    *("SAFETY", "RECITATION", "BLOCKLIST", "PROHIBITED_CONTENT", "SPII", "MODEL_ARMOR", "ESCALATION"),
    *("PUP_LIMITED_DISABLED", "IMAGE_SAFETY", "IMAGE_PROHIBITED_CONTENT", "IMAGE_RECITATION"),
)
_FAILED = (
    *("LANGUAGE", "OTHER", "MALFORMED_RESPONSE", "MALFORMED_FUNCTION_CALL", "UNEXPECTED_TOOL_CALL"),
    *("TOO_MANY_TOOL_CALLS", "MISSING_THOUGHT_SIGNATURE", "IMAGE_OTHER", "NO_IMAGE"),
)
_FINISH: Mapping[str | None, Finish] = {
    "STOP": "stop",
    **dict.fromkeys(("MAX_TOKENS", "CONTINUATION"), "length"),
    **dict.fromkeys(_FILTERED, "filter"),
    **dict.fromkeys(_FAILED, "refusal"),
}
"""Finish reasons, all as of google-genai 3.6.1 (2026-11-29) but the unspecified one."""
_REPLY = "a reply of generateContent"


class GenerateContentOptions(TierOptions):
    """Options of an endpoint that speaks generateContent."""

    ours: ClassVar[frozenset[str]] = frozenset(("contents", "model", "systemInstruction"))

    def caching(self, name: str) -> PromptCaching:
        """Rules of the cache, which is implicit."""
        return PromptCaching(dialect_of(bare_name(name)).cache_floor or _FLOOR, on=self.prompt_cache != "off")


class GenerateContentModel(EndpointModel):
    """A model behind an endpoint that speaks generateContent."""

    schema_field: ClassVar[str] = "responseJsonSchema"

    def __init__(
        self,
        model: str,
        options: GenerateContentOptions,
        provider: Provider,
    ) -> None:
        known = dialect_of(model)
        efforts = tuple(one for one in known.efforts if one in _EFFORTS)
        dialect = known.model_copy(update={"efforts": efforts}).choosing(options.schema_form)
        name = model.removeprefix("models/")
        path = f"/v1beta/models/{name}:generateContent"
        super().__init__(name, provider, options, dialect, path)

    def body(self, request: ModelRequest, form: RequestForm) -> dict[str, Any]:
        """The body of a request."""
        system, said = turns(request.messages)
        config = {name: form.parameters[ours] for name, ours in _SPELLED.items() if ours in form.parameters}
        if "candidateCount" in config:
            config["candidateCount"] = min(config["candidateCount"], MOST_CANDIDATES)
        if request.schema is not None and form.dialect.holds:
            config["responseMimeType"] = "application/json"
            config[self.schema_field] = _ordered(subset(request.schema, _KEPT))
        if (effort := form.sampling.effort) is not None:
            budget = form.dialect.budgets or effort == "none"
            config["thinkingConfig"] = (
                {"thinkingBudget": THINKING[effort]} if budget else {"thinkingLevel": effort.upper()}
            )
        config.update(mapping(self._extra.get("generationConfig")))
        body: dict[str, Any] = {"contents": [_content(one) for one in said], **self._extra}
        if form.tier:
            body.setdefault("serviceTier", form.tier)
        if config:
            body["generationConfig"] = config
        if system:
            body["systemInstruction"] = {"parts": [{"text": system}]}
        return body

    def read(self, body: bytes, form: RequestForm) -> Response | None:
        """The reply in a body; None where there is none. Raises MalformedReply, which says where the body goes wrong."""
        said = read_object(body, _REPLY)
        listed = said.get("candidates", [])
        if not isinstance(listed, list) or len(listed) > MOST_CHOICES:
            raise not_a(_REPLY, "candidates: it is not a list of candidates", body)
        blocked = text_or_none(mapping(said.get("promptFeedback")).get("blockReason"))
        if not listed and not blocked:
            return None
        choices: list[Choice] = []
        for number, one in enumerate(listed):
            if not isinstance(one, dict):
                raise not_a(_REPLY, f"candidates.{number}: it is not an object", body)
            choices.append(_choice(one, None if choices else form.sampling.logprobs))
        reason = text_or_none(mapping(listed[0]).get("finishReason")) if listed else None
        return Response(
            choices,
            _usage(said.get("usageMetadata")),
            text_or_none(said.get("modelVersion")),
            text_or_none(said.get("responseId")),
            tidy(f"the prompt: {blocked}" if blocked else f"the reply: {reason}"),
        )


def _content(message: ChatMessage) -> dict[str, Any]:
    role = "model" if message.role == "assistant" else "user"
    return {"role": role, "parts": [{"text": message.content}]}


def _ordered(schema: dict[str, Any]) -> dict[str, Any]:
    """The schema with its first properties in their order: the reason before the score."""
    properties = schema.get("properties")
    return {**schema, "propertyOrdering": list(properties)} if properties else schema


def _choice(found: Mapping[str, Any], alternatives: int | None) -> Choice:
    """A candidate: its text without the thoughts that may stand before it."""
    parts = objects(mapping(found.get("content")).get("parts"))
    text = "".join(text_or_none(part.get("text")) or "" for part in parts if not part.get("thought"))
    logprobs = None if alternatives is None else _logprobs(found.get("logprobsResult"), alternatives)
    return Choice(*ended(text, text_or_none(found.get("finishReason")), _FINISH), logprobs)


def _logprobs(found: object, alternatives: int) -> tuple[TokenLogprob, ...] | None:
    if found is None:
        return None
    said = mapping(found)
    chosen, tops = said.get("chosenCandidates"), objects(said.get("topCandidates"))
    return tuple(
        token_logprob(
            one,
            "logProbability",
            objects(tops[number].get("candidates"))[:alternatives] if number < len(tops) else (),
        )
        for number, one in enumerate(chosen if isinstance(chosen, list) else [chosen])
    )


def _usage(found: object) -> Usage:
    """Read the usage of a call; the prompt's tokens include those from the cache, and the candidates' leave thoughts out."""
    said = counts(found, "promptTokenCount", maybe=("candidatesTokenCount", "thoughtsTokenCount"))
    thoughts = count(said.get("thoughtsTokenCount"))
    return Usage(
        calls=1,
        prompt_tokens=count(said.get("promptTokenCount")),
        cached_tokens=count(said.get("cachedContentTokenCount")),
        completion_tokens=count(said.get("candidatesTokenCount")) + thoughts,
        reasoning_tokens=thoughts,
    )


GEMINI = Provider(
    "gemini",
    "https://generativelanguage.googleapis.com",
    "GEMINI_API_KEY",
    moved="GOOGLE_GEMINI_BASE_URL",
    key_header="x-goog-api-key",
)
"""Provider of "gemini/..."."""

open_gemini = Opener(
    GEMINI,
    GenerateContentModel,
    GenerateContentOptions,
    "Gemini, by Google's generateContent.",
)
