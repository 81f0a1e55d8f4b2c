"""agentdebate work: hold debates of a run that was entered by agentdebate run --queue, beside any other processes that do."""

import asyncio
from dataclasses import dataclass, replace
from typing import Annotated

from cyclopts import Parameter

from agentdebate.cli.console.command_lines import go_on, see_run
from agentdebate.cli.console.logs import LogOptions
from agentdebate.cli.console.output import number, one_line, say
from agentdebate.cli.console.run_page import follow
from agentdebate.cli.console.watchdog import leave_word
from agentdebate.cli.options.common import STORE, Json, Quiet, StorePath
from agentdebate.cli.options.model import SaidAgain
from agentdebate.cli.options.order import Consent, Order
from agentdebate.cli.options.spending import CacheOptions
from agentdebate.errors import AgentDebateError
from agentdebate.runs.evaluation import Evaluation
from agentdebate.runs.work import requeue
from agentdebate.runs.work import work as held_by_lease
from agentdebate.store.crew import SECONDS
from agentdebate.store.place import shown
from agentdebate.store.reader import LAST, RunHead, read_store


@Parameter(name="*")
@dataclass(frozen=True)
class WorkerOptions:
    """Options of a worker."""

    concurrency: Annotated[int | None, Parameter(name=["--concurrency", "-c"])] = None
    """Debates that each process holds at once [as the run was told]."""
    lease: float = SECONDS
    """Seconds after which the debates of a worker that is gone are taken over by others."""
    anyway: bool = False
    """Take part although code, strategy, prompts or model are not the same here."""
    said: SaidAgain = SaidAgain()
    caching: CacheOptions = CacheOptions()
    consent: Consent = Consent()

    def order(self, head: RunHead) -> Order:
        """Read the order of the run, with what is said here. Raises UserError."""
        order = Order.stored(head, self.consent, self.said, self.caching)
        return order if self.concurrency is None else replace(order, concurrency=self.concurrency)


async def work(
    run: str = LAST,
    /,
    *,
    retry_failed: bool = False,
    worker: WorkerOptions = WorkerOptions(),
    store: StorePath = STORE,
    as_json: Json = False,
    quiet: Quiet = False,
    logs: LogOptions = LogOptions(),
) -> int:
    """Hold debates of a run that was entered by agentdebate run --queue, until none is left.

    Any number of these may work on one run, on any machine that reaches the store. Each takes some debates at a time; those of
    a process that is gone are taken over by others. Keys are those of the environment here, and addresses those that
    --base-url names or --allow-endpoint allows, never the store's alone; content files are those of the project here.

    Example: agentdebate work last --store postgresql://me@db.example/judging

    Parameters
    ----------
    run
        A run, or the beginning of its name; "last" is the newest.
    retry_failed
        Put the debates that have failed back into the queue first.

    """
    with read_store(store) as reader:
        head = reader.run(run)
    if retry_failed:
        count = requeue(head.id, store=store)
        say(f"{number(count, 'debate')} that failed put back into the queue")
    order = worker.order(head)
    with logs.opened(quiet=quiet):
        return await _work(order, worker, head.id, store, quiet=quiet, as_json=as_json)


async def _work(
    order: Order, worker: WorkerOptions, run: str, store: str, *, quiet: bool, as_json: bool
) -> int:
    """Work as one process. The exit code comes back."""
    prepared = order.prepared()
    again, joined = go_on(run, store, order.again_words(), queued=True), False
    try:
        async with held_by_lease(
            run,
            prepared.strategy,
            store=store,
            lease=worker.lease,
            anyway=worker.anyway,
            settings=prepared.settings,
        ) as evaluation:
            assert evaluation.run.shift is not None, "a worker has a shift"
            joined = True
            leave_word(
                f"what is on disk is kept; others take over what was held here; see it: {see_run(run, store)}"
            )
            if not quiet:
                say(one_line(f"worker {evaluation.run.shift.worker} at work on run {run} in {shown(store)}"))
            await follow(evaluation, as_json=as_json, quiet=quiet)
    except (asyncio.CancelledError, BrokenPipeError, AgentDebateError):
        if joined and not quiet:
            say(f"this worker stopped; what it held is for others to take; go on: {again}")
        raise
    finally:
        leave_word("")
    if not quiet:
        say(_account(evaluation, run, store))
    return evaluation.progress.outcomes.exit_code


def _account(evaluation: Evaluation, run: str, store: str) -> str:
    """Say what this worker did."""
    shift = evaluation.run.shift
    assert shift is not None
    lost = f", {number(shift.tally.lost, 'lease')} lost" if shift.tally.lost else ""
    why = "no debate is left" if shift.finished else "it was told to stop"
    held = number(shift.tally.debates, "debate")
    return one_line(f"{why}; held here: {held}{lost}; see more: {see_run(run, store)}")
