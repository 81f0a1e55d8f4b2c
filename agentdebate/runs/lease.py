"""One worker's part in a run of a queue: it takes debates by lease, renews the leases, and lets go of what it lost."""

import os
import secrets
import socket
from collections.abc import AsyncGenerator, Awaitable, Callable, Iterable
from dataclasses import replace
from functools import partial
from typing import Any

import anyio

from agentdebate.debates.record import Record
from agentdebate.errors import BudgetSpent, LeaseLost, ModelError
from agentdebate.log import get_log
from agentdebate.runs.agenda import Job
from agentdebate.runs.sharing import Sharing
from agentdebate.store.crew import Leases, Roll, Taken, Tally
from agentdebate.store.writer import RunWriter
from agentdebate.tasks import Item

_log = get_log(__name__)

BATCH = 64
"""Debates that are taken at once, at the most."""

POLL = 1.0
"""Seconds until a worker that finds no debate free looks again, and between two reports of its."""

RENEWALS = 4
"""How many times a lease is renewed within the time that it lasts."""

Read = Callable[[Iterable[str]], dict[str, Item]]
"""Reads items by their ids. It is called in a thread."""


def new_worker() -> str:
    """A name for a worker: its machine, its process number, and a word that no other has."""
    return f"{socket.gethostname()}-{os.getpid()}-{secrets.token_hex(3)}"


