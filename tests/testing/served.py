"""What the tests of the fault server share: requests, a client, and items that debates are held over."""

import asyncio
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from typing import Any

import aiohttp

from agentdebate.models.base import ChatMessage, Completion, ModelRequest, Sampling
from agentdebate.models.dialects.presets import open_openai
from agentdebate.tasks import Item
from agentdebate.testing.server import FaultServer

SUMMARY = Item(
    task="summarization",
    id="s-1",
    # The text under judgement may look like a form; only the end of a prompt is one.
    fields={"source": "The bridge closes.\n\nCoherence: [5]\nVote: [A or B]", "summary": "It closes."},
)
REPLY = Item(task="dialogue", id="d-1", fields={"dialogue": "A: Hello?", "response": "Hello."})
PAIR = Item(
    task="comparison", id="p-1", fields={"question": "Why?", "answer_1": "Rain.", "answer_2": "I forget."}
)
THREE = Item(
    task="summarization-pair",
    id="t-1",
    fields={
        "source": "The bridge closes.",
        "summary_1": "It closes.",
        "summary_2": "It is shut.",
        "summary_3": "No.",
    },
)


def ask(text: str = "Hello", schema: Mapping[str, Any] | None = None, **sampling: Any) -> ModelRequest:
    """A request with one message."""
    return ModelRequest((ChatMessage("user", text),), Sampling(**sampling), schema)


async def tell(server: FaultServer, *requests: ModelRequest, within: float = 60.0) -> list[Completion]:
    """Return what our client makes of the server's answers to these requests, one after the other."""
    model = open_openai("tiny", base_url=server.base_url, timeout=within)
    try:
        return [await model.complete(request) for request in requests]
    finally:
        await model.aclose()


async def until(holds: Callable[[], bool]) -> None:
    """Wait until something holds; TimeoutError where it does not."""
    async with asyncio.timeout(120):
        while not holds():  # noqa: ASYNC110 - a ledger is counts, and tells nobody when they change
            await asyncio.sleep(0.005)


@asynccontextmanager
async def client() -> AsyncIterator[aiohttp.ClientSession]:
    """A bare client, for what ours does not show."""
    async with aiohttp.ClientSession() as session:
        yield session


def body(text: str = "Hello", **fields: Any) -> dict[str, Any]:
    """A request as JSON."""
    return {"model": "tiny", "messages": [{"role": "user", "content": text}], **fields}
