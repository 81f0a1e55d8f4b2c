"""The time that calls may take. All calls over one line share one timer, where a timer each costs more than all else around a call."""

import asyncio


class Timed:
    """A call that is timed, until `deadline` by the event loop's clock. `late` is whether its time has run out."""

    __slots__ = ("_cancelled", "_task", "deadline", "late")

    def __init__(self, task: "asyncio.Task[object]", deadline: float) -> None:
        self._task, self.deadline, self.late = task, deadline, False
        self._cancelled = task.cancelling()

    def __repr__(self) -> str:
        return f"<Timed {'late' if self.late else 'running'}>"

    def ring(self) -> None:
        """Its time has run out: interrupt it."""
        self.late = True
        self._task.cancel()

    def settle(self) -> bool:
        """Take the interruption back, now that it is over; whether nobody else has interrupted the task too."""
        self.late = False
        return self._task.uncancel() <= self._cancelled


class Timeouts:
    """Interrupts what takes longer than `seconds`, as asyncio.timeout does, in one event loop.

    All calls have the same time, so that the one that began first is the first that may be late.
    """

    __slots__ = ("_loop", "_running", "_seconds", "_timer")

    def __init__(self, loop: asyncio.AbstractEventLoop, seconds: float) -> None:
        self._loop, self._seconds = loop, seconds
        self._running: dict[Timed, None] = {}
        self._timer: asyncio.TimerHandle | None = None

    def __repr__(self) -> str:
        return f"<Timeouts of {self._seconds:g} s: {len(self._running)} running>"

    def begin(self) -> Timed:
        """What the running task does from now on is timed, until `end`."""
        task = asyncio.current_task()
        assert task is not None  # a coroutine of ours runs in one
        call = Timed(task, self._loop.time() + self._seconds)
        self._running[call] = None
        if self._timer is None:
            self._timer = self._loop.call_at(call.deadline, self._ring)
        return call

    def renew(self, call: Timed) -> None:
        """Give a call its whole time again."""
        if self._running.pop(call, call) is None:  # else it is late, and about to be told so
            call.deadline = self._loop.time() + self._seconds
            self._running[call] = None

    def end(self, call: Timed) -> bool:
        """The call has ended, in whatever way; whether it is its time alone that has interrupted it. Safe to call twice."""
        self._running.pop(call, None)
        return call.late and call.settle()

    def stop(self) -> None:
        """Time nothing any more."""
        if self._timer is not None:
            self._timer.cancel()
        self._timer = None
        self._running.clear()

    def _ring(self) -> None:
        """Interrupt the calls that are late, and wait for the next."""
        self._timer = None
        now = self._loop.time()
        for call in [*self._running]:
            if call.deadline > now:
                self._timer = self._loop.call_at(call.deadline, self._ring)
                return
            del self._running[call]
            call.ring()
