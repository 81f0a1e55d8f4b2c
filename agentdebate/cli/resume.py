"""agentdebate resume: go on with a run that was stopped."""

from dataclasses import replace
from typing import Annotated

from cyclopts import Parameter

from agentdebate.cli.console.command_lines import go_on
from agentdebate.cli.console.logs import LogOptions
from agentdebate.cli.options.common import LIMITS, STORE, Json, Quiet, StorePath
from agentdebate.cli.options.order import Consent, Order
from agentdebate.cli.options.settings import CacheOptions, SaidAgain, SpendingOptions
from agentdebate.cli.run import judge
from agentdebate.errors import UsageError
from agentdebate.runs.stored_items import ITEMS
from agentdebate.store.reader import LAST, read_store


async def resume(
    run: str = LAST,
    /,
    *,
    retry_failed: bool = False,
    anyway: bool = False,
    said: SaidAgain = SaidAgain(),
    concurrency: Annotated[int | None, Parameter(name=["--concurrency", "-c"], group=LIMITS)] = None,
    spending: SpendingOptions = SpendingOptions(),
    caching: CacheOptions = CacheOptions(),
    consent: Consent = Consent(),
    store: StorePath = STORE,
    as_json: Json = False,
    quiet: Quiet = False,
    logs: LogOptions = LogOptions(),
) -> int:
    """Go on with a run that was stopped or killed: what was paid for is not paid for again.

    Where requests and keys go, whose code is run and which files are written is never taken from the store: --allow-endpoint
    allows what it says, or --base-url and --api-key-env say it again. Content files are those of the current folder, or of --project.

    Example: agentdebate resume last --retry-failed

    Parameters
    ----------
    run
        A run, or the beginning of its name; "last" is the newest.
    retry_failed
        Hold the debates that failed once more.
    anyway
        Go on although strategy, task, prompts, model or data were changed. What still fits is not paid for again.
    concurrency
        Debates held at once [as before].

    """
    with read_store(store) as reader:
        head = reader.run(run)
        if reader.crew(head.id) is not None:
            said_here = (*consent.words(), *said.words(), *caching.words())
            command = go_on(head.id, store, said_here, queued=True)
            raise UsageError(f"run {head.id} is one of a queue: go on with {command}")
    order = Order.stored(head, consent, said, caching).at_once(concurrency)
    whole = isinstance(head.configuration.get(ITEMS), int)  # its items are in the store
    order = replace(order, data="" if whole else order.data, spending=spending.over(order.spending))
    with logs.opened():
        return await judge(
            order,
            store,
            as_json=as_json,
            quiet=quiet,
            resume=head.id,
            retry_failed=retry_failed,
            anyway=anyway,
        )
