"""Carriers post requests and bring their answers: one protocol for every HTTP client."""

from collections.abc import AsyncIterator, Awaitable, Mapping
from dataclasses import dataclass
from typing import Literal, Protocol

Client = Literal["httpx", "aiohttp"]
"""Whose requests and answers are used; the connections are aiohttp's in either case."""


class Arriving(Protocol):
    """An answer whose headers have come."""

    @property
    def status(self) -> int:
        """The status of HTTP."""
        ...

    @property
    def headers(self) -> Mapping[str, str]:
        """The headers, by name in lower case."""
        ...

    @property
    def encoding(self) -> str:
        """How the body is compressed, as it comes."""
        ...

    @property
    def whole(self) -> bytes | None:
        """The body, where it came along with the headers; then the answer needs no closing."""
        ...

    @property
    def parts(self) -> AsyncIterator[bytes]:
        """The pieces of the body as they come."""
        ...

    async def aclose(self) -> None:
        """Let go of the connection."""
        ...


class Carrier(Protocol):
    """Posts bodies to one URL, and raises one of `failures` where it cannot, or where an answer breaks off."""

    @property
    def failures(self) -> tuple[type[Exception], ...]:
        """What it raises."""
        ...

    @property
    def most(self) -> int:
        """How many requests it carries at once. The caller keeps to that."""
        ...

    def post(self, body: bytes) -> Awaitable[Arriving]:
        """The answer to a body. The caller closes it."""
        ...

    def is_timeout(self, error: Exception) -> bool:
        """Whether a failure is one of time."""
        ...

    async def aclose(self) -> None:
        """Close the connections. Safe to call twice."""
        ...


@dataclass(frozen=True, slots=True)
class Connections:
    """How many connections there may be, and how long they may take.

    `timeout` counts seconds of silence, `connect` those that a connection may take to be made. A request that waits for
    one of the connections is not timed.
    """

    timeout: float
    connect: float
    most: int
