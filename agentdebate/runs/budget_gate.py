"""Admission of debates by the budget: one begins if, by the cost of those before it, the budget can pay for its end.

For each that begins as much is kept as the largest so far did cost, and more while few have ended. The first of all begins alone, since
the cost of a debate is not known yet; so does one for which what is kept does not fit, where the largest so far does.
"""

from collections.abc import Awaitable, Callable

import anyio

from agentdebate.debates.record import Record
from agentdebate.models.budget import NOTHING, Amount, Budget, Pledge
from agentdebate.runs.agenda import Job

_UNSURE = 5.0
"""Reserve beside the largest cost, as a multiple of it, when one debate has ended: the next may use all rounds. It falls as more end."""


class BudgetGate:
    """Lets debates begin that the budget can end; others wait for those in progress, which may leave enough."""

    def __init__(self, budget: Budget) -> None:
        self._budget = budget
        self._running = self._learned = 0
        self._largest, self._longest = NOTHING, 1
        self._turn, self._ended = anyio.Lock(), anyio.Event()

    async def hold(self, job: Job, hold: Callable[[], Awaitable[Record]]) -> Record:
        """Hold a debate when it can be ended. Raises BudgetSpent where it cannot."""
        async with self._turn:
            pledge = await self._pledged(job)
            self._running += 1
        try:
            with self._budget.kept(pledge):
                record = await hold()
            self._learn(job, pledge.spent)
            return record
        finally:
            self._running -= 1
            self._ended.set()

    async def _pledged(self, job: Job) -> Pledge:
        """Reserve an amount for a debate, once there is room for it. Raises BudgetSpent."""
        while True:
            kept = self._needs(job)
            if self._learned and self._budget.has_room(kept):
                return self._budget.pledge(kept)
            if not self._running:
                break
            self._ended = anyio.Event()
            await self._ended.wait()
        if not self._budget.has_room(self._largest):
            raise self._budget.too_little(self._largest)
        return self._budget.pledge(self._largest)

    def _needs(self, job: Job) -> Amount:
        """Estimate the most that a debate costs: longer texts may cost more than any before, and the first few say little."""
        unsure = 1 + _UNSURE / max(1, self._learned)
        return self._largest.times(unsure * max(1.0, _length(job) / self._longest))

    def _learn(self, job: Job, real: Amount) -> None:
        """Take in what a debate did cost."""
        self._learned += 1
        before = self._largest
        self._largest = Amount(max(before.tokens, real.tokens), max(before.units, real.units))
        self._longest = max(self._longest, _length(job))


def _length(job: Job) -> int:
    """Count the characters of a debate's texts."""
    return sum(map(len, job.item.fields.values()))
