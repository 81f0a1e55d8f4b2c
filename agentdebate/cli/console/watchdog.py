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
from collections.abc import Set as AbstractSet
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from dataclasses import dataclass
from time import monotonic

GRACE = 1.0
"""Seconds that a command has for its own end after the first signal. The second signal ends it at once."""

STOPPED, TERMINATED = 130, 143
"""Exit codes after Ctrl-C and after SIGTERM."""

_ENDING = frozenset({int(signal.SIGINT), int(signal.SIGTERM)})
_QUESTION = b"\0"
"""Whether a signal came: the number of no signal."""
_LAST_WRITE = 0.2
"""Seconds that the last line has, where the reader of standard error does not read."""


@dataclass
class _Watched:
    """What a command has told its watchdog."""

    last_words: str = ""
    wake: Callable[[], object] | None = None


_watched: ContextVar[_Watched | None] = ContextVar("watched", default=None)


def leave_word(text: str) -> None:
    """Have this said where the command has to be ended: how to go on. Nothing where it has been said."""
    watched = _watched.get()
    if watched is not None:
        watched.last_words = text


def wake_by(wake: Callable[[], object]) -> None:
    """Have this called, in another thread, when a signal came: it makes the main thread look.

    A signal that comes at the moment at which an event loop begins to wait for events does not end its wait.
    """
    watched = _watched.get()
    if watched is not None:
        watched.wake = wake


@contextmanager
def watching() -> Iterator[None]:
    """See to it that SIGINT and SIGTERM end the process, also after the context where one came in it."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    watch = _Watch()
    watch.start()
    before = signal.set_wakeup_fd(watch.told.fileno(), warn_on_full_buffer=False)
    token = _watched.set(watch.watched)
    try:
        yield
    finally:
        _watched.reset(token)
        if not watch.heard_one():
            signal.set_wakeup_fd(before)
            watch.close()


class _Watch:
    """Waits for signals in a daemon thread. The interpreter writes the number of each to `told`."""

    def __init__(self) -> None:
        self.watched = _Watched()
        self._came: list[int] = []
        self._known = threading.Event()
        self._heard, self.told = socket.socketpair()
        self.told.setblocking(False)
        self._thread = threading.Thread(target=self._watch, name="watchdog", daemon=True)

    def start(self) -> None:
        self._thread.start()

    def heard_one(self) -> bool:
        """Whether a signal came up to now; the watch is over where none did.

        Signals stand in line before the question, so that one which the thread has not come to yet is not missed.
        """
        with suppress(BlockingIOError):  # full of signals
            self.told.send(_QUESTION)
        self._known.wait()
        return bool(self._came)

    def close(self) -> None:
        """Let go of the thread, whose watch is over."""
        self._thread.join()
        self.told.close()
        self._heard.close()

    def _watch(self) -> None:
        self._take(until=None, ends=_ENDING | {_QUESTION[0]})
        self._known.set()
        if self._came:
            self._wake()
            self._take(until=monotonic() + GRACE, ends=_ENDING)
            self._end()

    def _take(self, until: float | None, ends: AbstractSet[int]) -> None:
        """Take what comes up to the first that `ends` this, or `until` then."""
        while True:
            self._heard.settimeout(None if until is None else max(until - monotonic(), 0.001))
            try:
                heard = self._heard.recv(1)[0]
            except TimeoutError:
                return
            if heard in _ENDING:
                self._came.append(heard)
            if heard in ends:
                return

    def _wake(self) -> None:
        if self.watched.wake is not None:
            with suppress(RuntimeError):  # the event loop has ended by itself
                self.watched.wake()

    def _end(self) -> None:
        code = TERMINATED if int(signal.SIGTERM) in self._came else STOPPED
        late = threading.Timer(_LAST_WRITE, os._exit, (code,))
        late.daemon = True
        late.start()
        words = self.watched.last_words
        at_work = f" without waiting for what was still at work; {words}" if words else ""
        line = f"stopped{at_work}\n"
        with suppress(OSError):
            os.write(2, line.encode("utf-8", "replace"))
        os._exit(code)
