"""Providers of chat completions at addresses of their own, and models at other hosts than their provider's."""

import json
import math
from pathlib import Path
from typing import Any

import httpx
import pytest
from endpoint_double import SCHEMA, Endpoint, ask

import agentdebate as ad
from agentdebate.ballots.confidence import confidence
from agentdebate.errors import (
    AccountSpent,
    ContextTooLong,
    RateLimited,
    RequestRefused,
    ServerFailed,
    UnknownModel,
    UsageError,
    UserError,
)
from agentdebate.models.base import ModelRequest
from agentdebate.models.dialects import presets
from agentdebate.models.registry import model_name
from agentdebate.project.trust import Trust

KEY = "k-0123456789-abcdef"
OURS = {
    "azure": presets.open_azure,
    "bedrock": presets.open_bedrock,
    "mistral": presets.open_mistral,
    "openrouter": presets.open_openrouter,
    "ollama": presets.open_ollama,
    "vllm": presets.open_vllm,
    "llamacpp": presets.open_llamacpp,
    "vertex": presets.open_vertex,
}
WHERE = {
    "azure": "https://res.openai.azure.com/openai/v1",
    "bedrock": "https://bedrock-runtime.eu-west-1.amazonaws.com/openai/v1",
    "mistral": "https://api.mistral.ai/v1",
    "openrouter": "https://openrouter.ai/api/v1",
    "ollama": "http://localhost:11434/v1",
    "vllm": "http://localhost:8000/v1",
    "llamacpp": "http://localhost:8080/v1",
    "vertex": "https://us-east5-aiplatform.googleapis.com/v1/projects/p/locations/us-east5/endpoints/openapi",
}


@pytest.fixture(autouse=True)
def _environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AZURE_OPENAI_ENDPOINT", "https://res.openai.azure.com/")
    monkeypatch.setenv("AWS_REGION", "eu-west-1")
    monkeypatch.setenv("GOOGLE_CLOUD_PROJECT", "p")
    monkeypatch.setenv("GOOGLE_CLOUD_LOCATION", "us-east5")
    monkeypatch.setenv("OPENAI_API_KEY", "sk-of-somebody-else")
    for name in ("OPENAI", "MISTRAL", "OPENROUTER", "OLLAMA", "VLLM", "LLAMACPP", "VERTEX", "BEDROCK"):
        monkeypatch.delenv(f"{name}_BASE_URL", raising=False)
    for one in OURS.values():
        monkeypatch.delenv(one.provider.key, raising=False)


def opened(name: str, endpoint: Endpoint, model: str = "m", **options: Any) -> Any:
    return OURS[name](model, transport=httpx.MockTransport(endpoint), **options)


