"""One worker's part in a run of a queue: it takes debates by lease, sends heartbeats, and abandons debates that it lost."""

import os
import secrets
import socket
from collections.abc import AsyncGenerator, Awaitable, Callable, Iterable
from dataclasses import replace
from functools import partial
from time import localtime, monotonic, strftime, time
from typing import Any

import anyio

from agentdebate.debates.record import Record
from agentdebate.errors import BudgetSpent, LeaseLost, ModelError
from agentdebate.log import get_log
from agentdebate.models.budget import Amount, Budget
from agentdebate.models.composition import Around
from agentdebate.runs.agenda import Job
from agentdebate.store.crew import Taken, Tally
from agentdebate.store.reader import Reader
from agentdebate.store.run_head import RunHead
from agentdebate.store.writer import RunWriter
from agentdebate.tasks import Item

_log = get_log(__name__)

BATCH = 64
"""Most debates that are taken at once."""

POLL = 1.0
"""Seconds until a worker that finds no debate free looks again, and between two reports of its."""

SILENT = 5.0
"""Seconds after which a worker that was not heard of may be gone."""

RENEWALS = 4
"""Minimum number of heartbeats within a lease."""


def new_worker() -> str:
    """A name for a worker: its machine, its process number, and a word that no other has."""
    return f"{socket.gethostname()}-{os.getpid()}-{secrets.token_hex(3)}"


