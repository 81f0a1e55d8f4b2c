"""A model at another host than its provider's own has that host in its name, wherever the address comes from, and no price of the provider."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from anyio.from_thread import start_blocking_portal
from typed import ITEM as TEXTS
from typed import RUN, typed, write

import agentdebate as ad
from agentdebate.models.registry import model_name
from agentdebate.testing.server import FaultServer

Capsys = pytest.CaptureFixture[str]
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


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[FaultServer]:
    """A server on this machine that OPENAI_BASE_URL names."""
    made = FaultServer()
    with start_blocking_portal() as portal:
        portal.call(made.start)
        try:
            monkeypatch.setenv("OPENAI_BASE_URL", made.base_url)
            yield made
        finally:
            portal.call(made.aclose)


def test_a_run_at_the_environments_address_is_stored_shown_exported_and_forecast_with_the_host_and_no_price(
    server: FaultServer, capsys: Capsys
) -> None:
    write([{"id": "a", **TEXTS}])
    model = f"openai/gpt-4o-mini at {server.root.removeprefix('http://')}"
    own = ("--agent-model", "critic=openai/gpt-4o")
    words = ("run", "debate", *RUN[2:], "--model", "openai/gpt-4o-mini", *own)
    forecast = typed(capsys, *words, "--dry-run", "--json").json[0]
    assert forecast["money"] is None
    critic = model.replace("gpt-4o-mini", "gpt-4o")
    assert {one["model"] for one in forecast["models"]} == {model, critic}
    came = typed(capsys, *words)
    assert came.code == 0, came.err
    shown = typed(capsys, "show", "last").out
    assert f"model {model}" in shown.replace("\n", " ")
    record = typed(capsys, "show", "last", "--json").json[0]
    assert record["model"] == model
    assert record["configuration"]["strategy"]["models"] == {"critic": critic}
    assert record["costs"]["total"]["money"] is None
    costs = typed(capsys, "export", "--what", "costs").json
    assert {one["model"] for one in costs} == {model, critic}
    assert {one["money"] for one in costs} == {None}
    assert set(typed(capsys, "export").json[0]["models"]) == {model, critic}
    assert typed(capsys, "list", "runs", "--json").json[0]["model"] == f"{model}, {critic}"
    assert typed(capsys, "report", "-o", "r.html").code == 0
    assert model in Path("r.html").read_text(encoding="utf-8")
