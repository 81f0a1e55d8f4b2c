"""The time that a turn may take. It stands still while a call waits in line: whoever waits is not late.

All turns of an evaluation share one timer. It is set for the turn that ends first; in a run where turns end in time it
rings about once in the time that a turn may take.
"""

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from math import inf

_HAIR = 0.001
"""Seconds to which a deadline is kept: by how much it may come early."""
_SOON = 0.005
"""Seconds between two looks at all turns, at the least."""


class TurnClock:
    """Counts down `seconds` from now. At `deadline`, by the event loop's clock, they are over.

    `deadlines` waits for the answer.
    """

    __slots__ = ("_deadlines", "_left", "_standing", "deadline", "trouble")

    def __init__(self, seconds: float, deadlines: "Deadlines | None" = None) -> None:
        self.deadline = asyncio.get_running_loop().time() + seconds
        self._left, self._standing, self._deadlines = seconds, 0, deadlines
        self.trouble = ""
        """Why the call that is under way is asked again, where it failed before."""

    def __repr__(self) -> str:
        return f"<TurnClock {'standing' if self._standing else 'running'}>"

    @contextmanager
    def standing(self) -> Iterator[None]:
        """Let it stand still; where several calls of a turn wait, until none of them does."""
        now = asyncio.get_running_loop().time
        if not self._standing:
            self._left, self.deadline = self.deadline - now(), inf
        self._standing += 1
        try:
            yield
        finally:
            self._standing -= 1
            if not self._standing:
                self.deadline = now() + self._left
                if self._deadlines is not None:
                    self._deadlines.look(self.deadline)


class Deadlines:
    """Waits for the answers of turns, each for as long as its clock runs, with one timer for all of them."""

    def __init__(self) -> None:
        self._turns: dict[asyncio.Future[None], TurnClock] = {}
        self._timer: asyncio.TimerHandle | None = None
        self._rings = inf
        self._loop: asyncio.AbstractEventLoop | None = None

    def __repr__(self) -> str:
        return f"<Deadlines of {len(self._turns)} turns>"

    def begin(self, clock: TurnClock) -> asyncio.Future[None]:
        """What is to be waited for in a turn: it is done when the turn is answered, and when its time is over.

        The caller gives it back to `end`.
        """
        loop = asyncio.get_running_loop()
        if loop is not self._loop:  # a timer of an event loop that was closed never rings
            self._loop, self._timer, self._rings = loop, None, inf
        turn: asyncio.Future[None] = asyncio.Future(loop=loop)
        self._turns[turn] = clock
        if clock.deadline < self._rings:
            self.look(clock.deadline)
        return turn

    def end(self, turn: asyncio.Future[None]) -> None:
        """Let go of a turn that is over."""
        self._turns.pop(turn)

    def look(self, deadline: float) -> None:
        """Set the timer for a deadline, where it rings later than that."""
        if deadline < self._rings:
            self.stop()
            self._rings = deadline
            self._timer = asyncio.get_running_loop().call_at(deadline, self._ring)

    def stop(self) -> None:
        """Stop the timer: no turn is late any more."""
        if self._timer is not None:
            self._timer.cancel()
        self._timer, self._rings = None, inf

    def _ring(self) -> None:
        """End the turns whose time is over, and wait for the next."""
        now = asyncio.get_running_loop().time()
        self._timer, self._rings = None, inf
        earliest = inf
        for turn, clock in self._turns.items():
            if clock.deadline > now + _HAIR:
                earliest = min(earliest, clock.deadline)
            elif not turn.done():
                turn.set_result(None)
        if earliest < inf:
            self.look(max(earliest, now + _SOON))


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
