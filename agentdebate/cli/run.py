"""agentdebate run: an evaluation over a file, into the store."""

import asyncio
import sys
from collections.abc import Mapping
from contextlib import AbstractAsyncContextManager
from dataclasses import replace
from typing import Annotated

from cyclopts import Parameter

from agentdebate.cli.console.command_lines import go_on, see_run
from agentdebate.cli.console.logs import logged
from agentdebate.cli.console.output import one_line, out_json, say, show
from agentdebate.cli.console.run_page import follow, say_replaced, show_forecast, warn_of_missing
from agentdebate.cli.console.watchdog import leave_word, told_to_end
from agentdebate.cli.console.workers import other_workers, told_in_the_end
from agentdebate.cli.options.common import LIMITS, STRATEGY, RunOutput, limits
from agentdebate.cli.options.order import Order
from agentdebate.cli.options.words import Words
from agentdebate.cli.sweep import sweep
from agentdebate.debates.outcome import OutcomeCounts
from agentdebate.errors import (
    AgentDebateError,
    BudgetSpent,
    NothingRead,
    StoreError,
    UsageError,
    nearest,
)
from agentdebate.models.base import Effort
from agentdebate.report.forecast_table import forecast_blocks
from agentdebate.report.gate import CODES, check_scale, gate
from agentdebate.report.prose import counted
from agentdebate.report.run_page import RunPage, ended_words
from agentdebate.runs.evaluation import Evaluation, evaluate
from agentdebate.runs.forecast import forecast
from agentdebate.runs.work import enqueue, work
from agentdebate.store.crew import SECONDS
from agentdebate.store.place import shown
from agentdebate.store.reader import read_store
from agentdebate.usage import total


