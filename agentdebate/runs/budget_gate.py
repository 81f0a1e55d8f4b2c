"""Which debates of a run begin: those that its budget can end, as far as can be known.

Each is rehearsed with made-up words before it begins, and that much is kept for it; what debates did cost, against what was foretold,
corrects what is kept for the next ones. Before any has ended only those begin that surely fit, or else one: it finds out how far rehearsals
are off. Of a budget that is untouched even that one begins only where its rehearsal fits, so that a budget smaller than one debate buys
nothing. A debate beside others is kept with a wide margin, which costs time alone, since it begins later; one alone begins where it is
likely to fit.
"""

from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import aclosing, asynccontextmanager
from dataclasses import replace
from math import sqrt

import anyio

from agentdebate.agents.common import Common
from agentdebate.debates.ready import ReadyStrategy
from agentdebate.debates.record import OFFLINE, Record
from agentdebate.errors import DebateError
from agentdebate.models.budget import NOTHING, Amount, Budget, Pledge
from agentdebate.models.composition import Around
from agentdebate.runs.agenda import Job
from agentdebate.runs.rehearsal import Stage, rehearsed

_UNSURE = 4.0
"""How many times its rehearsal a debate is taken to cost before any has ended: hidden reasoning is long, and nobody can foretell it."""
_WHOLE = 1.25
"""How much of its rehearsal has to fit for the first one of all to begin: its last call is reserved more than it costs."""
_LEAST = 0.25
"""The same where earlier debates, of another process or before the run was resumed, were paid for: most agree long before the last
round, which is rehearsed, and calls of this one may have been paid for too.
"""
_PLENTY = 8
"""Where so many of the largest debates would still fit, and so many have ended, nothing is rehearsed."""
_MANY = 64
"""Debates in progress of which so many that have ended are no longer only the small ones."""
_MARGIN = 1.05
"""How far above the mean a debate is taken to be, at least."""
_BESIDE = 2.0
"""How many deviations above it a debate beside others is taken to be."""
_DOUBT, _OF = 0.5, 2
"""Before there are many, they are taken to spread as if there were so many more, by this part of the mean: debates end a round earlier or later."""

Foretold = Callable[[Job], Awaitable[Amount]]
"""What a debate will cost by its rehearsal."""


class Factors:
    """What debates did cost, each as a multiple of what was foretold of it."""

    def __init__(self) -> None:
        self.count = 0
        self._mean = self._squares = 0.0

    def __repr__(self) -> str:
        return f"<Factors of {self.count}: {self._mean:.2f}>"

    def add(self, factor: float) -> None:
        """Take in one more (Welford's update)."""
        self.count += 1
        before = factor - self._mean
        self._mean += before / self.count
        self._squares += before * (factor - self._mean)

    @property
    def likely(self) -> float:
        """What the next is likely to be below: the mean and one deviation."""
        return _MARGIN * self._mean + sqrt(self._squares / self.count)

    @property
    def most(self) -> float:
        """What the next is hardly above, though the first to end may have been small ones."""
        doubt = _OF * (_DOUBT * self._mean) ** 2
        return _MARGIN * self._mean + _BESIDE * sqrt((self._squares + doubt) / (self.count + _OF))


class BudgetGate:
    """Lets debates begin that the budget can end; others wait for those in progress, which may leave enough."""

    def __init__(self, budget: Budget, foretold: Foretold, *, cached: bool = False) -> None:
        self._budget, self._foretold, self._cached = budget, foretold, cached
        self._running = self._held = 0
        self._factors = Factors()
        self._largest, self._longest = NOTHING, 1
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
                self._learn(job, foretold, pledge.spent)
            return record
        finally:
            self._running -= 1
            if self._ended is not None:
                self._ended.set()

    async def _begin(self, job: Job) -> tuple[Amount, Pledge]:
        """Wait until a debate can begin: what was foretold of it, and what is kept for it. Raises BudgetSpent."""
        async with self._turn:
            foretold, kept, paying = NOTHING, self._as_the_largest(job), True
            if not self._known or not self._budget.has_room(kept.times(_PLENTY)):
                foretold = await self._foretold(job)
                kept, paying = await self._fitting(foretold)
            self._running += 1
            return foretold, self._budget.pledge(kept, paying=paying)

    @property
    def _known(self) -> bool:
        """Whether those that have ended show how large debates are. The first ones to end are small: others are still in progress."""
        return self._held >= max(_PLENTY, min(self._running, _MANY))

    def _as_the_largest(self, job: Job) -> Amount:
        """What the debate would cost if it were like the largest so far, and more where its item is longer than any so far."""
        return self._largest.times(max(1.0, _length(job) / self._longest))

    async def _fitting(self, foretold: Amount) -> tuple[Amount, bool]:
        """What is kept for a debate, once there is room for it, and whether it may pay for calls."""
        while not await self._budget.make_room(kept := foretold.times(self._factor()), bounded=True):
            if not self._running:
                return await self._alone(foretold)
            self._ended = anyio.Event()
            await self._ended.wait()
        return kept, True

    async def _alone(self, foretold: Amount) -> tuple[Amount, bool]:
        """What is kept for a debate beside which there is none, and whether it may pay. Raises BudgetSpent where it cannot begin even so.

        The first one shows how much a debate is. Where it does not fit, a cache may have all of it, so that nothing is to be paid. Later
        ones need no more than is likely, since there is nobody who could take what they leave.
        """
        if self._factors.count:
            kept = least = foretold.times(self._factors.likely)
        elif self._budget.untouched:
            kept = least = foretold.times(_WHOLE)
        else:
            kept, least = foretold, foretold.times(_LEAST)
        while not await self._budget.make_room(least):
            if self._cached and not self._factors.count:
                return kept, False
            if not await self._budget.wait_for_others(least):
                raise self._budget.too_little(kept)
        return kept, True

    def _factor(self) -> float:
        """How many times its rehearsal a debate beside others is taken to cost."""
        return self._factors.most if self._factors.count else _UNSURE

    def _learn(self, job: Job, foretold: Amount, real: Amount) -> None:
        """Take in what a debate did cost. One that was not rehearsed only shows how large debates are."""
        self._held += 1
        self._longest = max(self._longest, _length(job))
        largest = self._largest
        self._largest = Amount(max(largest.tokens, real.tokens), max(largest.units, real.units))
        amounts = (
            (self._budget.tokens, real.tokens, foretold.tokens),
            (self._budget.money, real.units, foretold.units),
        )
        # What is not limited says nothing: its models may have no price.
        factors = [cost / rehearsal for limit, cost, rehearsal in amounts if limit is not None and rehearsal]
        if factors:
            self._factors.add(max(factors))


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
            return await _foretold(stand_in, budget, job)

        cached = around.cache is not None and around.mode != "write"
        yield BudgetGate(budget, foretold, cached=cached)


async def _foretold(debate: ReadyStrategy, budget: Budget, job: Job) -> Amount:
    """What a debate costs by its rehearsal; nothing where it cannot be rehearsed, which it shows itself when it is held."""
    try:
        held = await rehearsed(debate, job.item, job.aspects)
    except DebateError:
        return NOTHING
    spoken = ((name, usage) for name, usage in held.usage.items() if name != OFFLINE)
    return sum((Amount.at_most(usage, budget.price(name)) for name, usage in spoken), NOTHING)
