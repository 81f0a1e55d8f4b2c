"""agentdebate resume: go on with a run that was stopped."""

from agentdebate.cli.console.logs import logged
from agentdebate.cli.options.common import RunOutput
from agentdebate.cli.options.order import Order, SaidAgain
from agentdebate.cli.options.words import Words
from agentdebate.cli.run import hold_share, judge
from agentdebate.runs.stored_items import ITEMS
from agentdebate.store.reader import LAST, read_store


async def resume(
    run: str = LAST,
    /,
    *,
    retry_failed: bool = False,
    anyway: bool = False,
    said: SaidAgain = SaidAgain(),
    output: RunOutput = RunOutput(),
    words: Words = (),
) -> int:
    """Go on with a run that was stopped or killed: what was paid for is not paid for again. A setting that is said here goes before the
    one of the run. Where requests and keys go, whose code is run and which cache is written is never taken from the store:
    --allow-endpoint allows what it says, or --base-url and --api-key-env say it again.

    Content files are those of the current folder, or of --project.

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
        queued = reader.crew(head.id) is not None
    order = Order.stored(head, said, words)
    stored = isinstance(head.configuration.get(ITEMS), int)
    with logged(output.log):
        if queued:
            return await hold_share(order, head.id, output, retry_failed=retry_failed, anyway=anyway)
        return await judge(
            order, output, resume=head.id, stored=stored, retry_failed=retry_failed, anyway=anyway
        )
