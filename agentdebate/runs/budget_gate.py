"""Which debates of a run begin: those that its budget can end, as far as can be known.

For each that begins as much is kept as the largest so far did cost. Before any has ended, and where its item is longer than theirs, a
debate is rehearsed with made-up words, and begins where it surely fits, or else alone. Of a budget that is untouched even that one begins
only where its rehearsal fits, so that a budget smaller than one debate buys nothing.
"""

from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import aclosing, asynccontextmanager
from dataclasses import replace

import anyio

from agentdebate.agents.common import Common
from agentdebate.debates.ready import ReadyStrategy
from agentdebate.debates.record import OFFLINE, Record
from agentdebate.errors import AgentDebateError
from agentdebate.models.budget import NOTHING, Amount, Budget, Pledge
from agentdebate.models.composition import Around
from agentdebate.runs.agenda import Job
from agentdebate.runs.rehearsal import Stage, rehearsed_usage

_UNSURE = 4.0
"""How many times its rehearsal a debate is taken to cost before any has ended: hidden reasoning is long, and nobody can foretell it."""
_WHOLE = 1.25
"""How much of its rehearsal has to fit for the first one of all to begin: its last call is reserved more than it costs."""
_LEAST = 0.25
"""The same where earlier debates, of another process or before the run was resumed, were paid for: most agree long before the last
round, which is rehearsed, and calls of this one may have been paid for too.
"""

Foretold = Callable[[Job], Awaitable[Amount]]
"""What a debate will cost by its rehearsal."""


class BudgetGate:
    """Lets debates begin that the budget can end; others wait for those in progress, which may leave enough."""

    def __init__(self, budget: Budget, foretold: Foretold, *, cached: bool = False) -> None:
        self._budget, self._foretold, self._cached = budget, foretold, cached
        self._running = 0
        self._largest, self._longest = NOTHING, 1
        self._turn, self._ended = anyio.Lock(), anyio.Event()

    def __repr__(self) -> str:
        return f"<BudgetGate {self._running} in progress: {self._budget!r}>"

    async def hold(self, job: Job, hold: Callable[[], Awaitable[Record]]) -> Record:
        """Hold a debate when it can be ended. Raises BudgetSpent where it cannot."""
        async with self._turn:
            pledge = await self._pledged(job)
            self._running += 1
        try:
            with self._budget.kept(pledge):
                record = await hold()
            if record.verdict is not None:
                self._learn(job, pledge.spent)
            return record
        finally:
            self._running -= 1
            self._ended.set()

    async def _pledged(self, job: Job) -> Pledge:
        """What is kept for a debate, once there is room for it. Raises BudgetSpent."""
        foretold = NOTHING if self._is_known(job) else await self._foretold(job)
        while True:
            kept, alone = self._needs(job, foretold)
            if self._budget.has_room(kept):
                return self._budget.pledge(kept)
            if self._running:
                self._ended = anyio.Event()
                await self._ended.wait()
            elif self._budget.has_room(alone):
                return self._budget.pledge(alone)
            elif self._cached and self._largest == NOTHING:
                return self._budget.pledge(alone, paying=False)  # all of it may be in the cache
            else:
                raise self._budget.too_little(alone)

    def _is_known(self, job: Job) -> bool:
        """Whether debates have ended that show how much this one is hardly above."""
        return self._largest != NOTHING and _length(job) <= self._longest

    def _needs(self, job: Job, foretold: Amount) -> tuple[Amount, Amount]:
        """What has to be left for a debate beside others, and for one beside which there is none."""
        if self._is_known(job):
            return self._largest, self._largest
        return foretold.times(_UNSURE), foretold.times(_WHOLE if self._budget.untouched else _LEAST)

    def _learn(self, job: Job, real: Amount) -> None:
        """Take in what a debate did cost."""
        largest = self._largest
        self._largest = Amount(max(largest.tokens, real.tokens), max(largest.units, real.units))
        self._longest = max(self._longest, _length(job))


def _length(job: Job) -> int:
    """How long the texts of a debate are, in characters."""
    return sum(map(len, job.item.fields.values()))


@asynccontextmanager
async def budget_gate(debate: ReadyStrategy, around: Around) -> AsyncIterator[BudgetGate | None]:
    """The gate of a run; None where no budget limits it."""
    budget = around.budget
    if budget is None or not budget.limited:
        yield None
        return
    stage = Stage()
    async with aclosing(Common()) as common:
        played = debate.with_models(lambda model: stage.play(model.name, structured=model.structured))
        stand_in = replace(played, settings=debate.settings.but(rehearsal=True), common=common)

        async def foretold(job: Job) -> Amount:
            """Nothing where it cannot be rehearsed, which it shows itself when it is held."""
            try:
                usages = await rehearsed_usage(stand_in, job.item, job.aspects)
            except AgentDebateError:
                return NOTHING
            spoken = ((name, usage) for name, usage in usages.items() if name != OFFLINE)
            return sum((Amount.at_most(usage, budget.price(name)) for name, usage in spoken), NOTHING)

        cached = around.cache is not None and around.mode != "write"
        yield BudgetGate(budget, foretold, cached=cached)
