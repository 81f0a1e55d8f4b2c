"""agentdebate ray: one actor on each node of a Ray cluster works on a run that was entered by agentdebate run --queue."""

import asyncio
import os
from collections.abc import Awaitable, Callable
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any

import anyio

from agentdebate.cli.console.output import one_line, say
from agentdebate.cli.console.workers import ENDING, told_in_the_end
from agentdebate.cli.options.common import STORE, Json, StorePath
from agentdebate.cli.work import WorkerOptions, work
from agentdebate.errors import AgentDebateError, UsageError
from agentdebate.extras import optional
from agentdebate.store.reader import LAST, read_store

Hold = Callable[[], Awaitable[int]]


async def ray(
    run: str = LAST,
    /,
    *,
    address: str = "auto",
    worker: WorkerOptions = WorkerOptions(),
    store: StorePath = STORE,
    as_json: Json = False,
) -> int:
    """Have every node of a Ray cluster work on a run that was entered by run --queue.
    Each has to reach the store, and to have agentdebate, keys and, in this folder, the content files.

    Example: agentdebate ray last --store postgresql://me@db.example/judging --address head.example:6379

    Parameters
    ----------
    run
        A run, or the beginning of its name; "last" is the newest.
    address
        The cluster: HOST:PORT of its head, ray://HOST:PORT, or auto for the one of this machine.

    """
    with read_store(store) as reader:
        hold = partial(work, name := reader.run(run).id, worker=worker, store=store, quiet=True)
    os.environ["RAY_USAGE_STATS_ENABLED"] = "0"  # before the import, which reads it
    cluster = optional("ray", "ray")
    try:
        cluster.init(address=address, log_to_driver=False, logging_level="ERROR")
    except (ConnectionError, RuntimeError, ValueError) as error:
        raise UsageError(f"there is no Ray cluster at {address}: {error}; start it with ray start") from error
    try:
        async with anyio.create_task_group() as group:
            for node in cluster.nodes():
                if node["Alive"]:
                    group.start_soon(_on_node, cluster, hold, node)
    finally:
        cluster.shutdown()
    return told_in_the_end(name, store, as_json=as_json)


async def _on_node(cluster: Any, hold: Hold, node: Any) -> None:
    """Have a node work. Where this is cancelled its worker is told, and gives back what it holds."""
    there = cluster.util.scheduling_strategies.NodeAffinitySchedulingStrategy(node["NodeID"], soft=False)
    placed = cluster.remote(NodeWorker).options(num_cpus=0, scheduling_strategy=there)
    call = placed.remote(str(Path.cwd())).work.remote(hold)
    try:
        ended = await call
    except cluster.exceptions.RayError as error:
        ended = f"lost: {error}"
    except asyncio.CancelledError:
        cluster.cancel(call)
        with anyio.move_on_after(ENDING, shield=True), suppress(cluster.exceptions.RayError):
            await call
        raise
    say(one_line(f"node {node['NodeManagerAddress']} ({node['NodeID'][:8]}): {ended}"))


class NodeWorker:
    """The actor of a node, in the folder where the command was given, if it is there."""

    def __init__(self, folder: str) -> None:
        with suppress(FileNotFoundError):
            os.chdir(folder)

    async def work(self, hold: Hold) -> str:
        """Work on the run. The way that ended comes back."""
        try:
            await hold()
        except AgentDebateError as error:
            return f"{type(error).__name__}: {error}"
        return "done"
