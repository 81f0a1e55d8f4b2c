"""The loop by hand, on aiohttp and nothing else."""

import aiohttp

from benchmarks.peers.loop import hold_all, payload, text_of


async def hold(url: str, debates: int, at_once: int) -> None:
    """So many debates, so many at a time."""
    limits, patience = aiohttp.TCPConnector(limit=at_once), aiohttp.ClientTimeout(sock_read=60)
    async with aiohttp.ClientSession(connector=limits, timeout=patience) as session:

        async def chat(messages: list[dict[str, str]]) -> str:
            async with session.post(f"{url}/chat/completions", json=payload(messages)) as response:
                response.raise_for_status()
                return text_of(await response.json())

        await hold_all(chat, debates, at_once)