@pytest.mark.parametrize("name", OURS)
async def test_a_preset_knows_address_and_key(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(OURS[name].provider.key, KEY)
    endpoint = Endpoint()
    model = opened(name, endpoint)
    await model.complete(ask())
    header, value = ("api-key", KEY) if name == "azure" else ("authorization", f"Bearer {KEY}")
    assert str(endpoint.requests[-1].url) == f"{WHERE[name]}/chat/completions"
    assert endpoint.requests[-1].headers[header] == value
    assert (model.name, model.settings["base_url"]) == (f"{name}/m", WHERE[name])


def test_vertex_without_a_region_has_a_host_without_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GOOGLE_CLOUD_LOCATION", "global")
    monkeypatch.setenv("GOOGLE_OAUTH_ACCESS_TOKEN", KEY)
    assert OURS["vertex"]("google/m").settings["base_url"] == (
        "https://aiplatform.googleapis.com/v1/projects/p/locations/global/endpoints/openapi"
    )


@pytest.mark.parametrize("name", OURS)
async def test_the_key_of_a_preset_goes_nowhere_else(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(OURS[name].provider.key, KEY)
    endpoint = Endpoint()
    await opened(name, endpoint, base_url="https://elsewhere.test/v1").complete(ask())
    assert KEY not in str(endpoint.requests[-1].headers.raw)


async def test_mistral_spells_the_seed_in_its_own_way_and_refuses_log_probabilities(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("MISTRAL_API_KEY", KEY)
    endpoint = Endpoint()
    model = opened("mistral", endpoint)
    await model.complete(ask(seed=3))
    assert (endpoint.body["random_seed"], "seed" in endpoint.body) == (3, False)
    with pytest.raises(RequestRefused, match="logprobs"):
        await model.complete(ask(logprobs=1))


async def test_llamacpp_is_asked_for_one_sample_at_a_time() -> None:
    endpoint = Endpoint()
    await opened("llamacpp", endpoint).complete(ask(n=2))
    assert "n" not in endpoint.body, (
        "it counts the tokens of the first alone, and refuses more than its slots"
    )


@pytest.mark.parametrize(
    ("name", "variable"),
    [
        ("azure", "AZURE_OPENAI_ENDPOINT"),
        ("bedrock", "AWS_REGION"),
        ("vertex", "GOOGLE_CLOUD_LOCATION"),
    ],
)
def test_an_address_that_the_environment_does_not_complete_is_asked_for(
    name: str, variable: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv(variable)
    with pytest.raises(UsageError, match=f"{name}/ needs an address: set {variable}"):
        OURS[name]("m")


TELLING = {"role": "assistant", "content": "Coherence: 4", "refusal": None}
USAGE = {"prompt_tokens": 31, "completion_tokens": 6, "total_tokens": 37}
SAID: dict[str, dict[str, Any]] = {
    # By hand, with the fields that each server adds to those of OpenAI. Those of vLLM are all that the classes of its answers in
    # vllm 0.33.0 write; that of OpenRouter is one to the classes in openrouter 1.3.84, which know nothing of `provider`,
    # `native_finish_reason` and the error in a choice; both were looked at on 2026-11-29. That of Ollama is after its server's source:
    # the package ollama 0.6.3 has no classes for answers of this kind.
    "ollama": {
        "choices": [
            {
                "index": 0,
                "message": {"role": "assistant", "content": "Coherence: 4", "reasoning": "Hm."},
                "finish_reason": "stop",
            }
        ],
        "system_fingerprint": "fp_ollama",
        "usage": USAGE,
    },
    "vllm": {
        "choices": [
            {
                "index": 0,
                "message": {
                    **TELLING,
                    **dict.fromkeys(("annotations", "audio", "function_call")),
                    "reasoning": "Hm.",
                },
                "finish_reason": "stop",
                **dict.fromkeys(
                    ("logprobs", "stop_reason", "token_ids", "routed_experts", "weight_versions")
                ),
            }
        ],
        "usage": {**USAGE, "prompt_tokens_details": None, "completion_tokens_details": None},
        **dict.fromkeys(("service_tier", "system_fingerprint", "prompt_logprobs", "prompt_token_ids")),
        **dict.fromkeys(("prompt_text", "kv_transfer_params", "ec_transfer_params", "metrics")),
    },
    "openrouter": {
        "provider": "Somewhere",
        "system_fingerprint": None,
        "choices": [
            {
                "index": 0,
                "logprobs": None,
                "finish_reason": "stop",
                "native_finish_reason": "end_turn",
                "message": {
                    **TELLING,
                    "reasoning": "Hm.",
                    "reasoning_details": [{"type": "reasoning.text", "text": "Hm."}],
                },
            }
        ],
        "usage": {
            **USAGE,
            "cost": 0.0001,
            "is_byok": False,
            "cost_details": {"upstream_inference_cost": None},
        },
    },
}


@pytest.mark.parametrize("name", SAID)
async def test_answers_of_servers_are_read_with_all_that_they_add(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENROUTER_API_KEY", KEY)
    answer = {"id": "chatcmpl-1", "object": "chat.completion", "created": 1, "model": "served", **SAID[name]}
    said = await opened(name, Endpoint(answer)).complete(ask())
    assert (said.text, said.finish, said.model) == ("Coherence: 4", "stop", "served")
    assert (said.usage.prompt_tokens, said.usage.completion_tokens) == (31, 6)


RECORDED: dict[str, Any] = json.loads(Path(__file__).with_name("llamacpp.json").read_text("utf-8"))


def recorded(case: str) -> httpx.Response:
    """An answer of llama.cpp; its file says which version, and when."""
    return httpx.Response(RECORDED[case]["status"], json=RECORDED[case]["answer"])


GREETING = "Hello! How can I help you?"
HELD = '{\n  "score": 1\n}'


@pytest.mark.parametrize(
    ("case", "asked", "said", "tokens"),
    [
        ("plain", ask(max_tokens=8), (GREETING, "length", False), (18, 3, 8)),
        ("another name", ask(max_tokens=8), (GREETING, "length", False), (18, 11, 8)),
        ("schema", ask("How fluent is it?", SCHEMA), (HELD, "stop", True), (22, 11, 22)),
    ],
)
async def test_recorded_answers_of_llamacpp_are_read(
    case: str, asked: ModelRequest, said: tuple[str, str, bool], tokens: tuple[int, int, int]
) -> None:
    read = await opened("llamacpp", Endpoint(recorded(case))).complete(asked)
    usage = read.usage
    assert (read.text, read.finish, read.structured) == said
    assert (usage.prompt_tokens, usage.cached_tokens, usage.completion_tokens) == tokens
    assert read.model == "smollm2", "the model that it has, whatever was asked for"


async def test_recorded_log_probabilities_of_llamacpp_are_read() -> None:
    said = await opened("llamacpp", Endpoint(recorded("log-probabilities"))).complete(ask(logprobs=2))
    assert [(one.token, one.logprob) for one in said.logprobs or ()] == [("Hello", -0.3712), ("!", -0.2232)]
    assert [one.top[1] for one in said.logprobs or ()] == [("Hi", -2.0394), (" there", -1.8486)]


async def test_the_tokens_of_a_fence_that_llamacpp_took_off_do_not_hide_the_score() -> None:
    request = ask("How fluent is it?", SCHEMA, logprobs=1)
    said = await opened("llamacpp", Endpoint(recorded("log-probabilities in a fence"))).complete(request)
    tokens = [(one.token, one.logprob) for one in said.logprobs or ()]
    assert said.text == HELD
    assert "".join(token for token, _ in tokens) == "```json\n\n" + HELD + "\n\n```"
    at = HELD.index("1")
    assert confidence(tokens, HELD, [(at, at + 1)]) == pytest.approx(math.exp(-1.1074))


async def test_a_schema_that_llamacpp_refuses_is_left_out() -> None:
    endpoint = Endpoint(recorded("schema refused"), recorded("plain"))
    said = await opened("llamacpp", endpoint).complete(ask(schema=SCHEMA))
    assert (said.text, said.structured, len(endpoint.requests)) == (GREETING, False, 2)


FAILED: list[tuple[str, int, dict[str, Any], type[Exception]]] = [
    ("ollama", 404, {"error": {"message": 'model "m" not found', "type": "not_found_error", "param": None, "code": None}}, UnknownModel),
    ("vllm", 400, {"error": {"message": "This model's maximum context length is 99 tokens.", "type": "BadRequestError", "param": "input_tokens", "code": 400}}, ContextTooLong),
    ("vllm", 404, {"error": {"message": "The model `m` does not exist.", "type": "NotFoundError", "param": "model", "code": 404}}, UnknownModel),
    *(("llamacpp", *RECORDED[case].values(), kind) for case, kind in {
        "too long": ContextTooLong, "invalid": RequestRefused, "more samples than slots": RequestRefused, "loading": ServerFailed,
    }.items()),
    ("openrouter", 402, {"error": {"code": 402, "message": "Insufficient credits"}, "user_id": "u"}, AccountSpent),
    ("openrouter", 429, {"error": {"code": 429, "message": "Provider returned error", "metadata": {"raw": "slow down"}}}, RateLimited),
    ("openrouter", 200, {"error": {"code": 502, "message": "No answer of the provider"}}, ServerFailed),
    ("openrouter", 200, {"choices": [{"error": {"code": 502, "message": "Upstream"}, "finish_reason": "error", "message": {"content": ""}}]}, ServerFailed),
]  # fmt: skip


@pytest.mark.parametrize(("name", "status", "body", "kind"), FAILED)
async def test_errors_of_servers_are_what_they_mean(
    name: str, status: int, body: dict[str, Any], kind: type[Exception], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENROUTER_API_KEY", KEY)
    with pytest.raises(kind):
        await opened(name, Endpoint(httpx.Response(status, json=body))).complete(ask())


@pytest.mark.parametrize(
    ("name", "place"),
    [("ollama", "localhost:11434"), ("vllm", "localhost:8000"), ("llamacpp", "localhost:8080")],
)
def test_files_of_others_may_not_name_a_program_on_this_machine(
    name: str, place: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    theirs = Trust.allowing(()).of("a folder")
    with pytest.raises(UserError, match=f"would send requests to {place}"):
        theirs.check_model(f"{name}/m", "the agent")
    Trust.allowing((place,)).of("a folder").check_model(f"{name}/m", "the agent")
    monkeypatch.setenv(f"{name.upper()}_BASE_URL", "http://localhost:9/v1")
    theirs.check_model(f"{name}/m", "the agent")


# A model at another host has that host in its name, and no price of the provider.


OWN = {
    "openai/gpt-4o-mini": ("OPENAI_BASE_URL", "https://api.openai.com/v1"),
    "anthropic/claude-opus-5": ("ANTHROPIC_BASE_URL", "https://api.anthropic.com"),
    "gemini/gemini-3.5-flash": ("GOOGLE_GEMINI_BASE_URL", "https://generativelanguage.googleapis.com"),
    "mistral/mistral-large-latest": ("MISTRAL_BASE_URL", "https://api.mistral.ai/v1"),
    "openrouter/openai/gpt-4o": ("OPENROUTER_BASE_URL", "https://openrouter.ai/api/v1"),
    "ollama/llama3:8b": ("OLLAMA_BASE_URL", "http://localhost:11434/v1"),
    "vllm/tiny": ("VLLM_BASE_URL", "http://localhost:8000/v1"),
}
OTHER = "http://models.test:8000/v1"


@pytest.fixture(autouse=True)
def _keys(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("OPENAI", "ANTHROPIC", "GEMINI", "MISTRAL", "OPENROUTER", "AZURE_OPENAI"):
        monkeypatch.setenv(f"{name}_API_KEY", "secret")


@pytest.mark.parametrize("name", OWN)
def test_an_address_of_the_environment_is_in_the_name(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    assert ad.model(name).name == name
    monkeypatch.setenv(OWN[name][0], OTHER)
    assert ad.model(name).name == model_name(name) == f"{name} at models.test:8000"


@pytest.mark.parametrize("name", OWN)
def test_an_address_of_an_option_is_in_the_name_unless_it_is_the_providers_own(name: str) -> None:
    assert ad.model(name, base_url=OTHER).name == f"{name} at models.test:8000"
    assert model_name(f"{name}:base_url={OTHER}") == f"{name} at models.test:8000"
    assert ad.model(name, base_url=OWN[name][1]).name == name


def test_azures_own_hosts_are_its_own_and_any_other_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AZURE_OPENAI_ENDPOINT", "https://me.openai.azure.com")
    assert ad.model("azure/gpt-4o").name == "azure/gpt-4o"
    monkeypatch.setenv("AZURE_OPENAI_ENDPOINT", "http://127.0.0.1:9")
    assert ad.model("azure/gpt-4o").name == "azure/gpt-4o at 127.0.0.1:9"
