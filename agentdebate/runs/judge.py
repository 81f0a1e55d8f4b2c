"""A judge that is kept open: called from any thread, awaited in any event loop, or given many items at once.

Its debates are held in a loop and thread of its own, so that all who call share connections, limits, budget, cache and store, and
a call within a running loop (a notebook's) waits for another loop than the one that it holds up.
"""

import asyncio
import os
import threading
import warnings
from collections import deque
from collections.abc import (
    AsyncGenerator,
    AsyncIterable,
    AsyncIterator,
    Awaitable,
    Callable,
    Generator,
    Iterable,
    Iterator,
    Mapping,
)
from concurrent.futures import Future, wait
from contextlib import aclosing
from dataclasses import replace
from functools import partial
from itertools import islice
from pathlib import Path
from types import TracebackType
from typing import Self, TypeVar, Unpack

from agentdebate.debates.record import Record
from agentdebate.errors import UsageError
from agentdebate.log import get_log
from agentdebate.models.event_loop import running_loop
from agentdebate.runs.loop_thread import LoopThread
from agentdebate.runs.open_judge import JudgeOptions, OpenJudge, open_judge
from agentdebate.runs.progress import Progress
from agentdebate.runs.settings import USUAL, Settings, SettingsChanges
from agentdebate.strategies.base import Strategy
from agentdebate.talk.messages import Verdict
from agentdebate.tasks import Item, Task

Result = TypeVar("Result")
Given = Item | Mapping[str, str]
"""An item, or its fields."""

CLOSED = "the judge was closed while this debate was held, or before it began: enter it again with `with`, or make another Judge"
_WAS_CLOSED = "the judge was closed, and answers no call: enter it again with `with`, or make another Judge"
_INSIDE = (
    "a debate of this judge cannot wait for another one in the judge's own thread: await judge.ask(...), or call it in a "
    "thread of yours"
)
_LOOK = 0.1
"""Seconds between two looks whether a task that waits without giving its loop a turn was cancelled meanwhile, by Ctrl-C say."""
_LONGEST_CLOSE = 30.0
"""Seconds that are waited for connections and store to be closed."""

_log = get_log(__name__)


