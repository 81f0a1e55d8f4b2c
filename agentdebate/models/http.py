"""JSON over HTTP to one address, and files from any: requests, answers read to their end, and what goes wrong as errors of ours."""

import asyncio
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from agentdebate.errors import (
    ConnectionFailed,
    MalformedReply,
    ModelError,
    ModelTimeout,
    ReplyTooLong,
    RequestRefused,
    ServerFailed,
    UsageError,
)
from agentdebate.models.address import Address, read_address
from agentdebate.models.body import Body
from agentdebate.models.carrier import Arriving, Carrier, Client, Connections
from agentdebate.models.carriers import carrier
from agentdebate.models.compression import BadCompression
from agentdebate.models.connection_failure import plainly
from agentdebate.models.credentials import Credentials
from agentdebate.models.lines import Lines
from agentdebate.models.pool import BROKEN

if TYPE_CHECKING:
    import httpx

LARGEST = 32 * 1024 * 1024
"""No answer of more bytes than this is read to its end, inflated; most requests allow for less."""
_PROBLEM = 64 * 1024
"""The bytes that are read of an answer that reports a failure: the reason stands at its beginning."""
CONNECT = 10.0
"""Seconds to wait for a connection."""


@dataclass(frozen=True, slots=True)
class Answer:
    """An HTTP answer, read to its end, with the secrets taken out of its body."""

    status: int
    headers: Mapping[str, str]
    body: bytes


