"""Waiting for work in a thread: a cancelled caller waits for a moment, since the work may be a commit, and then no longer."""

import asyncio
from collections.abc import Callable
from concurrent.futures import Future
from queue import SimpleQueue
from threading import Thread
from typing import Any, TypeVar

import anyio

from agentdebate.errors import StoreError

_Result = TypeVar("_Result")

GRACE = 15.0
"""Seconds that work under way has to end once its caller is cancelled: longer than a commit waits for another process's."""


async def in_thread(work: Callable[[], _Result], place: str) -> _Result:
    """What `work` gives in a thread of its own, as `WorkThread.do` does."""
    thread = WorkThread("agentdebate-store")
    try:
        return await thread.do(work, place)
    finally:
        thread.stop()


class WorkThread:
    """A thread that does one thing after the other. It begins with the first work, and does not keep the process from ending."""

    def __init__(self, name: str) -> None:
        self._name, self._left = name, SimpleQueue[tuple[Callable[[], Any], Future[Any]] | None]()
        self._thread: Thread | None = None

    def __repr__(self) -> str:
        return f"<WorkThread {self._name!r}: {self._left.qsize()} waiting>"

    async def do(self, work: Callable[[], _Result], place: str) -> _Result:
        """What `work` gives.

        Where the caller is cancelled meanwhile, the work is waited for up to GRACE seconds, so that what is written is known; then
        the thread is left to itself and StoreError raised. Such a thread hangs in the operating system, as on a network disk that
        is gone, and ends with it or with the process.
        """
        if self._thread is None:
            self._thread = Thread(target=_work, args=(self._left,), name=self._name, daemon=True)
            self._thread.start()
        future = Future[_Result]()
        future.set_running_or_notify_cancel()  # from here on nobody can take it back
        self._left.put((work, future))
        over = asyncio.wrap_future(future)
        try:
            return await asyncio.shield(over)
        except asyncio.CancelledError:
            with anyio.move_on_after(GRACE, shield=True) as waited:
                await asyncio.wait([over])
            if waited.cancelled_caught:
                over.cancel()
                raise StoreError(
                    f"the store {place} has not answered for {GRACE:g} s; look at its disk: what was being written may not be there"
                ) from None
            over.result()
            raise

    def stop(self) -> None:
        """Have the thread end with the work that it has. Safe to call twice."""
        if self._thread is not None:
            self._thread = None
            self._left.put(None)


def _work(left: "SimpleQueue[tuple[Callable[[], Any], Future[Any]] | None]") -> None:
    while (job := left.get()) is not None:
        work, future = job
        try:
            future.set_result(work())
        except BaseException as error:  # noqa: BLE001 - raised in the caller
            future.set_exception(error)
        del job, work, future  # and with them what the work held