class Judge:
    """A strategy, its models, limits and store, kept open for many calls.

        with ad.Judge("debate", task="summarization", aspects="consistency", model="openai/gpt-6-luna") as judge:
            verdict = judge(source=article, summary=text)             # any thread, inside a running loop too
            verdict = await judge.ask(source=article, summary=text)   # any event loop
            for record in judge.map(items): ...                       # many, in their order

    It is opened by `with` or `async with`, or else by its first call, and closed at the end of the block, by `close`, or with the
    interpreter; what is under way then is called off, and a later call is refused. Every call is one debate about all aspects,
    `concurrency` of them at a time. Where there is a `store` they make one run there.

    `resume` names the run of the store that is gone on with, or is "last": what was judged in it is given from there, what was begun is
    not paid for again, and what failed is held again. A question is known by its texts, task and id, however often it was asked; "last" of
    a store without a run begins one.

    How debates are held is said by `settings`, by the fields of Settings as keywords, such as `model` and `concurrency`, or by both:
    keywords go before. Listeners are called in the judge's thread.

    A process that is forked off opens its own at its first call. Raises UserError where the judge is opened, for what would end every
    debate.
    """

    def __init__(
        self,
        strategy: Strategy | str,
        *,
        task: str | Task | None = None,
        store: str | Path | None = None,
        resume: str | None = None,
        settings: Settings | None = None,
        **changes: Unpack[SettingsChanges],
    ) -> None:
        self._state: LoopThread[OpenJudge] | None = None
        self._left: LoopThread[OpenJudge] | None = (
            None  # by a fork: to close its connections would be heard in the other process
        )
        self._lock, self._process = threading.Lock(), os.getpid()
        self._closed = False
        how = (settings or USUAL).but(**changes)
        if isinstance(task, Task):
            how = how.but(tasks={**how.tasks, task.name: task})
        named = task.name if isinstance(task, Task) else task
        self._options = JudgeOptions(strategy, how, named, store, resume)
        self._options.check()

    def __repr__(self) -> str:
        strategy = self._options.strategy
        name = strategy if isinstance(strategy, str) else strategy.title
        thread = self._state
        return f"<Judge {name!r}, {'closed' if thread is None or thread.gone or thread.ended.done() else 'open'}>"

    def __call__(self, item: Item | Mapping[str, str] | None = None, /, **fields: str) -> Verdict:
        """Judge one item, given by its fields or whole, and wait for the verdict.

        Raises the error that ended a debate without a verdict, and what would end every debate.
        """
        return self._wait(self._submit(self._options.item(item, fields))).result()

    async def ask(self, item: Item | Mapping[str, str] | None = None, /, **fields: str) -> Verdict:
        """As a call, awaited: others go on meanwhile. Where it is cancelled the debate is called off."""
        running_loop()
        given = self._options.item(item, fields)
        thread = self._thread()
        if thread.here:  # by an agent's model, say: it is the right loop already
            return (await (thread.opened.result()).hold(given)).result()
        await self._open()
        return (await asyncio.wrap_future(thread.submit(_holding(given)))).result()

    def map(
        self, items: Iterable[Item | Mapping[str, str]] | AsyncIterable[Item | Mapping[str, str]]
    ) -> "Mapped":
        """Judge many items: their records, in the order of the items, by `for` or by `async for`.

        A debate that fails is a record with a failure. Items are taken as they are needed, a few debates ahead of who reads.
        """
        ahead = 2 * self._options.settings.concurrency
        return Mapped(items, self._begin, self._wait, self._open, ahead)

    @property
    def run(self) -> str | None:
        """The name of its run in the store; None without a store, and while it is not open."""
        judge = self._opened()
        return judge.run.id if judge else None

    @property
    def progress(self) -> Progress:
        """How many debates have ended, and what they took; since it was opened."""
        judge = self._opened()
        return judge.run.progress if judge else Progress()

    def close(self) -> None:
        """Call off what is under way, and close connections and store. Safe to call twice, and from everywhere."""
        self._closed = True
        thread = self._let_go()
        if thread is None or thread.here:
            return
        if not wait([thread.ended], _LONGEST_CLOSE).done:
            _log.warning(
                "a judge could not be closed within %g s: something holds up its thread", _LONGEST_CLOSE
            )
            return
        thread.ended.result()

    async def aclose(self) -> None:
        """As `close`, awaited."""
        self._closed = True
        thread = self._let_go()
        if thread is not None and not thread.here:
            await asyncio.wrap_future(_watched(thread.ended))

    def __enter__(self) -> Self:
        self._closed = False
        thread = self._thread()
        try:
            thread.opened.result()
        except BaseException:  # Ctrl-C as well
            thread.stop()
            raise
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    async def __aenter__(self) -> Self:
        running_loop()
        self._closed = False
        try:
            await self._open()
        except BaseException:
            self._let_go()
            raise
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.aclose()

    def __del__(self) -> None:
        thread = getattr(self, "_state", None)
        if thread is None or thread.gone or thread.ended.done():
            return
        thread.stop()  # and no wait: this may be any thread, the judge's own too
        warnings.warn(f"{self!r} was never closed", ResourceWarning, stacklevel=2, source=self)

    def _thread(self) -> LoopThread[OpenJudge]:
        """Where its debates are held; begun where it is not there yet, or was another process's."""
        if self._process != os.getpid():  # forked off: another thread may have held the lock
            self._lock, self._left = threading.Lock(), self._state
            self._options = replace(self._options, resume=None)  # the other process goes on with the run
            self._process = os.getpid()
        with self._lock:
            if self._closed:
                raise UsageError(_WAS_CLOSED)
            if self._state is None or self._state.gone or self._state.ended.done():
                opened = partial(open_judge, self._options)
                self._state = LoopThread(opened, name="agentdebate-judge", closed=CLOSED)
            return self._state

    def _opened(self) -> OpenJudge | None:
        thread = self._state
        if thread is None or thread.gone or not thread.opened.done() or thread.opened.exception():
            return None
        return thread.opened.result()

    def _let_go(self) -> LoopThread[OpenJudge] | None:
        with self._lock:
            thread, self._state = self._state, None
        if thread is None or thread.gone:
            return None
        thread.stop()
        return thread

    async def _open(self) -> None:
        """Wait until it is open, in any event loop."""
        await asyncio.wrap_future(_watched(self._thread().opened))

    def _begin(self, given: Item | Mapping[str, str]) -> "Future[Record]":
        return self._submit(self._options.item(given, {}))

    def _submit(self, item: Item) -> "Future[Record]":
        thread = self._thread()
        if thread.here:
            raise UsageError(_INSIDE)
        self._wait(thread.opened, cancel=False)
        return thread.submit(_holding(item))

    def _wait(self, future: "Future[Result]", *, cancel: bool = True) -> Result:
        """What comes of a future. What ends the wait (Ctrl-C, say) calls off what was waited for."""
        try:
            task = _current_task()
            while task is not None and not wait([future], _LOOK).done:
                if task.cancelling():  # asyncio.run does this at Ctrl-C, and the loop has no turn to tell us
                    raise asyncio.CancelledError  # noqa: TRY301 - what is waited for is called off below
            return future.result()
        except BaseException:
            if cancel:
                future.cancel()
            raise


