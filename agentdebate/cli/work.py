"""agentdebate work: hold debates of a run that was entered by agentdebate run --queue, beside any other processes that do."""

from agentdebate.cli.console.logs import logged
from agentdebate.cli.options.common import RunOutput
from agentdebate.cli.options.order import Order, SaidAgain
from agentdebate.cli.options.words import Words
from agentdebate.cli.run import hold_share
from agentdebate.store.crew import SECONDS
from agentdebate.store.reader import LAST, read_store


async def work(
    run: str = LAST,
    /,
    *,
    retry_failed: bool = False,
    anyway: bool = False,
    lease: float = SECONDS,
    said: SaidAgain = SaidAgain(),
    output: RunOutput = RunOutput(),
    words: Words = (),
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

    """
    with read_store(output.store) as reader:
        head = reader.run(run)
    order = Order.stored(head, said, words)
    with logged(output.log):
        return await hold_share(order, head.id, output, lease=lease, anyway=anyway, retry_failed=retry_failed)
