"""Requests over connections of aiohttp, without its sessions, requests and responses: these take more than all else around a call.

aiohttp makes the connections, keeps them, encrypts them and reads what comes over them. What it does beyond that (cookies,
redirects, proxies, forms, tracing) no call to a model needs.
"""

import asyncio
import ssl
from collections import deque
from collections.abc import AsyncIterator, Callable, Iterable, Sequence
from functools import cached_property, partial
from time import monotonic
from typing import TYPE_CHECKING

import aiohttp
import yarl
from aiohttp.http import HttpProcessingError, RawResponseMessage

from agentdebate.models.answers import AnswerReader, WholeAnswer, once
from agentdebate.models.connection_failure import in_plain_words

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
    """An answer whose headers have come, by aiohttp's parser.

    `whole` is its body, where that came along with them; then its connection is free for others already. Else `parts` gives
    it piece by piece, and `aclose` lets go of the connection, which is closed where the body was not read to its end.
    """

    __slots__ = ("_message", "_payload", "_release", "encoding", "headers", "status", "whole")

    def __init__(
        self, message: RawResponseMessage, payload: aiohttp.StreamReader, release: Callable[[], None]
    ) -> None:
        self._message, self._payload = message, payload
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
    def reason(self) -> bytes:
        """What stands behind the status."""
        return self._message.reason.encode("ascii", "ignore")

    @property
    def raw_headers(self) -> Sequence[tuple[bytes, bytes]]:
        """The headers as they came."""
        return self._message.raw_headers

    @property
    def parts(self) -> AsyncIterator[bytes]:
        """The pieces of its body, as they come. Raises one of BROKEN."""
        return self._payload.iter_any() if self.whole is None else once(self.whole)

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
        self._free: deque[tuple[AnswerReader, float]] = deque()
        self._closed = False

    async def send(self, head: bytes, body: bytes) -> WholeAnswer | Received:
        """Send a request, and wait for its answer. Raises one of BROKEN."""
        reader = self._kept() or AnswerReader(await self._connector.connect(self._target, [], self._timeout))
        transport = reader.transport
        if transport is None:  # it was closed as soon as it was made
            reader.close()
            raise aiohttp.ServerDisconnectedError
        try:
            answer = reader.answer()
            transport.write(head + body)
            del head, body  # nothing of a request is kept while its answer is waited for
            whole = await answer
            if whole is not None:
                self._keep_for_others(reader)
                return whole
            return await self._parsed(reader)
        except HttpProcessingError as error:
            reader.close()
            reason = in_plain_words(error.message) or "it cannot be read"
            raise aiohttp.ServerConnectionError(f"this is not HTTP: {reason}") from error
        except BaseException:
            reader.close()
            raise

    async def aclose(self) -> None:
        """Close the connections. Safe to call twice."""
        self._closed = True
        while self._free:
            self._free.pop()[0].close()
        await self._connector.close()

    async def _parsed(self, reader: AnswerReader) -> Received:
        """An answer that did not come whole."""
        message, payload = await reader.message()
        while message.code in _INTERIM and message.code != _SWITCHED:
            message, payload = await reader.message()
        return Received(message, payload, partial(self._release, reader))

    def _kept(self) -> AnswerReader | None:
        """A free connection that is still there."""
        while self._free:
            reader, since = self._free.pop()
            transport = reader.transport
            if transport is not None and not transport.is_closing() and monotonic() - since <= self._keep:
                return reader
            reader.close()
        return None

    def _release(self, reader: AnswerReader) -> None:
        """Keep a connection for others, unless something of the last answer is still to come over it."""
        if reader.should_close:
            reader.close()
        else:
            reader.rest()
            self._keep_for_others(reader)

    def _keep_for_others(self, reader: AnswerReader) -> None:
        transport = reader.transport
        # What has something left to write was answered before it was heard out.
        if self._closed or transport is None or transport.get_write_buffer_size():
            reader.close()
            return
        now = monotonic()
        self._free.append((reader, now))
        while now - self._free[0][1] > self._keep:
            self._free.popleft()[0].close()


class _Target(aiohttp.ClientRequest):
    """What aiohttp makes connections for: one for all requests."""

    @cached_property
    def connection_key(self) -> "ConnectionKey":  # a property there, which makes it anew
        return super().connection_key


def request_head(target: bytes, headers: Iterable[tuple[bytes, bytes]]) -> bytes:
    """The head of a request that posts to a target. Raises ValueError where a header would end it early."""
    lines = [b"POST " + target + b" HTTP/1.1", *[name + b": " + value for name, value in headers]]
    head = b"\r\n".join(lines)
    if head.count(b"\r") != len(lines) - 1 or head.count(b"\n") != len(lines) - 1 or b"\0" in head:
        raise ValueError("a header has characters that no HTTP header can carry")
    return head + b"\r\n\r\n"
