"""An open judge in an event loop and thread of its own, for callers of every thread and every loop."""

import asyncio
import os
import threading
from concurrent.futures import Future

import anyio

from agentdebate.debates.record import Record
from agentdebate.errors import UsageError
from agentdebate.runs.open_judge import JudgeOptions, OpenJudge, open_judge
from agentdebate.tasks import Item

CLOSED = "the judge was closed while this debate was held, or before it began: enter it again with `with`, or make another Judge"


class JudgeThread:
    """Keeps a judge open until it is stopped. A debate that was handed over has an end by then, with a record or an error.

    It is a daemon, so that it keeps no process alive: a judge that is open at the interpreter's end is left as it is, its verdicts on disk.
    """

    def __init__(self, options: JudgeOptions) -> None:
        self._options, self._lock = options, threading.Lock()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._stopping, self._stop = False, asyncio.Event()
        self._tasks: set[asyncio.Task[object]] = set()
        self._process = os.getpid()
        self.opened: Future[OpenJudge] = Future()
        """Done when it is open; its error is what kept it from being opened."""
        self.ended: Future[None] = Future()
        """Done when all is closed; its error is what went wrong then."""
        self._thread = threading.Thread(target=self._run, name="agentdebate-judge", daemon=True)
        self._thread.start()

    @property
    def here(self) -> bool:
        """True if this is the thread itself, which must not wait for itself."""
        return threading.current_thread() is self._thread

    @property
    def forked(self) -> bool:
        """True if it runs in the parent from which this process was forked."""
        return os.getpid() != self._process

    def submit(self, item: Item) -> Future[Record]:
        """Hold a debate, once it is `opened`. Cancelling the future calls the debate off. Raises UsageError where it was stopped."""
        with self._lock:
            if self._loop is None:
                raise UsageError(CLOSED)
            return asyncio.run_coroutine_threadsafe(self._hold(item), self._loop)

    def stop(self) -> None:
        """Call off what is under way and close the judge, without a wait for that. Safe to call twice."""
        with self._lock:
            self._stopping = True
            if self._loop is not None:
                self._loop.call_soon_threadsafe(self._stop.set)
                self._loop = None

    def _run(self) -> None:
        try:
            asyncio.run(self._serve())
        except BaseException as error:  # noqa: BLE001 - raised where it is waited for
            (self.ended if self.opened.done() else self.opened).set_exception(error)
        if not self.opened.done():  # it was stopped before
            self.opened.set_exception(UsageError(CLOSED))
        if not self.ended.done():
            self.ended.set_result(None)

    async def _serve(self) -> None:
        async with open_judge(self._options) as judge:
            with self._lock:
                if self._stopping:
                    return
                self._loop = asyncio.get_running_loop()
            self.opened.set_result(judge)
            try:
                await self._stop.wait()
            finally:
                with anyio.CancelScope(shield=True):
                    await self._call_off()

    async def _call_off(self) -> None:
        """End what is under way."""
        with self._lock:
            self._stopping, self._loop = True, None
        await asyncio.sleep(0)  # what was handed over before that begins
        while self._tasks:
            for task in self._tasks:
                task.cancel()
            await asyncio.wait(self._tasks)

    async def _hold(self, item: Item) -> Record:
        task = asyncio.current_task()
        assert task is not None, "this runs in a task"
        self._tasks.add(task)
        try:
            return await self.opened.result().hold(item)
        except asyncio.CancelledError:
            if self._stopping:
                raise UsageError(CLOSED) from None
            raise
        finally:
            self._tasks.discard(task)
