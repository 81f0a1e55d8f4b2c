"""What the workers of a run share through its store: limits a minute, a budget, pauses, and what is found out once for all."""

from collections.abc import Awaitable, Callable, Mapping
from functools import partial
from typing import Any

import anyio
import anyio.to_thread

from agentdebate.models.composition import Around
from agentdebate.models.limits.budget import Amount, Budget
from agentdebate.models.limits.shared import SharedLimits
from agentdebate.store.accounts import Accounts, Want
from agentdebate.store.leases import Leases
from agentdebate.store.reader import Reader
from agentdebate.store.writer import RunWriter
from agentdebate.talk.turn_clock import in_line

EVERY = 0.5
"""Seconds between two looks whether another process has found something out."""

_TOKENS, _UNITS = "budget tokens", "budget money"


class Sharing:
    """The part of one worker in what all of them share."""

    def __init__(
        self, writer: RunWriter, accounts: Accounts, leases: Leases, reader: Reader, around: Around | None
    ) -> None:
        self._writer, self._accounts, self._leases, self._reader = writer, accounts, leases, reader
        self._limits: SharedLimits | None = around.shared if around else None
        budget = around.budget if around else None
        self._budget: Budget | None = budget if budget is not None and budget.limited else None
        self._allowed: dict[str, int] = {}
        self._told: dict[str, float] = {}

    def __repr__(self) -> str:
        return f"<Sharing {self._limits!r}, {self._budget!r}>"

    async def open(self, *, alone: bool, spent: Amount) -> None:
        """Begin to share. `spent` is what the run has spent, as its completions on disk say, where this worker is `alone`."""
        if self._limits is not None:
            self._limits.source = self
        if self._budget is not None:
            tokens, units = self._budget.tokens is not None, self._budget.money is not None
            allowed = self._budget.share(self)
            self._allowed = self._by_name(allowed, tokens=tokens, units=units)
            if alone:
                known = self._by_name(spent, tokens=tokens, units=units)
                await self._writer.transact(
                    lambda connection, _: self._accounts.open_budget(connection, known)
                )
        self._writer.at_last(lambda connection, _: self._give_back(connection))

    async def draw_block(self, least: Amount) -> Amount | None:
        """A block of the budget of at least that much; None where there is not so much left."""
        needed = {name: getattr(least, field) for name, field in _FIELDS.items() if name in self._allowed}
        block = await self._writer.transact(
            lambda connection, _: self._accounts.draw(connection, needed, self._allowed)
        )
        return None if block is None else Amount(block.get(_TOKENS, 0), block.get(_UNITS, 0))

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
            found = await anyio.to_thread.run_sync(partial(self._reader.found, self._writer.run, name))
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
        if self._budget is not None:
            unused = self._budget.unused
            left = {_TOKENS: unused.tokens, _UNITS: unused.units}
            self._accounts.give_back(connection, {name: left[name] for name in self._allowed})

    @staticmethod
    def _by_name(amount: Amount, *, tokens: bool, units: bool) -> dict[str, int]:
        given = {_TOKENS: (tokens, amount.tokens), _UNITS: (units, amount.units)}
        return {name: value for name, (limited, value) in given.items() if limited}


_FIELDS = {_TOKENS: "tokens", _UNITS: "units"}
