"""agentdebate ray: one actor on each node of a Ray cluster works on a run that was entered by agentdebate run --queue.

The state of the run stays in its store: what a lost node held is taken over by the others. Through Ray goes how each worker ended, and for
its dashboard how many debates have.
"""

import asyncio
import logging
import os
from collections.abc import Awaitable, Callable
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Annotated, Any

import anyio
import anyio.to_thread
from cyclopts import Parameter

from agentdebate.cli.console.output import number, one_line, say
from agentdebate.cli.console.processes import ENDING, told_in_the_end
from agentdebate.cli.options.common import STORE, Allowed, Json, StorePath
from agentdebate.cli.options.endpoint import SaidAgain
from agentdebate.cli.resume import absolute
from agentdebate.cli.work import Anyway, Concurrency, Lease, work
from agentdebate.errors import AgentDebateError, UsageError
from agentdebate.extras import optional
from agentdebate.store.crew import SECONDS
from agentdebate.store.reader import LAST, read_store

WORKING, DONE, LOST = "working", "done", "lost"
Cluster = Annotated[
    str, Parameter(help="HOST:PORT of its head, ray://HOST:PORT, or auto for that of this machine.")
]


async def ray(
    run: str = LAST, /, *, address: Cluster = "auto", concurrency: Concurrency = None, lease: Lease = SECONDS,
    anyway: Anyway = False, allow_endpoint: Allowed = (), said: SaidAgain = SaidAgain(), store: StorePath = STORE, as_json: Json = False,
) -> int:  # fmt: skip
    """Have every node of a Ray cluster work on a run that was entered by agentdebate run --queue, until no debate is left.

    Nodes that join later work too; what a lost node held is taken over by the others. All nodes have to reach the store and to
    have agentdebate and the content files, in the same folder as here where there is one of that name. Keys are those of each
    node's environment. Ctrl-C ends all workers.

    Parameters
    ----------
    run
        A run, or the beginning of its name; "last" is the newest.

    """
    where = absolute(store)
    with read_store(where) as reader:
        name = reader.run(run).id
    options: dict[str, Any] = {"concurrency": concurrency, "lease": lease, "anyway": anyway, "quiet": True}
    hold = partial(work, name, allow_endpoint=allow_endpoint, said=said, store=where, **options)
    os.environ["RAY_USAGE_STATS_ENABLED"] = "0"  # before the import, which reads it
    cluster = optional("ray", "ray")
    try:
        cluster.init(address=address, log_to_driver=False, logging_level="ERROR")
    except (ConnectionError, RuntimeError, ValueError) as error:
        raise UsageError(f"there is no Ray cluster at {address}: {error}; start it with ray start") from error
    try:
        nodes = await _on_all_nodes(cluster, name, hold)
    finally:
        cluster.shutdown()
    if DONE not in nodes.values():
        raise UsageError(f"no node could work on run {name}: {', '.join(set(nodes.values()))}")
    say(one_line(f"{number(len(nodes), 'node')} worked on run {name}"))
    return told_in_the_end(name, where, as_json=as_json)


async def _on_all_nodes(cluster: Any, run: str, hold: Callable[[], Awaitable[int]]) -> dict[str, str]:
    """Have nodes work until none does any more; where all were lost, others may join. How each ended comes back by its id."""
    nodes: dict[str, str] = {}

    async def on_node(node: str, address: str) -> None:
        for state in (WORKING, None):
            nodes[node] = state or await _on_node(cluster, run, node, hold)
            say(one_line(f"node {address} ({node[:8]}): {nodes[node]}"))

    async with anyio.create_task_group() as group:
        while WORKING in nodes.values() or not set(nodes.values()) - {LOST}:
            for node in await anyio.to_thread.run_sync(cluster.nodes):
                if node["Alive"] and node["NodeID"] not in nodes:
                    group.start_soon(on_node, node["NodeID"], node["NodeManagerAddress"])
            await anyio.sleep(1)
    return nodes


async def _on_node(cluster: Any, run: str, node: str, hold: Callable[[], Awaitable[int]]) -> str:
    """How the work of a node ended. Where this is cancelled its worker is told, and gives back what it holds."""
    there = cluster.util.scheduling_strategies.NodeAffinitySchedulingStrategy(node, soft=False)
    placed = cluster.remote(NodeWorker).options(name=f"{run} {node}", num_cpus=0, scheduling_strategy=there)
    call = placed.remote(run, node, str(Path.cwd())).work.remote(hold)
    try:
        return str(await call)
    except cluster.exceptions.RayError:
        return LOST
    except asyncio.CancelledError:
        cluster.cancel(call)
        with anyio.move_on_after(ENDING, shield=True), suppress(cluster.exceptions.RayError):
            await call
        raise


class NodeWorker(logging.Handler):
    """The actor of a node: it works on the run, and counts the debates that end there in a metric for Ray's dashboard."""

    def __init__(self, run: str, node: str, folder: str) -> None:
        super().__init__()
        if Path(folder).is_dir():
            os.chdir(folder)
        tags = {"run": run, "node": node}
        metric = optional("ray.util.metrics", "ray").Counter
        self._ended = metric(
            "agentdebate_debates", "Debates that have ended.", tag_keys=("run", "node", "how")
        )
        self._ended.set_default_tags(tags)
        log = logging.getLogger("agentdebate.runs.evaluation")
        log.addHandler(self)
        log.setLevel(logging.INFO)

    def emit(self, record: logging.LogRecord) -> None:
        """Count a debate that has ended."""
        if (kind := str(getattr(record, "kind", ""))).startswith("debate "):
            self._ended.inc(tags={"how": kind.removeprefix("debate ")})

    async def work(self, hold: Callable[[], Awaitable[int]]) -> str:
        """Work on the run, and say how that ended."""
        try:
            await hold()
        except AgentDebateError as error:
            return f"{type(error).__name__}: {error}"
        return DONE
