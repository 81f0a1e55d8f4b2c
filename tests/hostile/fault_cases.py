"""Kinds of fault that an endpoint can have on the wire, each what a server does with one connection."""

import asyncio
import json
import zlib
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from functools import cache
from typing import Any

Serve = Callable[[asyncio.StreamReader, asyncio.StreamWriter], Awaitable[None]]


@asynccontextmanager
async def serving(serve: Serve) -> AsyncIterator[str]:
    """A server for as long as the block runs; gives its address. What it still does at the end is stopped."""
    under_way: set[asyncio.Task[None]] = set()

    async def handle(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        under_way.add(task)
        try:
            with suppress(asyncio.IncompleteReadError, asyncio.CancelledError, ConnectionError):
                await serve(reader, writer)
        finally:
            under_way.discard(task)
            writer.close()

    server = await asyncio.start_server(handle, "127.0.0.1", 0, limit=1 << 20)
    try:
        yield f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}/v1"
    finally:
        server.close()
        for task in [*under_way]:
            task.cancel()
        await asyncio.gather(*under_way)


async def read_request(reader: asyncio.StreamReader) -> bytes:
    """A request, headers and body."""
    head = await reader.readuntil(b"\r\n\r\n")
    length = next(line for line in head.lower().split(b"\r\n") if line.startswith(b"content-length:"))
    return head + await reader.readexactly(int(length.partition(b":")[2]))


def answering(answer: bytes) -> Serve:
    """Answer each request with these bytes, and close."""

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await read_request(reader)
        writer.write(answer)
        await writer.drain()

    return serve


def for_ever(begin: bytes, piece: bytes, every: float = 0.0) -> Serve:
    """Answer with a beginning, and then with one piece behind the other, until the client has gone."""

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await read_request(reader)
        writer.write(begin)
        while True:
            writer.write(piece)
            await writer.drain()
            await asyncio.sleep(every)

    return serve


async def silent(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    """Take everything and say nothing."""
    await reader.read()


async def slamming(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    """Close at once."""


async def hasty(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    """Answer before the request has come, and close."""
    writer.write(http(b'{"error": {"message": "too large"}}', status="413 Content Too Large"))
    await writer.drain()


def http(body: bytes, status: str = "200 OK", **headers: str) -> bytes:
    """An answer; header names have underscores for hyphens. Its length is told unless it is chunked."""
    told = {"content-type": "application/json", "content-length": str(len(body))}
    told |= {name.replace("_", "-"): value for name, value in headers.items()}
    lines = [f"HTTP/1.1 {status}", *(f"{name}: {value}" for name, value in told.items() if value)]
    return "\r\n".join(lines).encode("latin-1") + b"\r\n\r\n" + body


HEAD = http(b"", content_length="")
CHUNKED = http(b"", content_length="", transfer_encoding="chunked")


def reply(text: object = "Coherence: 4", /, **changes: object) -> dict[str, Any]:
    """A reply's JSON, with other fields; those of a choice and of its message go there."""
    message = {"role": "assistant", "content": text}
    choice: dict[str, object] = {"index": 0, "message": message, "finish_reason": "stop"}
    choice |= {
        key: changes.pop(key) for key in ("index", "message", "finish_reason", "logprobs") if key in changes
    }
    usage = {"prompt_tokens": 10, "completion_tokens": 4, "total_tokens": 14}
    return {"id": "c-1", "model": "tiny", "choices": [choice], "usage": usage, **changes}


def whole(text: object = "Coherence: 4", /, **changes: object) -> bytes:
    """The answer with such a reply."""
    return http(json.dumps(reply(text, **changes)).encode())


def within(body: bytes, **changes: object) -> bytes:
    """The answer whose text is these bytes of JSON, quotes and all."""
    return http(json.dumps(reply("@", **changes)).encode().replace(b'"@"', body))


@cache
def bomb(size: int = 1 << 26) -> bytes:
    """Gzip that inflates to so many bytes."""
    packer = zlib.compressobj(9, zlib.DEFLATED, 31)
    return b"".join(packer.compress(bytes(1 << 20)) for _ in range(size >> 20)) + packer.flush()


def with_logprobs(*tokens: object) -> bytes:
    """The answer with a reply that has these log-probabilities."""
    return whole(logprobs={"content": list(tokens)})


DEEP = b"[" * 200_000
JSON = json.dumps(reply()).encode()
