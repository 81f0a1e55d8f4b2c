"""The probability of a text by a real completions endpoint, against the model's own numbers."""

import json
import socket
import subprocess
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest

from agentdebate.errors import RequestRefused
from agentdebate.evaluators.base import Pair
from agentdebate.evaluators.endpoint_probability import open_endpoint_probability

pytestmark = pytest.mark.server

HERE = Path(__file__).parent
PAIR = Pair(("Source: the bridge.",), "in the café — then")
READY_WITHIN = 60.0
"""Seconds."""

MAKE_MARKED = """
import sys, tiny_gguf
plain = tiny_gguf.add_tokenizer
def marked(out):
    out.add_add_bos_token(True)
    return plain(out)
tiny_gguf.add_tokenizer = marked
tiny_gguf.write_model(tiny_gguf.Path(sys.argv[1]))
"""
"""Make the tiny model with a mark of beginning before every text."""

BY_HAND = """
import json, sys
import numpy as np
from llama_cpp import Llama
model = Llama(sys.argv[1], logits_all=True, n_ctx=512, verbose=False)
before, text = json.loads(sys.argv[2])
tokens = model.tokenize((before + text).encode(), add_bos=True)
assert tokens[0] == model.token_bos()
model.eval(tokens)
logits = np.array(model._scores, dtype=np.float64)
logprobs = logits - np.log(np.exp(logits).sum(-1, keepdims=True))
count = len(model.tokenize(text.encode(), add_bos=False))
places = range(len(tokens) - count, len(tokens))
print(json.dumps([logprobs[place - 1, tokens[place]] for place in places]))
"""
"""The log-probability of each of a text's tokens, from the model's logits."""


def run(python: str, code: str, *arguments: str) -> str:
    done = subprocess.run(
        [python, "-c", code, *arguments], check=True, capture_output=True, text=True, cwd=HERE, timeout=120
    )
    return done.stdout


@pytest.fixture(scope="module")
def marked_model(server_python: str, tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("marked") / "tiny.gguf"
    run(server_python, MAKE_MARKED, str(path))
    return path


@pytest.fixture(scope="module")
def marked_address(server_python: str, marked_model: Path) -> Iterator[str]:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = str(probe.getsockname()[1])
    model = ["--model", str(marked_model), "--model_alias", "tiny", "--n_ctx", "512", "--logits_all", "true"]
    command = [server_python, "-m", "llama_cpp.server", *model, "--host", "127.0.0.1", "--port", port]
    with marked_model.with_name("server.log").open("wb") as log:
        process = subprocess.Popen(command, stdout=log, stderr=log)
    try:
        wait_for(f"http://127.0.0.1:{port}/v1/models")
        yield f"http://127.0.0.1:{port}/v1"
    finally:
        process.kill()
        process.wait()


def wait_for(address: str) -> None:
    end = time.monotonic() + READY_WITHIN
    while time.monotonic() < end:
        try:
            with urllib.request.urlopen(address, timeout=5):
                return
        except (urllib.error.URLError, OSError):
            time.sleep(0.1)
    pytest.fail("the server did not start")


async def test_the_score_is_what_the_model_s_logits_come_to(
    server_python: str, marked_model: Path, marked_address: str
) -> None:
    """Its tokens are bytes, so "é" and the dash are several tokens at one place."""
    texts = json.dumps([f"{PAIR.premise[0]}\n\n", PAIR.hypothesis])
    expected = json.loads(run(server_python, BY_HAND, str(marked_model), texts))
    evaluator = open_endpoint_probability("tiny", base_url=marked_address)
    assert await evaluator.score([PAIR]) == pytest.approx([sum(expected) / len(expected)], abs=1e-4)
    await evaluator.aclose()


async def test_a_server_that_gives_the_figures_of_other_tokens_is_refused(server_address: str) -> None:
    """This server's figures stand one token too late for models without a mark of beginning."""
    evaluator = open_endpoint_probability("tiny", base_url=server_address)
    with pytest.raises(RequestRefused, match="does not reach the token that it adds"):
        await evaluator.score([PAIR])
    await evaluator.aclose()
