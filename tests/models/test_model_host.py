"""A model at another host than its provider's own has that host in its name, wherever the address comes from, and no price of the provider."""

import pytest

import agentdebate as ad
from agentdebate.models.registry import model_name

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
