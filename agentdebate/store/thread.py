"""Waiting for work in a thread: a cancelled caller waits for a moment, since the work may be a commit, and then no longer."""

import asyncio
from collections.abc import Callable
from contextlib import suppress
from queue import SimpleQueue
from threading import Thread
from typing import Any, Generic, TypeVar

import anyio

from agentdebate.errors import StoreError

_Result = TypeVar("_Result")

GRACE = 15.0
"""Seconds that work under way has to end once its caller is cancelled: longer than a commit waits for another process's."""


async def in_thread(work: Callable[[], _Result], place: str) -> _Result:
    """What `work` gives in a thread.

    Where the caller is cancelled meanwhile, the work is waited for up to GRACE seconds, so that what is written is known; then
    the thread is left to itself and StoreError raised. Such a thread hangs in the operating system, as on a network disk that
    is gone, and ends with it or with the process.
    """
    thread = WorkThread("agentdebate-store")
    try:
        return await thread.do(work, place)
    finally:
        thread.stop()


def _hangs(place: str) -> StoreError:
    return StoreError(
        f"the store {place} has not answered for {GRACE:g} s; look at its disk: what was being written may not be there"
    )


class WorkThread:
    """A thread that does one thing after the other: `in_thread` for who has work all the time. It begins with the first work.

    A thread that hangs does not keep the process from ending.
    """

    def __init__(self, name: str) -> None:
        self._name, self._left = name, SimpleQueue[_Job[Any] | None]()
        self._thread: Thread | None = None

    def __repr__(self) -> str:
        return f"<WorkThread {self._name!r}: {self._left.qsize()} waiting>"

    async def do(self, work: Callable[[], _Result], place: str) -> _Result:
        """What `work` gives. Where the caller is cancelled meanwhile it is as with `in_thread`."""
        if self._thread is None:
            self._thread = Thread(target=_work, args=(self._left,), name=self._name, daemon=True)
            self._thread.start()
        job = _Job(work)
        self._left.put(job)
        try:
            await job.over
        except asyncio.CancelledError:
            await job.wait(place)
            raise
        return job.result()

    def stop(self) -> None:
        """Have the thread end with the work that it has. Safe to call twice."""
        if self._thread is not None:
            self._thread = None
            self._left.put(None)


class _Job(Generic[_Result]):
    """Work, and what came of it."""

    def __init__(self, work: Callable[[], _Result]) -> None:
        self._work, self._loop = work, asyncio.get_running_loop()
        self._outcome: list[_Result] = []
        self._failure: BaseException | None = None
        self.over = self._loop.create_future()

    def do(self) -> None:
        """Do the work, in the thread, and tell whoever waits for it."""
        try:
            self._outcome.append(self._work())
        except BaseException as error:  # noqa: BLE001 - raised by `result`, in the caller
            self._failure = error
        with suppress(RuntimeError):  # the loop has been closed: nobody waits there any more
            self._loop.call_soon_threadsafe(self._tell)

    def result(self) -> _Result:
        """What came of it. Raises what the work raised."""
        failure, self._failure = self._failure, None
        if failure is not None:
            raise failure
        return self._outcome[0]

    async def wait(self, place: str) -> None:
        """Wait for up to GRACE seconds, whoever is cancelled. Raises StoreError where that is not enough, and what the work raised."""
        self.over = self._loop.create_future()
        with anyio.move_on_after(GRACE, shield=True):
            if not self._outcome and self._failure is None:
                await self.over
        if not self._outcome and self._failure is None:
            raise _hangs(place)
        self.result()

    def _tell(self) -> None:
        if not self.over.done():
            self.over.set_result(None)


def _work(left: "SimpleQueue[_Job[Any] | None]") -> None:
    while (job := left.get()) is not None:
        job.do()
        del job  # and with it what the work held
