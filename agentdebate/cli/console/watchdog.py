"""Ends the process soon after a signal, whatever a command is still waiting for.

A command that is called off waits for what it has begun: a commit, a computation in a thread, a strategy's own code. Most of
that takes milliseconds, and a database that does not answer takes for ever. So a thread of its own hears of every signal
from the interpreter itself, without the event loop and the main thread, and looks at the clock.
"""

import os
import signal
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from dataclasses import dataclass
from time import monotonic

GRACE = 1.0
"""Seconds that a command has for its own end after the first signal. The second signal ends it at once."""

STOPPED, TERMINATED = 130, 143
"""Exit codes after Ctrl-C and after SIGTERM."""

_CODES = {int(signal.SIGINT): STOPPED, int(signal.SIGTERM): TERMINATED}
_LAST_WRITE = 0.2
"""Seconds that the last line has, where the reader of standard error does not read."""


@dataclass
class LastWords:
    """What is said where a command is ended before it could say anything itself."""

    text: str = ""


_last_words: ContextVar[LastWords | None] = ContextVar("last_words", default=None)


def leave_word(text: str) -> None:
    """Have this said where the command has to be ended: how to go on. Nothing where it has been said."""
    words = _last_words.get()
    if words is not None:
        words.text = text


@contextmanager
def watching() -> Iterator[None]:
    """See to it that SIGINT and SIGTERM end the process, also after the context where one came in it."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    watch = _Watch()
    before = signal.set_wakeup_fd(watch.told.fileno(), warn_on_full_buffer=False)
    token = _last_words.set(watch.words)
    try:
        watch.start()
        yield
    finally:
        _last_words.reset(token)
        if not watch.came:
            signal.set_wakeup_fd(before)
            watch.leave()


class _Watch:
    """Waits for signals in a daemon thread. The interpreter writes the number of each to `told`."""

    def __init__(self) -> None:
        self.words = LastWords()
        self.came: list[int] = []
        self._heard, self.told = socket.socketpair()
        self.told.setblocking(False)
        self._thread = threading.Thread(target=self._watch, name="watchdog", daemon=True)

    def start(self) -> None:
        self._thread.start()

    def leave(self) -> None:
        """Watch no more."""
        self.told.close()
        self._thread.join()
        self._heard.close()

    def _watch(self) -> None:
        if self._next(None):
            self._next(monotonic() + GRACE)
            self._end()

    def _next(self, end: float | None) -> bool:
        """Wait for a signal that ends a command, until `end`. Whether one came."""
        while True:
            self._heard.settimeout(None if end is None else max(end - monotonic(), 0.001))
            try:
                heard = self._heard.recv(1)
            except TimeoutError:
                return False
            if not heard:
                return False
            if heard[0] in _CODES:
                self.came.append(heard[0])
                return True

    def _end(self) -> None:
        code = TERMINATED if int(signal.SIGTERM) in self.came else STOPPED
        late = threading.Timer(_LAST_WRITE, os._exit, (code,))
        late.daemon = True
        late.start()
        at_work = f" without waiting for what was still at work; {self.words.text}" if self.words.text else ""
        line = f"stopped{at_work}\n"
        with suppress(OSError):
            os.write(2, line.encode("utf-8", "replace"))
        os._exit(code)
