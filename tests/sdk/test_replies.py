"""The providers' own packages talk to our fault server: they read its replies and its errors, and it takes what they send."""

from collections.abc import Mapping
from functools import partial
from typing import Any

import pytest
from bodies import SCHEMAS
from dialects.dialect_server import DialectServer
from dialects.responses_reply import responded

from agentdebate.models.base import ChatMessage, ModelRequest, Sampling
from agentdebate.models.dialects.dialect import subset
from agentdebate.models.dialects.generate_content import open_gemini
from agentdebate.models.dialects.messages import open_anthropic

TURNS = (ChatMessage("system", "Be brief."), ChatMessage("user", "Hi"))

pytestmark = [
    pytest.mark.sdk,
    pytest.mark.filterwarnings("ignore::DeprecationWarning"),  # of theirs, within their imports
]


async def claude(server: DialectServer, **more: Any) -> Any:
    """Return what the package of Anthropic makes of an answer."""
    import anthropic

    async with anthropic.AsyncAnthropic(api_key="k-012345678", base_url=server.root, max_retries=0) as there:
        given = {"model": "tiny", "max_tokens": 64, "messages": [{"role": "user", "content": "Hi"}], **more}
        return await there.messages.create(**given)


async def gemini(server: DialectServer, **config: Any) -> Any:
    """Return what the package of Google makes of an answer."""
    from google import genai

    there = genai.Client(api_key="k-012345678", http_options=genai.types.HttpOptions(base_url=server.root))
    try:
        return await there.aio.models.generate_content(
            model="tiny", contents="Hi", config=genai.types.GenerateContentConfig(**config)
        )
    finally:
        await there.aio.aclose()
        there.close()


async def test_anthropics_package_reads_a_reply() -> None:
    async with DialectServer() as server:
        message = await claude(server, system="Be brief.", stop_sequences=["X"])
        assert message.stop_reason in {"end_turn", "max_tokens"}
        assert message.content[0].text
        assert message.usage.input_tokens > 0
        assert message.usage.output_tokens_details.thinking_tokens == 0
        assert message._request_id.startswith("req-")
        assert server.answered.total() == 1


@pytest.mark.parametrize(
    ("fault", "reason"),
    [("refusal", "refusal"), ("filtered", "refusal"), ("length", "max_tokens"), ("thinking", "max_tokens")],
)
async def test_anthropics_package_reads_why_a_reply_ends(fault: str, reason: str) -> None:
    async with DialectServer(faults=[fault]) as server:
        message = await claude(server)
        assert message.stop_reason == reason
        if fault == "refusal":
            assert "sorry" in message.stop_details.explanation


@pytest.mark.parametrize(
    ("fault", "error", "kind"),
    [
        ("429", "RateLimitError", "rate_limit_error"),
        ("500", "InternalServerError", "api_error"),
        ("529", "OverloadedError", "overloaded_error"),
    ],
)
async def test_anthropics_package_reads_errors(fault: str, error: str, kind: str) -> None:
    import anthropic

    async with DialectServer(faults=[fault], retry_after=7) as server:
        with pytest.raises(anthropic.APIStatusError) as raised:
            await claude(server)
        assert type(raised.value).__name__ == error
        assert raised.value.body["error"]["type"] == kind
        assert raised.value.response.headers.get("retry-after") == ("7" if fault == "429" else None)


async def test_googles_package_reads_a_reply() -> None:
    async with DialectServer() as server:
        reply = await gemini(server, system_instruction="Be brief.", temperature=0, seed=3, candidate_count=2)
        assert reply.text
        assert len(reply.candidates) == 2
        assert reply.candidates[0].finish_reason.name == "STOP"
        assert reply.usage_metadata.prompt_token_count > 0
        assert (reply.model_version, reply.response_id[:5]) == ("tiny", "resp-")
        assert server.answered.total() == 1


