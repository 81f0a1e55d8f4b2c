"""Requests over connections of aiohttp, without its sessions, requests and responses: these take more than all else around a call.

aiohttp makes the connections, keeps them, encrypts them and reads what comes over them. What it does beyond that (cookies,
redirects, proxies, forms, tracing) no call to a model needs.
"""

import asyncio
import ssl
from collections.abc import AsyncIterator, Iterable
from functools import cached_property
from typing import TYPE_CHECKING

import aiohttp
import yarl
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

    __slots__ = ("_connection", "_payload", "encoding", "headers", "message", "status", "whole")

    def __init__(self, message: RawResponseMessage, payload: aiohttp.StreamReader, over: Connection) -> None:
        self.message, self._payload, self._connection = message, payload, over
        self.status, self.headers = message.code, message.headers
        self.encoding = message.headers.get("content-encoding", "")
        self.whole: bytes | None = None
        if payload.is_eof() and payload.exception() is None:
            self.whole = payload.read_nowait()
            self._release()

    def __repr__(self) -> str:
        return f"<Received {self.status}{', whole' if self.whole is not None else ''}>"

    @property
    def parts(self) -> AsyncIterator[bytes]:
        """The pieces of its body, as they come. Raises one of BROKEN."""
        return self._payload.iter_any() if self.whole is None else _once(self.whole)

    async def aclose(self) -> None:
        """Let go of the connection. Safe to call twice."""
        self._release()

    def _release(self) -> None:
        transport = self._connection.transport
        if (
            transport is not None and transport.get_write_buffer_size()
        ):  # it was answered before it was heard out
            self._connection.close()
        else:
            self._connection.release()


class Pool:
    """Connections to the host of one address, at most so many at once, each made within so many seconds."""

    def __init__(self, url: str, most: int, connect: float, context: ssl.SSLContext) -> None:
        keep = _KEEP if url.startswith("https:") else _KEEP_LOCAL
        self._connector = aiohttp.TCPConnector(limit=most, ssl=context, keepalive_timeout=keep)
        self._timeout = aiohttp.ClientTimeout(total=None, connect=None, sock_connect=connect, sock_read=None)
        loop = asyncio.get_running_loop()
        self._target = _Target("POST", yarl.URL(url, encoded=True), loop=loop, ssl=context)

    async def send(self, head: bytes, body: bytes) -> Received:
        """Send a request, and wait for its answer. Raises one of BROKEN."""
        connection = await self._connector.connect(self._target, [], self._timeout)
        protocol, transport = connection.protocol, connection.transport
        if protocol is None or transport is None:  # it was closed as soon as it was made
            connection.close()
            raise aiohttp.ServerDisconnectedError
        try:
            protocol.set_response_params(read_until_eof=True, auto_decompress=False)
            transport.write(head + body)
            message, payload = await protocol.read()
            while message.code in _INTERIM and message.code != _SWITCHED:
                message, payload = await protocol.read()
            return Received(message, payload, connection)
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
        await self._connector.close()


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
