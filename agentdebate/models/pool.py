"""Requests over connections of aiohttp, without its sessions, requests and responses: these take more than all else around a call.

aiohttp makes the connections, keeps them, encrypts them and reads what comes over them. What it does beyond that (cookies,
redirects, proxies, forms, tracing) no call to a model needs.
"""

import asyncio
import ssl
from collections import deque
from collections.abc import AsyncIterator, Callable, Iterable
from functools import cached_property, partial
from time import monotonic
from typing import TYPE_CHECKING

import aiohttp
import yarl
from aiohttp.client_proto import ResponseHandler
from aiohttp.connector import Connection
from aiohttp.http import HttpProcessingError, RawResponseMessage

if TYPE_CHECKING:
    from aiohttp.client_reqrep import ConnectionKey

BROKEN = (aiohttp.ClientError, OSError)
"""What is raised where an answer does not come, or breaks off."""
_KEEP, _KEEP_LOCAL = 30.0, 4.0
"""Seconds for which an idle connection is kept; without TLS it is cheap to make, and servers such as llama.cpp's and uvicorn, on which
vLLM stands, close one after five.
"""
_INTERIM = range(100, 200)
"""Statuses of answers before the answer."""
_SWITCHED = 101


class Received:
    """An answer whose headers have come.

    `whole` is its body, where that came along with them; then its connection is free for others already. Else `parts` gives
    it piece by piece, and `aclose` lets go of the connection, which is closed where the body was not read to its end.
    """

    __slots__ = ("_payload", "_release", "encoding", "headers", "message", "status", "whole")

    def __init__(
        self, message: RawResponseMessage, payload: aiohttp.StreamReader, release: Callable[[], None]
    ) -> None:
        self.message, self._payload = message, payload
        self._release: Callable[[], None] | None = release
        self.status, self.headers = message.code, message.headers
        self.encoding = message.headers.get("content-encoding", "")
        self.whole: bytes | None = None
        if payload.is_eof() and payload.exception() is None:
            self.whole = payload.read_nowait()
            self._release = None
            release()

    def __repr__(self) -> str:
        return f"<Received {self.status}{', whole' if self.whole is not None else ''}>"

    @property
    def parts(self) -> AsyncIterator[bytes]:
        """The pieces of its body, as they come. Raises one of BROKEN."""
        return self._payload.iter_any() if self.whole is None else _once(self.whole)

    async def aclose(self) -> None:
        """Let go of the connection. Safe to call twice."""
        release, self._release = self._release, None
        if release is not None:
            release()


class Pool:
    """Connections to the host of one address, each made within so many seconds. How many calls there are at once is the caller's.

    Those that are free wait here, the latest on top. aiohttp would enter each into its books, and strike it out again, for every
    request.
    """

    def __init__(self, url: str, connect: float, context: ssl.SSLContext) -> None:
        self._connector = aiohttp.TCPConnector(limit=0, ssl=context)
        self._keep = _KEEP if url.startswith("https:") else _KEEP_LOCAL
        self._timeout = aiohttp.ClientTimeout(total=None, connect=None, sock_connect=connect, sock_read=None)
        loop = asyncio.get_running_loop()
        self._target = _Target("POST", yarl.URL(url, encoded=True), loop=loop, ssl=context)
        self._free: deque[tuple[Connection, ResponseHandler, float]] = deque()
        self._closed = False

    async def send(self, head: bytes, body: bytes) -> Received:
        """Send a request, and wait for its answer. Raises one of BROKEN."""
        connection, protocol = self._kept() or await self._made()
        transport = protocol.transport
        if transport is None:  # it was closed as soon as it was made
            connection.close()
            raise aiohttp.ServerDisconnectedError
        try:
            protocol.set_response_params(read_until_eof=True, auto_decompress=False)
            transport.write(head + body)
            del head, body  # nothing of a request is kept while its answer is waited for
            message, payload = await protocol.read()
            while message.code in _INTERIM and message.code != _SWITCHED:
                message, payload = await protocol.read()
            return Received(message, payload, partial(self._release, connection, protocol))
        except HttpProcessingError as error:
            connection.close()
            raise aiohttp.ServerConnectionError(
                f"this is not HTTP: {' '.join(error.message.split())}"
            ) from error
        except BaseException:
            connection.close()
            raise

    async def aclose(self) -> None:
        """Close the connections. Safe to call twice."""
        self._closed = True
        while self._free:
            self._free.pop()[0].close()
        await self._connector.close()

    async def _made(self) -> tuple[Connection, ResponseHandler]:
        """A new connection."""
        connection = await self._connector.connect(self._target, [], self._timeout)
        protocol = connection.protocol
        assert protocol is not None  # nobody has released it
        return connection, protocol

    def _kept(self) -> tuple[Connection, ResponseHandler] | None:
        """A free connection that is still there."""
        while self._free:
            connection, protocol, since = self._free.pop()
            transport = protocol.transport
            if transport is not None and not transport.is_closing() and monotonic() - since <= self._keep:
                return connection, protocol
            connection.close()
        return None

    def _release(self, connection: Connection, protocol: ResponseHandler) -> None:
        """Keep a connection for others, unless something of the last answer is still to come over it."""
        transport = protocol.transport
        # What has something left to write was answered before it was heard out.
        if self._closed or transport is None or protocol.should_close or transport.get_write_buffer_size():
            connection.close()
        else:
            now = monotonic()
            self._free.append((connection, protocol, now))
            while now - self._free[0][2] > self._keep:
                self._free.popleft()[0].close()


class _Target(aiohttp.ClientRequest):
    """What aiohttp makes connections for: one for all requests."""

    @cached_property
    def connection_key(self) -> "ConnectionKey":  # a property there, which makes it anew
        return super().connection_key


async def _once(body: bytes) -> AsyncIterator[bytes]:
    yield body


def request_head(target: bytes, headers: Iterable[tuple[bytes, bytes]]) -> bytes:
    """The head of a request that posts to a target. Raises ValueError where a header would end it early."""
    lines = [b"POST " + target + b" HTTP/1.1", *[name + b": " + value for name, value in headers]]
    head = b"\r\n".join(lines)
    if head.count(b"\r") != len(lines) - 1 or head.count(b"\n") != len(lines) - 1 or b"\0" in head:
        raise ValueError("a header has characters that no HTTP header can carry")
    return head + b"\r\n\r\n"
