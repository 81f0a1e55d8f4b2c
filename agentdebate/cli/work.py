"""agentdebate work: hold debates of a run that was entered by agentdebate run --queue, beside any other processes that do."""

from typing import Annotated

from cyclopts import Parameter

from agentdebate.cli.console.logs import LogOptions
from agentdebate.cli.console.output import number, say
from agentdebate.cli.options.common import LIMITS, STORE, Json, Quiet, StorePath
from agentdebate.cli.options.order import Consent, Order
from agentdebate.cli.options.settings import CacheOptions, SaidAgain
from agentdebate.cli.run import hold_share
from agentdebate.runs.work import requeue
from agentdebate.store.crew import SECONDS
from agentdebate.store.reader import LAST, read_store


async def work(
    run: str = LAST,
    /,
    *,
    retry_failed: bool = False,
    anyway: bool = False,
    lease: float = SECONDS,
    concurrency: Annotated[int | None, Parameter(name=["--concurrency", "-c"], group=LIMITS)] = None,
    said: SaidAgain = SaidAgain(),
    caching: CacheOptions = CacheOptions(),
    consent: Consent = Consent(),
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
    anyway
        Take part although code, strategy, prompts or model are not the same here.
    lease
        Seconds after which the debates of a worker that is gone are taken over by others.
    concurrency
        Debates that each process holds at once [as the run was told].

    """
    with read_store(store) as reader:
        head = reader.run(run)
    if retry_failed:
        count = requeue(head.id, store=store)
        say(f"{number(count, 'debate')} that failed put back into the queue")
    order = Order.stored(head, consent, said, caching).at_once(concurrency)
    with logs.opened():
        return await hold_share(
            order, head.id, store, lease=lease, anyway=anyway, as_json=as_json, quiet=quiet
        )
