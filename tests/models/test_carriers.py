"""What carries requests: httpx with a connection for each call, a session of aiohttp, and a transport of httpx that is given."""

import asyncio
import json
import re
import shutil
import ssl
import subprocess
import sys
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Any

import httpx
import pytest
from aiohttp import web
from endpoint_double import ask, reply

from agentdebate.errors import MissingExtra, ModelError
from agentdebate.models import carriers
from agentdebate.models.dialects.chat_completions import open_openai

Way = Callable[[], dict[str, Any]]
"""The options of a model that is reached in this way."""

WAYS = pytest.mark.parametrize(
    "way",
    [dict, lambda: {"client": "aiohttp"}, lambda: {"transport": httpx.AsyncHTTPTransport()}],
    ids=["httpx", "aiohttp", "httpx's own pool"],
)


@asynccontextmanager
async def answering(answer: Callable[[web.BaseRequest], web.Response]) -> AsyncIterator[str]:
    """A server that answers every request so, for as long as the block runs; gives its address."""

    async def handle(request: web.BaseRequest) -> web.StreamResponse:
        await request.read()
        return answer(request)

    runner = web.ServerRunner(web.Server(handle, access_log=None))
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    try:
        yield f"http://127.0.0.1:{runner.addresses[0][1]}/v1"
    finally:
        await runner.cleanup()


async def text_of(address: str, way: Way) -> str:
    model = open_openai("tiny", base_url=address, **way())
    try:
        return (await model.complete(ask())).text
    finally:
        await model.aclose()


async def error_of(address: str, way: Way) -> ModelError:
    with pytest.raises(ModelError) as caught:
        await text_of(address, way)
    return caught.value


@WAYS
async def test_nobody_is_led_elsewhere(way: Way) -> None:
    """A redirect would take the key to another host."""
    seen: list[str] = []

    def answer(request: web.BaseRequest) -> web.Response:
        seen.append(request.path)
        return web.Response(status=307, headers={"location": "/elsewhere"})

    async with answering(answer) as address:
        assert (await error_of(address, way)).status == 307
    assert seen == ["/v1/chat/completions"]


