"""Anthropic's Messages: what is sent, what is read, and what its errors come to."""

from typing import Any

import pytest
from dialect_doubles import claude, claude_error, message
from endpoint_double import SCHEMA, Endpoint, ask, failed

from agentdebate.errors import (
    AccountSpent,
    ContextTooLong,
    MalformedReply,
    ModelError,
    RateLimited,
    RequestRefused,
    ServerFailed,
    UnknownModel,
    UsageError,
)
from agentdebate.models.dialects.messages import USUAL_LIMIT, open_anthropic

OLDER = "2023-06-01"
KEY = "sk-ant-0123456789"


async def test_a_request_has_its_system_text_beside_its_turns_and_always_a_limit() -> None:
    endpoint = Endpoint(message())
    completion = await claude(endpoint).complete(ask("Rate it.", system="Be brief."))
    assert endpoint.body == {
        "model": "claude-opus-5",
        "max_tokens": USUAL_LIMIT,
        "system": "Be brief.",
        "messages": [{"role": "user", "content": "Rate it."}],
    }
    assert (completion.text, completion.model, completion.finish) == (
        "fine",
        "claude-opus-5-1 at 127.0.0.1:9",
        "stop",
    )


@pytest.mark.parametrize(
    ("version", "header", "value"),
    [("2026-10-21", "authorization", f"Bearer {KEY}"), (OLDER, "x-api-key", KEY)],
)
async def test_each_version_of_the_api_has_its_own_header_for_the_key(
    version: str, header: str, value: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MY_KEY", KEY)
    endpoint = Endpoint(message())
    await claude(endpoint, api_version=version, api_key_env="MY_KEY").complete(ask())
    headers = endpoint.requests[-1].headers
    assert (headers["anthropic-version"], headers[header]) == (version, value)
    assert ("x-api-key" in headers) is (version == OLDER)


async def test_the_newer_version_goes_without_temperature_and_says_so_once(
    caplog: pytest.LogCaptureFixture,
) -> None:
    endpoint = Endpoint(message())
    model = claude(endpoint)
    for _ in range(2):
        await model.complete(ask(temperature=0.0, top_p=0.5, frequency_penalty=1.0))
    assert set(endpoint.body) == {"model", "max_tokens", "messages", "system"}
    warned = [one for one in caplog.messages if "takes no temperature" in one]
    assert len(warned) == 1


@pytest.mark.parametrize(("sampling", "name"), [({"logprobs": 5}, "logprobs"), ({"seed": 1}, "seed")])
async def test_what_it_never_gives_is_refused_before_anything_is_sent(
    sampling: dict[str, Any], name: str
) -> None:
    endpoint = Endpoint(message())
    with pytest.raises(RequestRefused, match=name):
        await claude(endpoint).complete(ask(**sampling))
    assert endpoint.requests == []


async def test_a_refused_schema_is_not_sent_again() -> None:
    refused = failed(
        400, claude_error("invalid_request_error", "output_config: Extra inputs are not permitted")
    )
    endpoint = Endpoint(refused, message())
    model = claude(endpoint)
    completion = await model.complete(ask(schema=SCHEMA))
    assert (completion.structured, model.structured, len(endpoint.bodies)) == (False, False, 2)


async def test_the_prompt_counts_what_went_into_and_came_out_of_the_cache() -> None:
    usage = {"input_tokens": 5, "cache_creation_input_tokens": 100, "cache_read_input_tokens": 2000}
    usage |= {"output_tokens": 40, "output_tokens_details": {"thinking_tokens": 30}}  # type: ignore[dict-item]
    said = (await claude(Endpoint(message(usage=usage))).complete(ask())).usage
    assert (said.prompt_tokens, said.cached_tokens, said.cache_write_tokens) == (2105, 2000, 100)
    assert (said.completion_tokens, said.reasoning_tokens) == (40, 30)


ENDS = {
    "end_turn": "stop",
    "stop_sequence": "stop",
    "max_tokens": "length",
    "pause_turn": "refusal",
    None: "other",
}


@pytest.mark.parametrize(("reason", "finish"), ENDS.items())
async def test_why_a_text_ends(reason: str | None, finish: str) -> None:
    assert (await claude(Endpoint(message(stop_reason=reason))).complete(ask())).finish == finish


async def test_a_refusal_says_why() -> None:
    details = {"type": "refusal", "category": "bio", "explanation": None}
    refused = message(None, stop_reason="refusal", stop_details=details)
    completion = await claude(Endpoint(refused)).complete(ask())
    assert (completion.finish, completion.text) == ("refusal", "refused: bio")


async def test_a_full_context_is_too_long() -> None:
    endpoint = Endpoint(message("half", stop_reason="model_context_window_exceeded"))
    with pytest.raises(ContextTooLong, match="context"):
        await claude(endpoint).complete(ask())


@pytest.mark.parametrize(
    ("status", "kind", "text", "error"),
    [
        (400, "invalid_request_error", "prompt is too long: 210000 tokens > 200000 maximum", ContextTooLong),
        (400, "invalid_request_error", "Your credit balance is too low to access the API", AccountSpent),
        (400, "invalid_request_error", "You have reached your specified API usage limits.", AccountSpent),
        (404, "not_found_error", "model: claude-9", UnknownModel),
        (409, "invalid_request_error", "lock timeout", ServerFailed),
        (429, "rate_limit_error", "slow down", RateLimited),
        (500, "api_error", "oops", ServerFailed),
        (529, "overloaded_error", "Overloaded", ServerFailed),
    ],
)
async def test_errors_are_told_apart(status: int, kind: str, text: str, error: type[ModelError]) -> None:
    endpoint = Endpoint(failed(status, claude_error(kind, text)))
    with pytest.raises(error) as raised:
        await claude(endpoint).complete(ask())
    assert type(raised.value) is error
    assert raised.value.status == status


async def test_an_error_with_the_status_of_success_is_that_error() -> None:
    with pytest.raises(MalformedReply, match="Overloaded"):
        await claude(Endpoint(claude_error("overloaded_error", "Overloaded"))).complete(ask())


async def test_its_own_address_wants_its_own_key_and_no_other(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-of-somebody-else")
    with pytest.raises(UsageError, match="set ANTHROPIC_API_KEY"):
        open_anthropic("claude-opus-5")
