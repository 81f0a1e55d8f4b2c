"""Calls that wait for one another belong to one event loop at a time."""

import asyncio
import threading
from collections.abc import Iterator
from contextlib import contextmanager

from agentdebate.errors import UsageError
from agentdebate.models.event_loop import running_loop


class OneLoop:
    """Lets calls in from one event loop at a time: from another only when all of the first have ended."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._inside = 0

    @contextmanager
    def call(self, name: str) -> Iterator[bool]:
        """A call of the model of that name, for as long as the block runs.

        Gives whether the event loop before was left with calls in it, which will not end any more. Raises UsageError
        where another loop has calls under way, and where the loop is not asyncio's.
        """
        loop = running_loop()
        with self._lock:
            left = self._enter(loop, name)
        try:
            yield left
        finally:
            with self._lock:
                self._inside -= self._loop is loop

    def _enter(self, loop: asyncio.AbstractEventLoop, name: str) -> bool:
        left = False
        if self._loop is not loop:
            left = self._inside > 0
            if left and self._loop is not None and not self._loop.is_closed():
                raise UsageError(
                    f"{name} is in use in another event loop: open the model once for each thread that has a loop"
                )
            self._loop, self._inside = loop, 0
        self._inside += 1
        return left
