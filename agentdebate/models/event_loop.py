"""The event loop that runs, and calls that wait for one another, which belong to one event loop at a time."""

import asyncio
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
        self._loop: asyncio.AbstractEventLoop | None = None
        self._inside = 0

    @contextmanager
    def call(self, model: Model) -> Iterator[bool]:
        """A call of the model, for as long as the block runs.

        Gives whether the event loop before was left with calls in it, which will not end any more. Raises UsageError where another
        loop has calls under way.
        """
        loop = running_loop()
        before, left = self._loop, self._loop is not loop and self._inside > 0
        if left and before is not None and not before.is_closed():
            raise UsageError(
                f"{model.name} is in use in another event loop: open the model once for each thread that has a loop"
            )
        if before is not loop:
            self._loop, self._inside = loop, 0
        self._inside += 1
        try:
            yield left
        finally:
            self._inside -= self._loop is loop
