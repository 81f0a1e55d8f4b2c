"""What the workers of a run share through its store: limits a minute, a budget, pauses, and what is found out once for all."""

from collections.abc import Awaitable, Callable, Mapping
from functools import partial
from typing import Any

import anyio

from agentdebate.models.budget import NOTHING, Amount, Budget
from agentdebate.models.composition import Around
from agentdebate.models.limits.shared import SharedLimits
from agentdebate.store.accounts import Accounts, BudgetAccount, Want
from agentdebate.store.crew import Leases
from agentdebate.store.reader import Reader, RunHead
from agentdebate.store.writer import RunWriter
from agentdebate.talk.turn_clock import in_line

EVERY = 0.5
"""Seconds between two looks whether another process has found something out, or has given back some of the budget."""

_TOKENS, _UNITS = "budget tokens", "budget money"


class Sharing:
    """The part of one worker in what all of them share."""

    def __init__(
        self, writer: RunWriter, leases: Leases, reader: Reader, head: RunHead, around: Around
    ) -> None:
        self._writer, self._leases, self._reader, self._head = writer, leases, reader, head
        self._accounts = Accounts(leases.run, leases.worker, clock=leases.clock)
        self._limits: SharedLimits | None = around.shared
        budget = around.budget
        self._budget: Budget | None = budget if budget is not None and budget.limited else None
        self._account: BudgetAccount | None = None
        self._told: dict[str, float] = {}

    def __repr__(self) -> str:
        return f"<Sharing {self._limits!r}, {self._budget!r}>"

    def open(self) -> None:
        """Begin to share."""
        if self._limits is not None:
            self._limits.source = self
        if self._budget is not None:
            allowed = self._by_name(self._budget.share(self))
            self._account = BudgetAccount(
                self._leases.run, self._leases.worker, allowed, clock=self._leases.clock
            )
            self._writer.with_batches(lambda connection, _: self._spend(connection))
        self._writer.at_last(lambda connection, _: self._give_back(connection))

    def count(self, connection: Any) -> None:
        """Have the accounts of the budget say what the completions on disk did cost: no other worker has drawn anything."""
        budget = self._budget
        if budget is None:
            return
        spent = NOTHING
        for name, usage in self._reader.spent(self._head.id).items():
            spent += Amount.of(usage, budget.price(name if budget.knows(name) else self._head.model))
        assert self._account is not None, "what is shared was opened"
        self._account.open(connection, self._by_name(spent))

    async def draw_block(self, least: Amount, *, bounded: bool) -> Amount | None:
        """Draw a block of the budget of at least that much: what was drawn in all, or None where there is not so much left."""
        account, needed = self._account, self._by_name(least)
        assert account is not None, "the budget is shared"
        drawn = await self._writer.transact(
            lambda connection, _: account.draw(connection, needed, bounded=bounded)
        )
        return None if drawn is None else _amount(drawn)

    async def wait_for_others(self, least: Amount) -> bool:
        """Give back what is not spent, and wait for a moment; False where that much is not left even if all others did so."""
        unspent = await self._writer.transact(lambda connection, _: self._give_back_budget(connection))
        hope = all(unspent[name] >= amount for name, amount in self._by_name(least).items())
        if hope:
            await anyio.sleep(EVERY)
        return hope

    async def rest(self) -> None:
        """Give back what is not spent of the budget: this worker finds nothing to do at the moment."""
        if self._budget is not None and self._budget.unused != NOTHING:
            await self._writer.transact(lambda connection, _: self._give_back_budget(connection))
            self._budget.allow(self._budget.spent)

    async def draw_of_minute(
        self, wants: Mapping[str, tuple[float, float, float]]
    ) -> tuple[Mapping[str, float], float]:
        """Blocks of limits a minute by name, or nothing and how many seconds to wait."""
        wanted = {name: Want(*want) for name, want in wants.items()}
        return await self._writer.transact(
            lambda connection, _: self._accounts.draw_of_minute(connection, wanted)
        )

    async def look(self) -> None:
        """Tell the others what this worker has found out of its endpoints, and hear what they have."""
        account = self._account
        if account is not None and self._budget is not None:
            self._budget.allow(_amount(await self._writer.transact(lambda one, _: account.drawn(one))))
        if self._limits is None:
            return
        found = self._limits.pauses()
        over = {name: 0.0 for name in self._told if name not in found}
        self._told = found
        corrections = self._limits.corrections()

        def change(connection: Any, _: int) -> Mapping[str, float]:
            if found or over:
                self._accounts.pause(connection, {**found, **over})
            self._accounts.correct(connection, corrections)
            return self._accounts.pauses(connection)

        self._limits.hear(await self._writer.transact(change))

    async def search(self, name: str, debate: str, find: Callable[[], Awaitable[Any]]) -> tuple[str, Any]:
        """What is found out once for all debates of the run: here, or by another worker, for which this waits."""
        while True:
            if await self._may_search(name, debate):
                return debate, await self._find(name, debate, find)
            found = await self._writer.read(partial(self._reader.found, self._writer.run, name))
            if found is not None:
                return (debate, await find()) if found[0] == debate else found
            with in_line():
                await anyio.sleep(EVERY)

    async def _may_search(self, name: str, debate: str) -> bool:
        token = self._leases.tokens.get(debate, 0)
        return await self._writer.transact(
            lambda connection, _: self._accounts.search(connection, name, debate, token)
        )

    async def _find(self, name: str, debate: str, find: Callable[[], Awaitable[Any]]) -> Any:
        try:
            found = await find()
            await self._writer.found(name, debate, found)
        except Exception:
            await self._writer.transact(
                lambda connection, _: self._accounts.end_search(connection, name, debate)
            )
            raise
        return found

    def _give_back(self, connection: Any) -> None:
        if self._limits is not None:
            self._accounts.correct(connection, self._limits.corrections())
        if self._account is not None:
            self._give_back_budget(connection)

    def _give_back_budget(self, connection: Any) -> Mapping[str, int]:
        assert self._account is not None, "the budget is shared"
        assert self._budget is not None, "the budget is shared"
        return self._account.give_back(connection, self._by_name(self._budget.spent))

    def _spend(self, connection: Any) -> None:
        assert self._account is not None, "the budget is shared"
        assert self._budget is not None, "the budget is shared"
        self._account.spend(connection, self._by_name(self._budget.spent))

    def _by_name(self, amount: Amount) -> dict[str, int]:
        """The parts of an amount that the budget limits."""
        budget = self._budget
        given = {_TOKENS: amount.tokens, _UNITS: amount.units}
        limits = {_TOKENS: budget and budget.tokens, _UNITS: budget and budget.money}
        return {name: value for name, value in given.items() if limits[name] is not None}


def _amount(named: Mapping[str, int]) -> Amount:
    return Amount(named.get(_TOKENS, 0), named.get(_UNITS, 0))
