"""httpx over connections of aiohttp: a transport of httpx."""

from collections.abc import AsyncIterator, Callable

import aiohttp
import httpx

from agentdebate.models.answers import WholeAnswer
from agentdebate.models.connection_failure import plainly
from agentdebate.models.pool import BROKEN, Pool, Received, request_head

_HTTP = {"http_version": b"HTTP/1.1"}


class AiohttpTransport(httpx.AsyncBaseTransport):
    """Carries the requests of httpx to any host. `make` opens the connections to one, for an address there.

    How long a connection may take to be made is a matter of these; how long an answer may take is the caller's.
    """

    def __init__(self, make: Callable[[str], Pool]) -> None:
        self._make = make
        self._pools: dict[tuple[str, bytes], Pool] = {}

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        """Send a request that posts something, and wait for the headers of its answer."""
        url = request.url
        pool = self._pools.get((url.scheme, url.netloc)) or self._open(url)
        try:
            head = request_head(url.raw_path, request.headers.raw)
        except ValueError as error:
            raise httpx.LocalProtocolError(str(error), request=request) from error
        try:
            received = await pool.send(head, request.content)
        except BROKEN as error:
            raise _of_httpx(error, request) from error
        return httpx.Response(
            received.status,
            headers=received.raw_headers,
            stream=AnswerStream(received, request),
            extensions={**_HTTP, "reason_phrase": received.reason},
        )

    async def aclose(self) -> None:
        """Close all connections. Safe to call twice."""
        for pool in self._pools.values():
            await pool.aclose()

    def _open(self, url: httpx.URL) -> Pool:
        pool = self._pools[url.scheme, url.netloc] = self._make(str(url))
        return pool


class AnswerStream(httpx.AsyncByteStream):
    """The body of an answer; `whole` is all of it, where it came along with the headers."""

    def __init__(self, received: WholeAnswer | Received, request: httpx.Request) -> None:
        self._received, self._request = received, request
        self.whole = received.whole

    async def __aiter__(self) -> AsyncIterator[bytes]:
        if self.whole is not None:
            yield self.whole
            return
        try:
            async for part in self._received.parts:
                yield part
        except BROKEN as error:
            raise _of_httpx(error, self._request) from error

    async def aclose(self) -> None:
        """Let go of the connection."""
        if self.whole is None:
            await self._received.aclose()


def _of_httpx(error: Exception, request: httpx.Request) -> httpx.HTTPError:
    """What httpx calls a failure of aiohttp's."""
    if isinstance(error, aiohttp.ConnectionTimeoutError):
        kind: type[httpx.TransportError] = httpx.ConnectTimeout
    elif isinstance(error, TimeoutError):
        kind = httpx.ReadTimeout
    elif isinstance(error, aiohttp.ClientConnectorError):
        kind = httpx.ConnectError
    elif isinstance(error, aiohttp.ClientOSError | OSError):
        kind = httpx.ReadError
    else:
        kind = httpx.RemoteProtocolError
    return kind(plainly(error), request=request)
