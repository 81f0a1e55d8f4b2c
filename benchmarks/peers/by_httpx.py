"""The loop by hand, on httpx: over connections of aiohttp, over its own pool, and over a stack of one-connection transports."""

import aiohttp
import httpx
import httpx_aiohttp

from benchmarks.peers.loop import hold_all, payload, text_of


async def hold(url: str, debates: int, at_once: int) -> None:
    """So many debates, so many at a time, with aiohttp to carry the requests of httpx."""

    def session() -> aiohttp.ClientSession:
        return aiohttp.ClientSession(connector=aiohttp.TCPConnector(limit=at_once))

    await _hold(url, debates, at_once, httpx_aiohttp.AiohttpTransport(client=session))


async def hold_over_pool(url: str, debates: int, at_once: int) -> None:
    """The same with httpx as it comes."""
    limits = httpx.Limits(max_connections=at_once)
    await _hold(url, debates, at_once, httpx.AsyncHTTPTransport(limits=limits))


async def hold_over_stack(url: str, debates: int, at_once: int) -> None:
    """The same over a stack of one-connection transports."""
    await _hold(url, debates, at_once, Stack())


async def _hold(url: str, debates: int, at_once: int, transport: httpx.AsyncBaseTransport) -> None:
    async with httpx.AsyncClient(
        transport=transport, timeout=httpx.Timeout(60, pool=None), trust_env=False
    ) as client:

        async def chat(messages: list[dict[str, str]]) -> str:
            response = await client.post(f"{url}/chat/completions", json=payload(messages))
            response.raise_for_status()
            return text_of(response.json())

        await hold_all(chat, debates, at_once)


class Stack(httpx.AsyncBaseTransport):
    """A stack of transports of one connection each: a request takes the one on top, or makes one."""

    def __init__(self) -> None:
        self._idle: list[httpx.AsyncHTTPTransport] = []
        self._all: list[httpx.AsyncHTTPTransport] = []
        self._context = httpx.create_ssl_context()

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        """Send a request, and read its answer to the end, so that its connection is free again."""
        if self._idle:
            transport = self._idle.pop()
        else:
            transport = httpx.AsyncHTTPTransport(verify=self._context, limits=httpx.Limits(max_connections=1))
            self._all.append(transport)
        response = await transport.handle_async_request(request)
        await response.aread()
        await response.aclose()
        self._idle.append(transport)
        return response

    async def aclose(self) -> None:
        """Close all connections."""
        for transport in self._all:
            await transport.aclose()
