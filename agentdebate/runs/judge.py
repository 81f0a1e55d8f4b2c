"""A judge that is kept open: called from any thread, awaited in any event loop, or given many items at once.

Its debates are held in a loop and thread of its own, so that all who call share connections, limits, budget, cache and store, and
a call within a running loop (a notebook's) waits for another loop than the one that it holds up.
"""

import asyncio
import threading
import warnings
from collections import deque
from collections.abc import AsyncGenerator, Awaitable, Callable, Generator, Iterable, Mapping
from concurrent.futures import Future
from contextlib import closing
from pathlib import Path
from types import TracebackType
from typing import Self, Unpack

from agentdebate.debates.record import Record
from agentdebate.errors import UsageError
from agentdebate.models.event_loop import running_loop
from agentdebate.runs.judge_thread import JudgeThread
from agentdebate.runs.open_judge import JudgeOptions
from agentdebate.runs.progress import Progress
from agentdebate.runs.run import Run
from agentdebate.runs.settings import Settings, SettingsChanges
from agentdebate.strategies.base import Strategy
from agentdebate.talk.messages import Verdict
from agentdebate.tasks import Item, Task

Given = Item | Mapping[str, str]
"""An item, or its fields."""

_WAS_CLOSED = "the judge was closed, and answers no call: enter it again with `with`, or make another Judge"
_FORKED = "this judge was opened before the process was forked, and its thread is in the other one: make a Judge in each process"
_INSIDE = "a debate of this judge cannot wait for another one of it: make another Judge for the second"


