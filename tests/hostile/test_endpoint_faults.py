"""Whatever an endpoint answers: a typed error or a completion, in time, with nothing left open."""

import asyncio
import gzip
from dataclasses import dataclass
from typing import Any

import pytest
from fault_cases import (
    CHUNKED,
    DEEP,
    HEAD,
    JSON,
    Serve,
    answering,
    bomb,
    for_ever,
    hasty,
    http,
    read_request,
    serving,
    silent,
    slamming,
    whole,
    with_logprobs,
    within,
)

from agentdebate.errors import (
    ConnectionFailed,
    MalformedReply,
    ModelError,
    ModelTimeout,
    RateLimited,
    ReplyTooLong,
    RequestRefused,
    ServerFailed,
)
from agentdebate.models.base import ChatMessage, Completion, ModelRequest, Sampling
from agentdebate.models.completion_check import MOST
from agentdebate.models.dialects.presets import open_openai
from agentdebate.store.documents import completion_json

CLIENTS = pytest.mark.parametrize("client", ["httpx", "aiohttp"])
TIMEOUT = 0.4
PATIENCE = 60.0
"""Seconds that a call may take on a machine with too much to do."""


@dataclass(frozen=True)
class Case:
    """What a server does, and what comes of it: one of these errors, or a completion with this text."""

    serve: Serve
    ends: tuple[type[ModelError], ...] = ()
    text: str = "Coherence: 4"
    logprobs: int | None = None

    @property
    def timeout(self) -> float:
        """Short where it has to pass; elsewhere so long that it does not pass on a busy machine."""
        return TIMEOUT if ModelTimeout in self.ends or ModelError in self.ends else PATIENCE


def fails(serve: Serve | bytes, *ends: type[ModelError], **more: Any) -> Case:
    return Case(answering(serve) if isinstance(serve, bytes) else serve, ends, **more)


def reads(answer: bytes | Serve, text: str = "Coherence: 4", **more: Any) -> Case:
    return Case(answering(answer) if isinstance(answer, bytes) else answer, text=text, **more)


def limited(wait: str) -> Case:
    return fails(http(b"{}", "429 Too Many Requests", retry_after=wait), RateLimited)


