"""The loop by hand, on httpx over connections of aiohttp."""

import aiohttp
import httpx
import httpx_aiohttp

from benchmarks.peers.loop import hold_all, payload, text_of


async def hold(url: str, debates: int, at_once: int) -> None:
    """So many debates, so many at a time, with aiohttp to carry the requests of httpx."""

    def session() -> aiohttp.ClientSession:
        return aiohttp.ClientSession(connector=aiohttp.TCPConnector(limit=at_once))

    transport = httpx_aiohttp.AiohttpTransport(client=session)
    timeout = httpx.Timeout(60, pool=None)
    async with httpx.AsyncClient(transport=transport, timeout=timeout, trust_env=False) as client:

        async def chat(messages: list[dict[str, str]]) -> str:
            response = await client.post(f"{url}/chat/completions", json=payload(messages))
            response.raise_for_status()
            return text_of(response.json())

        await hold_all(chat, debates, at_once)
