"""agentdebate run: an evaluation over a file, into the store."""

import asyncio
import sys
from contextlib import aclosing
from dataclasses import replace
from typing import Annotated, Any

from cyclopts import Parameter

from agentdebate.cli.console.command_lines import go_on, see_run
from agentdebate.cli.console.logs import LogOptions
from agentdebate.cli.console.output import number, one_line, out, out_json, say, show
from agentdebate.cli.console.run_page import follow, say_replaced, show_forecast, warn_of_missing
from agentdebate.cli.console.watchdog import leave_word
from agentdebate.cli.console.workers import other_workers, told_in_the_end
from agentdebate.cli.options.common import LIMITS, STORE, Json, Quiet, StorePath
from agentdebate.cli.options.order import Order
from agentdebate.datasets.data_source import is_on_disk
from agentdebate.datasets.supply import Supply, look_through
from agentdebate.debates.outcome import OutcomeCounts
from agentdebate.errors import (
    AgentDebateError,
    BudgetSpent,
    DataError,
    ModelError,
    NothingRead,
    StoreError,
    UsageError,
)
from agentdebate.models.families import families_told
from agentdebate.models.registry import check_provider
from agentdebate.report.forecast_table import forecast_blocks
from agentdebate.report.run_page import RunPage
from agentdebate.report.run_results import ended_words
from agentdebate.runs.agenda import DebateSetup
from agentdebate.runs.evaluation import Evaluation, evaluate
from agentdebate.runs.forecast import forecast
from agentdebate.runs.stored_items import stored_supply
from agentdebate.runs.work import enqueue, work
from agentdebate.store.crew import SECONDS
from agentdebate.store.place import shown
from agentdebate.store.reader import read_store


async def run(
    strategy: str,
    data: Annotated[str, Parameter(allow_leading_hyphen=True)],
    /,
    *,
    options: Order = Order(),
    dry_run: Annotated[bool, Parameter(group=LIMITS)] = False,
    queue: Annotated[bool, Parameter(group=LIMITS)] = False,
    processes: Annotated[int, Parameter(name=["--processes", "-j"], group=LIMITS)] = 1,
    store: StorePath = STORE,
    as_json: Json = False,
    quiet: Quiet = False,
    logs: LogOptions = LogOptions(),
) -> int:
    """Judge every item of a file, each aspect in a debate of its own.

    Example: agentdebate run debate summaries.jsonl --task summarization --aspects coherence,fluency -f source=article

    Parameters
    ----------
    strategy
        A strategy by name (agentdebate list strategies).
    data
        A JSONL, JSON, CSV, TSV or Parquet file, or a folder with --as; - is standard input.
    dry_run
        Print what it will cost at most, and stop.
    queue
        Enter the run and its items and hold no debate; agentdebate work does, in any number of processes.
    processes
        Processes on this machine that hold the debates.

    """
    order = replace(options, strategy=strategy, data=data, looks=dry_run)
    if dry_run:
        return await _foretell(order, as_json=as_json)
    if processes < 1 or (queue and processes > 1):
        raise UsageError(
            f"--processes is at least 1, and without --queue, which holds no debate here; not {processes}"
        )
    with logs.opened(quiet=quiet):
        if not queue and processes == 1:
            return await judge(order, store, as_json=as_json, quiet=quiet)
        entered = await _enter(order, store, as_json=as_json and queue, here=not queue, quiet=quiet)
        if queue:
            return 0
        async with other_workers(entered, store, processes - 1, order.worker_words()):
            await hold_share(order, entered, store, quiet=quiet)
        return told_in_the_end(entered, store, order.again_words(), as_json=as_json)


async def judge(
    order: Order,
    store: str,
    *,
    as_json: bool,
    quiet: bool = False,
    resume: str | None = None,
    retry_failed: bool = False,
    anyway: bool = False,
) -> int:
    """Carry out an order; `resume` names the run in which it was begun. The exit code comes back."""
    prepared = order.prepared()
    say_replaced(prepared)
    stored = resume is not None and not order.data
    supply = stored_supply(store, resume or "") if stored else await order.supply(prepared.task, quiet=quiet)
    told = {} if stored else await _told_of(order, prepared, supply)
    begun = ""
    try:
        async with (
            aclosing(supply),
            evaluate(
                supply.items,
                prepared.strategy,
                store=store,
                resume=resume,
                retry_failed=retry_failed,
                anyway=anyway,
                settings=prepared.with_record(told),
            ) as evaluation,
        ):
            begun = evaluation.id or ""
            again = go_on(begun, store, order.again_words())
            leave_word(f"what is on disk is kept; see it: {see_run(begun, store)}; go on: {again}")
            if not quiet:
                say(_announced(evaluation, prepared, supply, store, again=resume is not None))
            await follow(evaluation, as_json=as_json, quiet=quiet)
    except (asyncio.CancelledError, ModelError, DataError, BrokenPipeError, BudgetSpent, StoreError) as error:
        if begun:
            _say_stopped(begun, store, order, error)
        raise
    leave_word("")
    with read_store(store) as reader:
        page = RunPage.read(reader, reader.run(begun), store)
    _close(evaluation, page, store, agents=prepared.agents, as_json=as_json, quiet=quiet)
    return OutcomeCounts(page.head.outcomes).exit_code


