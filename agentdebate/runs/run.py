"""One run: debates held one at a time, each of them on disk before it counts. `evaluate`, `Judge`, `work` and the command line hold theirs in it."""

from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Mapping
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

import anyio.to_thread

from agentdebate.debates.ready import ReadyStrategy, ready
from agentdebate.debates.record import Record
from agentdebate.errors import BudgetSpent, ModelError, StoreError, UsageError, raise_only
from agentdebate.log import get_log
from agentdebate.models.base import Call
from agentdebate.models.budget import Budget
from agentdebate.models.composition import Around
from agentdebate.models.limits.limit import turn_order
from agentdebate.models.prices import total_cost
from agentdebate.models.registry import opener
from agentdebate.models.replay import Earlier
from agentdebate.models.secrets import without_secrets
from agentdebate.models.tokens import Vocabulary, using
from agentdebate.project.model_spec import ModelSpec, beside
from agentdebate.runs.agenda import Agenda, Job
from agentdebate.runs.budget_gate import BudgetGate
from agentdebate.runs.configuration import ANYWAY, check_same, own_models
from agentdebate.runs.garbage import collecting_seldom
from agentdebate.runs.progress import Progress
from agentdebate.runs.settings import Settings
from agentdebate.strategies.base import Strategy
from agentdebate.tasks import Task
from agentdebate.usage import Usage

if TYPE_CHECKING:
    from agentdebate.runs.worker import Shift
    from agentdebate.store.debate_writer import DebateWriter
    from agentdebate.store.reader import Reader
    from agentdebate.store.run_head import RunHead
    from agentdebate.store.run_tables import RunCall
    from agentdebate.store.writer import RunWriter

_log = get_log(__name__)

_ITEMS_AT_ONCE = 300
"""Items that are put into one batch, for which the first calls of the run wait."""


