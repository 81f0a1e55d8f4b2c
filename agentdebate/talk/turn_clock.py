"""The time that a turn may take. It stands still while a call waits in line: whoever waits is not late."""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from math import inf

import anyio


class TurnClock:
    """Counts down `seconds` from now; `scope` is cancelled when they are over."""

    __slots__ = ("_left", "_standing", "scope")

    def __init__(self, seconds: float) -> None:
        self.scope = anyio.CancelScope(deadline=anyio.current_time() + seconds)
        self._left, self._standing = seconds, 0

    def __repr__(self) -> str:
        return f"<TurnClock {'standing' if self._standing else 'running'}>"

    @contextmanager
    def standing(self) -> Iterator[None]:
        """Let it stand still; where several calls of a turn wait, until none of them does."""
        if not self._standing:
            self._left, self.scope.deadline = self.scope.deadline - anyio.current_time(), inf
        self._standing += 1
        try:
            yield
        finally:
            self._standing -= 1
            if not self._standing:
                self.scope.deadline = anyio.current_time() + self._left


turn_clock: ContextVar[TurnClock | None] = ContextVar("turn_clock", default=None)
"""The clock of the turn for which something is done."""


@contextmanager
def in_line() -> Iterator[None]:
    """While this lasts, the turn for which something is done is not running out of time."""
    clock = turn_clock.get()
    if clock is None:
        yield
        return
    with clock.standing():
        yield