class Shift:
    """The debates that this worker has leased.

    `at_once` is how many debates it holds at a time. What it takes beyond those waits for a moment, so that takings are few.
    """

    def __init__(
        self, writer: RunWriter, reader: Reader, head: RunHead, around: Around, *, at_once: int
    ) -> None:
        assert writer.leases is not None, "a run that is shared is written by leases"
        self._writer, self._leases = writer, writer.leases
        self._reader, self._run = reader, head.id
        self._budget = around.budget or Budget()
        self._batch = max(1, min(BATCH, at_once // 2))
        self._scopes: dict[str, anyio.CancelScope] = {}
        self._changed = anyio.Event()
        self._heard = 0.0
        """Time of the last report of its leases, by the machine's clock since it started."""
        self._unsettled = self._broken = self._waits = False
        """True if something of a lost debate may still wait to be written, or if a debate met what every other one here would
        meet: a refused key, a budget that is spent; or if it has said that it waits."""
        self.tally: Tally = Tally()
        """Tally of this worker."""
        self.told = False
        """True if it was told to stop."""
        self.finished = False
        """True if no debate of the run is left, here or anywhere."""
        self.departed = "left"
        """Reason why it leaves, for the others to see."""

    @property
    def worker(self) -> str:
        """The worker's name."""
        return self._leases.worker

    @property
    def _ends(self) -> bool:
        return self._broken or self.told

    async def join(self, book: Callable[[], object]) -> None:
        """Enter the list of workers, which this one leaves however the run is left.

        The first that the run has ever had is to `book` what is on disk as spent: no other worker has counted it.
        """
        if await self._writer.transact(lambda connection, _: self._leases.join(connection)):
            await self._writer.read(book)
        await self._report()

        def leave(connection: Any, _: int) -> None:
            self._leases.leave(connection, self._tally, self.departed)

        self._writer.at_last(leave)

    async def jobs(self) -> AsyncGenerator[Job]:
        """Debates to be held, until none is left or the worker is told to stop."""
        while taken := await self._take():
            for one, item in taken:
                if one.debate in self._leases.tokens and not self._ends:
                    about = one.debate, item, one.aspects, one.item_number, one.place
                    yield Job(*about, opens=False, again=one.again)

    async def hold(self, job: Job, work: Callable[[], Awaitable[Record]]) -> Record:
        """Give the result of `work` on a debate, unless the worker loses its lease or is told to stop. Raises LeaseLost."""
        if monotonic() - self._heard >= self._leases.seconds:
            await self._report()  # else it would pay for what others may have taken meanwhile
        scope = self._scopes[job.id] = anyio.CancelScope()
        record: Record | None = None
        try:
            if self._unsettled:  # where one lease was lost, those of debates that wait here may be too
                await self._report()
            if job.id in self._leases.tokens:
                with scope:
                    record = await work()
            if record is None:
                raise LeaseLost(f"the debate {job.id} is not held here any more")  # noqa: TRY301 - counted below
        except LeaseLost:
            if not self.told:  # else what was paid for is still written
                self._leases.forget([job.id])
                self._count_lost(job.id)
            raise
        except (BudgetSpent, ModelError) as error:
            self._broken, self.departed = True, f"{type(error).__name__}: {error}"
            raise
        else:
            self.tally = replace(self.tally, debates=self.tally.debates + 1)
            return record
        finally:
            del self._scopes[job.id]
            self._changed.set()

    @property
    def _tally(self) -> Tally:
        spent = self._budget.spent
        return replace(self.tally, tokens=spent.tokens, units=spent.units)

    async def watch(self) -> None:
        """Say that the worker is there, and hear what it is to do, until cancelled."""
        while True:
            await anyio.sleep(min(POLL, self._leases.seconds / RENEWALS))
            await self._report()

    async def _report(self) -> None:
        """Say that the worker is there, and hear what it is to do."""
        began = monotonic()
        told = await self._writer.transact(lambda connection, _: self._leases.report(connection, self._tally))
        self._heard = began
        self._budget.elsewhere = Amount(told.tokens, told.units)
        self._lose(told.lost)
        if told.stop and not self.told:
            self._stop()

    async def _take(self) -> list[tuple[Taken, Item]]:
        """The next debates with their items; none where none is left, or the worker is to stop."""
        while not self._ends:
            await self._settled()
            taken, left = await self._writer.transact(self._next)
            if taken:
                self._leases.hold(taken)
                items = await self._writer.read(
                    partial(self._reader.items_of, self._run, {one.item for one in taken})
                )
                return [(one, items[one.item]) for one in taken]
            if not left:
                self.finished, self.departed = True, "done"
                return []
            await self._tell_waiting()
            with anyio.move_on_after(POLL):
                await self._change()
        return []

    async def _tell_waiting(self) -> None:
        """Say once that debates are waited for whose worker has fallen silent."""
        crew = None if self._waits else await self._writer.read(partial(self._reader.crew, self._run))
        if silent := [one for one in (crew.working if crew else ()) if one.held and one.seen > SILENT]:
            self._waits = True
            ends = strftime("%H:%M:%S", localtime(time() + max(one.expires for one in silent)))
            told = "waiting until %s for leases of silent workers: %d"
            _log.warning(
                told, ends, sum(one.held for one in silent), kind="waits for a lease", worker=self.worker
            )

    def _next(self, connection: Any, _: int) -> tuple[list[Taken], bool]:
        """Debates that were free, and whether any are left."""
        taken = self._leases.take(connection, self._batch)
        return taken, bool(taken) or self._leases.left(connection)

    async def _change(self) -> None:
        """Wait until a debate has ended here, or the worker is told something."""
        self._changed = anyio.Event()
        await self._changed.wait()

    async def _settled(self) -> None:
        """Wait until nothing of a lost debate can be written any more, lest it pass for part of a new taking."""
        while any(scope.cancel_called for scope in self._scopes.values()):
            await self._change()
        if self._unsettled:
            self._unsettled = False
            await self._writer.commit()

    def _lose(self, debates: Iterable[str]) -> None:
        """Abandon debates that others have taken while this worker was silent."""
        self._leases.forget(debates)
        for debate in debates:
            if debate in self._scopes:
                self._scopes[debate].cancel()
            else:
                self._count_lost(debate)

    def _stop(self) -> None:
        self.told, self.departed = True, "stopped"
        _log.warning("the run was told to stop", kind="told to stop", worker=self.worker)
        for scope in self._scopes.values():
            scope.cancel()
        self._changed.set()

    def _count_lost(self, debate: str) -> None:
        self._unsettled = True
        self.tally = replace(self.tally, lost=self.tally.lost + 1)
        _log.warning(
            "the lease of the debate %s was lost: another worker may hold it, and nothing more of it is written here",
            debate,
            kind="lease lost",
            debate=debate,
            worker=self.worker,
        )
