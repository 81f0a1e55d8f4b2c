"""Connections by event loop: those of one cannot be used in another."""

import asyncio
from collections.abc import AsyncGenerator, Callable
from dataclasses import dataclass, field

from agentdebate.models.carrier import Carrier
from agentdebate.models.event_loop import running_loop
from agentdebate.models.room import Room
from agentdebate.models.timeouts import Timeouts


@dataclass(frozen=True, slots=True)
class Line:
    """What carries requests in one event loop, room for as many of them as it can carry at once, and what times them."""

    carrier: Carrier
    room: Room
    timeouts: Timeouts
    life: AsyncGenerator[None, None] = field(repr=False)
    """Closes the carrier when it is closed itself, as the event loop does at its end (`asyncio.run`)."""


class Lines:
    """One carrier for every event loop in which there are requests; `make` makes it. Requests may take so many seconds."""

    def __init__(self, make: Callable[[], Carrier], seconds: float) -> None:
        self._make, self._seconds = make, seconds
        self._lines: dict[asyncio.AbstractEventLoop, Line] = {}
        self.closed = False
        """Whether it was closed; then it carries no more requests, in any event loop."""

    def known(self) -> Line | None:
        """That of the running event loop, where it was made already."""
        try:
            return self._lines.get(asyncio.get_running_loop())
        except RuntimeError:  # another library's loop, as `open` says
            return None

    async def open(self) -> Line:
        """Make that of the running event loop. Raises UsageError where the loop is not asyncio's."""
        loop = running_loop()
        for other in [one for one in self._lines if one.is_closed()]:  # by hand, without its last duties
            del self._lines[other]
        carrier, timeouts = self._make(), Timeouts(loop, self._seconds)
        line = Line(carrier, Room(carrier.most), timeouts, self._life(loop, carrier, timeouts))
        self._lines[loop] = line
        await anext(line.life)  # from here on the loop knows of it
        return line

    async def aclose(self) -> None:
        """Close the running loop's connections; other loops close theirs when they end. Safe to call twice."""
        self.closed = True
        line = self._lines.get(running_loop())
        if line is not None:
            await line.life.aclose()

    async def _life(
        self, loop: asyncio.AbstractEventLoop, carrier: Carrier, timeouts: Timeouts
    ) -> AsyncGenerator[None, None]:
        try:
            yield
        finally:
            self._lines.pop(loop, None)
            timeouts.stop()
            await carrier.aclose()
