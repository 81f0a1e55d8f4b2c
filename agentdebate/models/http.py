"""JSON over HTTP to one address: requests, answers read to their end, and failures as errors of ours."""

import asyncio
import os
import ssl
from collections.abc import AsyncGenerator, Mapping
from dataclasses import dataclass, field
from http import HTTPStatus
from typing import Literal

import httpx

from agentdebate.errors import (
    ConnectionFailed,
    MalformedReply,
    ModelError,
    ModelTimeout,
    ReplyTooLong,
    UsageError,
)
from agentdebate.extras import require
from agentdebate.models.carriers import AiohttpCarrier, Arriving, Carrier, HttpxCarrier
from agentdebate.models.credentials import Credentials
from agentdebate.models.event_loop import running_loop
from agentdebate.models.provider_keys import endpoint_url, place_of

LARGEST = 32 * 1024 * 1024
"""No answer of more bytes than this is read to its end; most requests allow for less."""
_REFUSED = (HTTPStatus.UNAUTHORIZED, HTTPStatus.FORBIDDEN)
"""Statuses with which a key that has expired is refused; the latter is Bedrock's."""
_PROBLEM = 64 * 1024
"""The bytes that are read of an answer that reports a failure: the reason stands at its beginning."""
_CONNECT = 10.0
"""Seconds to wait for a connection."""
_COMPRESSIONS = ("gzip", "deflate", "br", "zstd", "compress")
_CAUSES = 9
"""Errors behind an error that are looked at."""


@dataclass(frozen=True, slots=True)
class Answer:
    """An HTTP answer, read to its end, with the secrets taken out of its body."""

    status: int
    headers: Mapping[str, str]
    body: bytes

    @property
    def ok(self) -> bool:
        """Tell whether its status is one of success."""
        return _is_success(self.status)


@dataclass(frozen=True, slots=True)
class _Line:
    """Carrier of requests in one event loop, with its bound."""

    carrier: Carrier
    room: asyncio.Semaphore
    life: AsyncGenerator[None, None] = field(repr=False)
    """Closes the carrier when it is closed itself, as the event loop does at its end (`asyncio.run`)."""