class Judge:
    """A strategy, its models, limits and store, kept open for many calls.

        with ad.Judge("debate", task="summarization", aspects="consistency", model="openai/gpt-6-luna") as judge:
            verdict = judge(source=article, summary=text)             # any thread, inside a running loop too
            verdict = await judge.ask(source=article, summary=text)   # any event loop
            for record in judge.map(items): ...                       # many, in their order

    It is opened by `with` or `async with`, or else by its first call, and closed at the end of the block or by `close`;
    what is under way then is called off, and a later call is refused. Every call is one debate about all aspects,
    `concurrency` of them at a time. Where there is a `store` they make one run there.

    `resume` names the run of the store to resume, or is "last": what was judged in it is given from there, what was begun is
    not paid for again, and what failed is held again. A question is known by its texts and task, and by its id where it has one, however often it was asked; "last" of
    a store without a run begins one.

    How debates are held is said by `settings`, by the fields of Settings as keywords, such as `model` and `concurrency`, or by both:
    keywords go before. Listeners are called in the judge's thread.

    A process that is forked off makes its own. Raises UserError where the judge is opened, for what would end every debate.
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
        self._thread: JudgeThread | None = None
        self._lock, self._closed = threading.Lock(), False
        how = Settings.given(settings, changes, to=Judge)
        if isinstance(task, Task):
            how, task = how.but(tasks={**how.tasks, task.name: task}), task.name
        self._options = JudgeOptions(strategy, how, task, store, resume)
        self._options.check()

    def __repr__(self) -> str:
        strategy, thread = self._options.strategy, self._thread
        name = strategy if isinstance(strategy, str) else strategy.title
        return f"<Judge {name!r}, {'closed' if thread is None or thread.ended.done() else 'open'}>"

    def __call__(self, item: Given | None = None, /, **fields: str) -> Verdict:
        """Judge one item, given by its fields or whole, and wait for the verdict.

        Raises the error that ended a debate without a verdict, and what would end every debate.
        """
        future = self._submit(item, fields)
        try:
            return future.result().result()
        except BaseException:  # Ctrl-C as well
            future.cancel()
            raise

    async def ask(self, item: Given | None = None, /, **fields: str) -> Verdict:
        """Judge as a call does, awaited: others go on meanwhile. Cancellation calls off the debate."""
        given = self._options.item(item, fields)
        thread = await self._opened()
        return (await asyncio.wrap_future(thread.submit(given))).result()

    def map(self, items: Iterable[Given]) -> "Mapped":
        """Judge many items: their records, in the order of the items, by `for` or by `async for`.

        A debate that fails is a record with a failure. Items are taken as they are needed, a few debates ahead of who reads.
        """
        return Mapped(items, self._submit, self._opened, 2 * self._options.settings.concurrency)

    @property
    def run(self) -> str | None:
        """The name of its run in the store; None without a store, and while it is not open."""
        return self._run.id if self._run is not None else None

    @property
    def progress(self) -> Progress:
        """Progress since it was opened: the ended debates and their usage."""
        return self._run.progress if self._run is not None else Progress()

    def close(self) -> None:
        """Call off what is under way, and close connections and store. Safe to call twice, and from everywhere."""
        thread = self._let_go()
        if thread is not None:
            thread.ended.result()

    async def aclose(self) -> None:
        """Close as `close` does, awaited."""
        thread = self._let_go()
        if thread is not None:
            await asyncio.shield(asyncio.wrap_future(thread.ended))

    def __enter__(self) -> Self:
        self._closed = False
        thread = self._begun()
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
        self._closed = False
        try:
            await self._opened()
        except BaseException:
            self._let_go()
            raise
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.aclose()

    def __del__(self) -> None:
        thread = getattr(self, "_thread", None)
        if thread is None or thread.forked or thread.ended.done():
            return
        thread.stop()  # and no wait: this may be any thread, the judge's own too
        warnings.warn(f"{self!r} was never closed", ResourceWarning, stacklevel=2, source=self)

    @property
    def _run(self) -> Run | None:
        """The run that is open; None while none is."""
        thread = self._thread
        if thread is None or not thread.opened.done() or thread.opened.exception() is not None:
            return None
        return thread.opened.result().run

    def _begun(self) -> JudgeThread:
        """Return the thread of its debates, started if needed. Raises UsageError."""
        if self._thread is not None and self._thread.forked:
            raise UsageError(_FORKED)
        with self._lock:
            if self._closed:
                raise UsageError(_WAS_CLOSED)
            if self._thread is None or self._thread.ended.done():
                self._thread = JudgeThread(self._options)
            elif self._thread.here:
                raise UsageError(_INSIDE)
            return self._thread

    async def _opened(self) -> JudgeThread:
        """Return the thread of its debates once it is open; awaited in any event loop."""
        running_loop()
        thread = self._begun()
        if not thread.opened.done():
            await asyncio.shield(asyncio.wrap_future(thread.opened))
        thread.opened.result()
        return thread

    def _let_go(self) -> JudgeThread | None:
        """Have the thread end; it comes back where it can be waited for."""
        self._closed = True
        with self._lock:
            thread, self._thread = self._thread, None
        if thread is None or thread.forked:
            return None
        thread.stop()
        return None if thread.here else thread

    def _submit(self, item: Given | None, fields: Mapping[str, str]) -> "Future[Record]":
        given = self._options.item(item, fields)
        thread = self._begun()
        thread.opened.result()
        return thread.submit(given)


class Mapped:
    """Iterate over it for the records, with `for` or `async for`. Who stops before the end has the rest called off."""

    def __init__(
        self,
        items: Iterable[Given],
        submit: Callable[[Given, Mapping[str, str]], "Future[Record]"],
        opened: Callable[[], Awaitable[object]],
        ahead: int,
    ) -> None:
        if isinstance(items, str | bytes | Mapping) or not isinstance(items, Iterable):
            raise UsageError(
                f"items are several, as in judge.map([Item(...), Item(...)]), not one {type(items).__name__}"
            )
        self._items, self._submit, self._opened, self._ahead = items, submit, opened, ahead

    def __iter__(self) -> Generator[Record]:
        with closing(self._debates()) as debates:
            for debate in debates:
                yield debate.result()

    async def __aiter__(self) -> AsyncGenerator[Record]:
        await self._opened()
        with closing(self._debates()) as debates:
            for debate in debates:
                yield await asyncio.wrap_future(debate)

    def _debates(self) -> Generator["Future[Record]"]:
        """The debates in the order of the items, of which a few are begun ahead of who reads."""
        held: deque[Future[Record]] = deque()
        try:
            for item in self._items:
                held.append(self._submit(item, {}))
                while held and (held[0].done() or len(held) >= self._ahead):
                    yield held[0]
                    held.popleft()
            while held:
                yield held[0]
                held.popleft()
        finally:
            for debate in held:
                debate.cancel()
