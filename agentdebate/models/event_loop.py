"""The event loop that runs, and calls that wait for one another, which belong to one event loop at a time."""

import asyncio
import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager

from agentdebate.errors import UsageError
from agentdebate.models.base import Model

NEEDS_ASYNCIO = (
    "agentdebate needs asyncio: start your program with asyncio.run(...), or with anyio.run(...) and its backend "
    "'asyncio', and not with trio"
)


def running_loop() -> asyncio.AbstractEventLoop:
    """The running event loop. Raises UsageError where it is another library's."""
    try:
        return asyncio.get_running_loop()
    except RuntimeError:
        raise UsageError(NEEDS_ASYNCIO) from None


class OneLoop:
    """Lets calls in from one event loop at a time: from another only when all of the first have ended."""

    def __init__(self) -> None:
        self._lock, self._process = threading.Lock(), os.getpid()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._inside = 0

    @contextmanager
    def call(self, model: Model) -> Iterator[bool]:
        """A call of the model, for as long as the block runs. Gives and raises what `enter` does."""
        loop = running_loop()
        left = self.enter(loop, model)
        try:
            yield left
        finally:
            self.leave(loop)

    def enter(self, loop: asyncio.AbstractEventLoop, model: Model) -> bool:
        """A call of the model begins in the loop that runs. Whoever calls this calls `leave` at its end.

        Returns whether the event loop before was left with calls in it, which will not end any more. Raises UsageError
        where another loop has calls under way.
        """
        if (
            self._process != os.getpid()
        ):  # forked off: its loop and its calls stayed behind, and so did who held the lock
            self._lock, self._loop, self._inside = threading.Lock(), None, 0
            self._process = os.getpid()
            return self.enter(loop, model) or True
        with self._lock:
            if self._loop is loop:
                self._inside += 1
                return False
            return self._switch(loop, model)

    def leave(self, loop: asyncio.AbstractEventLoop) -> None:
        """A call that began in this loop has ended."""
        with self._lock:
            self._inside -= self._loop is loop

    def _switch(self, loop: asyncio.AbstractEventLoop, model: Model) -> bool:
        left = self._inside > 0
        if left and self._loop is not None and not self._loop.is_closed():
            raise UsageError(
                f"{model.name} is in use in another event loop: open the model once for each thread that has a loop"
            )
        self._loop, self._inside = loop, 1
        return left
