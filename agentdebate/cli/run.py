"""agentdebate run: an evaluation over a file, into the store."""

import asyncio
import sys
from collections.abc import Sequence
from contextlib import aclosing, nullcontext
from typing import Annotated

import anyio
from cyclopts import Parameter

from agentdebate.cli.console.command_lines import go_on, see_run
from agentdebate.cli.console.logs import LogOptions
from agentdebate.cli.console.missing import warn_of_missing
from agentdebate.cli.console.output import number, one_line, out, out_json, say, show
from agentdebate.cli.console.processes import hold_in_processes
from agentdebate.cli.console.progress import FailureKinds, showing
from agentdebate.cli.console.replaced import say_replaced
from agentdebate.cli.console.watchdog import leave_word
from agentdebate.cli.options.common import STORE, Json, StorePath
from agentdebate.cli.options.names import in_options
from agentdebate.cli.options.order import Order
from agentdebate.cli.options.own_files import check_own
from agentdebate.datasets.data_source import is_on_disk
from agentdebate.datasets.supply import Supply, look_through
from agentdebate.debates.outcome import OutcomeCounts
from agentdebate.errors import BudgetSpent, DataError, ModelError, NothingRead, StoreError, UsageError
from agentdebate.models.families import families_told
from agentdebate.models.registry import check_provider
from agentdebate.report.forecast_table import forecast_blocks
from agentdebate.report.run_page import RunPage
from agentdebate.report.run_results import debate_name, ended_words
from agentdebate.runs.evaluation import Evaluation, evaluate
from agentdebate.runs.forecast import forecast
from agentdebate.runs.look_ahead import LookAhead
from agentdebate.runs.stored_items import stored_supply
from agentdebate.runs.work import enqueue
from agentdebate.store.crew import SECONDS
from agentdebate.store.place import shown
from agentdebate.store.reader import read_store
from agentdebate.tasks import Item

FORESEEN = 1000
"""How many items of a stream a forecast chooses from."""


async def run(
    strategy: str,
    data: Annotated[
        str,
        Parameter(
            help="A JSONL, JSON, CSV, TSV or Parquet file, or a folder with --as; - is standard input, and hf:NAME:SPLIT a "
            "dataset of the Hugging Face hub.",
            allow_leading_hyphen=True,
        ),
    ],
    /,
    *,
    store: StorePath = STORE,
    as_json: Json = False,
    options: Order = Order(),
    logs: LogOptions = LogOptions(),
    dry_run: Annotated[
        bool,
        Parameter(
            help="Say how many calls, tokens and how much money it will cost at the most, and stop.",
            negative="",
            show_default=False,
        ),
    ] = False,
    queue: Annotated[
        bool,
        Parameter(
            help="Enter the run and its items and hold no debate; agentdebate work does, in any number of processes.",
            negative="",
            show_default=False,
        ),
    ] = False,
    processes: Annotated[
        int, Parameter(name=["--processes", "-j"], help="Processes on this machine that hold the debates.")
    ] = 1,
    lease: Annotated[
        float,
        Parameter(help="With -j: seconds after which the debates of a process that is gone are taken over."),
    ] = SECONDS,
    quiet: Annotated[
        bool,
        Parameter(
            name=["--quiet", "-q"], help="Print the result and errors alone.", negative="", show_default=False
        ),
    ] = False,
) -> int:
    """Judge every item of a file, each aspect in a debate of its own.

    Parameters
    ----------
    strategy
        A strategy by name; "agentdebate list strategies" shows them.

    """
    order = options.of(strategy, data, dry=dry_run)
    if dry_run:
        return await foretell(order, as_json=as_json)
    if processes < 1:
        raise UsageError(f"--processes is at least 1, not {processes}")
    if queue and processes > 1:
        raise UsageError(
            f"--queue holds no debate, and --processes {processes} holds them here: leave one of them out"
        )
    cache_file = None if order.spending.cache == "off" else order.spending.cache_file
    check_own(store=store, log=logs.log, cache_file=cache_file)
    with logs.opened(quiet=quiet):
        if queue or processes > 1:
            entered = await enter(
                order, store, as_json=as_json and queue, here=not queue, quiet=quiet and not queue
            )
            if queue:
                return 0
            words = order.worker_words()
            more = order.again_words()
            return await hold_in_processes(
                store, entered, processes, words, more=more, lease=lease, as_json=as_json, quiet=quiet
            )
        return await judge(order, store, as_json=as_json, quiet=quiet)


