"""agentdebate resume: go on with a run that was stopped."""

from dataclasses import replace

from agentdebate.cli.console.logs import logged
from agentdebate.cli.options.again import SaidAgain
from agentdebate.cli.options.order import Order
from agentdebate.cli.options.run_output import RunOutput
from agentdebate.cli.options.settings import SpendingOptions
from agentdebate.cli.run import judge
from agentdebate.runs.stored_items import ITEMS
from agentdebate.store.reader import LAST, read_store


async def resume(
    run: str = LAST,
    /,
    *,
    retry_failed: bool = False,
    anyway: bool = False,
    said: SaidAgain = SaidAgain(),
    spending: SpendingOptions = SpendingOptions(),
    output: RunOutput = RunOutput(),
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

    """
    with read_store(output.store) as reader:
        head = reader.run(run)
    order = Order.stored(head, said)
    whole = isinstance(head.configuration.get(ITEMS), int)  # its items are in the store
    order = replace(order, data="" if whole else order.data, spending=spending.over(order.spending))
    with logged(output.log):
        return await judge(order, output, resume=head.id, retry_failed=retry_failed, anyway=anyway)
