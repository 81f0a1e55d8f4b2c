"""Which debates of a run begin: those that its budget can end, as far as can be known.

Each is rehearsed with made-up words before it begins, and that much is kept for it; what debates did cost, against what was foretold,
corrects what is kept for the next ones. Before any has ended only a few begin: they find out how far rehearsals are off.
"""

from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from math import sqrt

import anyio

from agentdebate.debates.debate import Debate, ready
from agentdebate.debates.record import OFFLINE, Record
from agentdebate.errors import DebateError
from agentdebate.models.composition import Around
from agentdebate.models.limits.budget import NOTHING, Amount, Budget, Pledge
from agentdebate.runs.agenda import Job
from agentdebate.runs.dry_run import Stage, rehearsed

_UNSURE = 4.0
"""How many times its rehearsal a debate is taken to cost before any has ended: hidden reasoning is long, and nobody can foretell it."""
_MARGIN, _SPREAD = 1.05, 2.0
"""How far above the mean a debate is kept: a little, and so many standard deviations."""
_PLENTY = 8.0
"""Where so many of the largest debates would still fit, nothing is rehearsed."""

Foretold = Callable[[Job], Awaitable[Amount]]
"""What a debate will cost by its rehearsal."""


class BudgetGate:
    """Lets debates begin that the budget can end; others wait for those in progress, which may leave enough."""

    def __init__(self, budget: Budget, foretold: Foretold, *, cached: bool = False) -> None:
        self._budget, self._foretold, self._cached = budget, foretold, cached
        self._running = 0
        self._factors: list[float] = []
        self._largest: Amount | None = None
        self._turn = anyio.Lock()
        self._ended: anyio.Event | None = None

    def __repr__(self) -> str:
        return f"<BudgetGate {self._running} in progress: {self._budget!r}>"

    async def hold(self, job: Job, hold: Callable[[Job], Awaitable[Record]]) -> Record:
        """Hold a debate when it can be ended. Raises BudgetSpent where it cannot."""
        foretold, pledge = await self._begin(job)
        try:
            with self._budget.kept(pledge):
                record = await hold(job)
            if record.verdict is not None:
                self._learn(foretold, pledge.spent)
            return record
        finally:
            self._running -= 1
            if self._ended is not None:
                self._ended.set()

    async def _begin(self, job: Job) -> tuple[Amount, Pledge]:
        """Wait until a debate can begin: what was foretold of it, and what is kept for it. Raises BudgetSpent."""
        async with self._turn:
            largest = self._largest
            if largest is not None and await self._budget.make_room(largest.times(_PLENTY)):
                foretold, kept = NOTHING, largest
            else:
                foretold = await self._foretold(job)
                kept = await self._fitting(foretold)
            self._running += 1
            return foretold, self._budget.pledge(kept)

    async def _fitting(self, foretold: Amount) -> Amount:
        """What is kept for a debate, once there is room for it."""
        while not await self._budget.make_room(kept := foretold.times(self._factor())):
            if not self._running:
                if not self._factors and (self._cached or await self._budget.make_room(foretold)):
                    return foretold  # the first shows how much it is; a cache may have all of it
                raise self._budget.too_little(kept if self._factors else foretold)
            self._ended = anyio.Event()
            await self._ended.wait()
        return kept

    def _factor(self) -> float:
        """How many times its rehearsal a debate is taken to cost."""
        count = len(self._factors)
        if not count:
            return _UNSURE
        mean = sum(self._factors) / count
        spread = sqrt(sum((one - mean) ** 2 for one in self._factors) / count)
        return _MARGIN * mean + _SPREAD * spread

    def _learn(self, foretold: Amount, real: Amount) -> None:
        """Take in what a debate did cost. One that was not rehearsed only shows how large debates are."""
        largest = self._largest or NOTHING
        self._largest = Amount(max(largest.tokens, real.tokens), max(largest.units, real.units))
        factors = [
            cost / rehearsal
            for cost, rehearsal in ((real.tokens, foretold.tokens), (real.units, foretold.units))
            if rehearsal
        ]
        if factors:
            self._factors.append(max(factors))


@asynccontextmanager
async def budget_gate(debate: Debate, model: str, around: Around | None) -> AsyncIterator[BudgetGate | None]:
    """The gate of a run; None where no budget limits it. `model` speaks for whoever has none of their own."""
    budget = around.budget if around is not None else None
    if around is None or budget is None or not budget.limited:
        yield None
        return
    stage = Stage()
    rehearsing = ready(
        debate.strategy,
        model=stage.open(model),
        opener=stage.open,
        project=debate.prompts.project,
        settings=debate.settings.but(rehearsal=True),
    )
    async with rehearsing as stand_in:

        async def foretold(job: Job) -> Amount:
            return await _foretold(stand_in, budget, job)

        cached = around.cache is not None and around.mode != "write"
        yield BudgetGate(budget, foretold, cached=cached)


async def _foretold(debate: Debate, budget: Budget, job: Job) -> Amount:
    """What a debate costs by its rehearsal; nothing where it cannot be rehearsed, which it shows itself when it is held."""
    try:
        held = await rehearsed(debate, job.item, job.aspects)
    except DebateError:
        return NOTHING
    spoken = ((name, usage) for name, usage in held.usage.items() if name != OFFLINE)
    return sum((Amount.of(usage, budget.price(name)) for name, usage in spoken), NOTHING)
