"""Providers of chat completions at addresses of their own, and models at other hosts than their provider's."""

from typing import Any

import httpx
import pytest
from endpoint_double import Endpoint, ask

import agentdebate as ad
from agentdebate.errors import RequestRefused, UsageError, UserError
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
}
WHERE = {
    "azure": "https://res.openai.azure.com/openai/v1",
    "bedrock": "https://bedrock-runtime.eu-west-1.amazonaws.com/openai/v1",
    "mistral": "https://api.mistral.ai/v1",
    "openrouter": "https://openrouter.ai/api/v1",
    "ollama": "http://localhost:11434/v1",
    "vllm": "http://localhost:8000/v1",
}


@pytest.fixture(autouse=True)
def _environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AZURE_OPENAI_ENDPOINT", "https://res.openai.azure.com/")
    monkeypatch.setenv("AWS_REGION", "eu-west-1")
    monkeypatch.setenv("OPENAI_API_KEY", "sk-of-somebody-else")
    for name in ("OPENAI", "MISTRAL", "OPENROUTER", "OLLAMA", "VLLM", "BEDROCK", "ANTHROPIC"):
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


@pytest.mark.parametrize(
    ("name", "variable"), [("azure", "AZURE_OPENAI_ENDPOINT"), ("bedrock", "AWS_REGION")]
)
def test_an_address_that_the_environment_does_not_complete_is_asked_for(
    name: str, variable: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv(variable)
    with pytest.raises(UsageError, match=f"{name}/ needs an address: set {variable}"):
        OURS[name]("m")


@pytest.mark.parametrize(("name", "place"), [("ollama", "localhost:11434"), ("vllm", "localhost:8000")])
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
