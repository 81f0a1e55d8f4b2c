"""What carries requests: httpx over aiohttp's connections, those connections alone, or httpx over a transport that was given.

httpx's own connection pool walks all its connections at every request and release, and with some hundred calls in flight
takes a hundred times as long as aiohttp's. aiohttp alone takes less than half of what httpx in front of it takes.
"""

import os
import ssl
from collections.abc import Awaitable, Mapping
from functools import cache
from typing import TYPE_CHECKING, ClassVar

import certifi

from agentdebate.models.address import Address
from agentdebate.models.carrier import Arriving, Carrier, Client, Connections
from agentdebate.models.pool import BROKEN, Pool, request_head

if TYPE_CHECKING:
    from httpx import AsyncBaseTransport

POOLED = 32
"""The most calls at once that httpx's own connection pool is given."""
_ENCODINGS = {"Accept-Encoding": "gzip, deflate"}


def carrier(
    address: Address,
    headers: Mapping[str, str],
    how: Connections,
    *,
    client: Client,
    transport: "AsyncBaseTransport | None",
) -> Carrier:
    """What carries requests to an address: the client that was chosen, or httpx over the transport that was given."""
    sent = {**_ENCODINGS, **headers}
    if client == "aiohttp" and transport is None:
        return AiohttpCarrier(address, sent, how)
    return _by_httpx(address, sent, how, transport)


def _by_httpx(
    address: Address, headers: Mapping[str, str], how: Connections, transport: "AsyncBaseTransport | None"
) -> Carrier:
    from agentdebate.models.aiohttp_transport import AiohttpTransport  # bring httpx along
    from agentdebate.models.httpx_carrier import HttpxCarrier

    over = transport or AiohttpTransport(lambda url: _pool(url, how))
    return HttpxCarrier(address.text, headers, how, over, pooled=POOLED)


class AiohttpCarrier:
    """Carries requests by aiohttp's connections alone."""

    failures: ClassVar[tuple[type[Exception], ...]] = BROKEN

    def __init__(self, address: Address, headers: Mapping[str, str], how: Connections) -> None:
        sent = {"Host": address.netloc, **headers}
        named = [(name.encode("ascii"), value.encode("ascii")) for name, value in sent.items()]
        # All but the body's length is the same in every request.
        self._head = request_head(address.target, named)[:-2] + b"Content-Length: "
        self._url, self._how, self.most = address.text, how, how.most
        self._pool: Pool | None = None

    def post(self, body: bytes) -> Awaitable[Arriving]:
        """The answer to a body. The caller closes it."""
        pool = self._pool or self._open()
        return pool.send(self._head + b"%d\r\n\r\n" % len(body), body)

    def is_timeout(self, error: Exception) -> bool:
        """Whether a failure is one of time."""
        return isinstance(error, TimeoutError)

    async def aclose(self) -> None:
        """Close the connections. Safe to call twice."""
        if self._pool is not None:
            await self._pool.aclose()

    def _open(self) -> Pool:
        """The connections, which are made within the event loop that they are used in."""
        self._pool = _pool(self._url, self._how)
        return self._pool


def _pool(url: str, how: Connections) -> Pool:
    """Connections to the host of an address."""
    return Pool(url, how.connect, _context(url))


def _context(url: str) -> ssl.SSLContext:
    # A context without certificates refuses every server, and costs nothing where there is no TLS.
    return _tls() if url.startswith("https:") else ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)


@cache
def _tls() -> ssl.SSLContext:
    """One for the whole process: reading the certificates takes 20 ms. They are those that httpx would take."""
    file, folder = os.environ.get("SSL_CERT_FILE"), os.environ.get("SSL_CERT_DIR")
    if folder and not file:
        return ssl.create_default_context(capath=folder)
    return ssl.create_default_context(cafile=file or certifi.where())
