"""One worker's part in a run of a queue: it takes debates by lease, says that it is there, and lets go of what it lost."""

import os
import secrets
import socket
from collections.abc import AsyncGenerator, Awaitable, Callable, Iterable, Mapping
from dataclasses import replace
from functools import partial
from typing import Any, TypeVar

import anyio

from agentdebate.debates.record import Record
from agentdebate.errors import BudgetSpent, LeaseLost, ModelError
from agentdebate.log import get_log
from agentdebate.models.budget import NOTHING, Amount, Budget
from agentdebate.models.composition import Around
from agentdebate.runs.agenda import Job
from agentdebate.store.accounts import Accounts
from agentdebate.store.crew import DRAIN, Leases, Taken, Tally, Told
from agentdebate.store.reader import Reader, RunHead
from agentdebate.store.writer import RunWriter
from agentdebate.talk.turn_clock import in_line
from agentdebate.tasks import Item

_log = get_log(__name__)

BATCH = 64
"""Debates that are taken at once, at the most."""

POLL = 1.0
"""Seconds until a worker that finds no debate free looks again, and between two reports of its."""

EVERY = 0.5
"""Seconds between two looks whether another worker has found something out, or has given back some of the budget."""

RENEWALS = 4
"""How many times a worker says that it is there within the time that a lease lasts, at the least."""

_Result = TypeVar("_Result")


def new_worker() -> str:
    """A name for a worker: its machine, its process number, and a word that no other has."""
    return f"{socket.gethostname()}-{os.getpid()}-{secrets.token_hex(3)}"