class Run:
    """A strategy made ready, its models with all that they share, and the store that keeps its debates."""

    def __init__(
        self,
        debate: ReadyStrategy,
        settings: Settings,
        around: Around,
        stack: AsyncExitStack,
        *,
        vocabularies: Mapping[str, Vocabulary],
    ) -> None:
        self.debate, self.settings, self.around, self.stack = debate, settings, around, stack
        limited = around.budget is not None and around.budget.limited
        self._gate = BudgetGate(around.budget) if limited and around.budget else None
        self._vocabularies = vocabularies
        self.progress = Progress()
        self.configuration: Mapping[str, Any] = {}
        """Configuration of its debates, as a store keeps it."""
        self.stopped: BudgetSpent | ModelError | None = None
        """Errors that stop the run, since every other debate would meet them too: the end of the budget, a key that is refused."""
        self.writer: RunWriter | None = None
        self.shift: Shift | None = None
        """The part of this process in the run, where others may work on it too."""
        self.shown: Callable[[], None] | None = None
        """Shows how far it has come."""
        self._common = Earlier(())
        self._replayed = dict[str, Usage]()
        """Usage of completions that were on disk and are given once more, by debate."""

    @classmethod
    @asynccontextmanager
    async def prepared(cls, strategy: Strategy | str, settings: Settings) -> AsyncIterator[Self]:
        """A run whose debates are ready to be held, without a store so far. Raises UserError."""
        try:
            async with AsyncExitStack() as stack:
                stack.enter_context(collecting_seldom())
                vocabularies = settings.vocabularies()
                chosen = settings.strategy(strategy)
                _check_addresses(chosen, settings)
                around = await stack.enter_async_context(settings.around())
                model = settings.model
                options = {model: settings.model_options} if isinstance(model, str) else {}
                made = ready(
                    chosen,
                    model=model,
                    project=settings.project,
                    opener=opener(settings.concurrency, around, options),
                    lend=around.lend,
                    settings=settings.but(prices=settings.price_table),
                )
                debate = await stack.enter_async_context(made)
                yield cls(debate, settings, around, stack, vocabularies=vocabularies)
        except BaseExceptionGroup as error:  # of a task group within, the store's or the debates'
            raise_only(error)

    @property
    def id(self) -> str | None:
        """The run's name in the store."""
        return self.writer.run if self.writer else None

    @property
    def earlier(self) -> frozenset[str]:
        """The debates that had ended when the run was resumed, by id."""
        return self.writer.begun.ended if self.writer and self.writer.begun else frozenset()

    @property
    def _stored_configuration(self) -> dict[str, Any]:
        more = self.settings.configuration.items()
        plain = {name: part if name == "sweep" else without_secrets(part) for name, part in more}
        return {**self.configuration, **plain}

    async def begin(self, store: str | Path, tasks: Mapping[str, Task]) -> None:
        """Begin it in a store. Raises UsageError and StoreError."""
        from agentdebate.store.writer import (
            write_run,  # brings SQLAlchemy along, which only a stored run needs
        )

        run = write_run(
            store,
            strategy=self.debate.strategy.title,
            tasks=tuple(tasks),
            model=self.settings.model_name,
            configuration=self._stored_configuration,
        )
        self.write_by(await self.stack.enter_async_context(run))

    async def reopen(
        self,
        store: str | Path | None,
        name: str,
        *,
        retry_failed: bool = False,
        anyway: bool = False,
        agenda: Agenda | None = None,
        instead: str = ANYWAY,
    ) -> None:
        """Go on with a run of the store. Raises UsageError where it has another configuration, or other items.

        `instead` is what else can be done then.
        """
        if store is None:
            raise UsageError("a run is resumed in the store that holds it: name it with store=")
        from agentdebate.runs.stored_items import StoredDigests  # bring SQLAlchemy along
        from agentdebate.store.reader import read_store
        from agentdebate.store.writer import rewrite_run

        with read_store(store) as reader:
            head = reader.run(name)
            if not anyway:
                check_same(head.id, head.configuration, self._stored_configuration, instead=instead)
            book(self.around.budget, head, reader)
        if agenda is not None and not anyway:
            agenda.compare(await anyio.to_thread.run_sync(StoredDigests.of, store, head.id))
        if head.verdicts:
            self.debate.common.first.end()
        self.write_by(
            await self.stack.enter_async_context(rewrite_run(store, head.id, retry_failed=retry_failed))
        )

    def write_by(self, writer: "RunWriter") -> None:
        """Have a writer keep its debates, and what is found out once for all of them."""
        self.writer = writer
        self.debate.common.search = writer.search
        self._common = _earlier(writer.begun.common if writer.begun else ())

    async def ended(self, job: Job) -> Record | None:
        """The record of a debate that had ended when the run was resumed; None, and a warning, where it is damaged."""
        assert self.writer is not None, "no debate has ended before in a run that is not stored"
        try:
            return await self.writer.ended(job.id)
        except StoreError as error:
            _log.warning("the debate %s was held before, and its record is left out: %s", job.id, error)
            return None

    async def hold(self, job: Job) -> Record:
        """Hold one debate of the run, and have everything of it on disk before it counts."""
        turn_order.set(job.number)  # debates in progress go before new ones
        hold: Callable[[], Awaitable[Record]] = partial(self._held, job)
        if self._gate is not None:
            hold = partial(self._gate.hold, job, hold)
        if self.shift is not None:
            hold = partial(self.shift.hold, job, hold)
        with using(self._vocabularies):
            record = await hold()
        _tell(record, self.id)
        self.progress.count(record, replayed=self._replayed.pop(job.id, Usage()))
        if self.shown is not None:
            self.shown()
        return record

    def complete(self) -> None:
        """Say that every debate has been held. A run that was left before has no end in the store."""
        if self.writer is not None and (self.shift is None or self.shift.finished):
            self.writer.complete()

    async def write_items(self, agenda: Agenda) -> None:
        """Write all items that are at hand, so that the run goes on wherever its store is: some at a time, beside what is judged."""
        if self.writer is None:
            return
        items = agenda.at_hand or []
        with suppress(StoreError):  # raised where a debate waits for the disk
            for number, item in enumerate(items, 1):
                self.writer.item(item, number)
                if number == len(items):
                    self.writer.describe({"items": number})
                if number % _ITEMS_AT_ONCE == 0 or number == len(items):
                    await self.writer.commit()

    async def _held(self, job: Job) -> Record:
        writer, listeners = self.writer, self.settings.listeners
        hold = partial(self.debate.hold, job.item, job.aspects, debate_id=job.id)
        if writer is None:
            return await hold(listeners=listeners)
        if job.opens:
            writer.item(job.item, job.item_number)
        if writer.begun is None and not job.again:
            talk = writer.open(job.id)
            record = await hold(listeners=(talk.message, *listeners), record=talk.keep)
        else:
            paid = await writer.paid(job.id)
            earlier = _earlier(paid, self._common)
            talk = writer.open(job.id, paid=paid)
            keep = partial(self._keep_new, talk, earlier)
            record = await hold(listeners=(talk.message, *listeners), record=keep, earlier=earlier)
        await talk.record(record, self._cost)
        return record

    async def _keep_new(self, talk: "DebateWriter", earlier: Earlier, call: Call) -> None:
        """Write a call, unless it is on disk."""
        if not earlier.gave(call.agent, call.request.key()):
            await talk.keep(call)
        elif not call.completion.cached:
            self._replayed[talk.debate] = self._replayed.get(talk.debate, Usage()) + call.completion.usage

    def _cost(self, record: Record) -> float | None:
        """Compute the cost of a debate; None if it is unknown."""
        paid = (
            (one.completion.model, one.completion.usage) for one in record.calls if not one.completion.cached
        )
        prices = self.debate.settings.prices
        assert prices is not None, "a run was given its prices"
        return total_cost(paid, prices, otherwise=self.settings.model_name)


