"""What carries requests: httpx over aiohttp's connections, aiohttp alone, and a transport of httpx that is given."""

import asyncio
import gzip
import json
import logging
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any

import httpx
import pytest
from aiohttp import web
from endpoint_double import ask, reply

from agentdebate.errors import ConnectionFailed, MalformedReply, ModelError, UsageError
from agentdebate.models.carriers import POOLED
from agentdebate.models.dialects.chat_completions import open_openai
from agentdebate.testing.server import FaultServer

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
async def test_a_compressed_answer_is_read(way: Way) -> None:
    body = gzip.compress(json.dumps(reply("hello")).encode())
    async with answering(lambda _: web.Response(body=body, headers={"content-encoding": "gzip"})) as address:
        assert await text_of(address, way) == "hello"


@WAYS
async def test_what_only_says_that_it_is_compressed_is_malformed(way: Way) -> None:
    headers = {"content-encoding": "gzip"}
    async with answering(lambda _: web.Response(body=b"{}", headers=headers)) as address:
        assert type(await error_of(address, way)) is MalformedReply


@WAYS
async def test_requests_say_which_compressions_are_understood_and_who_asks(way: Way) -> None:
    seen: list[web.BaseRequest] = []

    def answer(request: web.BaseRequest) -> web.Response:
        seen.append(request)
        return web.json_response(reply())

    async with answering(answer) as address:
        await text_of(address, way)
    told = {name.lower(): value for name, value in seen[0].headers.items()}
    assert told["accept-encoding"] == "gzip, deflate"
    assert told["user-agent"] == "agentdebate"
    assert told["content-type"] == told["accept"] == "application/json"


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


@WAYS
async def test_a_refused_connection_is_a_failed_connection(way: Way) -> None:
    async with answering(lambda _: web.Response()) as address:
        pass
    error = await error_of(address, way)
    assert type(error) is ConnectionFailed
    assert "check that the server runs" in str(error)


def test_a_client_that_is_neither_is_refused() -> None:
    with pytest.raises(UsageError, match="client"):
        open_openai("tiny", base_url="http://x/v1", client="requests")


async def test_a_transport_that_is_given_is_used_whatever_the_client() -> None:
    transport = httpx.MockTransport(lambda _: httpx.Response(200, json=reply("from the transport")))
    model = open_openai("tiny", base_url="http://x/v1", client="aiohttp", transport=transport)
    assert (await model.complete(ask())).text == "from the transport"
    await model.aclose()


async def test_the_address_comes_from_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    async with answering(lambda _: web.json_response(reply("hello"))) as address:
        monkeypatch.setenv("OPENAI_BASE_URL", f"{address}/")
        model = open_openai("tiny")
        assert (await model.complete(ask())).text == "hello"
        await model.aclose()


async def test_httpxs_own_pool_never_gets_many_calls_at_once(caplog: pytest.LogCaptureFixture) -> None:
    """It walks all its connections at every request; the others wait, and the log says why."""
    caplog.set_level(logging.WARNING, logger="agentdebate")
    async with FaultServer(latency=0.01) as server:
        transport = httpx.AsyncHTTPTransport()
        model = open_openai("m", base_url=server.base_url, connections=256, transport=transport)
        await asyncio.gather(*(model.complete(ask(str(number))) for number in range(100)))
        await model.aclose()
        assert 1 < server.most_in_flight <= POOLED
    (told,) = caplog.records
    assert "at most 32 at a time, not 256" in told.getMessage()


async def test_httpxs_own_pool_is_no_matter_where_few_connections_are_wanted(
    caplog: pytest.LogCaptureFixture,
) -> None:
    model = open_openai("m", base_url="http://x/v1", connections=8, transport=httpx.AsyncHTTPTransport())
    await model.aclose()
    assert not caplog.records