class Shift:
    """The debates that this process takes, holds and lets go of.

    `at_once` is how many debates it holds at a time. What it takes beyond those waits for a moment, so that takings are few.
    """

    def __init__(
        self, writer: RunWriter, reader: Reader, head: RunHead, around: Around, *, at_once: int
    ) -> None:
        assert writer.leases is not None, "a run that is shared is written by leases"
        self._writer, self._leases = writer, writer.leases
        self._read = partial(reader.items_of, head.id)
        self.sharing = Sharing(writer, self._leases, reader, head, around)
        """What it shares with the other workers."""
        self._batch = max(1, min(BATCH, at_once // 2))
        self._scopes: dict[str, anyio.CancelScope] = {}
        self._changed = anyio.Event()
        self._unsettled = self._broken = False
        """Whether something of a lost debate may still wait to be written, and whether a debate met what every other one here would
        meet: a refused key, a budget that is spent."""
        self.tally: Tally = Tally()
        """What this worker has done."""
        self.told: str | None = None
        """What it was told to do: "stopped" or "drained"."""
        self.finished = False
        """Whether no debate of the run is left, here or anywhere."""
        self.departed = "left"
        """Why it leaves, for the others to see."""

    def __repr__(self) -> str:
        return f"<Shift of {self.worker!r}: {len(self._scopes)} debates>"

    @property
    def worker(self) -> str:
        """The worker's name."""
        return self._leases.worker

    @property
    def _ends(self) -> bool:
        return self._broken or self.told is not None

    async def join(self) -> None:
        """Enter the list of workers. However the run is left, the worker gives back what it has, and leaves the list.

        Where no other is at work, what all share is set to what is on disk, before anyone else can join.
        """

        def enter(connection: Any, _: int) -> None:
            if self._leases.join(connection):
                self.sharing.count(connection)

        def leave(connection: Any, _: int) -> None:
            self.sharing.give_back(connection)
            self._leases.leave(connection, self.tally, self.departed)

        await self._writer.transact(enter)
        self._writer.at_last(leave)

    async def jobs(self) -> AsyncGenerator[Job]:
        """Debates to be held, until none is left or the worker is told to stop."""
        while taken := await self._take():
            for one, item in taken:
                if one.debate in self._leases.tokens and not self._ends:
                    about = one.debate, item, one.aspects, one.item_number, one.place
                    yield Job(*about, opens=False, again=one.again)

    async def hold(self, job: Job, work: Callable[[], Awaitable[Record]]) -> Record:
        """What `work` gives of a debate, unless the worker loses its lease or is told to stop. Raises LeaseLost."""
        scope = self._scopes[job.id] = anyio.CancelScope()
        record: Record | None = None
        try:
            if job.id in self._leases.tokens:
                with scope:
                    record = await work()
            if record is None:
                raise LeaseLost(f"the debate {job.id} is not held here any more")  # noqa: TRY301 - counted below
        except LeaseLost:
            if self.told != "stopped":  # else what was paid for is still written
                self._leases.forget([job.id])
                self._count_lost(job.id)
            raise
        except (BudgetSpent, ModelError) as error:
            self._broken, self.departed = True, f"{type(error).__name__}: {error}"
            raise
        else:
            self._count()
            return record
        finally:
            del self._scopes[job.id]
            self._changed.set()

    async def watch(self) -> None:
        """Say that the worker is there, and hear what it is to do, until cancelled."""
        while True:
            await anyio.sleep(min(POLL, self._leases.seconds / RENEWALS))
            report = partial(self._report, self.sharing.corrections())
            told, drawn = await self._writer.transact(report, durable=False)
            self.sharing.allow(drawn)
            self._lose(told.lost)
            if told.order and not self.told:
                self._stop(drain=told.order == DRAIN)

    def _report(self, corrections: Mapping[str, float], connection: Any, _: int) -> tuple[Told, Amount]:
        told = self._leases.report(connection, self.tally)
        return told, self.sharing.exchange(connection, corrections, lapsed=told.lapsed)

    async def _take(self) -> list[tuple[Taken, Item]]:
        """The next debates with their items; none where none is left, or the worker is to stop."""
        while not self._ends:
            await self._settled()
            taken, left = await self._writer.transact(self._next, durable=False)
            if taken:
                self._leases.hold(taken)
                items = await self._writer.read(partial(self._read, {one.item for one in taken}))
                return [(one, items[one.item]) for one in taken]
            if not left:
                self.finished, self.departed = True, "done"
                return []
            if not self._scopes:
                await self.sharing.rest()
            with anyio.move_on_after(POLL):
                await self._change()
        return []

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
        """Let go of debates that others have taken while this worker was not heard of."""
        self._leases.forget(debates)
        for debate in debates:
            if debate in self._scopes:
                self._scopes[debate].cancel()
            else:
                self._count_lost(debate)

    def _stop(self, *, drain: bool) -> None:
        self.told = self.departed = "drained" if drain else "stopped"
        _log.warning("the run was told to stop", kind="told to stop", worker=self.worker)
        if not drain:
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

    def _count(self) -> None:
        self.tally = replace(self.tally, debates=self.tally.debates + 1)


class Sharing:
    """The part of one worker in what all of them share: where its limits and its budget draw from."""

    def __init__(
        self, writer: RunWriter, leases: Leases, reader: Reader, head: RunHead, around: Around
    ) -> None:
        self._writer, self._reader, self._head = writer, reader, head
        self._limits = around.shared
        self._budget = budget = around.budget or Budget()
        limits = {"tokens": budget.tokens, "units": budget.money}
        self._limited = tuple(name for name, limit in limits.items() if limit is not None)
        self._accounts = Accounts(leases, self._parts(budget.share(self)))
        if self._limits is not None:
            self._limits.source = self
        if self._limited:
            writer.with_batches(lambda connection, _: self._accounts.spend(connection, self._spent))

    def __repr__(self) -> str:
        return f"<Sharing {self._limits!r}, {self._budget!r}>"

    def count(self, connection: Any) -> None:
        """Have the account of the budget say what the completions on disk did cost: no other worker has drawn anything."""
        if not self._limited:
            return
        spent, budget = NOTHING, self._budget
        for name, usage in self._reader.spent(self._head.id).items():
            spent += Amount.of(usage, budget.price(name if budget.knows(name) else self._head.model))
        self._accounts.open(connection, self._parts(spent))

    def corrections(self) -> Mapping[str, float]:
        """How much more or less this worker used of limits a minute than it drew, since this was last asked."""
        return self._limits.corrections() if self._limits is not None else {}

    def exchange(self, connection: Any, corrections: Mapping[str, float], *, lapsed: bool) -> Amount:
        """Enter corrections, and say what this worker has drawn of the budget; one that `lapsed` has only what it spent."""
        self._accounts.correct(connection, corrections)
        if lapsed:
            self._accounts.forfeit(connection)
        return Amount(**self._accounts.drawn(connection))

    def allow(self, drawn: Amount) -> None:
        """Let that much of the budget be spent here in all."""
        self._budget.allow(drawn)

    def give_back(self, connection: Any) -> None:
        """Give back all that this worker has drawn and not spent, since it leaves."""
        self._accounts.correct(connection, self.corrections())
        self._accounts.give_back(connection, self._spent)

    async def rest(self) -> None:
        """Give back what is not spent of the budget: this worker finds nothing to do at the moment."""
        if self._limited and self._budget.unused != NOTHING:
            await self._do(partial(self._accounts.give_back, spent=self._spent))
            self._budget.allow(self._budget.spent)

    async def draw_block(self, least: Amount, *, bounded: bool) -> Amount | None:
        """Draw a block of the budget of at least that much: what was drawn in all, or None where there is not so much left."""
        drawn = await self._do(partial(self._accounts.draw, least=self._parts(least), bounded=bounded))
        return None if drawn is None else Amount(**drawn)

    async def wait_for_others(self, least: Amount) -> bool:
        """Give back what is not spent, and wait for a moment; False where that much is not left even if all others did so."""
        unspent = await self._do(partial(self._accounts.give_back, spent=self._spent))
        hope = all(unspent[name] >= amount for name, amount in self._parts(least).items())
        if hope:
            await anyio.sleep(EVERY)
        return hope

    async def draw_of_minute(
        self, wants: Mapping[str, tuple[float, float, float]]
    ) -> tuple[Mapping[str, float], float]:
        """Blocks of limits a minute by name, or nothing and how many seconds to wait."""
        return await self._do(partial(self._accounts.draw_of_minute, wants=wants))

    async def search(self, name: str, debate: str, find: Callable[[], Awaitable[Any]]) -> tuple[str, Any]:
        """Find something out once for all debates of the run: here, or by another worker, for which this waits."""
        while not await self._do(partial(self._accounts.search, name=name, debate=debate)):
            found = await self._writer.read(partial(self._reader.found, self._writer.run, name))
            if found is not None:
                return (debate, await find()) if found[0] == debate else found
            with in_line():
                await anyio.sleep(EVERY)
        message = await find()
        await self._writer.found(name, debate, message)
        return debate, message

    async def _do(self, work: Callable[[Any], _Result]) -> _Result:
        return await self._writer.transact(lambda connection, _: work(connection))

    @property
    def _spent(self) -> dict[str, int]:
        return self._parts(self._budget.spent)

    def _parts(self, amount: Amount) -> dict[str, int]:
        """The parts of an amount that the budget limits, by name."""
        return {name: getattr(amount, name) for name in self._limited}
