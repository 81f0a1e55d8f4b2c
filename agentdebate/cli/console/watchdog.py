"""Ctrl-C and SIGTERM: the first calls a command off, and the process ends soon after, whatever the command is still waiting for.

A command that is called off waits for what it has begun: a commit, a computation in a thread, a strategy's own code. Most of
that takes milliseconds, and a database that does not answer takes for ever. So a thread of its own hears of every signal
from the interpreter itself, without the event loop and the main thread, and looks at the clock.
"""

import asyncio
import os
import select
import signal
import socket
import threading
import time
from collections.abc import Callable, Coroutine, Iterator
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from dataclasses import dataclass, field
from functools import partial
from inspect import iscoroutine
from typing import Any

GRACE = 1.0
"""Seconds that a command has for its own end after the first signal. The second signal ends it at once."""

STOPPED = 130
"""The exit code after Ctrl-C."""

_CODES = {int(signal.SIGINT): STOPPED, int(signal.SIGTERM): 143}


@dataclass
class Watch:
    """The signals that come while a command runs. The interpreter writes the number of each into the socket."""

    heard: socket.socket | None = None
    last_words: str = ""
    codes: list[int] = field(default_factory=list)
    """The exit codes of the signals that came."""
    _call_off: Callable[[], object] | None = None

    def call(self, command: Callable[[], Any]) -> Any:
        """Call the command; one that is a coroutine is run to its end."""
        result = command()
        if not iscoroutine(result):
            return result
        return asyncio.run(self._main(result))

    async def _main(self, command: Coroutine[Any, Any, Any]) -> Any:
        task = asyncio.current_task()
        assert task is not None, "this runs in a task"
        self._call_off = partial(asyncio.get_running_loop().call_soon_threadsafe, task.cancel)
        try:
            return await command
        finally:
            self._call_off = None

    def take(self, number: int, _frame: object) -> None:
        """Take a signal in the main thread: a command that is not a coroutine is interrupted."""
        self.codes.append(_CODES[number])
        if self._call_off is None:
            raise KeyboardInterrupt

    def run(self) -> None:
        """Wait for a signal, in a thread, and then for another or until the command's time is over."""
        assert self.heard is not None, "the thread has a socket"
        if not self._next(self.heard):
            self.heard.close()
            return
        if self._call_off is not None:
            with suppress(RuntimeError):  # the event loop has ended by itself
                self._call_off()
        self.heard.settimeout(GRACE)
        with suppress(TimeoutError):
            if not self._next(self.heard):
                time.sleep(GRACE)
        self._end()

    def _next(self, heard: socket.socket) -> bool:
        """Wait for the next signal that ends us. False where the command has ended."""
        while number := heard.recv(1):
            if number[0] in _CODES:
                self.codes.append(_CODES[number[0]])
                return True
        return False

    def _end(self) -> None:
        at_work = f" without waiting for what was still at work; {self.last_words}" if self.last_words else ""
        with suppress(OSError):
            if select.select([], [2], [], 0)[1]:  # else nobody reads
                os.write(2, f"stopped{at_work}\n".encode("utf-8", "replace"))
        os._exit(max(self.codes))


_watch: ContextVar[Watch | None] = ContextVar("watch", default=None)


def leave_word(text: str) -> None:
    """Have this said where the command has to be ended: how to go on. Nothing where it has been said."""
    if (watch := _watch.get()) is not None:
        watch.last_words = text


def told_to_end() -> bool:
    """Tell whether SIGTERM came, as another process sends it, and not Ctrl-C."""
    watch = _watch.get()
    return watch is not None and _CODES[signal.SIGTERM] in watch.codes


@contextmanager
def watching() -> Iterator[Watch]:
    """Take SIGINT and SIGTERM, unless they are ignored; where one came, the process ends also after the context."""
    if threading.current_thread() is not threading.main_thread():
        yield Watch()
        return
    heard, told = socket.socketpair()
    watch = Watch(heard)
    told.setblocking(False)
    threading.Thread(target=watch.run, name="watchdog", daemon=True).start()
    fd = signal.set_wakeup_fd(told.fileno(), warn_on_full_buffer=False)
    taken = [one for one in (signal.SIGINT, signal.SIGTERM) if signal.getsignal(one) is not signal.SIG_IGN]
    before = {one: signal.signal(one, watch.take) for one in taken}
    token = _watch.set(watch)
    try:
        yield watch
    finally:
        _watch.reset(token)
        for one, handler in before.items():
            signal.signal(one, handler)
        signal.set_wakeup_fd(fd)
        told.close()
