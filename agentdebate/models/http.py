"""JSON over HTTP to one address, and files from any. No other module imports httpx, so another client means changes here alone.

httpx's own connection pool walks all its connections at every request and slows down beyond some tens of
calls at once, so aiohttp carries the requests unless a transport is given.
"""

import asyncio
import os
import ssl
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache

import aiohttp
import httpx
import httpx_aiohttp

from agentdebate.errors import (
    ConnectionFailed,
    MalformedReply,
    ModelError,
    ModelTimeout,
    RequestRefused,
    ServerFailed,
    UsageError,
)
from agentdebate.models.credentials import Credentials

Transport = httpx.AsyncBaseTransport
"""What carries a request; tests give one of their own."""

LARGEST = 32 * 1024 * 1024
"""An answer of more bytes than this is not read any further."""
CONNECT = 10.0
"""Seconds to wait for a connection."""
_KEEP = 30.0
"""Seconds for which an idle connection is kept."""
_FAILURES = (httpx.HTTPError, aiohttp.ClientError, OSError)


@dataclass(frozen=True, slots=True)
class Answer:
    """An HTTP answer, read to its end, with the secrets taken out of its body."""

    status: int
    headers: Mapping[str, str]
    body: bytes


class Endpoint:
    """Sends JSON to a path below an address, over connections that are kept.

    `timeout` counts seconds of silence, and once more the seconds that the answer's body may take. A call
    that waits for one of `connections` is not timed: that wait is ours. `model` stands in front of every
    error.
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
        transport: Transport | None = None,
    ) -> None:
        base = _checked(address)
        self._url = base.copy_with(path=base.path.rstrip("/") + path)
        self._credentials, self._model, self._timeout = credentials, model, timeout
        self._client = httpx.AsyncClient(transport=transport or _carrier(base, connections), trust_env=False)
        # Made once: to merge headers and timeouts anew costs more than all else we do around a call.
        fixed = {
            "User-Agent": "agentdebate",
            "Accept": "application/json",
            "Content-Type": "application/json",
        }
        encodings = {"Accept-Encoding": self._client.headers["Accept-Encoding"]}
        self._headers = httpx.Headers({**fixed, **encodings, **credentials.headers()})
        limits = httpx.Timeout(timeout, connect=min(CONNECT, timeout), pool=None)
        self._extensions = {"timeout": limits.as_dict()}

    def __repr__(self) -> str:
        return f"<Endpoint {self.place}>"

    @property
    def place(self) -> str:
        """Host and port."""
        return f"{self._url.host}:{self._url.port or (443 if self._url.scheme == 'https' else 80)}"

    @property
    def host(self) -> str:
        """The host alone."""
        return self._url.host

    async def post(self, body: bytes) -> Answer:
        """Send the body and read the whole answer, whatever its status.

        Raises ConnectionFailed, ModelTimeout, or MalformedReply where the answer breaks off or is too large.
        """
        if self._client.is_closed:
            raise UsageError(f"{self._model} was closed; open it again to use it")
        request = httpx.Request(
            "POST", self._url, headers=self._headers, content=body, extensions=self._extensions
        )
        try:
            response = await self._client.send(request, stream=True)
        except _FAILURES as error:
            raise self._unreached(error) from error
        try:
            data = await self._read(response)
        finally:
            await response.aclose()
        return Answer(response.status_code, response.headers, self._credentials.clean(data))

    async def aclose(self) -> None:
        """Close the connections. Safe to call twice."""
        await self._client.aclose()

    async def _read(self, response: httpx.Response) -> bytes:
        data = bytearray()
        try:
            async with asyncio.timeout(self._timeout):
                async for part in response.aiter_bytes():
                    data += part
                    if len(data) > LARGEST:
                        raise self._malformed(response, f"the answer is larger than {LARGEST >> 20} MiB")
        except _FAILURES as error:
            raise self._broken(error, response, len(data)) from error
        return bytes(data)

    def _unreached(self, error: Exception) -> ModelError:
        if _is_timeout(error):
            return self._late()
        reason = self._credentials.hide(_plainly(error))[:200]
        return ConnectionFailed(
            f"cannot talk to {self.place}: {reason}; check that the server runs, and the address in base_url",
            model=self._model,
        )

    def _broken(self, error: Exception, response: httpx.Response, got: int) -> ModelError:
        if _is_timeout(error):
            return self._late()
        reason = self._credentials.hide(str(error) or type(error).__name__)[:200]
        return self._malformed(response, f"the answer broke off after {got} bytes: {reason}")

    def _late(self) -> ModelTimeout:
        return ModelTimeout(f"{self.place} did not answer within {self._timeout:g} s", model=self._model)

    def _malformed(self, response: httpx.Response, reason: str) -> MalformedReply:
        status = response.status_code
        return MalformedReply(f"HTTP {status}: {reason}", model=self._model, status=status)


def fetch(
    url: str, *, timeout: float = 30.0, transport: httpx.BaseTransport | None = None
) -> Iterator[bytes]:
    """The parts of a file at an address, as they come, by way of the proxy that the environment names.

    `timeout` counts seconds of silence. Raises ConnectionFailed, ModelTimeout, RequestRefused for a status of 4xx, and
    ServerFailed for one of 5xx; where the file is shorter than was said, MalformedReply.
    """
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
        raise MalformedReply(f"the answer of {place} broke off: {error}") from error
    except _FAILURES as error:
        raise ConnectionFailed(f"cannot talk to {place}: {_plainly(error)}") from error


def _checked(address: str) -> httpx.URL:
    """The address as a URL. It is not quoted in errors, for somebody may have put a password into it."""
    try:
        url = httpx.URL(address.strip())
    except (httpx.InvalidURL, ValueError) as error:
        raise UsageError("base_url is no address; write it like http://127.0.0.1:8080/v1") from error
    if url.scheme not in {"http", "https"} or not url.host:
        raise UsageError(
            "base_url starts with http:// or https:// and names a host: http://127.0.0.1:8080/v1"
        )
    if url.userinfo:
        raise UsageError(
            "base_url holds no user or password; name the key's environment variable in api_key_env"
        )
    return url


def _carrier(url: httpx.URL, connections: int) -> Transport:
    # A context without certificates refuses every server, and costs nothing where there is no TLS.
    context = _tls() if url.scheme == "https" else ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)

    def session() -> aiohttp.ClientSession:
        connector = aiohttp.TCPConnector(limit=connections, ssl=context, keepalive_timeout=_KEEP)
        return aiohttp.ClientSession(connector=connector, cookie_jar=aiohttp.DummyCookieJar())

    return httpx_aiohttp.AiohttpTransport(verify=context, client=session, trust_env=False)


@cache
def _tls() -> ssl.SSLContext:
    """One for the whole process: reading the certificates takes 20 ms."""
    return httpx.create_ssl_context()


def _is_timeout(error: Exception) -> bool:
    # The aiohttp transport calls every broken connection a connect timeout; its cause tells them apart.
    if isinstance(error, httpx.TimeoutException):
        cause = error.__cause__
        return not isinstance(cause, aiohttp.ClientConnectionError) or isinstance(cause, TimeoutError)
    return isinstance(error, TimeoutError)


def _plainly(error: BaseException) -> str:
    """Why there is no connection: the operating system's own words where they lie behind the client's."""
    cause: BaseException | None = error
    seen: list[BaseException] = []
    while cause is not None and cause not in seen:  # an error raised a second time can lie behind itself
        seen.append(cause)
        refused = getattr(cause, "os_error", None) or cause
        if isinstance(refused, OSError) and refused.errno:
            # Addresses that cannot be looked up have numbers of their own, below 0.
            return (os.strerror(refused.errno) if refused.errno > 0 else str(refused.strerror)).lower()
        cause = cause.__cause__ or cause.__context__
    return str(error) or type(error).__name__
