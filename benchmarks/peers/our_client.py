"""The loop by hand, on the client of this package alone, without what stands around it."""

from agentdebate.models.base import ChatMessage, ModelRequest, Sampling
from agentdebate.models.dialects.chat_completions import open_openai
from benchmarks.peers.loop import hold_all


async def hold(url: str, debates: int, at_once: int) -> None:
    """So many debates, so many at a time, on the default client."""
    await _hold(url, debates, at_once, "httpx")


async def hold_by_aiohttp(url: str, debates: int, at_once: int) -> None:
    """The same on aiohttp alone."""
    await _hold(url, debates, at_once, "aiohttp")


async def _hold(url: str, debates: int, at_once: int, client: str) -> None:
    model = open_openai("any", base_url=url, connections=at_once, client=client)
    sampling = Sampling(temperature=0, top_p=1)

    async def chat(messages: list[dict[str, str]]) -> str:
        said = tuple(ChatMessage("user" if m["role"] == "user" else "system", m["content"]) for m in messages)
        return (await model.complete(ModelRequest(said, sampling))).text

    await hold_all(chat, debates, at_once)
    await model.aclose()
