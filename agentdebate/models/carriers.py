"""What carries requests: httpx over aiohttp's connections, aiohttp alone, or httpx over a transport that was given.

httpx's own connection pool walks all its connections at every request and release, and with some hundred calls in flight
takes a hundred times as long as aiohttp's. aiohttp alone takes half of what httpx in front of it takes. Beside this
module only http.py imports httpx, for files.
"""

import logging
import os
import ssl
from collections.abc import AsyncIterator, Mapping
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass
from functools import cache
from typing import Any, Literal, Protocol

import aiohttp
import httpx
import httpx_aiohttp

URL = httpx.URL
Transport = httpx.AsyncBaseTransport
"""What a user can have requests carried by; tests give one of their own."""
Client = Literal["httpx", "aiohttp"]
"""Whose requests and answers are used; the connections are aiohttp's in either case."""

FAILURES = (httpx.HTTPError, aiohttp.ClientError, OSError)
"""What is raised where a request cannot be carried, or its answer breaks off."""
POOLED = 32
"""The most calls at once that httpx's own connection pool is given."""
_KEEP = 30.0
"""Seconds for which an idle connection is kept."""
_ENCODINGS = {"Accept-Encoding": "gzip, deflate"}

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Arriving:
    """An answer whose headers have come; `parts` are the pieces of its body as they come, compressed as `encoding` says."""

    status: int
    headers: Mapping[str, str]
    parts: AsyncIterator[bytes]
    encoding: str = ""


class Carrier(Protocol):
    """Posts bodies to one URL, and raises one of FAILURES where it cannot."""

    @property
    def most(self) -> int:
        """How many requests it carries at once; to keep to that is its caller's."""
        ...

    def post(self, body: bytes) -> AbstractAsyncContextManager[Arriving]:
        """The answer to a body, for as long as the block runs."""
        ...

    async def aclose(self) -> None:
        """Close the connections. Safe to call twice."""
        ...


@dataclass(frozen=True, slots=True)
class Connections:
    """How many connections there may be, and how long they may take.

    `timeout` counts seconds of silence, `connect` those that a connection may take to be made. A request that waits for
    one of the connections is not timed.
    """

    timeout: float
    connect: float
    most: int


def carrier(
    url: str, headers: Mapping[str, str], how: Connections, *, client: Client, transport: Transport | None
) -> Carrier:
    """What carries requests to a URL: the client that was chosen, or httpx over the transport that was given."""
    sent = {**_ENCODINGS, **headers}
    if client == "aiohttp" and transport is None:
        return AiohttpCarrier(url, sent, how)
    return HttpxCarrier(url, sent, how, transport or _over_aiohttp(url, how.most))


class HttpxCarrier:
    """Carries requests by httpx, over a transport.

    A transport with httpx's own connection pool gets at most POOLED requests at once, and the log says so where more
    connections are wanted.
    """

    def __init__(self, url: str, headers: Mapping[str, str], how: Connections, transport: Transport) -> None:
        self._client = httpx.AsyncClient(transport=transport, trust_env=False)
        self._url, self._headers = httpx.URL(url), httpx.Headers(headers)
        # Made once: to merge headers and timeouts anew costs more than all else we do around a call.
        self._extensions = {"timeout": httpx.Timeout(how.timeout, connect=how.connect, pool=None).as_dict()}
        self.most = how.most
        if isinstance(transport, httpx.AsyncHTTPTransport) and how.most > POOLED:
            self.most = POOLED
            _log.warning(_SLOW, POOLED, how.most)

    @asynccontextmanager
    async def post(self, body: bytes) -> AsyncIterator[Arriving]:
        """The answer to a body, for as long as the block runs."""
        request = httpx.Request(
            "POST", self._url, headers=self._headers, content=body, extensions=self._extensions
        )
        response = await self._client.send(request, stream=True)
        try:
            yield _arriving(response)
        finally:
            await response.aclose()

    async def aclose(self) -> None:
        """Close the connections. Safe to call twice."""
        await self._client.aclose()


