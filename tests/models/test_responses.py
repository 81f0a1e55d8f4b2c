"""OpenAI's Responses API: which models are asked there, what is sent, and what comes back."""

from typing import Any

import httpx
import pytest
from dialects.responses_reply import responded, response_part
from endpoint_double import SCHEMA, Endpoint, ask, failed

from agentdebate.errors import ContentFiltered, ModelError, RateLimited, RequestRefused, ServerFailed
from agentdebate.models.dialects.endpoint_model import EndpointModel
from agentdebate.models.dialects.presets import open_azure, open_openai
from agentdebate.models.dialects.responses import ResponsesModel


def at_responses(endpoint: Endpoint, name: str = "tiny", **options: Any) -> EndpointModel:
    return endpoint.model(name, api="responses", **options)


@pytest.mark.parametrize(
    ("name", "options", "there"),
    [
        ("gpt-5.5-pro", {}, True),
        ("o3-pro-2025-06-10", {}, True),
        ("gpt-6-luna", {}, False),
        ("gpt-5.5-pro", {"api": "chat"}, False),
        ("gpt-6-luna", {"api": "responses"}, True),
        ("gpt-5.5-pro", {"base_url": "http://127.0.0.1:9/v1"}, False),
    ],
)
async def test_models_that_only_responses_has_are_asked_there_at_openais_own_address(
    monkeypatch: pytest.MonkeyPatch, name: str, options: dict[str, str], there: bool
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "k-012345678")
    monkeypatch.delenv("OPENAI_BASE_URL", raising=False)
    endpoint = Endpoint(responded())
    model = open_openai(name, transport=httpx.MockTransport(endpoint), **options)
    assert isinstance(model, ResponsesModel) is there
    assert model.name.startswith(f"openai/{name}")
    if there:
        assert (await model.complete(ask())).text == "fine"
        assert endpoint.requests[0].url.path == "/v1/responses"


def test_other_providers_are_asked_at_responses_by_choice_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AZURE_OPENAI_ENDPOINT", "https://ours.openai.azure.com")
    monkeypatch.setenv("AZURE_OPENAI_API_KEY", "k-012345678")
    assert not isinstance(open_azure("gpt-5-pro"), ResponsesModel)
    assert isinstance(open_azure("mine", api="responses"), ResponsesModel)


async def test_a_request_has_the_words_of_responses_and_is_not_kept_there() -> None:
    endpoint = Endpoint(responded(logprobs=True))
    model = at_responses(endpoint, tier="flex", extra={"text": {"verbosity": "low"}})
    await model.complete(ask(schema=SCHEMA, temperature=0.5, max_tokens=99, logprobs=2, effort="none"))
    assert endpoint.body == {
        "model": "tiny",
        "store": False,
        "input": [{"role": "system", "content": "Be brief."}, {"role": "user", "content": "Hi"}],
        "service_tier": "flex",
        "reasoning": {"effort": "none"},
        "temperature": 0.5,
        "max_output_tokens": 99,
        "include": ["message.output_text.logprobs"],
        "top_logprobs": 2,
        "text": {
            "verbosity": "low",
            "format": {"type": "json_schema", "name": "Rating", "strict": True, "schema": SCHEMA},
        },
    }


@pytest.mark.parametrize("name", ["tiny", "gpt-6-luna"])
@pytest.mark.parametrize("asked", [{"seed": 3}, {"stop": ("END",)}])
async def test_what_responses_has_no_field_for_is_refused_at_any_effort(name: str, asked: Any) -> None:
    endpoint = Endpoint(responded())
    with pytest.raises(RequestRefused, match=f"'{next(iter(asked))}'"):
        await at_responses(endpoint, name).complete(ask(**asked, effort="none"))
    await at_responses(endpoint, name).complete(ask(presence_penalty=1.0, n=2, effort="none"))
    assert not {"presence_penalty", "n"} & endpoint.body.keys()


async def test_a_reply_has_its_text_usage_tier_and_log_probabilities() -> None:
    thought, comment = {"type": "reasoning", "summary": []}, response_part("Wait.", phase="commentary")
    body = responded("3", logprobs=True, service_tier="flex")
    body["output"] = [thought, comment, *body["output"]]
    said = await at_responses(Endpoint(body)).complete(ask(logprobs=1))
    assert (said.text, said.finish, said.model) == ("3", "stop", "tiny-001 at 127.0.0.1:9 flex")
    assert said.logprobs is not None
    assert [(one.token, one.logprob, one.top) for one in said.logprobs] == [("3", -0.5, (("3", -0.5),))]
    usage = said.usage
    assert (usage.prompt_tokens, usage.cached_tokens, usage.cache_write_tokens) == (10, 2, 1)
    assert (usage.completion_tokens, usage.reasoning_tokens) == (4, 3)


BOTH = [{"type": "output_text", "text": "Coherence: 4"}, {"type": "refusal", "refusal": "No."}]


@pytest.mark.parametrize(
    ("body", "text", "finish"),
    [
        (responded("3", incomplete="max_output_tokens"), "3", "length"),
        (responded(None, incomplete="max_output_tokens"), "", "length"),
        (responded("3", incomplete="steered"), "3", "length"),
        (responded(None, incomplete="steered"), "refused: steered", "refusal"),
        (responded(None, refusal="No."), "No.", "refusal"),
        (responded(None, output=[{"type": "message", "content": BOTH}]), "No.", "refusal"),
        ({**responded("Coherence: 4"), "status": "failed"}, "Coherence: 4", "refusal"),
        (responded(None, output=[{"type": "function_call"}]), "refused: function_call", "refusal"),
    ],
)
async def test_a_reply_says_why_it_ends(body: Any, text: str, finish: str) -> None:
    said = await at_responses(Endpoint(body)).complete(ask())
    assert (said.text, said.finish) == (text, finish)


@pytest.mark.parametrize(
    ("code", "error"),
    [
        ("server_error", ServerFailed),
        ("rate_limit_exceeded", RateLimited),
        ("bio_policy", ContentFiltered),
        ("content_filter", ContentFiltered),
    ],
)
async def test_a_failed_response_is_the_error_that_it_names(code: str, error: type[ModelError]) -> None:
    told: Any = {"error": {"code": code, "message": "No luck."}, "status": "failed"}
    body = responded(None, incomplete=code) if code == "content_filter" else responded(None, **told)
    with pytest.raises(error):
        await at_responses(Endpoint(body)).complete(ask())


async def test_a_refused_schema_is_left_out_from_then_on() -> None:
    no = {"error": {"message": "Invalid schema.", "type": "invalid_request_error", "param": "text.format"}}
    endpoint = Endpoint(failed(400, no), responded())
    said = await at_responses(endpoint).complete(ask(schema=SCHEMA))
    assert (said.structured, ["text" in body for body in endpoint.bodies]) == (False, [True, False])
