"""What waits to be written: made into rows in the store's thread, in batches that share a commit."""

import asyncio
from collections.abc import Callable, Iterable

from agentdebate.store.entry import Part

SOON = 0.5
"""Seconds after which rows are written that nobody waits for: a message goes with the next call, or is seen by then."""

Make = Callable[[], Iterable[Part]]
"""Makes rows. It is called in the store's thread, once, in the order in which rows were put."""


class Batch:
    """Rows that go to disk in one commit."""

    def __init__(self) -> None:
        self.unmade: list[tuple[str | None, Make]] = []
        """What is to be written and of which debate; None for what is of the run."""
        self.parts: list[Part] = []
        """The rows that were made of it."""
        self.again = False
        """Whether a server that went away may have them already."""
        self.written = False
        """Whether they were committed, which is known even where whoever waited for it was cancelled."""
        self.over = False
        """Whether they are on disk, or cannot be written."""
        self.waiting: list[asyncio.Future[None]] = []

    def __repr__(self) -> str:
        return f"<Batch of {len(self.unmade) + len(self.parts)} rows>"

    def __bool__(self) -> bool:
        return bool(self.unmade or self.parts)

    def end(self) -> None:
        """Let everyone go on who waits for it."""
        self.over = True
        for one in self.waiting:
            if not one.done():
                one.set_result(None)

    def follow(self, later: "Batch") -> None:
        """Take in the rows of a later batch, and whoever waits for them."""
        self.unmade += later.unmade
        self.waiting += later.waiting

    def ended(self) -> "asyncio.Future[None]":
        """A future that is done when it is over; cancelling it takes nothing back."""
        done: asyncio.Future[None] = asyncio.Future()
        if self.over:
            done.set_result(None)
        else:
            self.waiting.append(done)
        return done


class Outbox:
    """The batch that goes next. Its reader is woken when somebody waits for it, and else now and then."""

    def __init__(self) -> None:
        self.batch = Batch()
        self._due = False
        self._reader: asyncio.Future[None] | None = None
        self.timer: asyncio.TimerHandle | None = None
        """What sees to it that the batch goes at last; None where nothing has been put since it rang."""

    def __repr__(self) -> str:
        return f"<Outbox with {self.batch!r}>"

    def put(self, debate: str | None, make: Make) -> None:
        """Have rows written with the next commit."""
        self.batch.unmade.append((debate, make))
        if self.timer is None:
            self.remind()

    def remind(self) -> None:
        """Have what was put written soon, if nobody waits for it."""
        self.timer = asyncio.get_running_loop().call_later(SOON, self._ring)

    def ended(self) -> "asyncio.Future[None]":
        """A future that is done when what was put is on disk, or cannot be written."""
        if not self._due:
            self.hurry()
        done: asyncio.Future[None] = asyncio.Future()
        self.batch.waiting.append(done)
        return done

    def hurry(self) -> None:
        """Have the batch written now."""
        self._due = True
        if self._reader is not None and not self._reader.done():
            self._reader.set_result(None)

    async def due(self) -> None:
        """Wait until there is something to be written."""
        while not self._due:
            self._reader = asyncio.Future()
            await self._reader

    def take(self) -> Batch:
        """The batch; what is put from now on is in the next one."""
        batch, self.batch, self._due = self.batch, Batch(), False
        return batch

    def give_back(self, batch: Batch) -> None:
        """Have a batch that could not be written go next, and with it what was put meanwhile."""
        batch.follow(self.batch)
        self.batch = batch

    def close(self) -> None:
        """Let go of the timer."""
        if self.timer is not None:
            self.timer.cancel()

    def _ring(self) -> None:
        self.timer = None
        if self.batch:
            self.hurry()
