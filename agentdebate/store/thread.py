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
_Work = tuple[Callable[[], Any], "Future[Any]"]

GRACE = 15.0
"""Seconds that work under way has to end once its caller is cancelled: longer than a commit waits for another process's."""


async def in_thread(work: Callable[[], _Result], place: str) -> _Result:
    """What `work` gives in a thread of its own, as `WorkThread.do` has it."""
    thread = WorkThread("agentdebate-store")
    try:
        return await thread.do(work, place)
    finally:
        thread.stop()


class WorkThread:
    """A thread that does one thing after the other. It begins with the first work.

    A thread that hangs does not keep the process from ending, as one of `concurrent.futures` would.
    """

    def __init__(self, name: str) -> None:
        self._name, self._left = name, SimpleQueue[_Work | None]()
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
            self._thread = Thread(target=_do_all, args=(self._left,), name=self._name, daemon=True)
            self._thread.start()
        done: Future[_Result] = Future()
        self._left.put((work, done))
        waiting = asyncio.wrap_future(done)
        try:
            return await asyncio.shield(waiting)
        except asyncio.CancelledError:
            with anyio.move_on_after(GRACE, shield=True):
                await asyncio.wait([waiting])
            if not waiting.done():
                waiting.cancel()
                raise StoreError(
                    f"the store {place} has not answered for {GRACE:g} s; look at its disk: what was being written may not "
                    "be there"
                ) from None
            waiting.result()
            raise

    def stop(self) -> None:
        """Have the thread end with the work that it has. Safe to call twice."""
        if self._thread is not None:
            self._thread = None
            self._left.put(None)


def _do_all(left: "SimpleQueue[_Work | None]") -> None:
    while (job := left.get()) is not None:
        work, done = job
        if done.set_running_or_notify_cancel():
            try:
                done.set_result(work())
            except BaseException as error:  # noqa: BLE001 - raised where it is waited for
                done.set_exception(error)
        del job, work, done  # and with them what they held
