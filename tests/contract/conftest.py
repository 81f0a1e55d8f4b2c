"""Goldens of the contract: what a test found is compared with the JSON that lies beside it."""

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from scripted_endpoint import ScriptedEndpoint, scripted_endpoint

WRITE = "--write-contract"


def pytest_addoption(parser: pytest.Parser) -> None:
    """Let a new case be written; one that is there is written again in shown/ alone."""
    parser.addoption(WRITE, action="store_true", help="write goldens of the contract that are not there yet")


@pytest.fixture
def golden(request: pytest.FixtureRequest) -> Callable[..., None]:
    """Compare a finding with the golden of its name, in the folder goldens/ of the test's file: a text as text, else JSON."""
    path = Path(request.path)
    folder = path.parent / "goldens" / path.stem.removeprefix("test_")
    write = bool(request.config.getoption(WRITE))

    def compare(name: str, found: Any) -> None:
        text = (
            found
            if isinstance(found, str)
            else json.dumps(found, indent=1, ensure_ascii=False, sort_keys=True)
        )
        place = folder / f"{name}.{'txt' if isinstance(found, str) else 'json'}"
        if write and (not place.exists() or path.parent.name == "shown"):
            folder.mkdir(exist_ok=True, parents=True)
            place.write_text(f"{text}\n", encoding="utf-8")
        if not place.exists():
            pytest.fail(f"{place.name} is not there: a new case is written by pytest {WRITE}")
        assert f"{text}\n" == place.read_text(encoding="utf-8"), f"differs from {place.name}"

    return compare


@pytest.fixture
def endpoint() -> Iterator[ScriptedEndpoint]:
    """A scripted model server on loopback."""
    with scripted_endpoint() as server:
        yield server
