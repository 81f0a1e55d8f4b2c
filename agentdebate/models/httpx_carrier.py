"""Requests that are carried by httpx, over a transport. Where aiohttp carries them alone, httpx is not loaded: it takes 7 MB."""

from collections.abc import Mapping
from typing import ClassVar

import aiohttp
import httpx

from agentdebate.log import get_log
from agentdebate.models.aiohttp_transport import AnswerStream
from agentdebate.models.carrier import Arriving, Connections
from agentdebate.models.pool import BROKEN

_log = get_log(__name__)


class HttpxCarrier:
    """Carries requests by httpx, over a transport.

    A transport with httpx's own connection pool gets at most `pooled` requests at once, and the log says so where more
    connections are wanted.
    """

    failures: ClassVar[tuple[type[Exception], ...]] = (httpx.HTTPError, *BROKEN)

    def __init__(
        self,
        url: str,
        headers: Mapping[str, str],
        how: Connections,
        transport: httpx.AsyncBaseTransport,
        *,
        pooled: int,
    ) -> None:
        self._client = _Client(transport)
        self._url = httpx.URL(url)
        # Made once: to merge headers and timeouts anew costs more than all else we do around a call.
        first = httpx.Request("POST", self._url, headers=headers).headers
        self._headers = [(name, value) for name, value in first.raw if name.lower() != b"content-length"]
        self._extensions = {"timeout": httpx.Timeout(how.timeout, connect=how.connect, pool=None).as_dict()}
        self.most = how.most
        if isinstance(transport, httpx.AsyncHTTPTransport) and how.most > pooled:
            self.most = pooled
            _log.warning(_SLOW, pooled, how.most)

    async def post(self, body: bytes) -> Arriving:
        """The answer to a body. The caller closes it."""
        headers = [*self._headers, (b"Content-Length", b"%d" % len(body))]
        stream = httpx.ByteStream(body)
        request = httpx.Request(
            "POST", self._url, headers=headers, stream=stream, extensions=self._extensions
        )
        request.read()  # so that hooks of httpx can look at `request.content`
        answer = _Response(await self._client.send(request, stream=True))
        if answer.whole is not None:  # which its caller need not close
            await answer.aclose()
        return answer

    def is_timeout(self, error: Exception) -> bool:
        """Whether a failure is one of time."""
        # The aiohttp transport for httpx calls every broken connection a connect timeout; its cause tells them apart.
        if isinstance(error, httpx.TimeoutException):
            cause = error.__cause__
            return not isinstance(cause, aiohttp.ClientConnectionError) or isinstance(cause, TimeoutError)
        return isinstance(error, TimeoutError)

    async def aclose(self) -> None:
        """Close the connections. Safe to call twice."""
        await self._client.aclose()


class _Client(httpx.AsyncClient):
    """A client without cookies: to look for some in every answer takes a third of its time."""

    def __init__(self, transport: httpx.AsyncBaseTransport) -> None:
        self._none = _NoCookies()
        super().__init__(transport=transport, trust_env=False)

    @property
    def cookies(self) -> httpx.Cookies:
        """There are none: they are neither kept nor sent."""
        return self._none

    @cookies.setter
    def cookies(self, _: object) -> None:
        raise TypeError("there are no cookies here")


class _NoCookies(httpx.Cookies):
    def extract_cookies(self, response: httpx.Response) -> None:
        """Leave them where they are."""


class _Response:
    """An answer of httpx."""

    __slots__ = ("_response", "encoding", "headers", "parts", "status", "whole")

    def __init__(self, response: httpx.Response) -> None:
        self._response = response
        self.status = response.status_code
        self.whole = None if response.is_stream_consumed else _whole(response.stream)
        # Mappings of httpx look at all headers for each that is asked for.
        self.headers = {
            name.lower().decode("latin-1"): v.decode("latin-1") for name, v in response.headers.raw
        }
        if response.is_stream_consumed:  # by a transport that made it whole, and unpacked it
            self.encoding, self.parts = "", response.aiter_bytes()
        else:
            self.encoding = self.headers.get("content-encoding", "")
            assert isinstance(response.stream, httpx.AsyncByteStream)  # as AsyncClient sees to
            self.parts = aiter(response.stream)

    async def aclose(self) -> None:
        """Let go of the connection."""
        await self._response.aclose()


def _whole(stream: object) -> bytes | None:
    """The body of an answer that came whole, where no hook has put a stream of its own around it."""
    # httpx's own stream has it in `_stream`; were it elsewhere, the body would be read.
    inner = getattr(stream, "_stream", None)
    return inner.whole if isinstance(inner, AnswerStream) else None


_SLOW = (
    "httpx's own connection pool is slow with many calls at once: the transport that was given gets at most %d at a "
    "time, not %d; leave `transport` out for more"
)