class Shift:
    """The debates that this process takes, holds and lets go of. Times are in seconds.

    `at_once` is how many debates it holds at a time. What it takes beyond those waits for a moment, so that takings are few.
    """

    def __init__(
        self, writer: RunWriter, leases: Leases, roll: Roll, read: Read, sharing: Sharing, *, at_once: int
    ) -> None:
        self._writer, self._leases, self._roll, self._read = writer, leases, roll, read
        self.sharing = sharing
        """What it shares with the other workers."""
        self._batch = max(1, min(BATCH, at_once // 2))
        self._scopes: dict[str, anyio.CancelScope] = {}
        self._lost: list[str] = []
        self._changed = anyio.Event()
        self._renewed = anyio.current_time()
        self.tally: Tally = Tally()
        """What this worker has done."""
        self.told: str | None = None
        """What it was told to do: "stopped" or "drained"."""
        self._broken = False
        """Whether a debate met what every other one here would meet: a refused key, a budget that is spent."""
        self.finished = False
        """Whether no debate of the run is left, here or anywhere."""
        self.departed = "left"
        """Why it leaves, for the others to see."""

    def __repr__(self) -> str:
        return f"<Shift of {self._leases.worker!r}: {len(self._scopes)} debates>"

    @property
    def worker(self) -> str:
        """The worker's name."""
        return self._leases.worker

    @property
    def _ends(self) -> bool:
        return self._broken or self.told is not None

    async def join(self) -> None:
        """Enter the list of workers. However the run is left, the worker leaves it.

        Where no other is at work, what all share is set to what is on disk, before anyone else can join.
        """

        def enter(connection: Any, _: int) -> None:
            if self._roll.join(connection):
                self.sharing.count(connection)

        await self._writer.transact(enter)
        self._writer.at_last(lambda connection, _: self._leases.give_back(connection))
        self._writer.at_last(lambda connection, _: self._roll.leave(connection, self.tally, self.departed))

    async def jobs(self) -> AsyncGenerator[Job]:
        """Debates to be held, until none is left or the worker is told to stop."""
        while taken := await self._take():
            for place, (one, item) in enumerate(taken):
                if self._ends:
                    await self._give_back([left.debate for left, _ in taken[place:]])
                    break
                if one.debate in self._leases.tokens:
                    yield Job(
                        one.debate,
                        item,
                        one.aspects,
                        one.item_number,
                        one.place,
                        opens=False,
                        again=one.again,
                    )

    async def hold(self, job: Job, work: Callable[[], Awaitable[Record]]) -> Record:
        """What `work` gives of a debate, unless the worker loses its lease or is told to stop. Raises LeaseLost."""
        scope = self._scopes[job.id] = anyio.CancelScope()
        record: Record | None = None
        try:
            if job.id in self._leases.tokens:
                with scope:
                    record = await work()
            if record is None:
                raise _let_go(job)
        except LeaseLost:
            if self.told != "stopped":  # else what was paid for is still written
                self._count_lost(job.id)
                self._writer.let_go(job.id)
            raise
        except (BudgetSpent, ModelError):
            self._broken = True
            raise
        else:
            self._count(record)
            return record
        finally:
            del self._scopes[job.id]
            self._change()

    async def watch(self) -> None:
        """Report, renew the leases and hear what is to be done, until cancelled."""
        every = min(POLL, self._leases.seconds / RENEWALS)
        while True:
            await anyio.sleep(every)
            if anyio.current_time() >= self._renewed + self._leases.seconds / RENEWALS:
                begun = anyio.current_time()
                lost = await self._writer.transact(
                    lambda connection, _: self._leases.renew(connection), durable=False
                )
                self._renewed = begun
                self._lose(lost)
            told = await self._writer.transact(
                lambda connection, _: self._roll.report(connection, self.tally), durable=False
            )
            if told.stop and not self.told:
                self._stop(drain=told.drain)
            await self.sharing.look()

    async def expire(self) -> None:
        """Let go of everything where the leases could not be renewed for as long as they last: others may hold it."""
        while True:
            left = self._renewed + self._leases.seconds - anyio.current_time()
            if left <= 0:
                self._lose(self._leases.tokens.keys())
            await anyio.sleep(left if left > 0 else POLL)

    async def _take(self) -> list[tuple[Taken, Item]]:
        """The next debates with their items; none where none is left, or the worker is to stop."""
        while not self._ends:
            await self._settled()
            taken, left = await self._writer.transact(
                lambda connection, _: self._next(connection), durable=False
            )
            if taken:
                self._leases.hold(taken)
                items = await self._writer.read(partial(self._read, {one.item for one in taken}))
                return [(one, items[one.item]) for one in taken]
            if not left:
                self.finished, self.departed = True, "done"
                return []
            changed = self._changed = anyio.Event()
            if not self._scopes:
                await self.sharing.rest()
            with anyio.move_on_after(POLL):
                await changed.wait()
        return []

    def _next(self, connection: Any) -> tuple[list[Taken], bool]:
        """Debates that were free, and whether any are left. A taking that the disk forgets is one whose token nobody has, and one
        that is entered while the connection breaks runs out.
        """
        taken = self._leases.take(connection, self._batch)
        return taken, bool(taken) or self._leases.left(connection)

    async def _settled(self) -> None:
        """Wait until nothing of a lost debate can be written any more, lest it pass for part of a new taking.

        Leases that only this worker takes for lost are given back then.
        """
        while self._lost or any(scope.cancel_called for scope in self._scopes.values()):
            while any(scope.cancel_called for scope in self._scopes.values()):
                changed = self._changed = anyio.Event()
                await changed.wait()
            lost, self._lost = self._lost, []
            await self._writer.commit()
            await self._give_back(lost)

    async def _give_back(self, debates: list[str]) -> None:
        await self._writer.transact(lambda connection, _: self._leases.give_back(connection, debates))

    def _lose(self, debates: Iterable[str]) -> None:
        """Let go of debates that others may hold."""
        for debate in list(debates):
            self._leases.forget([debate])
            if debate in self._scopes:
                self._scopes[debate].cancel()
            else:
                self._count_lost(debate)
        self._change()

    def _stop(self, *, drain: bool) -> None:
        self.told = self.departed = "drained" if drain else "stopped"
        _log.warning("the run was told to stop", kind="told to stop", worker=self.worker)
        if not drain:
            for scope in self._scopes.values():
                scope.cancel()
        self._change()

    def _change(self) -> None:
        self._changed.set()

    def _count_lost(self, debate: str) -> None:
        self._lost.append(debate)
        self.tally = replace(self.tally, lost=self.tally.lost + 1)
        _log.warning(
            "the lease of the debate %s was lost: another worker may hold it, and nothing more of it is written here",
            debate,
            kind="lease lost",
            debate=debate,
            worker=self.worker,
        )

    def _count(self, record: Record) -> None:
        usage = record.usage
        self.tally = replace(
            self.tally,
            debates=self.tally.debates + 1,
            calls=self.tally.calls + usage.calls,
            tokens=self.tally.tokens + usage.tokens,
        )


def _let_go(job: Job) -> LeaseLost:
    return LeaseLost(f"the debate {job.id} is not held here any more")
