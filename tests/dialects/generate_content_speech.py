"""Google's generateContent as a fault server speaks it, as strict as the endpoint itself is known to be."""

from collections.abc import Mapping
from typing import Any

from agentdebate.testing.chat import Asked, BadRequest, Speech, read_object
from dialects.strict_schema import schema_fault

_FIELDS = frozenset(
    {"contents", "systemInstruction", "generationConfig", "safetySettings", "tools", "cachedContent"}
)
_CONFIG = {
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
_MORE = frozenset({"topK", "responseMimeType", "responseJsonSchema", "responseSchema", "thinkingConfig"})
_MOST_CANDIDATES = 8
_KEYWORDS = frozenset(
    {
        "$defs", "$ref", "$id", "$anchor", "anyOf", "oneOf", "type", "enum", "title", "description", "properties",
        "items",
    }
    | {"prefixItems", "minItems", "maxItems", "minimum", "maximum", "format", "required"}
    | {"additionalProperties", "propertyOrdering"}
)  # fmt: skip
_FINISH = {"stop": "STOP", "length": "MAX_TOKENS", "content_filter": "SAFETY"}
_STATUSES = {
    400: "INVALID_ARGUMENT",
    401: "UNAUTHENTICATED",
    404: "NOT_FOUND",
    405: "NOT_FOUND",
    429: "RESOURCE_EXHAUSTED",
    500: "INTERNAL",
    503: "UNAVAILABLE",
}
_RETRY = "type.googleapis.com/google.rpc.RetryInfo"


class GenerateContentSpeech(Speech):
    """generateContent. It tells of a wait in the body, of rate limits not at all, and of a call's id in the reply."""

    def read(self, raw: bytes, headers: Mapping[str, str], model: str) -> Asked:
        """The request in a body. Raises BadRequest."""
        body = read_object(raw)
        config = _checked(body)
        system = body.get("systemInstruction")
        said = [*([{"role": "system", **system}] if system else []), *body["contents"]]
        read = {ours: config[name] for name, ours in _CONFIG.items() if name in config}
        read |= {"model": model, "messages": [_message(one) for one in said]}
        schema = config.get("responseJsonSchema")
        if schema is not None:
            read["response_format"] = {"type": "json_schema", "json_schema": {"schema": schema}}
        return Asked.of(read, given={"model": model, **body})

    def reply(self, completion: Mapping[str, Any]) -> dict[str, Any]:
        """A response, with a candidate for each choice of a chat completion."""
        used = completion["usage"]
        thought = (used.get("completion_tokens_details") or {}).get("reasoning_tokens", 0)
        cached = (used.get("prompt_tokens_details") or {}).get("cached_tokens", 0)
        return {
            "candidates": [_candidate(one) for one in completion.get("choices", ())],
            "usageMetadata": {
                "promptTokenCount": used["prompt_tokens"],
                "cachedContentTokenCount": cached,
                "candidatesTokenCount": used["completion_tokens"] - thought,
                "thoughtsTokenCount": thought,
                "totalTokenCount": used["total_tokens"],
            },
            "modelVersion": completion["model"],
            "responseId": completion["id"].replace("chatcmpl-", "resp-"),
        }

    def error(self, status: int, message: str, kind: str) -> dict[str, Any]:
        """An error as Google words it."""
        return {"error": {"code": status, "message": message, "status": _STATUSES.get(status, "INTERNAL")}}

    def wait(self, seconds: float, error: Mapping[str, Any]) -> tuple[dict[str, str], dict[str, Any]]:
        """Seconds in a detail of the error."""
        detail = {"@type": _RETRY, "retryDelay": f"{seconds:g}s"}
        return {}, {"error": {**error["error"], "details": [detail]}}

    def call(self, id: str) -> dict[str, str]:
        """No headers."""
        return {}


GENERATE_CONTENT = GenerateContentSpeech()
"""generateContent."""


def _checked(body: Mapping[str, Any]) -> Mapping[str, Any]:
    """The configuration of a request. Raises BadRequest for what the endpoint does not take."""
    config = body.get("generationConfig") or {}
    for known, given, where in (
        (_FIELDS, body, ""),
        (_CONFIG.keys() | _MORE, config, " at 'generation_config'"),
    ):
        for name in given:
            if name not in known:
                raise BadRequest(
                    f'Invalid JSON payload received. Unknown name "{name}"{where}: Cannot find field.'
                )
    contents = body.get("contents")
    if not isinstance(contents, list) or not contents:
        raise BadRequest("* GenerateContentRequest.contents: contents is not specified")
    if any(one.get("role") not in {"user", "model"} for one in contents):
        raise BadRequest("Please use a valid role: user, model.")
    if not 1 <= config.get("candidateCount", 1) <= _MOST_CANDIDATES:
        raise BadRequest(f"candidateCount must be from 1 to {_MOST_CANDIDATES}")
    if "responseJsonSchema" in config:
        _check_schema(config)
    return config


def _check_schema(config: Mapping[str, Any]) -> None:
    if config.get("responseMimeType") != "application/json":
        raise BadRequest("responseMimeType has to be application/json where there is a schema")
    fault = schema_fault(config["responseJsonSchema"], _KEYWORDS, closed=False)
    if fault:
        raise BadRequest(f"Invalid JSON schema: {fault}")


def _message(content: Mapping[str, Any]) -> dict[str, Any]:
    role = "assistant" if content.get("role") == "model" else content.get("role", "user")
    return {"role": role, "content": list(content.get("parts", ()))}


def _candidate(choice: Mapping[str, Any]) -> dict[str, Any]:
    text = choice["message"].get("content") or choice["message"].get("refusal")
    content = {"role": "model", "parts": [{"text": text}]} if text else {"role": "model"}
    logprobs = choice.get("logprobs")
    return {
        "content": content,
        "finishReason": _FINISH.get(choice["finish_reason"], "OTHER"),
        "index": choice["index"],
        **({"logprobsResult": _logprobs(logprobs["content"])} if logprobs else {}),
    }


def _logprobs(tokens: list[Mapping[str, Any]]) -> dict[str, Any]:
    def told(one: Mapping[str, Any]) -> dict[str, Any]:
        return {"token": one["token"], "logProbability": one["logprob"]}

    return {
        "chosenCandidates": [told(one) for one in tokens],
        "topCandidates": [{"candidates": [told(other) for other in one["top_logprobs"]]} for one in tokens],
    }