class AiohttpCarrier:
    """Carries requests by aiohttp alone, over connections that are kept."""

    def __init__(self, url: str, headers: Mapping[str, str], how: Connections) -> None:
        self._url, self._headers, self.most = url, headers, how.most
        self._timeout = aiohttp.ClientTimeout(
            total=None, connect=None, sock_connect=how.connect, sock_read=how.timeout
        )
        self._session: aiohttp.ClientSession | None = None

    @asynccontextmanager
    async def post(self, body: bytes) -> AsyncIterator[Arriving]:
        """The answer to a body, for as long as the block runs."""
        session = self._session or self._open()
        async with session.post(self._url, data=body, allow_redirects=False) as response:
            encoding = response.headers.get("content-encoding", "")
            yield Arriving(response.status, response.headers, response.content.iter_any(), encoding)

    async def aclose(self) -> None:
        """Close the connections. Safe to call twice."""
        if self._session is not None:
            await self._session.close()

    def _open(self) -> aiohttp.ClientSession:
        """The session, which is made within the event loop that it is used in."""
        more = {"headers": self._headers, "timeout": self._timeout, "auto_decompress": False}
        self._session = _session(self._url, self.most, **more)
        return self._session


def _arriving(response: httpx.Response) -> Arriving:
    if response.is_stream_consumed:  # by a transport that made it whole, and unpacked it
        return Arriving(response.status_code, response.headers, response.aiter_bytes())
    encoding = response.headers.get("content-encoding", "")
    return Arriving(response.status_code, response.headers, response.aiter_raw(), encoding)


def _over_aiohttp(url: str, connections: int) -> Transport:
    """A transport of httpx whose connections are aiohttp's."""
    return httpx_aiohttp.AiohttpTransport(
        verify=_context(url), client=lambda: _session(url, connections), trust_env=False
    )


def _session(url: str, connections: int, **more: Any) -> aiohttp.ClientSession:
    connector = aiohttp.TCPConnector(limit=connections, ssl=_context(url), keepalive_timeout=_KEEP)
    return aiohttp.ClientSession(connector=connector, cookie_jar=aiohttp.DummyCookieJar(), **more)


def _context(url: str) -> ssl.SSLContext:
    # A context without certificates refuses every server, and costs nothing where there is no TLS.
    return _tls() if url.startswith("https:") else ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)


_SLOW = (
    "httpx's own connection pool is slow with many calls at once: the transport that was given gets at most %d at a "
    "time, not %d; leave `transport` out for more"
)


@cache
def _tls() -> ssl.SSLContext:
    """One for the whole process: reading the certificates takes 20 ms."""
    return httpx.create_ssl_context()


def read_url(address: str) -> URL:
    """The address in its parts. Raises ValueError where it is none."""
    try:
        return URL(address.strip())
    except httpx.InvalidURL as error:
        raise ValueError(str(error)) from error


def is_timeout(error: Exception) -> bool:
    """Whether a failure is one of time."""
    # The aiohttp transport for httpx calls every broken connection a connect timeout; its cause tells them apart.
    if isinstance(error, httpx.TimeoutException):
        cause = error.__cause__
        return not isinstance(cause, aiohttp.ClientConnectionError) or isinstance(cause, TimeoutError)
    return isinstance(error, TimeoutError)


def plainly(error: BaseException) -> str:
    """Why there is no connection: the operating system's own words where they lie behind the client's."""
    cause: BaseException | None = error
    seen: list[BaseException] = []
    while cause is not None and cause not in seen:  # an error raised a second time can lie behind itself
        seen.append(cause)
        refused = getattr(cause, "os_error", None) or cause
        if isinstance(refused, OSError) and refused.errno:
            # Addresses that cannot be looked up have numbers of their own, below 0.
            return (os.strerror(refused.errno) if refused.errno > 0 else str(refused.strerror)).lower()
        cause = cause.__cause__ or cause.__context__
    return str(error) or type(error).__name__
