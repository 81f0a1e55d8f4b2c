"""Google's generateContent: what is sent, what is read, and what its errors come to."""

from typing import Any

import pytest
from dialect_doubles import candidate, gemini, generated, google_error
from endpoint_double import Endpoint, ask, failed

from agentdebate.errors import (
    ContentFiltered,
    ContextTooLong,
    ModelError,
    RateLimited,
    ServerFailed,
    UnknownModel,
)
from agentdebate.models.base import ChatMessage, ModelRequest

RETRY = {"@type": "type.googleapis.com/google.rpc.RetryInfo", "retryDelay": "17.5s"}


async def test_a_request_has_contents_a_system_instruction_and_a_configuration() -> None:
    endpoint = Endpoint(generated())
    said = (ChatMessage("system", "Be brief."), ChatMessage("user", "1"), ChatMessage("assistant", "2"))
    given: dict[str, Any] = {
        "temperature": 0.0,
        "top_p": 0.9,
        "seed": 3,
        "max_tokens": 9,
        "stop": ("X",),
        "n": 2,
    }
    sampling = ask(**given, presence_penalty=1.0).sampling
    completion = await gemini(endpoint).complete(ModelRequest((*said, ChatMessage("user", "3")), sampling))
    assert endpoint.requests[-1].url.path == "/v1beta/models/gemini-3.5-flash:generateContent"
    assert endpoint.body == {
        "systemInstruction": {"parts": [{"text": "Be brief."}]},
        "contents": [
            {"role": "user", "parts": [{"text": "1"}]},
            {"role": "model", "parts": [{"text": "2"}]},
            {"role": "user", "parts": [{"text": "3"}]},
        ],
        "generationConfig": {
            "temperature": 0.0,
            "topP": 0.9,
            "seed": 3,
            "maxOutputTokens": 9,
            "stopSequences": ["X"],
            "candidateCount": 2,
            "presencePenalty": 1.0,
        },
    }
    assert (completion.text, completion.model) == ("fine", "gemini-3.5-flash-001 at 127.0.0.1:9")
    assert completion.request_id == "resp-1"


async def test_a_schema_keeps_its_ends_and_the_order_of_its_fields() -> None:
    fields = {"reason": {"type": "string"}, "score": {"type": "integer", "minimum": 1, "maximum": 5}}
    schema = {"type": "object", "properties": fields}
    endpoint = Endpoint(generated())
    model = gemini(endpoint, extra={"generationConfig": {"thinkingConfig": {"thinkingBudget": 0}}})
    assert (await model.complete(ask(schema=schema))).structured
    assert endpoint.body["generationConfig"] == {
        "responseMimeType": "application/json",
        "responseJsonSchema": {**schema, "additionalProperties": False, "propertyOrdering": [*fields]},
        "thinkingConfig": {"thinkingBudget": 0},
    }


async def test_log_probabilities_come_with_their_alternatives() -> None:
    chosen = [{"token": "4", "logProbability": -0.1, "tokenId": 4}]
    top = [{"candidates": [{"token": "4", "logProbability": -0.1}, {"token": "5", "logProbability": -2.5}]}]
    told = {"chosenCandidates": chosen, "topCandidates": top}
    endpoint = Endpoint(generated(candidate("4", logprobsResult=told, avgLogprobs=-0.1)))
    completion = await gemini(endpoint).complete(ask(logprobs=2))
    assert endpoint.body["generationConfig"] == {"responseLogprobs": True, "logprobs": 2}
    assert completion.logprobs is not None
    assert completion.logprobs[0].top == (("4", -0.1), ("5", -2.5))


async def test_the_prompt_holds_what_was_cached_and_the_completion_what_was_thought() -> None:
    usage = {"cachedContentTokenCount": 8, "thoughtsTokenCount": 30}
    said = (await gemini(Endpoint(generated(usage=usage))).complete(ask())).usage
    assert (said.prompt_tokens, said.cached_tokens) == (10, 8)
    assert (said.completion_tokens, said.reasoning_tokens) == (34, 30)


@pytest.mark.parametrize(
    "reason", ["SAFETY", "RECITATION", "BLOCKLIST", "PROHIBITED_CONTENT", "SPII", "MODEL_ARMOR"]
)
async def test_a_reply_that_a_filter_stopped_is_filtered(reason: str) -> None:
    with pytest.raises(ContentFiltered, match=reason):
        await gemini(Endpoint(generated(candidate(None, finishReason=reason)))).complete(ask())


@pytest.mark.parametrize(
    ("code", "status", "text", "error"),
    [
        (
            400,
            "INVALID_ARGUMENT",
            "The input token count (12) exceeds the maximum number of tokens",
            ContextTooLong,
        ),
        (404, "NOT_FOUND", "models/x is not found", UnknownModel),
        (429, "RESOURCE_EXHAUSTED", "You exceeded your current quota", RateLimited),
        (503, "UNAVAILABLE", "The model is overloaded.", ServerFailed),
        (504, "DEADLINE_EXCEEDED", "late", ServerFailed),
    ],
)
async def test_errors_are_told_apart(code: int, status: str, text: str, error: type[ModelError]) -> None:
    with pytest.raises(error) as raised:
        await gemini(Endpoint(failed(code, google_error(code, status, text)))).complete(ask())
    assert type(raised.value) is error


@pytest.mark.parametrize(
    ("details", "wait"),
    [([RETRY], 17.5), ([], None), ([{"retryDelay": "soon"}], None), ([3, {"reason": "x"}, RETRY], 17.5)],
)
async def test_the_wait_stands_in_the_body(details: list[Any], wait: float | None) -> None:
    body = {"error": {"code": 429, "status": "RESOURCE_EXHAUSTED", "message": "x", "details": details}}
    with pytest.raises(RateLimited) as raised:
        await gemini(Endpoint(failed(429, body))).complete(ask())
    assert raised.value.retry_after == wait