def _holding(item: Item) -> Callable[[OpenJudge], Awaitable[Record]]:
    return lambda judge: judge.hold(item)


def _watched(future: "Future[Result]") -> "Future[Result]":
    """A future that ends as another one does; whoever cancels it leaves the other one alone."""
    watched: Future[Result] = Future()

    def tell(ended: "Future[Result]") -> None:
        if not watched.set_running_or_notify_cancel():
            return
        error = ended.exception()
        if error is not None:
            watched.set_exception(error)
        else:
            watched.set_result(ended.result())

    future.add_done_callback(tell)
    return watched


def _current_task() -> "asyncio.Task[object] | None":
    try:
        return asyncio.current_task()
    except RuntimeError:  # no loop runs in this thread
        return None


class Mapped:
    """Iterate over it for the records, with `for` or `async for`. Who stops before the end has the rest called off."""

    def __init__(
        self,
        items: Iterable[Given] | AsyncIterable[Given],
        submit: Callable[[Given], "Future[Record]"],
        waited: Callable[["Future[Record]"], Record],
        opened: Callable[[], Awaitable[None]],
        ahead: int,
    ) -> None:
        if isinstance(items, str | bytes | Mapping) or not isinstance(items, Iterable | AsyncIterable):
            raise UsageError(
                f"items are several, as in judge.map([Item(...), Item(...)]), not one {type(items).__name__}"
            )
        self._items, self._submit, self._waited, self._ahead = items, submit, waited, ahead
        self._opened = opened

    def __repr__(self) -> str:
        return f"<Mapped {self._items!r:.60}>"

    def __iter__(self) -> Iterator[Record]:
        if not isinstance(self._items, Iterable):
            raise UsageError(
                "these items come from an asynchronous source: async for record in judge.map(items)"
            )
        return self._in_order(iter(self._items))

    def __aiter__(self) -> AsyncIterator[Record]:
        return self._awaited(_each(self._items))

    def _in_order(self, items: Iterator[Given]) -> Generator[Record]:
        held: deque[Future[Record]] = deque()
        try:
            held.extend(map(self._submit, islice(items, self._ahead)))
            while held:
                yield self._waited(held.popleft())
                held.extend(map(self._submit, islice(items, 1)))
        finally:
            _call_off(held)

    async def _awaited(self, items: AsyncGenerator[Given]) -> AsyncGenerator[Record]:
        held: deque[Future[Record]] = deque()
        async with aclosing(items):
            try:
                await self._opened()
                async for item in items:
                    held.append(self._submit(item))
                    while held and (held[0].done() or len(held) >= self._ahead):
                        yield await asyncio.wrap_future(held.popleft())
                while held:
                    yield await asyncio.wrap_future(held.popleft())
            finally:
                _call_off(held)


def _call_off(futures: Iterable["Future[Record]"]) -> None:
    for future in futures:
        future.cancel()


async def _each(items: Iterable[Given] | AsyncIterable[Given]) -> AsyncGenerator[Given]:
    if isinstance(items, AsyncIterable):
        async for item in items:
            yield item
    else:
        for item in items:
            yield item
