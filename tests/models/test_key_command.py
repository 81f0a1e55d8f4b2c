"""Keys that a command prints: Azure with Entra, Bedrock, and Vertex, each against a stand-in that checks the header."""

import asyncio
import json
import re
import sys
from pathlib import Path
from typing import Any

import httpx
import pytest
from endpoint_double import ask
from fault_cases import reply

from agentdebate.errors import AuthenticationError, ContentError
from agentdebate.models.registry import open_bare

ADDRESSES = {
    "azure": "https://res.openai.azure.com/openai/v1",
    "bedrock": "https://bedrock-runtime.eu-west-1.amazonaws.com/openai/v1",
    "vertex": "https://europe-west4-aiplatform.googleapis.com/v1/projects/p/locations/europe-west4/endpoints/openapi",
}
HOST = {name: address.partition(".com")[0] + ".com" for name, address in ADDRESSES.items()}


@pytest.fixture(autouse=True)
def _environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AZURE_OPENAI_ENDPOINT", "https://res.openai.azure.com/")
    monkeypatch.setenv("AZURE_OPENAI_API_KEY", "not-to-be-sent")
    monkeypatch.setenv("AWS_REGION", "eu-west-1")
    monkeypatch.setenv("GOOGLE_CLOUD_PROJECT", "p")
    monkeypatch.setenv("GOOGLE_CLOUD_LOCATION", "europe-west4")


class StandIn:
    """Answers calls with the key at hand, and refuses others with its status."""

    def __init__(self, status: int = 401) -> None:
        self.key, self.status = "", status
        self.urls, self.refused = list[str](), 0

    def __call__(self, request: httpx.Request) -> httpx.Response:
        self.urls.append(str(request.url))
        if request.headers.get("authorization") == f"Bearer {self.key}" and "api-key" not in request.headers:
            return httpx.Response(200, json=reply("fine"))
        self.refused += 1
        sent = request.headers.get("authorization")
        return httpx.Response(self.status, json={"error": {"message": f"{sent} has expired"}})


def command(folder: Path, host: str, code: str) -> None:
    """Write a program that adds a line to the file "runs", and have endpoints.toml name it."""
    program = folder / "program.py"
    counting = (
        "import pathlib, sys\nruns = pathlib.Path(__file__).with_name('runs')\nruns.open('a').write('.')\n"
    )
    program.write_text(f"{counting}number = len(runs.read_text())\n{code}\n")
    file = folder / "config" / "agentdebate" / "endpoints.toml"
    file.parent.mkdir(parents=True)
    line = json.dumps(f"{sys.executable} {program}")
    file.write_text(f'[[endpoint]]\naddress = "{host}"\napi_key_command = {line}\n')


def opened(provider: str, standin: StandIn) -> Any:
    return open_bare(f"{provider}/m", transport=httpx.MockTransport(standin))


@pytest.mark.parametrize("status", [401, 403])
@pytest.mark.parametrize("provider", ADDRESSES)
async def test_the_key_is_what_the_command_prints_and_a_new_one_once_it_has_expired(
    provider: str, status: int, tmp_path: Path
) -> None:
    command(tmp_path, HOST[provider], "print(f'token-of-hour-{number}')")
    standin = StandIn(status)
    model = opened(provider, standin)
    for hour in (1, 1, 2, 2):
        standin.key = f"token-of-hour-{hour}"
        assert (await model.complete(ask())).text == "fine"
    assert (tmp_path / "runs").read_text() == ".."
    assert standin.refused == 1
    assert set(standin.urls) == {f"{ADDRESSES[provider]}/chat/completions"}
    assert (model.name, "token" in str(model.settings)) == (f"{provider}/m", False)


@pytest.mark.parametrize(
    ("code", "problem", "runs"),
    [
        (
            "print('token-of-today')",
            r"HTTP 401: Bearer \[key\] has expired \(check the key in what .*python",
            2,
        ),
        ("sys.exit('log in first')", "exit code 1: log in first", 1),
        ("print('two\\nlines')", "has to print a key, and nothing else, on one line", 1),
        ("pass", "has to print a key", 1),
    ],
)
async def test_a_command_without_a_key_that_is_taken_ends_the_run_and_is_run_once_for_all_calls_under_way(
    code: str, problem: str, runs: int, tmp_path: Path
) -> None:
    command(tmp_path, HOST["azure"], code)
    model = opened("azure", StandIn())
    said = await asyncio.gather(*(model.complete(ask()) for _ in range(5)), return_exceptions=True)
    for error in said:
        assert isinstance(error, AuthenticationError)
        assert re.search(problem, str(error))
        assert "token-of-today" not in str(error)
    assert len((tmp_path / "runs").read_text()) == runs


async def test_a_program_that_is_not_there_is_named(tmp_path: Path) -> None:
    command(tmp_path, HOST["azure"], "pass")
    file = tmp_path / "config" / "agentdebate" / "endpoints.toml"
    file.write_text(file.read_text().replace(sys.executable, "/no/such/gcloud"))
    with pytest.raises(
        AuthenticationError, match=r"azure/m: the api_key_command in endpoints.toml, /no/such/gcloud"
    ):
        await opened("azure", StandIn()).complete(ask())


@pytest.mark.parametrize(
    "more",
    [
        'api_key_command = " "',
        'api_key_command = "gcloud \'auth"',
        'api_key_command = "x"\napi_key_env = "K"',
    ],
)
def test_a_command_that_means_nothing_is_an_error_of_the_file(more: str, tmp_path: Path) -> None:
    command(tmp_path, HOST["azure"], "pass")
    file = tmp_path / "config" / "agentdebate" / "endpoints.toml"
    file.write_text(f'[[endpoint]]\naddress = "https://a.test/v1"\n{more}\n')
    with pytest.raises(ContentError, match=r"endpoints\.toml"):
        opened("azure", StandIn())