async def hold_share(
    order: Order,
    run: str,
    store: str,
    *,
    lease: float = SECONDS,
    anyway: bool = False,
    as_json: bool = False,
    quiet: bool = False,
) -> int:
    """Hold debates of a queue as one of its workers, until none is left. The exit code comes back."""
    prepared, joined = order.prepared(), False
    again = f"see it: {see_run(run, store)}; go on: {go_on(run, store, order.again_words(), queued=True)}"
    entered = work(
        run, prepared.strategy, store=store, lease=lease, anyway=anyway, settings=prepared.settings
    )
    try:
        async with entered as evaluation:
            shift = evaluation.run.shift
            assert shift is not None, "a worker has a shift"
            joined = True
            leave_word(f"what is on disk is kept; others take over what was held here; {again}")
            if not quiet:
                say(one_line(f"worker {shift.worker} at work on run {run} in {shown(store)}"))
            await follow(evaluation, as_json=as_json, quiet=quiet)
    except (asyncio.CancelledError, BrokenPipeError, AgentDebateError):
        if joined and not quiet:
            say(f"this worker stopped; what it held is for others to take; {again}")
        raise
    finally:
        leave_word("")
    if not quiet:
        lost = f", {number(shift.tally.lost, 'lease')} lost" if shift.tally.lost else ""
        why = "no debate is left" if shift.finished else "it was told to stop"
        held = number(shift.tally.debates, "debate")
        say(one_line(f"{why}; held here: {held}{lost}; see more: {see_run(run, store)}"))
    return evaluation.progress.outcomes.exit_code


async def _told_of(order: Order, prepared: DebateSetup, supply: Supply) -> dict[str, Any]:
    """Describe the data for the run's record. A large file is looked through: what tells it from another, and how many debates come of it."""
    data = order.source.described(order.data, supply)
    if not (supply.streamed and is_on_disk(order.data)):
        return {"data": data}
    found = await look_through(order.data)
    told = {"data": {**data, "sha256": found.sha256}}
    if not order.data_source(prepared.task).is_lines:
        return told
    return {**told, "debates": prepared.debates(min(found.lines, order.source.limit or found.lines))}


async def _enter(order: Order, store: str, *, as_json: bool, here: bool, quiet: bool) -> str:
    """Enter a run as a queue, whose workers are started `here` or by the user; its name comes back."""
    prepared = order.prepared()
    say_replaced(prepared)
    supply = await order.supply(prepared.task, quiet=quiet and here)
    settings = prepared.with_record({"data": order.source.described(order.data, supply)})
    async with aclosing(supply):
        entered = await enqueue(supply.items, prepared.strategy, store=store, settings=settings)
    with read_store(store) as reader:
        crew = reader.crew(entered)
    count = crew.left if crew else 0
    if as_json:
        out_json({"run": entered, "debates": count})
    if not (quiet and here):
        do = "" if here else f"; hold them: {go_on(entered, store, order.again_words(), queued=True)}"
        say(one_line(f"run {entered} in {shown(store)} entered: {number(count, 'debate')} to be held{do}"))
    return entered


async def _foretell(order: Order, *, as_json: bool) -> int:
    """Print what a run will cost at the most. Nothing is asked of any model."""
    prepared = order.prepared()
    say_replaced(prepared)
    items = order.data_source(prepared.task).load().items
    check_provider(order.models.model)
    order.casting.words.check_models()
    prices = order.spending.table(order.found_project)
    found = await forecast(items, prepared.strategy, prepared.task, settings=prepared.settings, prices=prices)
    return show_forecast(found.row(), forecast_blocks(found), found.assumptions, as_json=as_json)


def _announced(
    evaluation: Evaluation, prepared: DebateSetup, supply: Supply, store: str, *, again: bool
) -> str:
    total = evaluation.progress.total
    left = f", {number(total, 'debate')} to go" if again and total is not None else ""
    items = number(len(supply.taken.items), "item") if supply.taken else "items as they are read"
    begun = f"run {evaluation.id} in {shown(store)}{' taken up again' if again else ''}"
    return one_line(f"{begun}: {items}, {', '.join(prepared.aspects)}{left}")


def _say_stopped(run: str, store: str, order: Order, error: BaseException) -> None:
    """Say what a stopped run leaves in the store, counted there: debates end while others are called off."""
    more = order.again_words()
    if isinstance(error, BudgetSpent):
        more += order.spending.larger_words()
    if isinstance(error, NothingRead):  # debates that failed before it did so for the same reason
        more += ("--retry-failed",)
    again = f"go on: {go_on(run, store, more)}"
    leave_word("")
    if isinstance(error, StoreError):  # the store may not be there
        say(f"stopped; {again}")
        return
    with read_store(store) as reader:
        ended = number(reader.run(run).ended_debates, "debate")
    say(f"stopped after {ended}; what was paid for is kept; see it: {see_run(run, store)}; {again}")


def _close(
    evaluation: Evaluation, page: RunPage, store: str, *, agents: int, as_json: bool, quiet: bool
) -> None:
    """Print the results, and what there is to say when a run has ended."""
    progress, results, counts = evaluation.progress, page.results, OutcomeCounts(page.head.outcomes)
    if not as_json:
        show(page.result_blocks(see=f"{see_run(evaluation.id, store)} --json"))
        if told := families_told(results.families, agents):
            out(f"\nfamilies: {told}")
        sys.stdout.flush()
    if not quiet:
        warn_of_missing(() if as_json else page.coverages)
        if as_json and results.note:
            say(results.note)
    elif not counts.exit_code:
        return
    here = f"; held now: {ended_words(progress.outcomes)}" if counts.total != progress.ended else ""
    saved = f", {number(progress.saved, 'more call')} answered by the cache" if progress.saved else ""
    paid = f"{number(progress.calls, 'call')}, {number(progress.tokens, 'token')}{saved}"
    short = f" ({len(results.short)} of them without some of the ballots or samples)" if results.short else ""
    say(
        f"{ended_words(counts, beside_verdicts=short)}{here}, {paid}; see more: {see_run(evaluation.id, store)}"
    )