async def enter(order: Order, store: str, *, as_json: bool, here: bool, quiet: bool = False) -> str:
    """Enter a run as a queue, whose workers are started `here` or by the user; its name comes back."""
    prepared = order.prepared()
    say_replaced(prepared)
    supply = await order.supply(prepared.task, quiet=quiet)
    settings = order.settings(data=order.source.described(order.data, supply))
    async with aclosing(supply):
        entered = await enqueue(supply.items, prepared.strategy, store=store, settings=settings)
    with read_store(store) as reader:
        crew = reader.crew(entered)
    count = crew.left if crew else 0
    if as_json:
        out_json({"run": entered, "debates": count})
    if quiet:
        return entered
    do = "" if here else f"; hold them: {go_on(entered, store, order.again_words(), queued=True)}"
    say(one_line(f"run {entered} in {shown(store)} entered: {number(count, 'debate')} to be held{do}"))
    return entered


def _going_on(error: BaseException, order: Order) -> str:
    """Words that a command needs to go on with a run that an error stopped."""
    if isinstance(error, BudgetSpent):
        return order.again_words() + order.spending.more_words()
    if isinstance(error, NothingRead):  # debates that failed before it did so for the same reason
        return f"{order.again_words()} --retry-failed"
    return order.again_words()


async def judge(
    order: Order,
    store: str,
    *,
    as_json: bool,
    resume: str | None = None,
    retry_failed: bool = False,
    anyway: bool = False,
    quiet: bool = False,
) -> int:
    """Carry out an order; `resume` names the run in which it was begun. The exit code comes back."""
    prepared = order.prepared()
    say_replaced(prepared)
    stored = resume is not None and not order.data
    supply = stored_supply(store, resume or "") if stored else await order.supply(prepared.task, quiet=quiet)
    data = {} if stored else order.source.described(order.data, supply)
    if resume is not None and supply.streamed:
        data |= await _digested(order)
    begun = ""
    try:
        async with (
            aclosing(supply),
            evaluate(
                supply.items,
                prepared.strategy,
                store=store,
                in_order=supply.streamed and not as_json,
                resume=resume,
                retry_failed=retry_failed,
                anyway=anyway,
                earlier=False,
                settings=order.settings(**({"data": data} if data else {})),
            ) as evaluation,
        ):
            begun = evaluation.id or ""
            again = go_on(begun, store, order.again_words())
            leave_word(f"what is on disk is kept; see it: {see_run(begun, store)}; go on: {again}")
            if not quiet:
                say(_announced(evaluation, prepared.aspects, supply, store, resumed=resume is not None))
            async with anyio.create_task_group() as group:
                if supply.streamed and is_on_disk(order.data):
                    lines = order.data_source(prepared.task).is_lines
                    look = LookAhead(order.data, data, len(prepared.sets), order.source.limit, lines=lines)
                    group.start_soon(look.tell, evaluation.run)
                if as_json:
                    _print_earlier(evaluation, store)
                await _follow(evaluation, as_json=as_json, quiet=quiet)
    except (
        asyncio.CancelledError,
        ModelError,
        DataError,
        BrokenPipeError,
        BudgetSpent,
        NothingRead,
    ) as error:
        _say_stopped(begun, store, _going_on(error, order))
        raise
    except StoreError:
        if begun:  # nothing is counted, since the store may not be there
            say(f"stopped; go on: {go_on(begun, store, order.again_words())}")
            leave_word("")
        raise
    leave_word("")
    with read_store(store) as reader:
        page = RunPage.read(reader, reader.run(begun), store)
    _close(evaluation, page, store, agents=prepared.agents, as_json=as_json, quiet=quiet)
    return OutcomeCounts(page.head.outcomes).exit_code


async def foretell(order: Order, *, as_json: bool) -> int:
    """Print what a run will cost at the most. Nothing is asked of any model."""
    order.check_dry()
    prepared = order.prepared()
    say_replaced(prepared)
    supply = await order.supply(prepared.task)
    items, of = await _for_forecast(supply)
    check_provider(order.models.model)
    order.casting.words.check_models()
    prices = order.spending.table(order.project)
    found = await forecast(
        items, prepared.strategy, prepared.task, settings=prepared.settings, prices=prices, of=of
    )
    if as_json:
        out_json(found.row())
        return 0
    show(forecast_blocks(found))
    for line in found.assumptions:
        say(line)
    return 0


