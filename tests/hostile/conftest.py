"""What tests of hostile folders and stores share."""

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from listener import OPENAI, SECRET, Listener, listening

sys.path.append(str(Path(__file__).parents[1] / "cli"))


@pytest.fixture
def listener(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[Listener]:
    """A listener, and secrets in the environment that it must never see."""
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", SECRET)
    monkeypatch.setenv("OPENAI_API_KEY", OPENAI)
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    with listening() as server:
        yield server
