"""HTTP clients behind one protocol: httpx, and aiohttp where its extra is installed."""

import io
import os
import re
import ssl
from collections.abc import AsyncIterator, Mapping
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass
from functools import cache
from http.cookiejar import CookieJar, DefaultCookiePolicy
from typing import Any, Protocol

import httpx

from agentdebate.extras import optional

_IDLE = {"https": 30.0, "http": 4.0}
"""Seconds for which an idle connection is kept; without TLS it is cheap to make, and servers such as uvicorn close one after five."""
_LARGE = 1 << 20
"""Bytes from which on aiohttp wants a body as a file."""
_CLOSED = re.compile(
    r"RawResponseMessage\(|Server disconnected|Not enough data to satisfy|peer closed connection|not completed"
)
"""How aiohttp and httpx say that a connection was closed too early."""
_BYTES = re.compile(r":? ?(?:bytearray\()?\bb(['\"])(.*)\1\)?\.? ?\^?\Z")
"""The bytes at which a parser stopped, which aiohttp's marks with a caret below them."""


@dataclass(frozen=True, slots=True)
class Arriving:
    """An answer whose headers have come, and its body piece by piece."""

    status: int
    headers: Mapping[str, str]
    parts: AsyncIterator[bytes]


class Carrier(Protocol):
    """Posts bodies to one URL. Raises one of `failures` where it cannot, or where an answer breaks off."""

    failures: tuple[type[Exception], ...]

    def post(self, body: bytes) -> AbstractAsyncContextManager[Arriving]:
        """The answer to a body, for as long as the block runs."""
        ...

    async def aclose(self) -> None:
        """Close the connections. Safe to call twice."""
        ...


class HttpxCarrier:
    """Carries requests by httpx, over a transport that was given or over one connection for each call in flight."""

    failures: tuple[type[Exception], ...] = (httpx.HTTPError, OSError)

    def __init__(
        self,
        url: httpx.URL,
        headers: Mapping[str, str],
        *,
        connect: float,
        transport: httpx.AsyncBaseTransport | None = None,
    ) -> None:
        self._url = url
        self._client = httpx.AsyncClient(
            headers=headers,
            transport=transport or ConnectionStack(url.scheme),
            timeout=httpx.Timeout(None, connect=connect),
            cookies=CookieJar(DefaultCookiePolicy(allowed_domains=())),  # none is kept
            trust_env=False,  # no proxy, and no password of ~/.netrc
        )

    @asynccontextmanager
    async def post(self, body: bytes) -> AsyncIterator[Arriving]:
        """The answer to a body, for as long as the block runs."""
        async with self._client.stream("POST", self._url, content=body) as response:
            headers = {name.lower().decode(): value.decode("latin-1") for name, value in response.headers.raw}
            yield Arriving(response.status_code, headers, response.aiter_bytes())

    async def aclose(self) -> None:
        """Close the connections. Safe to call twice."""
        await self._client.aclose()


class ConnectionStack(httpx.AsyncBaseTransport):
    """Transports with one connection each, the one used last on top: as many as there are calls in flight.

    A pool of httpx walks all of its connections at every request and release: with 256 calls in flight that takes 50 ms of
    CPU a call, and here it takes 0.6.
    """

    def __init__(self, scheme: str) -> None:
        self._idle = _IDLE.get(scheme, 0.0)
        self._tls = trusted() if scheme == "https" else ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
        self._free: list[httpx.AsyncHTTPTransport] = []
        self._lent: set[httpx.AsyncHTTPTransport] = set()
        self._closed = False

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        """Send a request over a free connection or a new one, and wait for the headers of its answer."""
        transport = self._free.pop() if self._free else self._new()
        self._lent.add(transport)
        try:
            response = await transport.handle_async_request(request)
        except BaseException:
            self._lent.discard(transport)
            await transport.aclose()
            raise
        assert isinstance(response.stream, httpx.AsyncByteStream)
        response.stream = _LentStream(response.stream, transport, self)
        return response

    async def give_back(self, transport: httpx.AsyncHTTPTransport) -> None:
        """Keep a transport whose answer was read, or closed, for the next request."""
        self._lent.discard(transport)
        if self._closed:
            await transport.aclose()
        else:
            self._free.append(transport)

    async def aclose(self) -> None:
        """Close the connections. Safe to call twice."""
        self._closed = True
        transports = [*self._free, *self._lent]  # those of answers that nobody closed, too
        self._free.clear()
        self._lent.clear()
        for transport in transports:
            await transport.aclose()

    def _new(self) -> httpx.AsyncHTTPTransport:
        limits = httpx.Limits(max_connections=1, keepalive_expiry=self._idle)
        return httpx.AsyncHTTPTransport(verify=self._tls, limits=limits, trust_env=False)


