"""Connections by event loop: those of one cannot be used in another."""

import asyncio
from collections.abc import AsyncGenerator, Callable
from dataclasses import dataclass, field

from agentdebate.models.carriers import Carrier
from agentdebate.models.event_loop import running_loop


@dataclass(frozen=True, slots=True)
class Line:
    """What carries requests in one event loop, and room for as many of them as it can carry at once."""

    carrier: Carrier
    room: asyncio.Semaphore
    life: AsyncGenerator[None, None] = field(repr=False)
    """Closes the carrier when it is closed itself, as the event loop does at its end (`asyncio.run`)."""


class Lines:
    """One carrier for every event loop in which there are requests; `make` makes it."""

    def __init__(self, make: Callable[[], Carrier]) -> None:
        self._make = make
        self._lines: dict[asyncio.AbstractEventLoop, Line] = {}
        self.closed = False
        """Whether it was closed; then nothing is carried any more, in whatever loop."""

    async def here(self) -> Line:
        """That of the running event loop, made where there is none. Raises UsageError where the loop is not asyncio's."""
        loop = running_loop()
        return self._lines.get(loop) or await self._open(loop)

    async def aclose(self) -> None:
        """Close the running loop's connections; other loops close theirs when they end. Safe to call twice."""
        self.closed = True
        line = self._lines.get(running_loop())
        if line is not None:
            await line.life.aclose()

    async def _open(self, loop: asyncio.AbstractEventLoop) -> Line:
        for other in [one for one in self._lines if one.is_closed()]:  # by hand, without its last duties
            del self._lines[other]
        carrier = self._make()
        line = Line(carrier, asyncio.Semaphore(carrier.most), self._life(loop, carrier))
        self._lines[loop] = line
        await anext(line.life)  # from here on the loop knows of it
        return line

    async def _life(self, loop: asyncio.AbstractEventLoop, carrier: Carrier) -> AsyncGenerator[None, None]:
        try:
            yield
        finally:
            self._lines.pop(loop, None)
            await carrier.aclose()
