"""One worker's part in what the workers of a run share through its store: limits a minute, a budget, and what is found out once for all."""

from collections.abc import Awaitable, Callable, Mapping
from functools import partial
from typing import Any, TypeVar

import anyio

from agentdebate.models.budget import NOTHING, Amount
from agentdebate.models.composition import Around
from agentdebate.store.accounts import Accounts
from agentdebate.store.crew import Leases
from agentdebate.store.reader import Reader, RunHead
from agentdebate.store.writer import RunWriter
from agentdebate.talk.turn_clock import in_line

EVERY = 0.5
"""Seconds between two looks whether another process has found something out, or has given back some of the budget."""

_Result = TypeVar("_Result")


class Sharing:
    """The part of one worker in what all of them share: where its limits and its budget draw from."""

    def __init__(
        self, writer: RunWriter, leases: Leases, reader: Reader, head: RunHead, around: Around
    ) -> None:
        self._writer, self._reader, self._head = writer, reader, head
        self._limits = around.shared
        budget = around.budget
        self._budget = budget if budget is not None and budget.limited else None
        limits = {"tokens": budget and budget.tokens, "units": budget and budget.money}
        self._limited = tuple(name for name, limit in limits.items() if limit is not None)
        allowed = NOTHING if self._budget is None else self._budget.share(self)
        self._accounts = Accounts(leases, self._parts(allowed))
        if self._limits is not None:
            self._limits.source = self
        if self._budget is not None:
            writer.with_batches(lambda connection, _: self._accounts.spend(connection, self._spent))

    def __repr__(self) -> str:
        return f"<Sharing {self._limits!r}, {self._budget!r}>"

    def count(self, connection: Any) -> None:
        """Have the account of the budget say what the completions on disk did cost: no other worker has drawn anything."""
        budget = self._budget
        if budget is None:
            return
        spent = NOTHING
        for name, usage in self._reader.spent(self._head.id).items():
            spent += Amount.of(usage, budget.price(name if budget.knows(name) else self._head.model))
        self._accounts.open(connection, self._parts(spent))

    def corrections(self) -> Mapping[str, float]:
        """How much more or less this worker used of limits a minute than it drew, since this was last asked."""
        return self._limits.corrections() if self._limits is not None else {}

    def exchange(self, connection: Any, corrections: Mapping[str, float], *, lapsed: bool) -> Amount:
        """Enter corrections, and say what this worker has drawn of the budget; one that `lapsed` has only what it spent."""
        self._accounts.correct(connection, corrections)
        if self._budget is None:
            return NOTHING
        if lapsed:
            self._accounts.forfeit(connection)
        return Amount(**self._accounts.drawn(connection))

    def allow(self, drawn: Amount) -> None:
        """Let that much of the budget be spent here in all."""
        if self._budget is not None:
            self._budget.allow(drawn)

    def give_back(self, connection: Any) -> None:
        """Give back all that this worker has drawn and not spent, since it leaves."""
        self._accounts.correct(connection, self.corrections())
        self._accounts.give_back(connection, self._spent)

    async def rest(self) -> None:
        """Give back what is not spent of the budget: this worker finds nothing to do at the moment."""
        if self._budget is not None and self._budget.unused != NOTHING:
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
        return {} if self._budget is None else self._parts(self._budget.spent)

    def _parts(self, amount: Amount) -> dict[str, int]:
        """The parts of an amount that the budget limits, by name."""
        return {name: getattr(amount, name) for name in self._limited}
