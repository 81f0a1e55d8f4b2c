"""Something heavy that lives in one thread of its own: loaded there at its first use, used by one caller at a time."""

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Generic, TypeVar

from agentdebate.errors import UsageError

_Held = TypeVar("_Held")
_Result = TypeVar("_Result")


class Worker(Generic[_Held]):
    """Holds what `load` gives. A pool of one thread serialises all use, and a cancelled caller cannot undo that.

    A lock around `asyncio.to_thread` would be free again while the thread of a cancelled call still computes.
    """

    def __init__(self, load: Callable[[], _Held], name: str) -> None:
        self._load, self._name = load, name
        self._held: _Held | None = None  # touched by the thread alone, until it has ended
        self._thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix="agentdebate-evaluator")
        self._closed = False

    async def run(self, work: Callable[[_Held], _Result]) -> _Result:
        """Run `work` in the thread, after the work of earlier callers, and return its result. Raises what it or `load` raises.

        Work that waits when its caller is cancelled is not done; work that runs, ends.
        """
        if self._closed:
            raise UsageError(f"{self._name} was closed; open it again to use it")
        return await asyncio.get_running_loop().run_in_executor(self._thread, self._do, work)

    async def aclose(self) -> None:
        """Wait for work that runs, and release what is held. Safe to call twice."""
        self._closed = True
        await asyncio.to_thread(self._thread.shutdown)
        self._held = None

    def _do(self, work: Callable[[_Held], _Result]) -> _Result:
        if self._held is None:
            self._held = self._load()
        return work(self._held)
