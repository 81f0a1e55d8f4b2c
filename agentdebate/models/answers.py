"""Reads the answers that come over a connection: those that are there whole at once, and by aiohttp's parser all others.

Most answers of endpoints are a few hundred bytes with their length in front, and come in one piece. aiohttp makes a parser, a stream
and a queue for each. What is odd about an answer in any way is for that parser: chunks, a body that is still to come, a
connection that is to be closed, a header that comes twice, a status without a body.
"""

import asyncio
import re
from collections.abc import AsyncIterator, Mapping

import aiohttp
from aiohttp.connector import Connection
from aiohttp.http import RawResponseMessage

_HEAD = re.compile(
    rb"HTTP/1\.1 ([2-5][0-9][0-9])(?: ([^\r\n\0]*))?((?:\r\n[!#$%&'*+.^_`|~0-9A-Za-z-]+:[^\r\n\0]*)+)\r\n\r\n"
)
"""A status line and headers of an answer that is the last one to a request."""
_WITHOUT_BODY = (204, 304)
_KEPT = "keep-alive"
_LONGEST = 9
"""Digits of a length; more are no answer of a model's."""
_LONGEST_HEAD, _MOST_HEADERS = 8190, 100
"""Bytes of a status line with its headers, and headers. aiohttp's parser refuses longer lines, and more than 126 or 128 headers, as it
is built; beyond these it decides, so that how an answer falls into packets does not.
"""


class WholeAnswer:
    """An answer that came whole. Its connection is free for others already."""

    __slots__ = ("_head", "encoding", "headers", "status", "whole")

    def __init__(self, head: re.Match[bytes], headers: Mapping[str, str], body: bytes) -> None:
        self._head, self.headers, self.whole = head, headers, body
        self.status = int(head[1])
        self.encoding = headers.get("content-encoding", "")

    def __repr__(self) -> str:
        return f"<WholeAnswer {self.status}, {len(self.whole)} bytes>"

    @property
    def reason(self) -> bytes:
        """What stands behind the status."""
        return self._head[2] or b""

    @property
    def raw_headers(self) -> list[tuple[bytes, bytes]]:
        """The headers as they came."""
        lines = [line.partition(b":") for line in self._head[3].split(b"\r\n")[1:]]
        return [(name, value.strip(b" \t")) for name, _, value in lines]

    @property
    def parts(self) -> AsyncIterator[bytes]:
        """The body in one piece."""
        return once(self.whole)

    async def aclose(self) -> None:
        """There is nothing to let go of."""


def whole_answer(data: bytes) -> WholeAnswer | None:
    """The answer that this is; None where it is not all of one, nothing else, and a plain one."""
    head = _HEAD.match(data)
    if head is None:
        return None
    end = head.end()
    lines = head[3].decode("utf-8", "surrogateescape").split("\r\n")
    headers: dict[str, str] = {}
    for line in lines[1:]:
        name, _, value = line.partition(":")
        headers[name.lower()] = value.strip(" \t")
    length = headers.get("content-length", "")
    plain = (
        len(headers) == len(lines) - 1 <= _MOST_HEADERS
        and end <= _LONGEST_HEAD
        and length.isascii()
        and length.isdecimal()
        and len(length) <= _LONGEST
        and len(data) - end == int(length)
        and "transfer-encoding" not in headers
        and "upgrade" not in headers
        and "sec-websocket-key1" not in headers
        and headers.get("connection", _KEPT).lower() == _KEPT
        and int(head[1]) not in _WITHOUT_BODY
    )
    return WholeAnswer(head, headers, data[end:]) if plain else None


class AnswerReader(asyncio.Protocol):
    """Takes over a connection of aiohttp's, and looks at what comes first after each request.

    Where that is not a whole answer, aiohttp's parser reads on, until `rest` is called.
    """

    def __init__(self, connection: Connection) -> None:
        handler = connection.protocol
        assert handler is not None  # nobody has released it
        self._connection, self._handler = connection, handler
        self._awaited: asyncio.Future[WholeAnswer | None] | None = None
        self._parses = False
        self.transport = handler.transport
        """What requests are written to; None where it is closed."""
        if self.transport is not None:
            self.transport.set_protocol(self)

    def __repr__(self) -> str:
        return f"<AnswerReader{' that waits' if self._awaited is not None else ''}>"

    @property
    def should_close(self) -> bool:
        """Whether no other request may go over it, by what aiohttp's parser has read."""
        return self._handler.should_close

    def close(self) -> None:
        """Close the connection."""
        self.transport = None
        self._connection.close()

    def answer(self) -> "asyncio.Future[WholeAnswer | None]":
        """What is to be waited for after a request: its answer, or None where aiohttp's parser reads it."""
        self._awaited = awaited = asyncio.Future[WholeAnswer | None]()
        return awaited

    async def message(self) -> tuple[RawResponseMessage, aiohttp.StreamReader]:
        """The next status and headers by aiohttp's parser, and the body behind them. Raises what aiohttp raises."""
        return await self._handler.read()

    def rest(self) -> None:
        """An answer that was parsed has been read to its end."""
        self._parses = False

    def data_received(self, data: bytes) -> None:
        """Look at what came. What nobody has asked for ends the connection: the next request would take it for its answer."""
        awaited, self._awaited = self._awaited, None
        if awaited is not None:
            found = whole_answer(data)
            if found is None:
                self._parses = True
                self._handler.set_response_params(read_until_eof=True, auto_decompress=False)
                self._handler.data_received(data)
            if not awaited.done():
                awaited.set_result(found)
        elif self._parses:
            self._handler.data_received(data)
        else:
            self.close()

    def eof_received(self) -> None:
        """Nothing more comes."""
        self._handler.eof_received()

    def connection_lost(self, exc: Exception | None) -> None:
        """The connection is gone: whoever waits is told so by aiohttp."""
        self.transport = None
        self._handler.connection_lost(exc)
        awaited, self._awaited = self._awaited, None
        if awaited is not None and not awaited.done():
            awaited.set_result(None)

    def pause_writing(self) -> None:
        """Its buffer is full."""
        self._handler.pause_writing()

    def resume_writing(self) -> None:
        """Its buffer has room again."""
        self._handler.resume_writing()


async def once(body: bytes) -> AsyncIterator[bytes]:
    """A body that came whole, as pieces."""
    yield body
