"""agentdebate work: hold debates of a run that was entered by agentdebate run --queue, beside any other processes that do."""

from dataclasses import dataclass, replace
from typing import Annotated

from cyclopts import Parameter

from agentdebate.cli.console.logs import LogOptions
from agentdebate.cli.console.output import number, say
from agentdebate.cli.options.common import STORE, Json, Quiet, StorePath
from agentdebate.cli.options.order import Consent, Order
from agentdebate.cli.options.settings import CacheOptions, SaidAgain
from agentdebate.cli.run import hold_share
from agentdebate.runs.work import requeue
from agentdebate.store.crew import SECONDS
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
    with logs.opened(quiet=quiet):
        return await hold_share(
            worker.order(head),
            head.id,
            store,
            lease=worker.lease,
            anyway=worker.anyway,
            as_json=as_json,
            quiet=quiet,
        )
