"""A real chat-completions server with a tiny model, for the tests marked `server`."""

import os
import shutil
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest

MAKE = Path(__file__).with_name("tiny_gguf.py")
READY_WITHIN = 60.0
"""Seconds."""


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
    """The model file."""
    path = tmp_path_factory.mktemp("model") / "tiny.gguf"
    subprocess.run([server_python, str(MAKE), str(path)], check=True, capture_output=True)
    return path


@pytest.fixture(scope="session")
def server_address(server_python: str, tiny_model: Path) -> Iterator[str]:
    """The address of a running server, up to and with /v1."""
    port = _free_port()
    address = f"http://127.0.0.1:{port}/v1"
    log = tiny_model.with_name("server.log")
    options = [
        "--model",
        str(tiny_model),
        "--model_alias",
        "tiny",
        "--n_ctx",
        "8192",
        "--logits_all",
        "true",
    ]
    where = ["--host", "127.0.0.1", "--port", str(port)]
    with log.open("wb") as output:
        process = subprocess.Popen(
            [server_python, "-m", "llama_cpp.server", *options, *where], stdout=output, stderr=output
        )
        try:
            _wait_until_ready(process, address, log)
            yield address
        finally:
            process.kill()
            process.wait()


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def _wait_until_ready(process: subprocess.Popen[bytes], address: str, log: Path) -> None:
    end = time.monotonic() + READY_WITHIN
    while time.monotonic() < end and process.poll() is None:
        try:
            with urllib.request.urlopen(f"{address}/models", timeout=5):
                return
        except (urllib.error.URLError, OSError):
            time.sleep(0.1)
    pytest.fail(f"the server did not start:\n{log.read_text(errors='replace')[-2000:]}")