class Endpoint:
    """Sends JSON to a path below an address, over connections that are kept.

    `timeout` is in seconds: so long the answer may take to begin, and so long again to arrive. A call
    that waits for one of `connections` is not timed: that wait is ours. `model` stands in front of every
    error.

    Every event loop has connections of its own, which are closed with it at the latest.
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
        client: Client = "httpx",
        transport: "httpx.AsyncBaseTransport | None" = None,
    ) -> None:
        url = self._address = _checked(address, path)
        self._credentials, self._model, self._timeout = credentials, model, timeout
        headers = {
            "User-Agent": "agentdebate",
            "Accept": "application/json",
            "Content-Type": "application/json",
            **credentials.headers(),
        }
        how = Connections(timeout=timeout, connect=min(CONNECT, timeout), most=connections)
        self._lines = Lines(lambda: carrier(url, headers, how, client=client, transport=transport), timeout)

    def __repr__(self) -> str:
        return f"<Endpoint {self.place}>"

    @property
    def place(self) -> str:
        """Host and port."""
        return self._address.place

    @property
    def host(self) -> str:
        """The host alone."""
        return self._address.host

    async def post(self, body: bytes, largest: int = LARGEST) -> Answer:
        """Send the body and read the whole answer, but for an error's, of which the beginning is enough.

        Raises ConnectionFailed, ModelTimeout, MalformedReply where the answer breaks off, and ReplyTooLong where it has
        more than `largest` bytes.
        """
        if self._lines.closed:
            raise UsageError(f"{self._model} was closed; open it again to use it")
        line = self._lines.known() or await self._lines.open()
        if not line.room.take():
            await line.room.wait()
        call = line.timeouts.begin()
        data: bytes | ReplyTooLong | None
        try:
            answer = line.carrier.post(body)
            del body  # its carrier lets go of it once it is sent
            arriving = await answer
            status, headers, data = arriving.status, arriving.headers, _at_once(arriving, largest)
            if data is None:
                line.timeouts.renew(call)
                data = await self._read(line.carrier, arriving, largest)
        except asyncio.CancelledError:
            if line.timeouts.end(call):
                raise self._late() from None
            raise
        except line.carrier.failures as error:
            raise self._unreached(line.carrier, error) from error
        finally:
            line.timeouts.end(call)
            line.room.give()
        if isinstance(data, ReplyTooLong):
            del arriving  # which an error would hold on to, with what had been read
            raise data
        return Answer(status, headers, self._credentials.clean(data))

    async def aclose(self) -> None:
        """Close the connections. Safe to call twice."""
        await self._lines.aclose()

    async def _read(self, carrier: Carrier, arriving: Arriving, largest: int) -> bytes | ReplyTooLong:
        """The body of an answer, as it comes; the answer is closed."""
        success = 200 <= arriving.status < 300  # noqa: PLR2004 - the range of success
        most = largest if success else _PROBLEM
        body = Body(arriving, most)
        try:
            if success and body.told > most:
                return self._too_long(arriving, body.told, most)
            data = await body.read()
        except BadCompression as error:
            reason = self._credentials.hide(str(error))[:200]
            raise self._malformed(arriving, f"the answer cannot be read: {reason}") from error
        except carrier.failures as error:
            raise self._broken(carrier, error, arriving, body.got) from error
        finally:
            await arriving.aclose()
        return data if body.whole or not success else self._too_long(arriving, body.got, most)

    def _unreached(self, carrier: Carrier, error: Exception) -> ModelError:
        if carrier.is_timeout(error):
            return self._late()
        reason = self._credentials.hide(plainly(error))[:200]
        return ConnectionFailed(
            f"cannot talk to {self.place}: {reason}; check that the server runs, and the address in base_url",
            model=self._model,
        )

    def _broken(self, carrier: Carrier, error: Exception, arriving: Arriving, got: int) -> ModelError:
        if carrier.is_timeout(error):
            return self._late()
        reason = self._credentials.hide(plainly(error))[:200]
        broken = self._malformed(arriving, f"the answer broke off after {got} bytes: {reason}")
        broken.whole = False
        return broken

    def _too_long(self, arriving: Arriving, size: int, most: int) -> ReplyTooLong:
        return ReplyTooLong(
            f"HTTP {arriving.status}: the answer has {size:,} bytes or more, and {most:,} are read at the most",
            size=size,
            model=self._model,
            status=arriving.status,
        )

    def _late(self) -> ModelTimeout:
        return ModelTimeout(f"{self.place} did not answer within {self._timeout:g} s", model=self._model)

    def _malformed(self, arriving: Arriving, reason: str) -> MalformedReply:
        status = arriving.status
        return MalformedReply(f"HTTP {status}: {reason}", model=self._model, status=status)


def _at_once(arriving: Arriving, largest: int) -> bytes | None:
    """The body of an answer that came whole, and is as it should be."""
    whole = arriving.whole
    plain = whole is not None and not arriving.encoding and 200 <= arriving.status < 300  # noqa: PLR2004 - the range of success
    return whole if plain and len(whole or b"") <= largest else None


def fetch(
    url: str, *, timeout: float = 30.0, transport: "httpx.BaseTransport | None" = None
) -> Iterator[bytes]:
    """The parts of a file at an address, as they come, by way of the proxy that the environment names.

    `timeout` counts seconds of silence. Raises ConnectionFailed, ModelTimeout, RequestRefused for a status of 4xx, and
    ServerFailed for one of 5xx; where the file is shorter than was said, MalformedReply.
    """
    import httpx  # takes 7 MB, which models on aiohttp do without

    place = httpx.URL(url).host
    try:
        with (
            httpx.Client(timeout=timeout, transport=transport, follow_redirects=True) as client,
            client.stream("GET", url) as response,
        ):
            if not response.is_success:
                kind = ServerFailed if response.is_server_error else RequestRefused
                raise kind(f"{place} answered HTTP {response.status_code}", status=response.status_code)
            yield from response.iter_bytes()
    except httpx.TimeoutException as error:
        raise ModelTimeout(f"{place} did not answer within {timeout:g} s") from error
    except httpx.RemoteProtocolError as error:
        raise MalformedReply(f"the answer of {place} broke off: {plainly(error)}") from error
    except (httpx.HTTPError, *BROKEN) as error:
        raise ConnectionFailed(f"cannot talk to {place}: {plainly(error)}") from error


_PORTS = 0xFFFF
"""The highest port that there is."""


def _checked(base: str, path: str) -> Address:
    """The address of a path below a base, which errors do not quote: it may hold a password."""
    try:
        url = read_address(base, path)
    except ValueError as error:
        raise UsageError("base_url is not an address; write it like http://127.0.0.1:8080/v1") from error
    if url.scheme not in {"http", "https"} or not url.host:
        raise UsageError(
            "base_url starts with http:// or https:// and names a host: http://127.0.0.1:8080/v1"
        )
    if url.port is not None and not 0 < url.port <= _PORTS:
        raise UsageError(f"base_url names port {url.port}: a port is 1 to {_PORTS}")
    if url.userinfo:
        raise UsageError(
            "base_url holds no user or password; name the key's environment variable in api_key_env"
        )
    return url
