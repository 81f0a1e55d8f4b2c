"""What carries requests: httpx with a connection for each call, and a session of aiohttp."""

import asyncio
import json
import os
import shutil
import ssl
import subprocess
import sys
from pathlib import Path

import anyio
import pytest
from aiohttp import web
from endpoint_double import ask
from fault_cases import CHUNKED, Serve, http, read_request, reply, serving

from agentdebate.errors import MissingExtra
from agentdebate.models.dialects.presets import open_openai

CLIENTS = pytest.mark.parametrize("client", ["httpx", "aiohttp"])
BODY = json.dumps(reply("hello")).encode()
ANSWER = http(BODY)
HEAD = ANSWER.removesuffix(BODY)


def test_without_aiohttp_the_error_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("agentdebate.extras.find_spec", lambda _: None)
    monkeypatch.delitem(sys.modules, "aiohttp")
    with pytest.raises(MissingExtra, match=r"agentdebate\[fast\]"):
        open_openai("tiny", base_url="http://x/v1", client="aiohttp")


def answering_each(*parts: bytes, connections: list[asyncio.StreamReader]) -> Serve:
    """Answer every request of a connection with these parts, one after the other; note the connections."""

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        connections.append(reader)
        while True:
            await read_request(reader)
            for part in parts:
                writer.write(part)
                await writer.drain()
                await asyncio.sleep(0.005)

    return serve


async def texts_of(address: str, client: str) -> list[str]:
    """The texts of three calls, one after the other."""
    model = open_openai("tiny", base_url=address, client=client)
    try:
        return [(await model.complete(ask())).text for _ in range(3)]
    finally:
        await model.aclose()


@CLIENTS
@pytest.mark.parametrize(
    "parts",
    [
        [ANSWER],
        [HEAD, BODY],
        [HEAD[:9], HEAD[9:] + BODY[:7], BODY[7:]],
        [b"HTTP/1.1 100 Continue\r\n\r\n", b"HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n" + ANSWER],
        [CHUNKED, b"5\r\n" + BODY[:5] + b"\r\n", b"%x\r\n" % (len(BODY) - 5) + BODY[5:] + b"\r\n0\r\n\r\n"],
    ],
    ids=["at once", "head first", "in pieces", "after interim answers", "in chunks"],
)
async def test_however_an_answer_comes_its_connection_is_used_again_and_no_proxy_stands_between(
    client: str, parts: list[bytes], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HTTP_PROXY", "http://127.0.0.1:9")
    connections: list[asyncio.StreamReader] = []
    async with serving(answering_each(*parts, connections=connections)) as address:
        assert await texts_of(address, client) == ["hello"] * 3
    assert len(connections) == 1


@CLIENTS
async def test_a_call_that_was_cancelled_leaves_no_answer_to_the_next(client: str) -> None:
    seen = asyncio.Event()

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        while True:
            text = b"slow" if b"slow" in await read_request(reader) else b"quick"
            seen.set()
            await asyncio.sleep(0.02)
            writer.write(http(BODY.replace(b"hello", text)))

    async with serving(serve) as address:
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
    client: str, certificate: Path
) -> None:
    """They are read once a process, so it takes another."""
    served = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    served.load_cert_chain(certificate)
    runner = web.ServerRunner(web.Server(_hello, access_log=None))
    await runner.setup()
    await web.TCPSite(runner, "localhost", 0, ssl_context=served).start()
    call = f"t.texts_of('https://localhost:{runner.addresses[0][1]}/v1', {client!r})"
    code = f"import asyncio, test_carriers as t\nprint(asyncio.run({call}))"
    environment = {"SSL_CERT_FILE": str(certificate), "PYTHONPATH": os.pathsep.join(sys.path)}
    try:
        done = await anyio.run_process([sys.executable, "-c", code], env=os.environ | environment)
        assert done.stdout.decode().strip() == str(["hello"] * 3)
    finally:
        await runner.cleanup()


async def _hello(request: web.BaseRequest) -> web.StreamResponse:
    await request.read()
    return web.json_response(reply("hello"))
