"""The time that a turn may take. It stands still while a call waits in line: an agent that waits is not late."""

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar


class TurnClock:
    """Counts down `seconds` from now; when they are over, it says that the turn has `ended`, unless somebody has said so before."""

    __slots__ = ("_left", "_loop", "_standing", "_timer", "ended", "trouble")

    def __init__(self, seconds: float) -> None:
        self._loop = asyncio.get_running_loop()
        self.ended: asyncio.Future[None] = self._loop.create_future()
        """Done when the turn is answered, and when its time is over."""
        self._left, self._standing = seconds, 0
        self._timer = self._loop.call_later(seconds, self.end)
        self.trouble = ""
        """Reason why the call under way is asked again, where it failed before."""

    @contextmanager
    def standing(self) -> Iterator[None]:
        """Let it stand still; where several calls of a turn wait, until none of them does."""
        if not self._standing:
            self._left = self._timer.when() - self._loop.time()
            self._timer.cancel()
        self._standing += 1
        try:
            yield
        finally:
            self._standing -= 1
            if not self._standing and not self.ended.done():
                self._timer = self._loop.call_later(self._left, self.end)

    def end(self) -> None:
        """End the turn: no one waits for its answer any more."""
        self._timer.cancel()
        if not self.ended.done():
            self.ended.set_result(None)


turn_clock: ContextVar[TurnClock | None] = ContextVar("turn_clock", default=None)
"""The clock of the turn for which something is done."""


def note_trouble(trouble: str) -> None:
    """Say why what the turn waits for is tried again; nothing where it came in the end."""
    clock = turn_clock.get()
    if clock is not None:
        clock.trouble = trouble


@contextmanager
def in_line() -> Iterator[None]:
    """While this lasts, the turn for which something is done is not running out of time."""
    clock = turn_clock.get()
    if clock is None:
        yield
        return
    with clock.standing():
        yield
