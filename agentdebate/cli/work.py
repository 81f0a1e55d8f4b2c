"""agentdebate work: hold debates of a run that was entered by agentdebate run --queue, beside any other processes that do."""

import asyncio
import os
import shlex
import sys
from contextlib import nullcontext
from dataclasses import replace
from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from agentdebate.cli.console.command_lines import go_on, see_run
from agentdebate.cli.console.logs import LogOptions
from agentdebate.cli.console.output import number, one_line, out_json, say
from agentdebate.cli.console.processes import hold_in_processes
from agentdebate.cli.console.progress import FailureKinds, showing
from agentdebate.cli.console.watchdog import leave_word
from agentdebate.cli.options.common import STORE, AllowCode, Allowed, Json, ProjectPath, StorePath
from agentdebate.cli.options.endpoint import SaidAgain
from agentdebate.cli.options.order import Order
from agentdebate.cli.resume import absolute, check_code_at_home, order_of, told_by
from agentdebate.errors import AgentDebateError
from agentdebate.models.registry import provider_of
from agentdebate.project.trust import Trust
from agentdebate.runs.evaluation import Evaluation
from agentdebate.runs.work import requeue
from agentdebate.runs.work import work as held_by_lease
from agentdebate.store.crew import SECONDS
from agentdebate.store.place import shown
from agentdebate.store.reader import LAST, read_store

Lease = Annotated[
    float,
    Parameter(
        help="Seconds after which the debates of a worker that is gone are taken over by others.",
    ),
]
Concurrency = Annotated[
    int | None,
    Parameter(name=["--concurrency", "-c"], help="Debates that each process holds at once [as was said]."),
]
Anyway = Annotated[
    bool,
    Parameter(
        help="Take part although code, strategy, prompts or model are not the same here.",
        negative="",
        show_default=False,
    ),
]
Processes = Annotated[int, Parameter(name=["--processes", "-j"], help="Worker processes on this machine.")]


async def work(
    run: str = LAST,
    /,
    *,
    processes: Processes = 1,
    concurrency: Concurrency = None,
    lease: Lease = SECONDS,
    anyway: Anyway = False,
    retry_failed: Annotated[
        bool,
        Parameter(
            help="Put the debates that have failed back into the queue first.",
            negative="",
            show_default=False,
        ),
    ] = False,
    allow_endpoint: Allowed = (),
    allow_code: AllowCode = False,
    project: ProjectPath = None,
    said: SaidAgain = SaidAgain(),
    quiet: Annotated[
        bool,
        Parameter(
            name=["--quiet", "-q"],
            help="Say nothing but warnings and errors.",
            negative="",
            show_default=False,
        ),
    ] = False,
    store: StorePath = STORE,
    as_json: Json = False,
    logs: LogOptions = LogOptions(),
) -> int:
    """Hold debates of a run that was entered by agentdebate run --queue, until none is left.

    Any number of these may work on one run, on any machine that reaches the store. Each takes some debates at a time; those of
    a process that is gone are taken over by others. Addresses and keys are those of the environment here, such as
    OPENAI_BASE_URL and OPENAI_API_KEY, and never the store's; content files are those of the project here.

    Parameters
    ----------
    run
        A run, or the beginning of its name; "last" is the newest.

    """
    where = absolute(store)
    with read_store(where) as reader:
        head = reader.run(run)
    if retry_failed:
        count = requeue(head.id, store=where)
        say(f"{number(count, 'debate')} that failed put back into the queue")
    if processes != 1:
        allowed = [f"--allow-endpoint={host}" for host in allow_endpoint]
        allowed += ["--allow-code"] if allow_code else []
        allowed += [] if project is None else [f"--project={project}"]
        words = [*allowed, *said.words(), *(["--anyway"] if anyway else [])]
        words += [] if concurrency is None else [f"--concurrency={concurrency}"]
        with logs.opened():
            return await hold_in_processes(
                where,
                head.id,
                processes,
                words,
                more="".join(f" {shlex.quote(word)}" for word in allowed),
                lease=lease,
                as_json=as_json,
            )
    trust = Trust.allowing(allow_endpoint, code=allow_code or project is not None)
    stored = order_of(head, told_by(head), trust)
    order = _by_environment(said, stored).over(stored, head.id)
    order = replace(order, concurrency=order.concurrency if concurrency is None else concurrency)
    if project is not None:
        order = replace(order, project=project)
    elif allow_code:
        check_code_at_home(head, Path.cwd().joinpath(order.project or ""), where)
    if order.spending.cache != "off":
        order.trust.path(str(order.spending.cache_file), Path.cwd(), "--cache-file")
    with logs.opened():
        return await _work(order, head.id, where, lease=lease, anyway=anyway, quiet=quiet, as_json=as_json)


async def _work(
    order: Order, run: str, store: str, *, lease: float, anyway: bool, quiet: bool, as_json: bool
) -> int:
    """One worker. The exit code comes back."""
    prepared = order.prepared()
    again = go_on(run, store, order.again_words(), queued=True)
    joined = False
    try:
        async with (
            held_by_lease(
                run, prepared.strategy, store=store, lease=lease, anyway=anyway, settings=prepared.settings
            ) as evaluation,
        ):
            assert evaluation.run.shift is not None, "a worker has a shift"
            joined = True
            leave_word(
                f"what is on disk is kept; others take over what was held here; see it: {see_run(run, store)}"
            )
            if not quiet:
                say(one_line(f"worker {evaluation.run.shift.worker} at work on run {run} in {shown(store)}"))
            await _follow(evaluation, quiet=quiet, as_json=as_json)
    except (asyncio.CancelledError, BrokenPipeError, AgentDebateError):
        if joined and not quiet:
            say(f"this worker stopped; what it held is for others to take; go on: {again}")
        leave_word("")
        raise
    leave_word("")
    if not quiet:
        say(_account(evaluation, run, store))
    return evaluation.progress.outcomes.exit_code


async def _follow(evaluation: Evaluation, *, quiet: bool, as_json: bool) -> None:
    """Take the records as they come, and show how far it is."""
    kinds = FailureKinds()
    with showing(evaluation.progress) if not quiet else nullcontext() as line:
        async for record in evaluation:
            row = record.row()
            if as_json:
                out_json(row)
            kinds.tell(record.id, row)
            if line is not None:
                line.update()
    sys.stdout.flush()


def _account(evaluation: Evaluation, run: str, store: str) -> str:
    """What this worker did."""
    shift = evaluation.run.shift
    assert shift is not None
    lost = f", {number(shift.tally.lost, 'lease')} lost" if shift.tally.lost else ""
    why = "no debate is left" if shift.finished else f"it was told to stop ({shift.told})"
    held = number(shift.tally.debates, "debate")
    return one_line(f"{why}; held here: {held}{lost}; see more: {see_run(run, store)}")


def _by_environment(said: SaidAgain, order: Order) -> SaidAgain:
    """What is said here, with the address that the environment names for the model's provider in the place of the store's."""
    provider = provider_of(order.models.model)
    variable = provider.moved if provider else None
    address = os.environ.get(variable) if variable else None
    if said.base_url or not order.models.base_url or not address:
        return said
    return replace(said, base_url=address)
