"""Answers that come whole are read as aiohttp reads them; all others are left to aiohttp."""

import asyncio

import pytest
from aiohttp.client_proto import ResponseHandler
from hypothesis import given
from hypothesis import strategies as st

from agentdebate.models.answers import whole_answer

NAMES = st.sampled_from(
    ["Content-Type", "x-request-id", "X-RateLimit-Remaining-Requests", "date", "content-encoding"]
)
VALUES = st.text(st.characters(codec="latin-1", exclude_categories=["Cc", "Zs"]), max_size=12).map(str.strip)
BODIES = st.binary(max_size=60)


def answer(status: str, headers: dict[str, str], body: bytes) -> bytes:
    lines = [f"HTTP/1.1 {status}", *(f"{name}: {value}" for name, value in headers.items())]
    return "\r\n".join([*lines, "", ""]).encode() + body


def by_aiohttp(data: bytes) -> tuple[int, dict[str, str], list[tuple[bytes, bytes]], str, bytes]:
    """What aiohttp's own reader makes of the same bytes."""

    async def read() -> tuple[int, dict[str, str], list[tuple[bytes, bytes]], str, bytes]:
        handler = ResponseHandler(asyncio.get_running_loop())
        handler.set_response_params(read_until_eof=True, auto_decompress=False)
        handler.data_received(data)
        message, payload = await handler.read()
        assert payload.is_eof()
        named = {name.lower(): value for name, value in message.headers.items()}
        return message.code, named, list(message.raw_headers), message.reason, payload.read_nowait()

    return asyncio.run(read())


@given(
    st.sampled_from(["200 OK", "200", "404 Not Found", "429 Too Many", "503 "]),
    st.dictionaries(NAMES, VALUES),
    BODIES,
)
def test_a_whole_answer_is_the_one_that_aiohttp_reads(status: str, more: dict[str, str], body: bytes) -> None:
    data = answer(status, {"Content-Length": str(len(body)), **more}, body)
    found = whole_answer(data)
    assert found is not None
    read = (found.status, found.headers, found.raw_headers, found.reason.decode(), found.whole)
    assert read == by_aiohttp(data)
    assert found.encoding == more.get("content-encoding", "")


@given(st.integers(1, 140), st.integers(0, 9000), st.sampled_from(["x-long", "reason"]))
def test_a_long_head_is_read_whole_only_where_aiohttp_reads_it(number: int, length: int, where: str) -> None:
    long = "a" * length
    headers = {"Content-Length": "8", **{f"x-{one}": "y" for one in range(number)}}
    named = {**headers, "x-long": long} if where == "x-long" else headers
    data = answer(f"200 {long}" if where == "reason" else "200 OK", named, b'{"a": 1}')
    found = whole_answer(data)
    if found is not None:
        assert (
            found.status,
            found.headers,
            found.raw_headers,
            found.reason.decode(),
            found.whole,
        ) == by_aiohttp(data)


def test_a_hundred_headers_are_read_whole() -> None:
    most = {"Content-Length": "8", **{f"x{number}": "y" for number in range(99)}}
    assert whole_answer(answer("200 OK", most, b'{"a": 1}')) is not None
    assert whole_answer(answer("200 OK", {**most, "one-more": "y"}, b'{"a": 1}')) is None


BODY = b'{"a": 1}'
LENGTH = {"content-length": str(len(BODY))}


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"HTTP/1.1 200 OK\r\ncontent-le",
        answer("200 OK", LENGTH, BODY)[:-1],
        answer("200 OK", LENGTH, BODY) + b"H",
        answer("200 OK", LENGTH, BODY).replace(b"1.1", b"1.0"),
        answer("200 OK", LENGTH, BODY).replace(b"\r\n", b"\n"),
        answer("100 Continue", {**LENGTH, "x": "y"}, BODY),
        answer("204 No Content", {"content-length": "0"}, b""),
        answer("304 Not Modified", LENGTH, BODY),
        answer("200 OK", {"content-type": "text/plain"}, BODY),
        answer("200 OK", {**LENGTH, "Content-Length": "8"}, BODY),
        answer("200 OK", {"content-length": "+8"}, BODY),
        answer("200 OK", {"content-length": "٨"}, BODY),
        answer("200 OK", {**LENGTH, "transfer-encoding": "chunked"}, BODY),
        answer("200 OK", {**LENGTH, "connection": "close"}, BODY),
        answer("200 OK", {**LENGTH, "upgrade": "websocket"}, BODY),
        answer("200 OK", {**LENGTH, "Sec-WebSocket-Key1": "x"}, BODY),
        answer("200 OK", {**LENGTH, "x-long": "x" * 8190}, BODY),
        answer("200 " + "x" * 8190, LENGTH, BODY),
        answer("200 OK", {**LENGTH, **{f"x{number}": "y" for number in range(128)}}, BODY),
        answer("200 OK", {**LENGTH, "bad name": "x"}, BODY),
        answer("200 OK", {**LENGTH, "folded": "x\r\n y"}, BODY),
        b"SSH-2.0-OpenSSH_9.6\r\n",
    ],
)
def test_what_is_odd_about_an_answer_in_any_way_is_for_aiohttp(data: bytes) -> None:
    assert whole_answer(data) is None
