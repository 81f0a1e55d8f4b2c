"""What carries requests: httpx over aiohttp's connections, those connections alone, or httpx over a transport that was given.

httpx's own connection pool walks all its connections at every request and release, and with some hundred calls in flight
takes a hundred times as long as aiohttp's. aiohttp alone takes less than half of what httpx in front of it takes. Beside
this module only aiohttp_transport.py imports httpx, and http.py for files.
"""

import os
import ssl
from collections.abc import AsyncIterator, Awaitable, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Literal, Protocol

import aiohttp
import httpx

from agentdebate.log import get_log
from agentdebate.models.aiohttp_transport import WHOLE, AiohttpTransport
from agentdebate.models.pool import BROKEN, Pool, request_head

URL = httpx.URL
Transport = httpx.AsyncBaseTransport
"""What a user can have requests carried by; tests give one of their own."""
Client = Literal["httpx", "aiohttp"]
"""Whose requests and answers are used; the connections are aiohttp's in either case."""

FAILURES = (httpx.HTTPError, *BROKEN)
"""What is raised where a request cannot be carried, or its answer breaks off."""
POOLED = 32
"""The most calls at once that httpx's own connection pool is given."""
_ENCODINGS = {"Accept-Encoding": "gzip, deflate"}

_log = get_log(__name__)


class Arriving(Protocol):
    """An answer whose headers have come."""

    @property
    def status(self) -> int:
        """The status of HTTP."""
        ...

    @property
    def headers(self) -> Mapping[str, str]:
        """The headers, by name in lower case."""
        ...

    @property
    def encoding(self) -> str:
        """How the body is compressed, as it comes."""
        ...

    @property
    def whole(self) -> bytes | None:
        """The body, where it came along with the headers; then the answer needs no closing."""
        ...

    @property
    def parts(self) -> AsyncIterator[bytes]:
        """The pieces of the body as they come."""
        ...

    async def aclose(self) -> None:
        """Let go of the connection."""
        ...


class Carrier(Protocol):
    """Posts bodies to one URL, and raises one of FAILURES where it cannot."""

    @property
    def most(self) -> int:
        """How many requests it carries at once; to keep to that is its caller's."""
        ...

    def post(self, body: bytes) -> Awaitable[Arriving]:
        """The answer to a body. Whoever gets it closes it."""
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
    over = transport or AiohttpTransport(lambda address: _pool(address, how))
    return HttpxCarrier(url, sent, how, over)


class HttpxCarrier:
    """Carries requests by httpx, over a transport.

    A transport with httpx's own connection pool gets at most POOLED requests at once, and the log says so where more
    connections are wanted.
    """

    def __init__(self, url: str, headers: Mapping[str, str], how: Connections, transport: Transport) -> None:
        self._client = _Client(transport)
        self._url = httpx.URL(url)
        # Made once: to merge headers and timeouts anew costs more than all else we do around a call.
        first = httpx.Request("POST", self._url, headers=headers).headers
        self._headers = [(name, value) for name, value in first.raw if name.lower() != b"content-length"]
        self._extensions = {"timeout": httpx.Timeout(how.timeout, connect=how.connect, pool=None).as_dict()}
        self.most = how.most
        if isinstance(transport, httpx.AsyncHTTPTransport) and how.most > POOLED:
            self.most = POOLED
            _log.warning(_SLOW, POOLED, how.most)

    async def post(self, body: bytes) -> Arriving:
        """The answer to a body. Whoever gets it closes it."""
        headers = [*self._headers, (b"Content-Length", b"%d" % len(body))]
        stream = httpx.ByteStream(body)
        request = httpx.Request(
            "POST", self._url, headers=headers, stream=stream, extensions=self._extensions
        )
        request.read()  # whoever hooks into httpx finds its content
        return _Response(await self._client.send(request, stream=True))

    async def aclose(self) -> None:
        """Close the connections. Safe to call twice."""
        await self._client.aclose()


class _Client(httpx.AsyncClient):
    """A client without cookies: to look for some in every answer takes a third of its time."""

    def __init__(self, transport: Transport) -> None:
        self._none = _NoCookies()
        super().__init__(transport=transport, trust_env=False)

    @property
    def cookies(self) -> httpx.Cookies:
        """There are none: they are neither kept nor sent."""
        return self._none

    @cookies.setter
    def cookies(self, _: object) -> None:
        raise TypeError("there are no cookies here")


class _NoCookies(httpx.Cookies):
    def extract_cookies(self, response: httpx.Response) -> None:
        """Leave them where they are."""


class AiohttpCarrier:
    """Carries requests by aiohttp's connections alone."""

    def __init__(self, url: str, headers: Mapping[str, str], how: Connections) -> None:
        address = httpx.URL(url)
        sent = {"Host": address.netloc.decode("ascii"), **headers}
        named = [(name.encode("ascii"), value.encode("ascii")) for name, value in sent.items()]
        # All but the body's length is the same in every request.
        self._head = request_head(address.raw_path, named)[:-2] + b"Content-Length: "
        self._url, self._how, self.most = url, how, how.most
        self._pool: Pool | None = None

    def post(self, body: bytes) -> Awaitable[Arriving]:
        """The answer to a body. Whoever gets it closes it."""
        pool = self._pool or self._open()
        return pool.send(self._head + b"%d\r\n\r\n" % len(body), body)

    async def aclose(self) -> None:
        """Close the connections. Safe to call twice."""
        if self._pool is not None:
            await self._pool.aclose()

    def _open(self) -> Pool:
        """The connections, which are made within the event loop that they are used in."""
        self._pool = _pool(self._url, self._how)
        return self._pool


class _Response:
    """An answer of httpx."""

    __slots__ = ("_response", "encoding", "headers", "parts", "status", "whole")

    def __init__(self, response: httpx.Response) -> None:
        self._response = response
        self.status = response.status_code
        # What hooks have read or put there counts, and not what came.
        self.whole: bytes | None = None if response.is_stream_consumed else response.extensions.get(WHOLE)
        # Mappings of httpx look at all headers for each that is asked for.
        self.headers = {
            name.lower().decode("latin-1"): v.decode("latin-1") for name, v in response.headers.raw
        }
        if response.is_stream_consumed:  # by a transport that made it whole, and unpacked it
            self.encoding, self.parts = "", response.aiter_bytes()
        else:
            self.encoding = self.headers.get("content-encoding", "")
            assert isinstance(response.stream, httpx.AsyncByteStream)  # as AsyncClient sees to
            self.parts = aiter(response.stream)

    async def aclose(self) -> None:
        """Let go of the connection."""
        await self._response.aclose()


def _pool(url: str, how: Connections) -> Pool:
    """Connections to the host of an address."""
    return Pool(url, how.connect, _context(url))


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
        refused = getattr(cause, "certificate_error", None) or getattr(cause, "os_error", None) or cause
        if isinstance(refused, ssl.SSLCertVerificationError):
            return f"its certificate is not trusted ({refused.verify_message})"
        if isinstance(refused, ssl.SSLError):  # its numbers are not the system's
            return f"no TLS there ({refused.reason})"
        if isinstance(refused, OSError) and refused.errno:
            # Addresses that cannot be looked up have numbers of their own, below 0.
            return (os.strerror(refused.errno) if refused.errno > 0 else str(refused.strerror)).lower()
        cause = cause.__cause__ or cause.__context__
    return str(error) or type(error).__name__