def _check_addresses(strategy: Strategy, settings: Settings) -> None:
    """Raise UsageError where an agent's own model would not go to the address that was given for the model of all others."""
    if not (settings.base_url or settings.api_key_env):
        return
    provider = settings.model_name.partition("/")[0]
    specs = map(ModelSpec.parse, own_models(strategy))
    if any(one.name.startswith(f"{provider}/") and "base_url" not in one.options for one in specs):
        raise UsageError(
            f"base_url=... and api_key_env=... are for model=... alone: say models=... critic={provider}/NAME:base_url=... too"
        )


def _earlier(paid: "Iterable[RunCall]", common: Earlier | None = None) -> Earlier:
    return Earlier(((call.agent, call.key, call.completion) for call in paid if call.ask), common)


def book(budget: Budget | None, head: "RunHead", reader: "Reader") -> None:
    """Enter in a budget what the completions of a run that are on disk did cost."""
    if budget is None:
        return
    for one in reader.shares(head.id):
        if not one.cached:
            known = budget.knows(one.served)
            budget.book(one.served if known else beside(head.model, one.served), one.usage)


def _tell(record: Record, run: str | None) -> None:
    """Log how a debate ended."""
    about = {"run": run, "debate": record.id, "item": record.item.id}
    if (failed := record.failure) is not None:
        words, why = "the debate %s failed: %s: %s", (failed.error, failed.reason)
        _log.warning(words, record.id, *why, kind="debate failed", error=failed.error, **about)
        return
    usage = record.usage
    _log.info(
        "the debate %s ended: %s, %d calls, %d tokens, %.3f s",
        *(record.id, record.scores, usage.calls, usage.tokens, record.seconds),
        kind="debate ended",
        scores=record.scores,
        calls=usage.calls,
        tokens=usage.tokens,
        seconds=record.seconds,
        **about,
    )