class _LentStream(httpx.AsyncByteStream):
    """The body of an answer, which gives its transport back when it is closed."""

    def __init__(
        self, stream: httpx.AsyncByteStream, transport: httpx.AsyncHTTPTransport, stack: ConnectionStack
    ) -> None:
        self._stream, self._transport, self._stack = stream, transport, stack

    async def __aiter__(self) -> AsyncIterator[bytes]:
        async for part in self._stream:
            yield part

    async def aclose(self) -> None:
        """Close the answer."""
        try:
            await self._stream.aclose()
        finally:
            await self._stack.give_back(self._transport)


class AiohttpCarrier:
    """Carries requests by a session of aiohttp, which takes a quarter of httpx's CPU time."""

    def __init__(self, url: httpx.URL, headers: Mapping[str, str], *, connect: float) -> None:
        aiohttp = optional("aiohttp", "fast")
        self.failures: tuple[type[Exception], ...] = (aiohttp.ClientError, OSError)
        self._url = optional("yarl", "fast").URL(str(url), encoded=True)
        self._session: Any = aiohttp.ClientSession(
            connector=aiohttp.TCPConnector(
                limit=0, keepalive_timeout=_IDLE[url.scheme], ssl=trusted() if url.scheme == "https" else True
            ),
            headers=headers,
            cookie_jar=aiohttp.DummyCookieJar(),
            auto_decompress=False,
            timeout=aiohttp.ClientTimeout(total=None, sock_connect=connect),
        )

    @asynccontextmanager
    async def post(self, body: bytes) -> AsyncIterator[Arriving]:
        """The answer to a body, for as long as the block runs."""
        data = io.BytesIO(body) if len(body) > _LARGE else body
        async with self._session.post(self._url, data=data, allow_redirects=False) as response:
            yield Arriving(response.status, response.headers, response.content.iter_any())

    async def aclose(self) -> None:
        """Close the connections. Safe to call twice."""
        await self._session.close()


@cache
def trusted() -> ssl.SSLContext:
    """The certificates that are trusted, read once a process, which takes 20 ms; SSL_CERT_FILE and SSL_CERT_DIR may name others."""
    return httpx.create_ssl_context()


def is_late(error: Exception) -> bool:
    """Whether a failure is one of time."""
    return isinstance(error, TimeoutError | httpx.TimeoutException)


def plainly(error: BaseException) -> str:
    """Why a connection or an answer failed, on one line, in the operating system's words where it was the cause.

    HTTP libraries put objects and bytes into their errors as Python writes them; a reader wants to know what the server did.
    """
    cause: BaseException | None = error
    seen: list[BaseException] = []
    while cause is not None and cause not in seen:  # an error raised a second time can lie behind itself
        seen.append(cause)
        if reason := _of_system(cause):
            return reason
        cause = cause.__cause__ or cause.__context__
    if _CLOSED.search(str(error)):
        return "it closed the connection before its answer was whole"
    said = getattr(error, "message", "") or str(error)  # aiohttp's has its address and status around it
    line = " ".join(str(said).split())
    if line.startswith("illegal"):  # of a head, in the words of httpx's parser
        line = f"this is not HTTP: {line}"
    return (
        _BYTES.sub(lambda found: f" ({found[2]})" if found[2] else "", line).rstrip(".")
        or type(error).__name__
    )


def _of_system(error: BaseException) -> str:
    """What the operating system or TLS says, where an error is theirs; else nothing."""
    cause = getattr(error, "certificate_error", None) or getattr(error, "os_error", None) or error
    if isinstance(cause, ssl.SSLCertVerificationError):
        return f"its certificate is not trusted ({cause.verify_message})"
    if isinstance(cause, ssl.SSLError):  # its numbers are not the system's
        return f"no TLS there ({cause.reason})"
    if isinstance(cause, OSError) and cause.errno:
        # Addresses that cannot be looked up have numbers of their own, below 0.
        return (os.strerror(cause.errno) if cause.errno > 0 else str(cause.strerror)).lower()
    return ""