@WAYS
async def test_a_proxy_in_the_environment_is_passed_by(way: Way, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HTTP_PROXY", "http://127.0.0.1:9")
    async with answering(lambda _: web.json_response(reply("hello"))) as address:
        assert await text_of(address, way) == "hello"


def test_without_aiohttp_the_error_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("agentdebate.extras.find_spec", lambda _: None)
    monkeypatch.delitem(sys.modules, "aiohttp")
    with pytest.raises(MissingExtra, match=r"agentdebate\[fast\]"):
        open_openai("tiny", base_url="http://x/v1", client="aiohttp")


CLIENTS = pytest.mark.parametrize("client", ["httpx", "aiohttp"])
BODY = json.dumps(reply("hello")).encode()
HEAD = b"HTTP/1.1 200 OK\r\ncontent-length: %d\r\n\r\n" % len(BODY)
Talk = Callable[[asyncio.StreamReader, asyncio.StreamWriter], Coroutine[Any, Any, None]]


@asynccontextmanager
async def talking(talk: Talk) -> AsyncIterator[tuple[str, list[int]]]:
    """A server that talks so over every connection; gives its address, and a list with an entry for each of them."""
    connections: list[int] = []
    talks: list[asyncio.Task[None]] = []

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        connections.append(len(connections))
        with suppress(asyncio.IncompleteReadError, asyncio.LimitOverrunError, ConnectionError):
            await talk(reader, writer)
        with suppress(ConnectionError):
            writer.close()
            await writer.wait_closed()

    def begin(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        talks.append(asyncio.get_running_loop().create_task(serve(reader, writer)))

    server = await asyncio.start_server(begin, "127.0.0.1", 0)
    try:
        yield f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}/v1", connections
    finally:
        server.close()
        await asyncio.gather(*talks)


async def read(reader: asyncio.StreamReader) -> bytes:
    """A request."""
    head = await reader.readuntil(b"\r\n\r\n")
    length = re.search(rb"content-length: (\d+)", head.lower())
    assert length
    return head + await reader.readexactly(int(length[1]))


def answering_each(*parts: bytes) -> Talk:
    """Answers every request with these parts, one after the other."""

    async def talk(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        while True:
            await read(reader)
            for part in parts:
                writer.write(part)
                await writer.drain()
                await asyncio.sleep(0.005)

    return talk


async def texts_of(address: str, client: str, calls: int = 3) -> list[str]:
    """The texts of some calls, one after the other."""
    model = open_openai("tiny", base_url=address, client=client)
    try:
        return [(await model.complete(ask())).text for _ in range(calls)]
    finally:
        await model.aclose()


@CLIENTS
@pytest.mark.parametrize(
    "parts",
    [
        [HEAD + BODY],
        [HEAD, BODY],
        [HEAD[:9], HEAD[9:] + BODY[:7], BODY[7:]],
        [b"HTTP/1.1 100 Continue\r\n\r\n", b"HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n" + HEAD + BODY],
        [
            b"HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n",
            b"5\r\n" + BODY[:5] + b"\r\n",
            b"%x\r\n" % (len(BODY) - 5) + BODY[5:] + b"\r\n0\r\n\r\n",
        ],
    ],
    ids=["at once", "head first", "in pieces", "after interim answers", "in chunks"],
)
async def test_however_an_answer_comes_its_connection_is_used_again(client: str, parts: list[bytes]) -> None:
    async with talking(answering_each(*parts)) as (address, connections):
        assert await texts_of(address, client) == ["hello"] * 3
        assert connections == [0]


@CLIENTS
async def test_a_call_that_was_cancelled_leaves_no_answer_to_the_next(client: str) -> None:
    seen = asyncio.Event()

    async def talk(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        said = await read(reader)
        seen.set()
        if b"slow" in said:
            await asyncio.sleep(0.02)
        text = b"slow" if b"slow" in said else b"quick"
        body = BODY.replace(b"hello", text)
        writer.write(b"HTTP/1.1 200 OK\r\ncontent-length: %d\r\n\r\n" % len(body) + body)
        await talk(reader, writer)

    async with talking(talk) as (address, _):
        model = open_openai("tiny", base_url=address, client=client, connections=1)
        call = asyncio.create_task(model.complete(ask("slow")))
        await seen.wait()
        call.cancel()
        with pytest.raises(asyncio.CancelledError):
            await call
        assert (await model.complete(ask("now"))).text == "quick"
        await model.aclose()


@pytest.fixture(scope="module")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A key and its own certificate, for localhost, in one file."""
    program = shutil.which("openssl")
    if program is None:
        pytest.skip("needs openssl, which makes a certificate")
    file = tmp_path_factory.mktemp("tls") / "localhost.pem"
    asked = "req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 -subj /CN=localhost"
    more = ["-addext", "subjectAltName=DNS:localhost", "-keyout", str(file), "-out", str(file)]
    subprocess.run([program, *asked.split(), *more], check=True, capture_output=True)
    return file


@CLIENTS
async def test_the_environment_names_the_certificates_that_are_trusted(
    client: str, certificate: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    served = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    served.load_cert_chain(certificate)
    runner = web.ServerRunner(web.Server(_hello, access_log=None))
    await runner.setup()
    await web.TCPSite(runner, "localhost", 0, ssl_context=served).start()
    monkeypatch.setenv("SSL_CERT_FILE", str(certificate))
    monkeypatch.setattr(carriers, "_tls", carriers._tls.__wrapped__)  # as in a process that has read none yet
    try:
        assert await texts_of(f"https://localhost:{runner.addresses[0][1]}/v1", client) == ["hello"] * 3
    finally:
        await runner.cleanup()


async def _hello(request: web.BaseRequest) -> web.StreamResponse:
    await request.read()
    return web.json_response(reply("hello"))