async def run(
    strategy: str,
    data: Annotated[str, Parameter(allow_leading_hyphen=True)],
    /,
    *,
    options: Order = Order(),
    dry_run: Annotated[bool, Parameter(group=LIMITS)] = False,
    queue: Annotated[bool, Parameter(group=LIMITS)] = False,
    processes: Annotated[int, Parameter(name=["--processes", "-j"], group=LIMITS)] = 1,
    controls: Annotated[bool, Parameter(group=STRATEGY)] = False,
    fail_under: tuple[str, ...] = (),
    control_effort: Annotated[Effort | None, Parameter(group=STRATEGY)] = None,
    output: RunOutput = RunOutput(),
    words: Words = (),
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
    controls
        Hold controls at the same cost beside it, as agentdebate sweep does where nothing varies.
    control_effort
        With controls, the effort with which the single judge thinks longer.
    processes
        Processes on this machine that hold the debates.
    fail_under
        ASPECT=N: check the mean when the run has ended, as agentdebate gate --at-least does, with its exit codes.

    """
    floors = limits(fail_under, "--fail-under")
    if floors and (queue or controls or dry_run or processes > 1 or output.as_json):
        raise UsageError(
            "--fail-under goes without --json, --queue, --processes, --controls and --dry-run: see agentdebate gate"
        )
    if controls or control_effort:
        if queue or processes > 1:
            raise UsageError("--controls goes without --queue and --processes")
        told = {
            "control_effort": control_effort,
            "store": output.store,
            "as_json": output.as_json,
            "log": output.log,
        }
        return await sweep(strategy, data, options=options, dry_run=dry_run, **told)  # type: ignore[arg-type]  # as they are named
    order = replace(options, name=strategy, data=data, looks=dry_run, words=words)
    for name, value in floors.items():  # before anything is paid for
        scales = {aspect.name: aspect.scale for aspect in order.kind.choose(order.settings.aspects)}
        aspect = name.partition("@")[0].partition(".")[0]
        if aspect not in scales and aspect != "overall":  # which some strategies add
            raise UsageError(f"--fail-under: no aspect {aspect!r} is judged. {nearest(aspect, scales)}")
        check_scale(name, value, scales)
    if dry_run:
        return await _foretell(order, as_json=output.as_json)
    if processes < 1 or (queue and processes > 1):
        raise UsageError(
            f"--processes is at least 1, and 1 with --queue, which holds no debate: not {processes}"
        )
    with logged(output.log):
        if not queue and processes == 1:
            return await judge(order, output, floors=floors)
        entered = await _enter(order, output, here=not queue)
        if queue:
            return 0
        others = other_workers(entered, output.store, range(1, processes), order.again_words(secrets=True))
        async with others:
            await hold_share(order, entered, replace(output, as_json=False))
        return told_in_the_end(entered, output.store, order.again_words(), as_json=output.as_json)


async def judge(
    order: Order,
    output: RunOutput,
    *,
    resume: str | None = None,
    stored: bool = False,
    retry_failed: bool = False,
    anyway: bool = False,
    floors: Mapping[str, float] = {},
) -> int:
    """Carry out an order; `resume` names the run in which it was begun, whose items may be `stored`. The exit code comes back.

    `floors` are the least means of a gate that follows.
    """
    say_replaced(order.replaced)
    supply = None if stored else await order.supply(quiet=output.quiet)
    held = evaluate(
        supply,
        order.strategy,
        store=output.store,
        resume=resume,
        earlier=output.as_json,  # only then they are printed
        retry_failed=retry_failed,
        anyway=anyway,
        settings=order.recorded,
    )
    items = "the items of the store"
    if supply is not None:
        items = counted(len(supply.taken.items), "item") if supply.taken else "items as they are read"
    evaluation = await _carried_out(held, order, output, f"{' resumed' if resume else ''}: {items}")
    with read_store(output.store) as reader:
        page = RunPage.read(reader, reader.run(evaluation.id or ""))
    code = _close(evaluation, page, output)
    if code or not floors:
        return code
    found = gate(page.head.id, at_least=floors, store=output.store)
    show(found.blocks())
    return CODES[found.decision]


async def hold_share(
    order: Order,
    run: str,
    output: RunOutput,
    *,
    lease: float = SECONDS,
    anyway: bool = False,
    retry_failed: bool = False,
) -> int:
    """Hold debates of a queue as one of its workers, until none is left. The exit code comes back."""
    held = work(
        run,
        order.strategy,
        store=output.store,
        lease=lease,
        anyway=anyway,
        retry_failed=retry_failed,
        settings=order.recorded,
    )
    evaluation = await _carried_out(held, order, output, ": worked on here")
    shift = evaluation.run.shift
    assert shift is not None, "a worker has a shift"
    if not output.quiet:
        why = "no debate is left" if shift.finished else "it was told to stop"
        held_here = counted(shift.tally.debates, "debate")
        say(one_line(f"{why}; held here: {held_here}; see more: {see_run(run, output.store)}"))
    return evaluation.progress.outcomes.exit_code


async def _carried_out(
    held: AbstractAsyncContextManager[Evaluation], order: Order, output: RunOutput, what: str
) -> Evaluation:
    """Have a run's debates held and their progress shown. Where that is stopped, it is said how to go on."""
    begun: Evaluation | None = None
    try:
        async with held as evaluation:
            begun = evaluation
            leave_word(f"what is on disk is kept; {_again(begun, order, output.store)}")
            if not output.quiet:
                told = [what, *begun.run.configuration.get("aspects", ())]
                say(one_line(f"run {begun.id} in {shown(output.store)}{', '.join(told)}"))
            await follow(begun, as_json=output.as_json, quiet=output.quiet)
    except (asyncio.CancelledError, BrokenPipeError, AgentDebateError) as error:
        # For a quiet worker that is told to end, the command that began it speaks.
        spoken_for = output.quiet and told_to_end() and isinstance(error, asyncio.CancelledError)
        if begun is not None and not spoken_for:
            _say_stopped(begun, order, output.store, error)
        raise
    leave_word("")
    return evaluation


async def _enter(order: Order, output: RunOutput, *, here: bool) -> str:
    """Enter a run as a queue, whose workers are started `here` or by the user; its name comes back."""
    say_replaced(order.replaced)
    store = output.store
    supply = await order.supply(quiet=output.quiet)
    entered = await enqueue(supply, order.strategy, store=store, settings=order.recorded)
    with read_store(store) as reader:
        debates = reader.run(entered).configuration["debates"]
    if here:
        return entered
    if output.as_json:
        out_json({"run": entered, "debates": debates})
    do = go_on(entered, store, order.again_words(), queued=True)
    what = f"{counted(debates, 'debate')} to be held; hold them: {do}"
    say(one_line(f"run {entered} in {shown(store)} entered: {what}"))
    return entered


async def _foretell(order: Order, *, as_json: bool) -> int:
    """Print the highest cost of a run. No model is called."""
    say_replaced(order.replaced)
    found = await forecast(order.source, order.strategy, settings=order.settings)
    return show_forecast(found.row(), forecast_blocks(found), found.assumptions, as_json=as_json)


def _again(evaluation: Evaluation, order: Order, store: str, error: BaseException | None = None) -> str:
    """Say how to see a run and how to go on with it, after an error with what that asks for."""
    run, queued = evaluation.id or "", evaluation.run.shift is not None
    words = order.again_words(larger=isinstance(error, BudgetSpent))
    if isinstance(error, NothingRead):  # debates that failed before it did so for the same reason
        words.append("--retry-failed")
    return f"see it: {see_run(run, store)}; go on: {go_on(run, store, words, queued=queued)}"


def _say_stopped(evaluation: Evaluation, order: Order, store: str, error: BaseException) -> None:
    """Say what a stopped run leaves in the store, counted there: debates end while others are called off."""
    after = ""
    if not isinstance(error, StoreError):  # else the store may not be there
        with read_store(store) as reader:
            head = reader.run(evaluation.id or "")
            after = f" after {counted(head.ended_debates, 'debate')}"
            if isinstance(error, BudgetSpent):  # by all processes that work on the run
                paid = total(one.usage for one in reader.shares(head.id) if not one.cached)
                after += f" and {counted(paid.tokens, 'token')}"
        after += "; what was paid for is kept"
    leave_word("")
    say(f"stopped{after}; {_again(evaluation, order, store, error)}")


def _close(evaluation: Evaluation, page: RunPage, output: RunOutput) -> int:
    """Print the results, and what there is to say when a run has ended. The exit code comes back."""
    progress, results, counts = evaluation.progress, page.results, OutcomeCounts(page.head.outcomes)
    see = see_run(evaluation.id, output.store)
    if not output.as_json:
        show(page.result_blocks(see=f"{see} --json"))
        sys.stdout.flush()
    if not output.quiet:
        warn_of_missing(() if output.as_json else results.coverages)
        if output.as_json and results.note:
            say(results.note)
    elif not counts.exit_code:
        return 0
    saved = f", {counted(progress.saved, 'more call')} answered by the cache" if progress.saved else ""
    paid = f"{counted(progress.calls, 'call')}, {counted(progress.tokens, 'token')}{saved}"
    short = f" ({len(results.short)} of them without some of the ballots or samples)" if results.short else ""
    say(f"{ended_words(counts, beside_verdicts=short)}, {paid}; see more: {see}")
    return counts.exit_code