class Endpoint:
    """Sends JSON to a path below an address, over connections that are kept.

    `timeout` is in seconds: so long the answer may take to begin, and so long again to arrive. A call that waits for one of
    `connections` is not timed: that wait is ours. `model` stands in front of every error.

    Every event loop has connections of its own, which are closed with it at the latest. Raises MissingExtra for aiohttp where it is
    not installed.
    """

    def __init__(
        self,
        address: str,
        path: str,
        credentials: Credentials,
        *,
        model: str,
        timeout: float = 60.0,
        connections: int = 64,
        client: Literal["httpx", "aiohttp"] = "httpx",
        transport: httpx.AsyncBaseTransport | None = None,
    ) -> None:
        self._url = endpoint_url(address, path)
        if client == "aiohttp" and transport is None:
            require("aiohttp", "fast")
        self._credentials, self._model = credentials, model
        self._timeout, self._connections = timeout, connections
        self._client, self._transport = client, transport
        self._lines: dict[asyncio.AbstractEventLoop, _Line] = {}
        self._closed = False

    def __repr__(self) -> str:
        return f"<Endpoint {self.place}>"

    @property
    def place(self) -> str:
        """Host and port."""
        return place_of(self._url)

    async def post(self, body: bytes, largest: int = LARGEST) -> Answer:
        """Send the body and read the whole answer, but for an error's, of which the beginning is enough. A key that a command prints may have
        expired, so that a refusal of it is answered once with a new one.

        Raises ConnectionFailed, ModelTimeout, MalformedReply where the answer breaks off, ReplyTooLong where it has
        more than `largest` bytes, and AuthenticationError where the command gives no key.
        """
        key = await self._credentials.bearer()
        answer = await self._sent(body, key, largest)
        if key and answer.status in _REFUSED and (new := await self._credentials.bearer(key)) != key:
            return await self._sent(body, new, largest)
        return answer

    async def _sent(self, body: bytes, key: str, largest: int) -> Answer:
        line = await self._line()
        headers = {"Authorization": f"Bearer {key}"} if key else {}
        arriving: Arriving | None = None
        try:
            async with (
                line.room,
                asyncio.timeout(self._timeout) as limit,
                line.carrier.post(body, headers) as arriving,
            ):
                limit.reschedule(asyncio.get_running_loop().time() + self._timeout)
                data = await self._read(arriving, largest)
        except TimeoutError as error:
            raise self._late() from error
        except line.carrier.failures as error:
            raise self._failure(error, arriving) from error
        return Answer(arriving.status, arriving.headers, self._credentials.clean(data))

    async def aclose(self) -> None:
        """Close the running loop's connections; other loops close theirs when they end. Safe to call twice."""
        self._closed = True
        line = self._lines.get(running_loop())
        if line is not None:
            await line.life.aclose()

    async def _line(self) -> _Line:
        """Return the carrier of the running event loop. Raises UsageError where the loop is not asyncio's."""
        loop = running_loop()
        if self._closed:
            raise UsageError(f"{self._model} was closed; open it again to use it")
        if loop not in self._lines:
            for other in [one for one in self._lines if one.is_closed()]:  # by hand, without its last duties
                del self._lines[other]
            carrier = self._carrier()
            line = _Line(carrier, asyncio.Semaphore(self._connections), self._life(loop, carrier))
            self._lines[loop] = line
            await anext(line.life)  # from here on the loop knows of it
        return self._lines[loop]

    def _carrier(self) -> Carrier:
        headers = {
            "User-Agent": "agentdebate",
            "Accept": "application/json",
            "Accept-Encoding": "identity",  # so that no answer grows where it is unpacked
            "Content-Type": "application/json",
            **self._credentials.headers(),
        }
        connect = min(_CONNECT, self._timeout)
        if self._client == "aiohttp" and self._transport is None:
            return AiohttpCarrier(self._url, headers, connect=connect)
        return HttpxCarrier(self._url, headers, connect=connect, transport=self._transport)

    async def _life(self, loop: asyncio.AbstractEventLoop, carrier: Carrier) -> AsyncGenerator[None, None]:
        try:
            yield
        finally:
            self._lines.pop(loop, None)
            await carrier.aclose()

    async def _read(self, arriving: Arriving, largest: int) -> bytes:
        """The body of an answer."""
        encoding = arriving.headers.get("content-encoding", "").lower()
        if any(name in encoding for name in _COMPRESSIONS):
            raise self._malformed(arriving, "the answer is compressed, which was not asked for")
        success = _is_success(arriving.status)
        most = largest if success else _PROBLEM
        data = bytearray()
        try:
            async for part in arriving.parts:
                data += part
                if len(data) > most:
                    break
            if success and len(data) > most:
                raise ReplyTooLong(
                    f"HTTP {arriving.status}: the answer has more than the {most:,} bytes that are read",
                    size=len(data),
                    model=self._model,
                    status=arriving.status,
                )
            return bytes(data[:most])
        finally:
            data.clear()  # an error's traceback holds on to this frame, and errors are kept

    def _failure(self, error: Exception, arriving: Arriving | None) -> ModelError:
        if isinstance(error, httpx.TimeoutException):
            return self._late()
        reason = self._credentials.hide(plainly(error))[:200]
        if arriving is not None:
            broken = self._malformed(arriving, f"the answer broke off: {reason}")
            broken.whole = False
            return broken
        return ConnectionFailed(
            f"cannot talk to {self.place}: {reason}; check that the server runs, and the address in base_url",
            model=self._model,
        )

    def _late(self) -> ModelTimeout:
        return ModelTimeout(f"{self.place} did not answer within {self._timeout:g} s", model=self._model)

    def _malformed(self, arriving: Arriving, reason: str) -> MalformedReply:
        status = arriving.status
        return MalformedReply(f"HTTP {status}: {reason}", model=self._model, status=status)


def _is_success(status: int) -> bool:
    return 200 <= status < 300  # noqa: PLR2004 - the range of success


def plainly(error: BaseException) -> str:
    """Say why a connection or an answer failed, on one line, in the operating system's words where it was the cause."""
    cause: BaseException | None = error
    for _ in range(_CAUSES):  # an error raised a second time can lie behind itself
        if cause is None:
            break
        if reason := _of_system(cause):
            return reason
        cause = cause.__cause__ or cause.__context__
    # The message of aiohttp's has its address and status around it.
    return " ".join(str(getattr(error, "message", "") or error).split()) or type(error).__name__


def _of_system(error: BaseException) -> str:
    """Quote the operating system or TLS, where an error is theirs; else nothing."""
    cause = getattr(error, "certificate_error", None) or getattr(error, "os_error", None) or error
    if isinstance(cause, ssl.SSLCertVerificationError):
        return f"its certificate is not trusted ({cause.verify_message})"
    if isinstance(cause, ssl.SSLError):  # its numbers are not the system's
        return f"no TLS there ({cause.reason})"
    if isinstance(cause, OSError) and cause.errno:
        # Addresses that cannot be looked up have numbers of their own, below 0.
        return (os.strerror(cause.errno) if cause.errno > 0 else str(cause.strerror)).lower()
    return ""
