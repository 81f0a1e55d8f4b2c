"""A real language model on this machine, without a network or a key: SmolLM2-135M-Instruct, by llama.cpp, out of two packages."""

import asyncio
from collections.abc import Mapping
from typing import Any

from agentdebate.errors import UsageError, nearest
from agentdebate.models.base import Completion, ModelRequest
from agentdebate.models.dialects.chat_completions import OpenAIChat
from agentdebate.models.dialects.options import OpenAIOptions
from agentdebate.models.local_server import LONGEST, LocalServer, ServerSettings, check_installed
from agentdebate.models.provider_keys import Provider

NAME = "local/smollm2"
_KNOWN = ("smollm2",)
_PATIENCE = 600.0
"""Seconds for an answer where the user says nothing: a busy core writes a few tokens a second."""


class LocalModel:
    """A model in this process. Its server starts with the first call, and stops when the model is closed."""

    structured = True
    """It holds replies to JSON schemas."""

    def __init__(self, name: str, server: ServerSettings, options: Mapping[str, Any] | None = None) -> None:
        self.name = f"local/{name}"
        self._options = {"timeout": _PATIENCE, **(options or {}), "connections": server.slots}
        read = OpenAIOptions.read(self._options, of=self.name)
        kept = read.model_dump(mode="json", by_alias=True, exclude_unset=True, exclude={"transport"})
        self.settings = {**kept, "threads": server.threads, "context": server.context}
        """What it was opened with, for the record."""
        self._model_name, self._server = name, LocalServer(server)
        self._chat: OpenAIChat | None = None

    def __repr__(self) -> str:
        return f"<LocalModel {self.name}, {self._server!r}>"

    async def complete(self, request: ModelRequest) -> Completion:
        """Answer the request. Raises ModelError, and MissingExtra where packages are missing."""
        chat = self._chat or await self._started()
        return await chat.complete(request)

    async def aclose(self) -> None:
        """Close the connections and stop the server. Safe to call twice."""
        chat, self._chat = self._chat, None
        try:
            if chat is not None:
                await chat.aclose()
        finally:
            await asyncio.to_thread(self._server.stop)

    async def _started(self) -> OpenAIChat:
        """What asks the server, once it runs."""
        address = await asyncio.to_thread(self._server.address)
        if self._chat is None:  # several calls may have waited for the server
            provider = Provider("local", address, "AGENTDEBATE_LOCAL_KEY", needs_key=False)
            options = OpenAIOptions.read({**self._options, "base_url": address}, of=self.name)
            self._chat = OpenAIChat(self._model_name, options, provider)
        return self._chat


def open_local(
    name: str,
    *,
    threads: int = 0,
    slots: int = 2,
    context: int = LONGEST,
    connections: int | None = None,  # noqa: ARG001 - as many as the server has slots
    **options: Any,
) -> LocalModel:
    """Open "local/smollm2", or "local" for short. Raises MissingExtra with the line that installs what is missing.

    `threads` compute (0: as many as there are idle cores), `slots` replies are written at once, and each has `context` tokens. Further options are sampling parameters
    and those of "openai/..." that are not about an address, a key or a connection.
    """
    chosen = name or _KNOWN[0]
    if chosen not in _KNOWN:
        raise UsageError(f"there is no model local/{name}. {nearest(name, _KNOWN)}")
    placed = sorted(options.keys() & {"base_url", "api_key_env", "headers", "client", "transport"})
    if placed:
        raise UsageError(f"{NAME} runs in this process: it takes no {placed[0]}")
    server = ServerSettings(threads, slots, context)
    server.check()
    check_installed()
    return LocalModel(chosen, server.resolved(), options)
