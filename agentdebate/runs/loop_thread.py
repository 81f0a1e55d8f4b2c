"""An event loop in a thread of its own, for callers of every thread and every loop.

Nobody waits for it in vain: whatever was handed over has an end, with a result or an error, when the thread ends. It is a daemon,
so that it keeps no process alive, and a process that was forked off has none of it.
"""

import asyncio
import atexit
import os
import threading
from collections.abc import Awaitable, Callable
from concurrent.futures import Future, InvalidStateError, wait
from contextlib import AbstractAsyncContextManager, suppress
from typing import Any, Generic, TypeVar

from agentdebate.errors import UsageError

Inside = TypeVar("Inside")
Result = TypeVar("Result")


_LAST = 5.0
"""Seconds that the interpreter's end waits for it."""


class LoopThread(Generic[Inside]):
    """Keeps what `opened` gives open in a loop of its own, and does work with it until it is stopped.

    `closed` is what the error of whoever comes too late says.
    """

    def __init__(
        self, opened: Callable[[], AbstractAsyncContextManager[Inside]], *, name: str, closed: str
    ) -> None:
        self._open, self._closed = opened, closed
        self._lock = threading.Lock()
        self._ending = False
        self._waiting: set[Future[Any]] = set()
        self._tasks: set[asyncio.Task[None]] = set()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._stopping: asyncio.Event | None = None
        self._process = os.getpid()
        self.opened: Future[Inside] = Future()
        """Done when there is something to work with; its error is what kept it from being opened."""
        self.ended: Future[None] = Future()
        """Done when all is closed; its error is what went wrong then."""
        self._thread = threading.Thread(target=self._run, name=name, daemon=True)
        self._thread.start()
        atexit.register(self._exit)

    def __repr__(self) -> str:
        state = "ended" if self.ended.done() else "ending" if self._ending else "open"
        return f"<LoopThread {self._thread.name!r}: {state}, {len(self._waiting)} waiting>"

    @property
    def here(self) -> bool:
        """Whether this is the thread itself, in which nobody may wait for it."""
        return threading.current_thread() is self._thread

    @property
    def gone(self) -> bool:
        """Whether it ran in another process, from which this one was forked off."""
        return os.getpid() != self._process

    def submit(self, work: Callable[[Inside], Awaitable[Result]]) -> "Future[Result]":
        """Have work done that nobody waits for yet. It has to be `opened`. Cancelling the future calls the work off.

        Raises UsageError where it was stopped.
        """
        with self._lock:
            if self._ending or self._loop is None:
                raise UsageError(self._closed)
            future: Future[Result] = Future()
            self._waiting.add(future)
            self._loop.call_soon_threadsafe(self._begin, work, future)
        future.add_done_callback(self._waiting.discard)
        return future

    def stop(self) -> None:
        """Have it end, and wait for nothing. Work under way is called off, and whoever waits for it learns why. Safe to call twice."""
        with self._lock:
            self._ending = True
            loop, stopping = self._loop, self._stopping
            if loop is not None and stopping is not None and not self.gone:
                with suppress(RuntimeError):  # the loop has ended by itself
                    loop.call_soon_threadsafe(stopping.set)

    def _exit(self) -> None:
        """At the interpreter's end: what was opened is closed, as far as that does not hold it up."""
        if not self.gone:
            self.stop()
            wait([self.ended], _LAST)

    def _run(self) -> None:
        error: BaseException | None = None
        try:
            asyncio.run(self._serve())
        except BaseException as raised:  # noqa: BLE001 - raised where the end is waited for
            error = raised
        self._end(error)

    def _end(self, error: BaseException | None) -> None:
        """Tell everybody who still waits."""
        with self._lock:
            self._ending, self._loop = True, None
            left = list(self._waiting)
        for future in left:
            _fail(future, UsageError(self._closed))
        if not self.opened.done():
            _fail(self.opened, error or UsageError(self._closed))
            error = None  # somebody was told
        atexit.unregister(self._exit)
        if error is None:
            self.ended.set_result(None)
        else:
            self.ended.set_exception(error)

    async def _serve(self) -> None:
        stopping = asyncio.Event()
        async with self._open() as inside:
            with self._lock:
                self._loop, self._stopping = asyncio.get_running_loop(), stopping
                if self._ending:  # before it had begun
                    return
            self.opened.set_result(inside)
            try:
                await stopping.wait()
            finally:
                await self._call_off()

    async def _call_off(self) -> None:
        """End what is under way."""
        with self._lock:
            self._ending = True
        await asyncio.sleep(0)  # what was handed over before that begins
        while self._tasks:
            for task in self._tasks:
                task.cancel()
            await asyncio.wait(self._tasks)

    def _begin(self, work: Callable[[Inside], Awaitable[Result]], future: Future[Result]) -> None:
        loop = asyncio.get_running_loop()
        task = loop.create_task(self._do(work, future))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

        def call_off(ended: Future[Result]) -> None:
            if ended.cancelled():
                with suppress(RuntimeError):  # the loop has ended, and the task with it
                    loop.call_soon_threadsafe(task.cancel)

        future.add_done_callback(call_off)

    async def _do(self, work: Callable[[Inside], Awaitable[Result]], future: Future[Result]) -> None:
        """Do the work, and tell whoever waits for it in another thread."""
        try:
            result = await work(self.opened.result())
        except asyncio.CancelledError:  # by whoever waited, or since this is the end
            _fail(future, UsageError(self._closed))
        except Exception as error:  # noqa: BLE001 - raised where it is waited for
            _fail(future, error)
        else:
            with suppress(InvalidStateError):  # called off meanwhile
                future.set_result(result)


def _fail(future: Future[Any], error: BaseException) -> None:
    with suppress(InvalidStateError):  # it has ended meanwhile
        future.set_exception(error)
