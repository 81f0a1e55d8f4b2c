"""Sending answers over a connection: as it should be done, and with the faults that are in how it is done."""

import asyncio
import socket
import struct
from typing import TYPE_CHECKING

from agentdebate.extras import optional
from agentdebate.testing.answers import Answer

if TYPE_CHECKING:
    from aiohttp import web
else:
    web = optional("aiohttp.web", "fast")

_NO_LINGER = struct.pack("ii", 1, 0)
"""A socket with this option is reset when it is closed."""


async def deliver(
    request: web.BaseRequest, answer: Answer, fault: str | None, closing: asyncio.Event
) -> web.StreamResponse:
    """Send an answer, which is whole or spoiled already. Raises ConnectionError where the client leaves.

    `closing` is set when the server is closed.
    """
    if fault == "reset-before":
        return _reset(request)
    if fault == "truncated":
        return await _truncate(request, answer)
    if fault == "hang":
        await closing.wait()
        return _reset(request)
    return await send(request, answer)


async def send(request: web.BaseRequest, answer: Answer) -> web.StreamResponse:
    """Send an answer as it is. Raises ConnectionError."""
    response = web.Response(body=answer.body, status=answer.status, headers=_headers(answer))
    await response.prepare(request)
    await response.write_eof()
    return response


def _reset(request: web.BaseRequest) -> web.StreamResponse:
    if request.transport is not None:
        found = request.transport.get_extra_info("socket")
        found.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, _NO_LINGER)
        request.transport.abort()
    return web.Response()


async def _truncate(request: web.BaseRequest, answer: Answer) -> web.StreamResponse:
    """Send the headers, which promise all of the body, and half of it."""
    headers = {**_headers(answer), "content-length": str(len(answer.body))}
    response = web.StreamResponse(status=answer.status, headers=headers)
    await response.prepare(request)
    await response.write(answer.body[: len(answer.body) // 2])
    if request.transport is not None:
        request.transport.close()
    return response


def _headers(answer: Answer) -> dict[str, str]:
    return {**answer.headers, "content-type": "application/json"}
