"""The real carrier against a server on this machine that misbehaves on the wire."""

import asyncio
import json
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager

from endpoint_double import ask, reply

from agentdebate.models.dialects.chat_completions import open_openai

Serve = Callable[[asyncio.StreamReader, asyncio.StreamWriter], Awaitable[None]]
HEAD = b"HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: %d\r\n\r\n"


@asynccontextmanager
async def serving(serve: Serve) -> AsyncIterator[str]:
    """A server for as long as the block runs; gives its address."""

    async def handle(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            await serve(reader, writer)
        except (asyncio.IncompleteReadError, ConnectionError):
            pass
        finally:
            writer.close()

    server = await asyncio.start_server(handle, "127.0.0.1", 0, backlog=512)
    try:
        yield f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}/v1"
    finally:
        server.close()


async def read_request(reader: asyncio.StreamReader) -> None:
    head = (await reader.readuntil(b"\r\n\r\n")).lower()
    length = next(line for line in head.split(b"\r\n") if line.startswith(b"content-length:"))
    await reader.readexactly(int(length.partition(b":")[2]))


async def test_many_calls_share_a_few_connections() -> None:
    """Calls beyond the limit wait for a connection, however long, and that wait is no timeout."""
    opened = 0

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        nonlocal opened
        opened += 1
        body = reply_bytes()
        while True:
            await read_request(reader)
            await asyncio.sleep(0.06)
            writer.write(HEAD % len(body) + body)
            await writer.drain()

    async with serving(serve) as address:
        model = open_openai("tiny", base_url=address, connections=8, timeout=1.8)
        completions = await asyncio.gather(*(model.complete(ask(str(i))) for i in range(256)))
        await model.aclose()
    assert {completion.text for completion in completions} == {"fine"}
    assert opened <= 8


def reply_bytes() -> bytes:
    return json.dumps(reply()).encode()
