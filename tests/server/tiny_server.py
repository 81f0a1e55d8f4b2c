"""A chat-completions server of a tiny model in a process of its own, and debates held with it."""

import socket
import subprocess
import time
import urllib.error
import urllib.request
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

import agentdebate as ad
from agentdebate.agents.debate_settings import Form
from agentdebate.debates.debate import ready
from agentdebate.models.dialects.chat_completions import open_openai
from agentdebate.strategies.load import strategy as load_strategy
from agentdebate.tasks import Task

READY_WITHIN = 60.0
"""Seconds."""
CONTEXT = 8192
"""Tokens."""


@dataclass(frozen=True)
class TinyServer:
    """A server that runs. `address` is up to and with /v1."""

    address: str

    async def hold(
        self,
        strategy: str,
        item: ad.Item,
        aspects: str | Sequence[str] | None = None,
        *,
        form: Form = "schema",
        seed: int | None = 1,
        longest: int = 1024,
        extra: Mapping[str, Any] | None = None,
        tasks: Mapping[str, Task] | None = None,
        **options: Any,
    ) -> ad.Record:
        """One debate with the server's model, at temperature 1, whose replies have at most `longest` tokens.

        `options` are the strategy's, `extra` goes into every request.
        """
        project, sampling = ad.Project(), ad.Sampling(temperature=1, seed=seed, max_tokens=longest)
        made = load_strategy(strategy, project=project, **options)
        model = open_openai("tiny", base_url=self.address, schema="json_object", extra=dict(extra or {}))
        try:
            async with ready(
                made, model=model, project=project, sampling=sampling, form=form, tasks=tasks
            ) as debate:
                return await debate.hold(item, aspects)
        finally:
            await model.aclose()


@contextmanager
def served(
    python: str, model: Path, *, context: int = CONTEXT, logprobs: bool = True
) -> Iterator[TinyServer]:
    """A server of this model file; `logprobs` says whether it keeps what log-probabilities are taken from."""
    port = _free_port()
    server = TinyServer(f"http://127.0.0.1:{port}/v1")
    about = ["--model", str(model), "--model_alias", "tiny", "--n_ctx", str(context)]
    options = [*about, "--logits_all", str(logprobs).lower(), "--host", "127.0.0.1", "--port", str(port)]
    log = model.with_name(f"server-{port}.log")
    with log.open("wb") as output:
        process = subprocess.Popen([python, "-m", "llama_cpp.server", *options], stdout=output, stderr=output)
        try:
            _wait_until_ready(process, server.address, log)
            yield server
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
