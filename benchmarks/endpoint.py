"""A chat-completions endpoint that does next to nothing, so that what is measured is the client.

`python -m benchmarks.endpoint LATENCY CORE` serves replies after that many seconds, from that core, and prints its port. The
test server of the package answers about 2,000 calls a second on one core; this one about 30,000. GET /v1/received says how many
calls it has had, and how many bytes their bodies had.
"""

import asyncio
import gc
import json
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from benchmarks.cores import pin
from benchmarks.sockets import allow_many

OBJECTION = (
    "The score is too high, since the summary leaves out when the vote was held and what it will cost."
)
SCORE = "The summary names the main point and is short; it leaves out the date and the cost.\n\nCoherence: 4"
_END = b"\r\n\r\n"
_LENGTH = b"content-length:"


def answer(text: str) -> bytes:
    """The HTTP answer of a judge who says this."""
    reply = {
        "id": "chatcmpl-1",
        "object": "chat.completion",
        "created": 0,
        "model": "any",
        "choices": [
            {
                "index": 0,
                "message": {"role": "assistant", "content": text, "refusal": None},
                "finish_reason": "stop",
            }
        ],
        "usage": {"prompt_tokens": 900, "completion_tokens": 24, "total_tokens": 924},
    }
    return in_http(reply)


def in_http(said: object) -> bytes:
    """An HTTP answer with this as JSON."""
    body = json.dumps(said).encode()
    head = f"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n"
    return head.encode() + body


ANSWERS = {False: answer(SCORE), True: answer(OBJECTION)}
"""What is answered, by whether the request is the critic's."""


@dataclass
class Received:
    """What has come in, over all connections."""

    calls: int = 0
    sent: int = 0
    """Bytes of bodies."""


class Connection(asyncio.Protocol):
    """One kept connection. Requests come one at a time; a critic's is known by the words that end a debate."""

    def __init__(self, latency: float, received: Received) -> None:
        self._latency, self._received, self._got = latency, received, bytearray()
        self._transport: asyncio.Transport

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Begin."""
        assert isinstance(transport, asyncio.Transport)
        self._transport = transport

    def data_received(self, data: bytes) -> None:
        """Answer when the request is whole."""
        self._got += data
        end = self._got.find(_END)
        if end < 0:
            return
        if self._got.startswith(b"GET"):
            self._got.clear()
            self._transport.write(in_http((self._received.calls, self._received.sent)))
            return
        at = self._got[:end].lower().index(_LENGTH) + len(_LENGTH)
        size = int(self._got[at:end].split(b"\r\n", 1)[0])
        if len(self._got) < end + len(_END) + size:
            return
        self._received.calls += 1
        self._received.sent += size
        reply = ANSWERS[b"NO ISSUE" in self._got]
        self._got.clear()
        if self._latency:
            asyncio.get_running_loop().call_later(self._latency, self._transport.write, reply)
        else:
            self._transport.write(reply)


async def serve(latency: float) -> None:
    """Serve until the process is ended."""
    loop, received = asyncio.get_running_loop(), Received()
    server = await loop.create_server(lambda: Connection(latency, received), "127.0.0.1", 0, backlog=4096)
    print(server.sockets[0].getsockname()[1], flush=True)
    await server.serve_forever()


@contextmanager
def serving(latency: float, *, core: int) -> Iterator[str]:
    """The base URL of an endpoint in a process of its own, for as long as the block runs."""
    command = [sys.executable, "-m", "benchmarks.endpoint", str(latency), str(core)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        try:
            yield f"http://127.0.0.1:{int(process.stdout.readline())}/v1"
        finally:
            process.terminate()


if __name__ == "__main__":
    pin(int(sys.argv[2]))
    allow_many()
    gc.disable()  # it makes next to no cycles, and a pause of the endpoint's is not the client's
    asyncio.run(serve(float(sys.argv[1])))