async def test_googles_package_reads_log_probabilities() -> None:
    async with DialectServer() as server:
        reply = await gemini(server, response_logprobs=True, logprobs=3)
        told = reply.candidates[0].logprobs_result
        assert "".join(one.token for one in told.chosen_candidates) == reply.text
        assert all(one.log_probability <= 0 for one in told.chosen_candidates)
        assert len(told.top_candidates[0].candidates) == 3


@pytest.mark.parametrize(
    ("fault", "reason"), [("filtered", "SAFETY"), ("length", "MAX_TOKENS"), ("thinking", "MAX_TOKENS")]
)
async def test_googles_package_reads_why_a_reply_ends(fault: str, reason: str) -> None:
    async with DialectServer(faults=[fault]) as server:
        reply = await gemini(server)
        assert reply.candidates[0].finish_reason.name == reason
        assert bool(reply.usage_metadata.thoughts_token_count) is (fault == "thinking")


@pytest.mark.parametrize(
    ("fault", "code", "status"),
    [("429", 429, "RESOURCE_EXHAUSTED"), ("500", 500, "INTERNAL"), ("503", 503, "UNAVAILABLE")],
)
async def test_googles_package_reads_errors(fault: str, code: int, status: str) -> None:
    from google.genai import errors

    async with DialectServer(faults=[fault], retry_after=7) as server:
        with pytest.raises(errors.APIError) as raised:
            await gemini(server)
        assert (raised.value.code, raised.value.status) == (code, status)
        assert ("retryDelay" in str(raised.value.details)) is (fault == "429")


def test_openais_package_reads_the_responses_that_our_tests_read() -> None:
    from openai.types.responses import Response

    for body in (
        responded("3", logprobs=True),
        responded(None, refusal="No."),
        responded(None, incomplete="steered"),
    ):
        said = Response.model_validate(body, strict=True)
        assert not (said.model_extra or said.output[0].model_extra if said.output else said.model_extra)
    assert Response.model_validate(responded("3")).output_text == "3"


async def test_we_send_what_anthropics_package_sends_for_the_same_request() -> None:
    seen: list[Mapping[str, Any]] = []
    async with DialectServer(replies=partial(_noted, seen)) as server:
        form = {"format": {"type": "json_schema", "schema": subset(SCHEMAS["ballot"])}}
        turn = {"role": "user", "content": "Hi"}
        await claude(server, system="Be brief.", messages=[turn], stop_sequences=["X"], output_config=form)
        request = ModelRequest(TURNS, Sampling(max_tokens=64, stop=("X",)), SCHEMAS["ballot"])
        ours = open_anthropic("tiny", base_url=server.root)
        await ours.complete(request)
        await ours.aclose()
    theirs, sent = seen
    assert sent == theirs


async def test_we_send_what_googles_package_sends_for_the_same_request() -> None:
    seen: list[Mapping[str, Any]] = []
    async with DialectServer(replies=partial(_noted, seen)) as server:
        same = {"temperature": 0.5, "top_p": 0.5, "seed": 3, "logprobs": 5, "presence_penalty": 0.5}
        theirs_alone = {"max_output_tokens": 64, "stop_sequences": ["X"], "candidate_count": 2}
        told = {"system_instruction": "Be brief.", "response_logprobs": True}
        await gemini(server, **same, **theirs_alone, **told)
        sampling = Sampling.model_validate({**same, "max_tokens": 64, "stop": ("X",), "n": 2})
        ours = open_gemini("tiny", base_url=server.root)
        await ours.complete(ModelRequest(TURNS, sampling))
        await ours.aclose()
    theirs, sent = (_without_role(one) for one in seen)
    assert sent == theirs


def _noted(seen: list[Mapping[str, Any]], body: Mapping[str, Any]) -> str:
    seen.append(body)
    return "fine"


def _without_role(body: Mapping[str, Any]) -> Mapping[str, Any]:
    """A body without the role of the system's text, which the package of Google names and which says nothing."""
    return {**body, "systemInstruction": {"parts": body["systemInstruction"]["parts"]}}
