"""What is new in a store that another process writes, as server-sent events: when to draw a page again, and when no more comes."""

import time
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass
from typing import Protocol

import anyio
import anyio.to_thread

from agentdebate.errors import AgentDebateError
from agentdebate.viewer.shelf import GOES_ON, GOING_ON, Shelf

EVERY = 1.0
"""Seconds between two looks at the store."""
QUIET = 15.0
"""Seconds after which a line without meaning is sent, so that nothing between here and the browser takes the stream for dead."""
PAUSES = 9
"""The least time between two looks, in looks: on a store in which one takes long, a page is a tenth of a core and no more."""
MOST = 40
"""Streams that are open at once; each is a look at the store every second."""


@dataclass(frozen=True)
class Seen:
    """What a look at a run, or at a debate of it, has found."""

    mark: str
    """Differs from the one before where there is more to be seen."""
    over: bool
    """Whether nothing will be added, as far as is known."""


class Look(Protocol):
    """Looks at what a page shows."""

    def look(self) -> Seen:
        """What there is now. Raises UsageError where it is not there, and StoreError."""
        ...


class Watch:
    """Looks at a run, or at one debate of it."""

    def __init__(self, shelf: Shelf, run: str, debate: str | None = None) -> None:
        self._shelf, self._run, self._debate = shelf, run, debate
        self._last = -1

    def __repr__(self) -> str:
        return f"<Watch of {self._debate or self._run!r}>"

    def look(self) -> Seen:
        """What there is now. Raises UsageError where it is not there, and StoreError."""
        reader = self._shelf.reader()
        state = self._shelf.state(self._run)  # first: what was written until then is what is read now
        head = reader.run(self._run)
        if self._debate is None:
            begun = min(len(reader.going_on(head.id)), GOING_ON) if state in GOES_ON else 0
            return Seen(run_mark(state, head.ended_debates, begun), state not in GOES_ON)
        for message in reader.messages(head.id, self._debate, after=self._last):
            self._last = message.seq
        ended = reader.row(head.id, self._debate) is not None
        return Seen(debate_mark(self._last, ended=ended), ended or state not in GOES_ON)


def run_mark(state: str, ended: int, begun: int = 0) -> str:
    """The mark of a run in a state, so many debates of which have ended, and so many more are being held."""
    return f"{state}:{ended}+{begun}" if begun else f"{state}:{ended}"


def debate_mark(last: int, *, ended: bool) -> str:
    """The mark of a debate by the number of its last message."""
    return f"{'ended' if ended else 'open'}:{last}"


class Streams:
    """The streams that are open. `stopping` says whether the server is about to end, and with it every stream."""

    def __init__(self, stopping: Callable[[], bool] = lambda: False, *, every: float = EVERY) -> None:
        self._stopping, self._every = stopping, every
        self.open = 0
        """How many there are."""

    def __repr__(self) -> str:
        return f"<Streams: {self.open} open>"

    @property
    def full(self) -> bool:
        """Whether there is no room for another one."""
        return self.open >= MOST

    async def of(self, watch: Look, seen: str) -> AsyncIterator[bytes]:
        """Events from what a page has `seen` on: "news" where there is more, "over" as the last one."""
        self.open += 1
        try:
            async for event in self._events(watch, seen):
                yield event
        finally:
            self.open -= 1

    async def _events(self, watch: Look, seen: str) -> AsyncIterator[bytes]:
        yield b"retry: 3000\n\n"
        quiet = 0.0
        while not self._stopping():
            began = time.monotonic()
            try:
                found = await anyio.to_thread.run_sync(watch.look)
            except AgentDebateError:  # the page that is drawn again says what is wrong
                yield _event("over", "lost")
                return
            if found.mark != seen:
                seen, quiet = found.mark, 0.0
                yield _event("news", seen)
            if found.over:
                yield _event("over", seen)
                return
            pause = max(self._every, PAUSES * (time.monotonic() - began))
            await anyio.sleep(pause)
            quiet += pause
            if quiet >= QUIET:
                quiet = 0.0
                yield b":\n\n"


def _event(name: str, mark: str) -> bytes:
    """An event; its id comes back from a browser that lost the stream."""
    return f"event: {name}\nid: {mark}\ndata: {mark}\n\n".encode()
