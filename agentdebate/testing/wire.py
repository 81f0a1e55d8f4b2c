"""Sending answers over a connection: as it should be done, and with the faults that are in how it is done."""

import asyncio
import socket
import struct
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from agentdebate.extras import optional
from agentdebate.testing.answers import Answer

if TYPE_CHECKING:
    from aiohttp import web
else:
    web = optional("aiohttp.web", "fast")

_NO_LINGER = struct.pack("ii", 1, 0)
"""A socket with this option is reset when it is closed."""
_MOMENT = 0.01
"""Seconds that the first half of an answer has to arrive in before the connection is reset."""
_PIECE = b" " * 65_536
LONG = 5_000_000
"""Bytes of the text of a long reply."""
_LETTERS = b"word " * 10_000


Sent = Awaitable[web.StreamResponse]


@dataclass(frozen=True, slots=True)
class Wire:
    """Sends answers, with the faults that are in how an answer is sent.

    `per_token` and `drip` are seconds, before each token of a reply and before each byte of a drip; `huge` are bytes.
    `closing` is set when the server is closed.
    """

    closing: asyncio.Event
    per_token: float
    drip: float
    huge: int

    async def deliver(
        self, request: web.BaseRequest, answer: Answer, fault: str | None, text_key: str = "content"
    ) -> web.StreamResponse:
        """Send an answer, which is whole or spoiled already. Raises ConnectionError where the client leaves.

        `text_key` is the key under which the text of a reply stands.
        """
        ways: Mapping[str, Callable[[], Sent]] = {
            "reset-before": lambda: _reset(request, web.Response()),
            "reset-after": lambda: _reset_after(request, answer),
            "truncated": lambda: _truncate(request, answer),
            "hang": lambda: _hang(request, self.closing),
            "huge": lambda: _swell(request, answer, self.huge),
            "long": lambda: _ramble(request, answer, text_key),
            "drip": lambda: send(request, answer, len(answer.body), self.drip),
        }
        if fault is not None and fault in ways:
            return await ways[fault]()
        tokens = answer.usage.get("completion_tokens", 0) if self.per_token else 0
        return await send(request, answer, tokens, self.per_token)


async def send(
    request: web.BaseRequest, answer: Answer, pieces: int = 0, every: float = 0.0
) -> web.StreamResponse:
    """Send an answer at once, or in so many pieces with so many seconds before each. Raises ConnectionError."""
    if not pieces:
        response = _response(answer, answer.body)
        await response.prepare(request)
        await response.write_eof()
        return response
    response = await _begin(request, answer)
    size = -(-len(answer.body) // pieces)
    for start in range(0, len(answer.body), size):
        await asyncio.sleep(every)
        await response.write(answer.body[start : start + size])
    await response.write_eof()
    return response


async def _reset(request: web.BaseRequest, response: web.StreamResponse) -> web.StreamResponse:
    if request.transport is not None:
        found = request.transport.get_extra_info("socket")
        found.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, _NO_LINGER)
        request.transport.abort()
    return response


async def _reset_after(request: web.BaseRequest, answer: Answer) -> web.StreamResponse:
    response = await _half(request, answer)
    await asyncio.sleep(_MOMENT)
    return await _reset(request, response)


async def _truncate(request: web.BaseRequest, answer: Answer) -> web.StreamResponse:
    response = await _half(request, answer)
    if request.transport is not None:
        request.transport.close()
    return response


async def _hang(request: web.BaseRequest, closing: asyncio.Event) -> web.StreamResponse:
    await closing.wait()
    if request.transport is not None:
        request.transport.abort()
    return web.Response()


async def _swell(request: web.BaseRequest, answer: Answer, size: int) -> web.StreamResponse:
    filler = len(_PIECE) * (size // len(_PIECE))
    response = await _begin(request, answer, more=filler)
    for _ in range(0, filler, len(_PIECE)):
        await response.write(_PIECE)
    await response.write(answer.body)
    await response.write_eof()
    return response


async def _ramble(request: web.BaseRequest, answer: Answer, text_key: str) -> web.StreamResponse:
    """Put the text of the first choice behind as many letters as make LONG bytes."""
    head, mark, rest = answer.body.partition(f'"{text_key}":"'.encode())
    response = web.StreamResponse(status=answer.status, headers={"content-type": answer.content_type})
    response.enable_chunked_encoding()
    await response.prepare(request)
    await response.write(head + mark)
    for _ in range(LONG // len(_LETTERS)):
        await response.write(_LETTERS)
    await response.write(rest)
    await response.write_eof()
    return response


async def _half(request: web.BaseRequest, answer: Answer) -> web.StreamResponse:
    response = await _begin(request, answer)
    await response.write(answer.body[: len(answer.body) // 2])
    return response


async def _begin(request: web.BaseRequest, answer: Answer, more: int = 0) -> web.StreamResponse:
    """Send the headers, which promise the answer's body and so many bytes more."""
    response = _response(answer.telling({"content-length": str(len(answer.body) + more)}), None)
    await response.prepare(request)
    return response


def _response(answer: Answer, body: bytes | None) -> web.StreamResponse:
    headers = {**answer.headers, "content-type": answer.content_type}
    if body is None:
        return web.StreamResponse(status=answer.status, headers=headers)
    return web.Response(status=answer.status, headers=headers, body=body)
