"""A run in its store: how it is begun there, taken up again, and given its items."""

from collections.abc import Mapping
from contextlib import AsyncExitStack, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

import anyio.to_thread

from agentdebate.debates.debate import Debate
from agentdebate.errors import StoreError, UsageError
from agentdebate.models.base import Model
from agentdebate.models.budget import Budget
from agentdebate.models.registry import model_name
from agentdebate.runs.agenda import Agenda, Items
from agentdebate.runs.configuration import ANYWAY, check_same, usual_options
from agentdebate.tasks import Task
from agentdebate.usage import Usage

if TYPE_CHECKING:
    from agentdebate.store.writer import RunWriter

_ITEMS_AT_ONCE = 300
"""Items that are put into one batch, for which the first calls of the run wait."""


async def begin_run(
    stack: AsyncExitStack,
    store: str | Path,
    debate: Debate,
    *,
    model: Model | str,
    tasks: Mapping[str, Task],
    configuration: Mapping[str, Any],
) -> "RunWriter":
    """The writer of a new run, for as long as the stack lasts."""
    from agentdebate.store.writer import write_run  # brings SQLAlchemy along, which only a stored run needs

    run = write_run(
        store,
        strategy=debate.strategy.title,
        tasks=tuple(tasks),
        model=model_name(model),
        configuration=configuration,
    )
    return _shared(debate, await stack.enter_async_context(run))


async def reopen_run(
    stack: AsyncExitStack,
    store: str | Path | None,
    resume: str,
    debate: Debate,
    configuration: Mapping[str, Any],
    *,
    retry_failed: bool,
    anyway: bool,
    budget: Budget | None,
    agenda: Agenda | None = None,
    instead: str = ANYWAY,
) -> "RunWriter":
    """The writer of a run that is taken up again. Raises UsageError where it was held in another way, or over other items.

    `instead` is what else can be done then.
    """
    if store is None:
        raise UsageError("a run is resumed in the store that holds it: name it with store=")
    from agentdebate.store.reader import read_store  # bring SQLAlchemy along
    from agentdebate.store.writer import rewrite_run

    with read_store(store) as reader:
        head = reader.run(resume)
        if not anyway:
            check_same(
                head.id, head.configuration, configuration, usual_options(debate.strategy), instead=instead
            )
            if agenda is not None:
                await _check_items(store, head.id, agenda)
        if budget is not None:
            _book(budget, head.model, reader.spent(head.id))
    if head.verdicts:
        debate.common.first.end()
    run = rewrite_run(store, head.id, retry_failed=retry_failed)
    return _shared(debate, await stack.enter_async_context(run))


def _shared(debate: Debate, writer: "RunWriter") -> "RunWriter":
    """The writer; what it has of what was found out once for all debates the debate knows from now on, and the other way round."""
    debate.common.remember(writer.begun.found if writer.begun else {}, writer.found)
    return writer


async def _check_items(store: str | Path, run: str, agenda: Agenda) -> None:
    """Raise UsageError where items at hand are not those of the run; those of a stream are checked as they come."""
    from agentdebate.runs.same_items import SameItems  # brings SQLAlchemy along

    known = await anyio.to_thread.run_sync(SameItems.of, store, run)
    if agenda.total is None:
        agenda.check = known.check
    else:
        await anyio.to_thread.run_sync(known.check_all, agenda.at_hand)


def _book(budget: Budget, model: str, spent: Mapping[str, Usage]) -> None:
    """Enter what a run has spent before, at the price of whichever of the names there is one for."""
    for name, usage in spent.items():
        budget.book(name if budget.knows(name) else model, usage)


async def items_of_run(store: str | Path | None, resume: str | None) -> Items:
    """The items of a run that is taken up again, out of its store. Raises UsageError."""
    if store is None or resume is None:
        raise UsageError(
            "items are needed, except where a stored run is resumed: evaluate(None, ..., store=..., resume=...)"
        )
    from agentdebate.runs.stored_items import stored_items  # brings SQLAlchemy along

    return await anyio.to_thread.run_sync(stored_items, store, resume)


async def write_items(writer: "RunWriter", agenda: Agenda) -> None:
    """Write all items that are at hand, so that the run goes on wherever its store is: some at a time, beside what is judged."""
    items = agenda.at_hand
    with suppress(StoreError):  # raised where a debate waits for the disk
        for start in range(0, len(items), _ITEMS_AT_ONCE):
            for number, item in enumerate(items[start : start + _ITEMS_AT_ONCE], start + 1):
                writer.item(item, number)
            if start + _ITEMS_AT_ONCE >= len(items):
                writer.describe({"items": len(items)})
            await writer.commit()