def _announced(
    evaluation: Evaluation, aspects: Sequence[str], supply: Supply, store: str, *, resumed: bool
) -> str:
    total = evaluation.progress.total
    left = f", {number(total, 'debate')} to go" if resumed and total is not None else ""
    items = number(len(supply.taken.items), "item") if supply.taken else "items as they are read"
    what = f"{items}, {', '.join(aspects)}{left}"
    return one_line(f"run {evaluation.id} in {shown(store)}{' taken up again' if resumed else ''}: {what}")


async def _digested(order: Order) -> dict[str, str]:
    """The digest of a large file, which has to be that of the run's first part."""
    if not is_on_disk(order.data):
        return {}
    say("looking whether the data is still the same")
    return {"sha256": (await look_through(order.data)).sha256}


async def _for_forecast(supply: Supply) -> tuple[Sequence[Item], int | None]:
    """Items that a forecast is made from, and how many there are in all where these are not all."""
    if isinstance(supply.items, Sequence):
        return supply.items, None
    first, count = list[Item](), 0
    async with aclosing(supply.items) as items:
        async for item in items:
            count += 1
            if count <= FORESEEN:
                first.append(item)
    return first, count


def _print_earlier(evaluation: Evaluation, store: str) -> None:
    """Print the rows of the debates that had ended when the run was taken up again."""
    if not evaluation.earlier:
        return
    with read_store(store) as reader:
        for row in reader.rows(evaluation.id or ""):
            if row["debate"] in evaluation.earlier:
                out_json({name: value for name, value in row.items() if name != "debate"})


async def _follow(evaluation: Evaluation, *, as_json: bool, quiet: bool) -> None:
    """Take the records as they come, under the eyes of the progress line."""
    kinds = FailureKinds()
    with nullcontext() if quiet else showing(evaluation.progress) as line:
        async for record in evaluation:
            row = record.row()
            if as_json:
                out_json(row)
            kinds.tell(record.id, row)
            if line is not None:
                line.update()


def _say_stopped(run: str, store: str, more: str) -> None:
    """What a run that was stopped leaves in the store, counted there: debates end while others are called off."""
    if run:
        with read_store(store) as reader:
            head = reader.run(run)
        ended = number(head.ended_debates, "debate")
        say(
            f"stopped after {ended}; what was paid for is kept; see it: {see_run(run, store)}; go on: "
            f"{go_on(run, store, more)}"
        )
        leave_word("")


def _close(
    evaluation: Evaluation, page: RunPage, store: str, *, agents: int, as_json: bool, quiet: bool
) -> None:
    """The results, and what there is to say when a run has ended."""
    progress, results, ended = evaluation.progress, page.results, OutcomeCounts(page.head.outcomes)
    if not as_json:
        show(page.result_blocks(see=f"{see_run(evaluation.id, store)} --json"))
        if not quiet:
            warn_of_missing(page.coverages)
        if told := families_told(results.families, agents):
            out(f"\nfamilies: {told}")
        sys.stdout.flush()
    elif results.note and not quiet:
        say(results.note)
    for error, count, row in page.failures.failures:
        if count > 1:  # a single one has been shown when it came
            reason = in_options(str(row["failure"]["reason"]))
            say(one_line(f"{count} x {error}, for example {debate_name(row)}: {reason}"))
    if quiet and not ended.exit_code:
        return
    short = len(results.short)
    without = f" ({short} of them without some of the ballots or samples)" if short else ""
    say(
        f"{_ended(ended, progress.outcomes, beside_verdicts=without)}, "
        f"{number(progress.calls, 'call')}, {number(progress.tokens, 'token')}{_saved(progress.saved)}; "
        f"see more: {see_run(evaluation.id, store)}"
    )


def _ended(whole: OutcomeCounts, now: OutcomeCounts, *, beside_verdicts: str) -> str:
    """How the debates of a run ended; those that were held now are counted apart where others were held before."""
    told = ended_words(whole, beside_verdicts=beside_verdicts)
    return told if whole.total == now.total else f"{told} in all; held now: {ended_words(now)}"


def _saved(calls: int) -> str:
    """Calls that a cache saved."""
    return f", {number(calls, 'more call')} answered by the cache" if calls else ""
