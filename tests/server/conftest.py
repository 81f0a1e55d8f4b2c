"""Real chat-completions servers with tiny models, for the tests marked `server`."""

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from tiny_server import TinyServer, served

HERE = Path(__file__).parent
LONG = 16384
"""Tokens of context that a news article takes, whose bytes are a token each, with what is said about it."""


@pytest.fixture(scope="session")
def server_python() -> str:
    """An interpreter that has llama_cpp and gguf; the tests are skipped where there is none."""
    python = os.environ.get("AGENTDEBATE_SERVER_PYTHON") or sys.executable
    if shutil.which(python) is None:
        pytest.skip(f"AGENTDEBATE_SERVER_PYTHON names no interpreter: {python}")
    found = subprocess.run([python, "-c", "import gguf, llama_cpp.server"], capture_output=True, check=False)
    if found.returncode:
        pytest.skip(
            "needs llama-cpp-python[server] and gguf: install them, or name an interpreter that has them"
            " in AGENTDEBATE_SERVER_PYTHON"
        )
    return python


@pytest.fixture(scope="session")
def tiny_model(server_python: str, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A model file with random weights."""
    return _made(server_python, "tiny_gguf.py", tmp_path_factory)


@pytest.fixture(scope="session")
def habit_model(server_python: str, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A model file whose words are short and whose probabilities are known (see habit_gguf.py)."""
    return _made(server_python, "habit_gguf.py", tmp_path_factory)


@pytest.fixture(scope="session")
def server_address(server_python: str, tiny_model: Path) -> Iterator[str]:
    """The address of a running server with random weights, up to and with /v1."""
    with served(server_python, tiny_model) as server:
        yield server.address


@pytest.fixture(scope="session")
def habit_server(server_python: str, habit_model: Path) -> Iterator[TinyServer]:
    """A server whose replies can be read."""
    with served(server_python, habit_model, context=LONG) as server:
        yield server


@pytest.fixture(scope="session")
def silent_server(server_python: str, habit_model: Path) -> Iterator[TinyServer]:
    """A server that gives no log-probabilities."""
    with served(server_python, habit_model, logprobs=False) as server:
        yield server


def _made(python: str, maker: str, folders: pytest.TempPathFactory) -> Path:
    """The file that one of the makers beside this file writes."""
    path = folders.mktemp("model") / "model.gguf"
    subprocess.run([python, str(HERE / maker), str(path)], check=True, capture_output=True)
    return path
