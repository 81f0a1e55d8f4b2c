"""agentdebate ray: have every node of a Ray cluster work on a run that was entered by agentdebate run --queue."""

from functools import partial
from typing import Annotated

from cyclopts import Parameter

from agentdebate.cli.console.command_lines import end, go_on, see_run
from agentdebate.cli.console.logs import LogOptions
from agentdebate.cli.console.output import number, one_line, say
from agentdebate.cli.console.run_page import show_run
from agentdebate.cli.console.watchdog import leave_word
from agentdebate.cli.options.common import STORE, Allowed, Json, StorePath
from agentdebate.cli.options.endpoint import SaidAgain
from agentdebate.cli.resume import absolute
from agentdebate.cli.work import Lease, work
from agentdebate.runs.ray_cluster import NodeWork, work_on_ray
from agentdebate.store.crew import SECONDS
from agentdebate.store.reader import LAST, read_store


async def ray(
    run: str = LAST,
    /,
    *,
    address: Annotated[
        str,
        Parameter(
            help="The cluster: HOST:PORT of its head, ray://HOST:PORT, or auto for the one of this machine."
        ),
    ] = "auto",
    concurrency: Annotated[
        int | None,
        Parameter(name=["--concurrency", "-c"], help="Debates that each node holds at once [as was said]."),
    ] = None,
    lease: Lease = SECONDS,
    anyway: Annotated[
        bool,
        Parameter(
            help="Have nodes take part although code, strategy, prompts or model are not the same there.",
            negative="",
            show_default=False,
        ),
    ] = False,
    allow_endpoint: Allowed = (),
    said: SaidAgain = SaidAgain(),
    store: StorePath = STORE,
    as_json: Json = False,
    logs: LogOptions = LogOptions(),
) -> int:
    """Have every node of a Ray cluster work on a run that was entered by agentdebate run --queue, until no debate is left.

    A worker runs on each node, on those that join later too; what a node held that goes is taken over by the others. All
    nodes have to reach the store and to have agentdebate and the content files, in the same folder as here where there is
    one of that name. Keys are those of each node's environment. Ctrl-C here leaves the workers at work: agentdebate stop ends
    them, and the same command finds them again.

    Parameters
    ----------
    run
        A run, or the beginning of its name; "last" is the newest.

    """
    where = absolute(store)
    with read_store(where) as reader:
        name = reader.run(run).id
    hold = partial(
        work, name, concurrency=concurrency, lease=lease, anyway=anyway, allow_endpoint=allow_endpoint, said=said,
        quiet=True, store=where,
    )  # fmt: skip
    leave_word(f"the workers on Ray go on; end them: {end(name, where)}; see it: {see_run(name, where)}")
    with logs.opened():
        nodes = await work_on_ray(name, hold, store=where, address=address, told=_tell)
    leave_word("")
    say(one_line(f"{number(len(nodes), 'node')} worked on run {name}"))
    with read_store(where) as reader:
        head = reader.run(name)
        failed = show_run(reader, head, where, as_json=as_json)
    if head.ended is None:
        say(f"run {name} has not ended; go on: {go_on(name, where, queued=True)}")
        return 1
    return failed


def _tell(work: NodeWork) -> None:
    say(one_line(f"node {work.address} ({work.node[:8]}): {work.state}"))
