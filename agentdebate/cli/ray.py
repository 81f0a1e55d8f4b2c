"""agentdebate ray: one actor on each node of a Ray cluster works on a run that was entered by agentdebate run --queue."""

import logging
import os
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any

import anyio

from agentdebate.cli.console.output import one_line, say
from agentdebate.cli.console.workers import ENDING, told_in_the_end
from agentdebate.cli.options.common import STORE, Json, RunOutput, StorePath
from agentdebate.cli.options.order import SaidAgain
from agentdebate.cli.options.words import Words
from agentdebate.cli.work import work
from agentdebate.errors import AgentDebateError, UsageError
from agentdebate.extras import optional
from agentdebate.store.crew import SECONDS
from agentdebate.store.reader import LAST, read_store

WORKING, LOST = "working", "lost"


async def ray(
    run: str = LAST,
    /,
    *,
    address: str = "auto",
    lease: float = SECONDS,
    said: SaidAgain = SaidAgain(),
    store: StorePath = STORE,
    as_json: Json = False,
    words: Words = (),
) -> int:
    """Have every node of a Ray cluster work on a run that was entered by run --queue. Nodes that join work too.
    Each has to reach the store, and to have agentdebate, keys and, in this folder, the content files.

    Example: agentdebate ray last --store postgresql://me@db.example/judging --address head.example:6379

    Parameters
    ----------
    run
        A run, or the beginning of its name; "last" is the newest.
    address
        The cluster: HOST:PORT of its head, ray://HOST:PORT, or auto for the one of this machine.
    lease
        Seconds after which the debates of a node that is gone are taken over by others.

    """
    with read_store(store) as reader:
        name = reader.run(run).id
    again = SaidAgain(consent=said.consent)
    hold = partial(work, name, lease=lease, said=again, output=RunOutput(store, quiet=True), words=words)
    os.environ["RAY_USAGE_STATS_ENABLED"] = "0"  # before the import, which reads it
    cluster = optional("ray", "ray")
    try:
        cluster.init(address=address, log_to_driver=False, logging_level="ERROR")
    except (ConnectionError, RuntimeError, ValueError) as error:
        raise UsageError(f"there is no Ray cluster at {address}: {error}; start it with ray start") from error
    await _on_all_nodes(cluster, name, hold)
    return told_in_the_end(name, store, (), as_json=as_json)


async def _on_all_nodes(cluster: Any, run: str, hold: partial[Any]) -> None:
    """Have nodes work until none does any more; where all were lost, others may join."""
    nodes: dict[str, str] = {}
    async with anyio.create_task_group() as group:
        while WORKING in nodes.values() or all(state == LOST for state in nodes.values()):
            for node in cluster.nodes():
                if node["Alive"] and node["NodeID"] not in nodes:
                    nodes[node["NodeID"]] = WORKING
                    group.start_soon(_on_node, cluster, run, hold, node, nodes)
            await anyio.sleep(1)


async def _on_node(cluster: Any, run: str, hold: partial[Any], node: Any, nodes: dict[str, str]) -> None:
    """Have a node work. Where this is cancelled its worker is told, and gives back what it holds."""
    name = node["NodeID"]
    there = cluster.util.scheduling_strategies.NodeAffinitySchedulingStrategy(name, soft=False)
    placed = cluster.remote(NodeWorker).options(name=f"{run} {name}", num_cpus=0, scheduling_strategy=there)
    call = placed.remote(run, name, str(Path.cwd())).work.remote(hold)
    try:
        nodes[name] = await call
    except cluster.exceptions.RayError:
        nodes[name] = LOST
    except anyio.get_cancelled_exc_class():
        cluster.cancel(call)
        with anyio.move_on_after(ENDING, shield=True), suppress(cluster.exceptions.RayError):
            await call
        raise
    say(one_line(f"node {node['NodeManagerAddress']} ({name[:8]}): {nodes[name]}"))


class NodeWorker(logging.Handler):
    """The actor of a node: it works on the run, and counts the debates that end there in a metric for Ray's dashboard."""

    def __init__(self, run: str, node: str, folder: str) -> None:
        super().__init__()
        with suppress(FileNotFoundError):
            os.chdir(folder)
        counter = optional("ray.util.metrics", "ray").Counter
        self._ended = counter("agentdebate_debates", "Debates that ended.", tag_keys=("run", "node", "how"))
        self._ended.set_default_tags({"run": run, "node": node})
        logging.getLogger("agentdebate.runs").addHandler(self)
        logging.getLogger("agentdebate.runs").setLevel("INFO")

    def emit(self, record: logging.LogRecord) -> None:
        """Count a debate that has ended."""
        if (kind := str(getattr(record, "kind", ""))).startswith("debate "):
            self._ended.inc(tags={"how": kind.removeprefix("debate ")})

    async def work(self, hold: partial[Any]) -> str:
        """Work on the run. The way that ended comes back."""
        try:
            await hold()
        except AgentDebateError as error:
            return f"{type(error).__name__}: {error}"
        return "done"