CASES: dict[str, Case] = {
    # Size.
    "a reply of 5 MB": fails(whole("word " * 1_000_000), ReplyTooLong),
    "a reply just too long": fails(whole("w" * (MOST + 1)), ReplyTooLong),
    "a reply as long as may be": reads(whole("w" * MOST), "w" * MOST),
    "a body without end": fails(for_ever(HEAD, b" " * 65536), ReplyTooLong),
    "chunks without end": fails(for_ever(CHUNKED, b"10000\r\n" + b" " * 65536 + b"\r\n"), ReplyTooLong),
    "an error page without end": fails(
        for_ever(http(b"", "500 Oh", content_length=""), b"<p>" * 9999), ServerFailed
    ),
    "a length of petabytes": fails(http(b"{}", content_length="9" * 16), MalformedReply),
    "a million choices": fails(http(b'{"choices":[' + b"{}," * 100_000 + b"{}]}"), MalformedReply),
    # Compression, which is not asked for.
    "a gzip bomb": fails(http(bomb(), content_encoding="gzip"), MalformedReply),
    "a bomb in a bomb": fails(http(gzip.compress(bomb()), content_encoding="gzip, gzip"), MalformedReply),
    "brotli": fails(http(b"\x0b\x02\x80", content_encoding="br"), MalformedReply),
    "an encoding that is none": reads(http(JSON, content_encoding="utf-8")),
    # JSON.
    "deep JSON": fails(http(DEEP), MalformedReply),
    "deep JSON beside the choices": fails(
        http(JSON[:-1] + b',"x":' + DEEP + b"]" * len(DEEP) + b"}"), MalformedReply
    ),
    "a number of 100,000 digits": fails(
        http(JSON.replace(b'"prompt_tokens": 10', b'"prompt_tokens": ' + b"9" * 100_000)), MalformedReply
    ),
    "a number of 400 digits": reads(
        http(JSON.replace(b'"prompt_tokens": 10', b'"prompt_tokens": ' + b"9" * 400))
    ),
    "NaN for usage": reads(http(JSON.replace(b": 10", b": NaN"))),
    "lone surrogates": reads(within(b'"\\ud83d"'), "\ud83d"),
    "invalid UTF-8": fails(within(b'"\xff\xc3("'), MalformedReply),
    "a byte-order mark before the body": reads(http(b"\xef\xbb\xbf" + JSON)),
    "JSON that calls itself an image": reads(http(JSON, content_type="image/png; charset=ebcdic")),
    "server-sent events": fails(http(b"data: " + JSON + b"\n\ndata: [DONE]\n\n"), MalformedReply),
    # The shape of a reply.
    "an error that is a number": fails(http(b'{"error": 7, "detail": [[[]]], "code": {}}'), MalformedReply),
    "negative usage": reads(whole(usage={"prompt_tokens": -5, "completion_tokens": -(10**400)})),
    "another model": reads(whole(model="\x1b[2Jother\n" * 1000)),
    "control characters in the id": reads(whole(id="\x1b]0;x\x07\n\u202e" * 1000)),
    "logprobs above 0": fails(with_logprobs({"token": "4", "logprob": 5.0}), MalformedReply, logprobs=2),
    "logprobs a hair above 0": reads(with_logprobs({"token": "4", "logprob": 1e-7}), logprobs=2),
    "wrong logprobs that were not asked for": reads(with_logprobs("a", 7)),
    # Statuses.
    "999": fails(http(b"{}", "999 Beyond"), ServerFailed),
    "429 with a wait of 1e308": limited("1e308"),
    "429 until the far future": limited("Fri, 31 Dec 9999 23:59:59 GMT"),
    "429 until no day at all": limited("Fri, 31 Feb 99999 23:59:59 +9999"),
    # Connections, headers and time.
    "silence": fails(silent, ModelTimeout),
    "closed at once": fails(slamming, ConnectionFailed),
    "answered before the request ended": fails(hasty, RequestRefused, ConnectionFailed, MalformedReply),
    "no HTTP": fails(b"SSH-2.0-OpenSSH_9\r\n\r\n", ConnectionFailed),
    "half a body": fails(http(JSON, content_length=str(2 * len(JSON))), MalformedReply),
    "chunks of a wrong size": fails(CHUNKED + b"zz\r\n{}\r\n0\r\n\r\n", MalformedReply, ConnectionFailed),
    "a length that is none": fails(http(b"{}", content_length="-5"), ConnectionFailed),
    "a header of a megabyte": fails(http(b"{}", x_large="x" * (1 << 20)), ConnectionFailed),
    "headers without end": fails(
        for_ever(b"HTTP/1.1 200 OK\r\n", b"x-more: and more\r\n" * 1000), ConnectionFailed, ModelTimeout
    ),
    "a header line without end": fails(
        for_ever(b"HTTP/1.1 200 OK\r\nx-more: ", b"x" * 65536), ConnectionFailed
    ),
    "headers one byte at a time": fails(for_ever(b"HTTP/1.1 200 OK\r\nx: ", b"x", 0.02), ModelTimeout),
    "a body one byte at a time": fails(for_ever(HEAD, b" ", 0.02), ModelTimeout),
    "100 without end": fails(for_ever(b"", b"HTTP/1.1 100 Continue\r\n\r\n", 0.001), ModelTimeout),
    "101": fails(b"HTTP/1.1 101 Switching\r\nupgrade: x\r\n\r\n", ModelError),
}


async def ended(case: Case, client: str) -> Completion | ModelError:
    """Return what a call to such a server comes to."""
    request = ModelRequest((ChatMessage("user", "Hi"),), Sampling(logprobs=case.logprobs))
    async with serving(case.serve) as address:
        model = open_openai("tiny", base_url=address, timeout=case.timeout, client=client)
        try:
            return await model.complete(request)
        except ModelError as error:
            return error
        finally:
            await model.aclose()


@CLIENTS
@pytest.mark.parametrize("name", CASES)
async def test_every_answer_is_a_typed_error_or_a_completion_in_time_and_leaves_nothing_open(
    name: str, client: str
) -> None:
    case = CASES[name]
    came = await ended(case, client)
    assert asyncio.all_tasks() == {asyncio.current_task()}
    if isinstance(came, ModelError):
        assert isinstance(came, case.ends), repr(came)
        assert str(came).isprintable()
        assert len(str(came)) < 800
        assert came.retry_after is None or 0 <= came.retry_after <= 86_400
    else:
        assert case.ends == ()
        assert came.text == case.text
        assert 0 <= came.usage.tokens < 10**9
        assert came.model.isprintable()
        assert (came.request_id or "").isprintable()
        assert len(completion_json(came).encode()) < 2 * MOST


@CLIENTS
@pytest.mark.parametrize(
    "to", ["http://elsewhere.test/v1", "file:///etc/passwd", "/v1/chat/completions", "http://[::1"]
)
@pytest.mark.parametrize("status", ["301 Moved", "307 Temporary"])
async def test_a_redirect_is_not_followed(to: str, status: str, client: str) -> None:
    asked: list[bytes] = []

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        asked.append(await read_request(reader))
        writer.write(http(b"", status, location=to))

    came = await ended(Case(serve), client)
    assert isinstance(came, MalformedReply | ConnectionFailed)
    assert "check" in str(came)
    assert str(came).isprintable()
    assert len(asked) == 1
