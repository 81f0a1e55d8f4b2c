"""Ends the process soon after a signal, whatever a command is still waiting for.

A command that is called off waits for what it has begun: a commit, a computation in a thread, a strategy's own code. Most of
that takes milliseconds, and a database that does not answer takes for ever. So a thread of its own hears of every signal
from the interpreter itself, without the event loop and the main thread, and looks at the clock.
"""

import os
import signal
import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from dataclasses import dataclass, field
from functools import partial

GRACE = 1.0
"""Seconds that a command has for its own end after the first signal. The second signal ends it at once."""

STOPPED, TERMINATED = 130, 143
"""Exit codes after Ctrl-C and after SIGTERM."""

_CODES = {int(signal.SIGINT): STOPPED, int(signal.SIGTERM): TERMINATED}
_OVER = b"\0"
"""Says that the watch is over: the number of no signal."""
_LAST_WRITE = 0.2
"""Seconds that the last line has, where the reader of standard error does not read."""


@dataclass
class _Watch:
    """Waits for signals in a daemon thread. The interpreter writes the number of each into the socket."""

    signals: socket.socket
    told: socket.socket
    last_words: str = ""
    wake: Callable[[], object] | None = None
    _codes: list[int] = field(default_factory=list)

    def run(self) -> None:
        """Wait for a signal, and then for another or until the command's time is over."""
        if self._next(None) == _OVER[0]:
            self.signals.close()
            self.told.close()
            return
        if self.wake is not None:
            with suppress(RuntimeError):  # the event loop has ended by itself
                self.wake()
        with suppress(TimeoutError):
            self._next(GRACE)
        self._end()

    def _next(self, seconds: float | None) -> int:
        """Take the number of the next signal that ends us. Where one came already, nothing else is waited for."""
        self.signals.settimeout(seconds)
        while True:
            number = self.signals.recv(1)[0]
            if number in _CODES:
                self._codes.append(_CODES[number])
            if number in _CODES or (number == _OVER[0] and not self._codes):
                return number

    def _end(self) -> None:
        code = max(self._codes)
        late = threading.Timer(_LAST_WRITE, partial(os._exit, code))
        late.daemon = True
        late.start()
        at_work = f" without waiting for what was still at work; {self.last_words}" if self.last_words else ""
        with suppress(OSError):
            os.write(2, f"stopped{at_work}\n".encode("utf-8", "replace"))
        os._exit(code)


_watch: ContextVar[_Watch | None] = ContextVar("watch", default=None)


def leave_word(text: str) -> None:
    """Have this said where the command has to be ended: how to go on. Nothing where it has been said."""
    if (watch := _watch.get()) is not None:
        watch.last_words = text


def wake_by(wake: Callable[[], object]) -> None:
    """Have this called, in another thread, when a signal came: it makes the main thread look.

    A signal that comes at the moment at which an event loop begins to wait for events does not end its wait.
    """
    if (watch := _watch.get()) is not None:
        watch.wake = wake


@contextmanager
def watching() -> Iterator[None]:
    """See to it that SIGINT and SIGTERM end the process, also after the context where one came in it."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    heard, told = socket.socketpair()
    told.setblocking(False)
    watch = _Watch(heard, told)
    threading.Thread(target=watch.run, name="watchdog", daemon=True).start()
    before = signal.set_wakeup_fd(told.fileno(), warn_on_full_buffer=False)
    token = _watch.set(watch)
    try:
        yield
    finally:
        _watch.reset(token)
        signal.set_wakeup_fd(before)
        with suppress(BlockingIOError):  # full of signals, which stand in line before this
            told.send(_OVER)
