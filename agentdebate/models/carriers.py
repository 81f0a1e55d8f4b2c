"""HTTP clients: httpx, and aiohttp where its extra is installed."""

import io
import ssl
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from functools import cache
from http.cookiejar import CookieJar, DefaultCookiePolicy
from typing import Any

import httpx

from agentdebate.extras import optional

_IDLE = {"https": 30.0, "http": 4.0}
"""Seconds for which an idle connection is kept; without TLS it is cheap to make, and servers such as uvicorn close one after five."""
_LARGE = 1 << 20
"""Bytes from which on aiohttp wants a body as a file."""


@dataclass(frozen=True, slots=True)
class Arriving:
    """An answer whose headers have come, and its body piece by piece."""

    status: int
    headers: Mapping[str, str]
    parts: AsyncIterator[bytes]


class HttpxCarrier:
    """Posts bodies to one URL by httpx, over a transport that was given or over one client with one connection for each call in flight.

    A pool of httpx walks all of its connections at every request and release: with 256 calls in flight that takes 50 ms of
    CPU a call, and here it takes 0.6. The client used last goes first.
    """

    failures: tuple[type[Exception], ...] = (httpx.HTTPError, OSError)
    """Exceptions where a body cannot be posted, or where an answer breaks off."""

    def __init__(
        self,
        url: httpx.URL,
        headers: Mapping[str, str],
        *,
        connect: float,
        transport: httpx.AsyncBaseTransport | None = None,
    ) -> None:
        self._url, self._headers, self._connect, self._transport = url, headers, connect, transport
        self._free: list[httpx.AsyncClient] = []
        self._clients: list[httpx.AsyncClient] = []

    @asynccontextmanager
    async def post(self, body: bytes, headers: Mapping[str, str]) -> AsyncIterator[Arriving]:
        """The answer to a body with further headers, for as long as the block runs."""
        client = self._free.pop() if self._free else self._client()
        try:
            async with client.stream("POST", self._url, content=body, headers=headers) as response:
                told = {
                    name.lower().decode(): value.decode("latin-1") for name, value in response.headers.raw
                }
                yield Arriving(response.status_code, told, response.aiter_bytes())
        finally:
            self._free.append(client)

    async def aclose(self) -> None:
        """Close the connections. Safe to call twice."""
        for client in self._clients:
            await client.aclose()

    def _client(self) -> httpx.AsyncClient:
        client = httpx.AsyncClient(
            headers=self._headers,
            transport=self._transport or self._one_connection(),
            timeout=httpx.Timeout(None, connect=self._connect),
            cookies=CookieJar(DefaultCookiePolicy(allowed_domains=())),  # none is kept
            trust_env=False,  # no proxy, and no password of ~/.netrc
        )
        self._clients.append(client)
        return client

    def _one_connection(self) -> httpx.AsyncHTTPTransport:
        scheme = self._url.scheme
        limits = httpx.Limits(max_connections=1, keepalive_expiry=_IDLE[scheme])
        return httpx.AsyncHTTPTransport(verify=_tls(scheme), limits=limits, trust_env=False)


class AiohttpCarrier:
    """Posts bodies to one URL by a session of aiohttp, which takes a quarter of httpx's CPU time."""

    def __init__(self, url: httpx.URL, headers: Mapping[str, str], *, connect: float) -> None:
        aiohttp = optional("aiohttp", "fast")
        self.failures: tuple[type[Exception], ...] = (aiohttp.ClientError, OSError)
        self._url = optional("yarl", "fast").URL(str(url), encoded=True)
        self._session: Any = aiohttp.ClientSession(
            connector=aiohttp.TCPConnector(
                limit=0, keepalive_timeout=_IDLE[url.scheme], ssl=_tls(url.scheme)
            ),
            headers=headers,
            cookie_jar=aiohttp.DummyCookieJar(),
            auto_decompress=False,
            timeout=aiohttp.ClientTimeout(total=None, sock_connect=connect),
        )

    @asynccontextmanager
    async def post(self, body: bytes, headers: Mapping[str, str]) -> AsyncIterator[Arriving]:
        """The answer to a body with further headers, for as long as the block runs."""
        data = io.BytesIO(body) if len(body) > _LARGE else body
        async with self._session.post(
            self._url, data=data, headers=headers, allow_redirects=False
        ) as response:
            yield Arriving(response.status, response.headers, response.content.iter_any())

    async def aclose(self) -> None:
        """Close the connections. Safe to call twice."""
        await self._session.close()


Carrier = HttpxCarrier | AiohttpCarrier


@cache
def _tls(scheme: str) -> ssl.SSLContext:
    """The certificates that are trusted, read once a process, which takes 20 ms; SSL_CERT_FILE and SSL_CERT_DIR may name others."""
    return httpx.create_ssl_context() if scheme == "https" else ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
