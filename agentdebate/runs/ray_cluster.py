"""A run worked on from every node of a Ray cluster: Ray starts a worker a node, and the run's state stays in its store.

Nothing goes through Ray's object store but the few bytes with which a worker says how it ended.
"""

import asyncio
import os
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

import anyio
import anyio.to_thread

from agentdebate.errors import AgentDebateError, UsageError
from agentdebate.extras import optional
from agentdebate.log import get_log
from agentdebate.runs.work import crew, no_queue
from agentdebate.store.reader import read_store

_log = get_log(__name__)

LOOK = 1.0
"""Seconds between two looks at the nodes of the cluster and at the run."""

NAMESPACE = "agentdebate"
"""Where Ray keeps the names of our actors."""

Hold = Callable[[], Awaitable[object]]
"""Works on the run, on whatever node it is called."""


@dataclass
class NodeWork:
    """What became of the worker on one node."""

    node: str
    """Ray's id of the node."""
    address: str
    state: str = "working"
    """`working`, `done`, `lost` where the node went, or why the worker left."""


class NodeWorker:
    """The actor of a node: it works on the run, once, and says how that ended. It is made on the node."""

    def __init__(self, hold: Hold, folder: str) -> None:
        self._hold = hold
        self._work: asyncio.Task[str] | None = None
        if Path(folder).is_dir():
            os.chdir(folder)

    async def work(self) -> str:
        """How the work ended: an empty text, or why it could not be done. Whoever asks again waits for the same work."""
        if self._work is None:
            self._work = asyncio.create_task(self._held())
        return await asyncio.shield(self._work)

    async def _held(self) -> str:
        try:
            await self._hold()
        except AgentDebateError as error:
            return f"{type(error).__name__}: {error}"
        return ""


@dataclass
class _Fleet:
    """The actors of a run, one a node, and the calls under way in them."""

    ray: Any
    run: str
    hold: Hold
    folder: str
    told: Callable[[NodeWork], object]
    nodes: dict[str, NodeWork] = field(default_factory=dict)
    calls: dict[Any, NodeWork] = field(default_factory=dict)

    def look(self) -> None:
        """Take in nodes that joined, and what became of those that were there. It waits for nothing."""
        alive = {node["NodeID"]: node["NodeManagerAddress"] for node in self.ray.nodes() if node["Alive"]}
        for node in alive.keys() - self.nodes.keys():
            self._start(NodeWork(node, alive[node]))
        for node, work in self.nodes.items():
            if work.state == "working" and node not in alive:
                self._end(work, "lost")
        over, _ = (
            self.ray.wait(list(self.calls), num_returns=len(self.calls), timeout=0)
            if self.calls
            else ([], [])
        )
        for call in over:
            work = self.calls.pop(call)
            if work.state == "working":
                self._end(work, self._result(call))

    def _start(self, work: NodeWork) -> None:
        strategies = self.ray.util.scheduling_strategies
        actor = (
            self.ray.remote(NodeWorker)
            .options(
                name=f"{self.run} {work.node}",
                namespace=NAMESPACE,
                lifetime="detached",
                get_if_exists=True,
                num_cpus=0,
                max_restarts=-1,
                max_task_retries=-1,
                max_concurrency=10,
                scheduling_strategy=strategies.NodeAffinitySchedulingStrategy(work.node, soft=False),
            )
            .remote(self.hold, self.folder)
        )
        self.nodes[work.node] = work
        self.calls[actor.work.remote()] = work
        self.told(work)

    def _result(self, call: Any) -> str:
        try:
            return self.ray.get(call) or "done"
        except self.ray.exceptions.RayError as error:
            _log.warning("a worker on Ray is gone: %s", error, kind="worker lost")
            return "lost"

    def _end(self, work: NodeWork, state: str) -> None:
        work.state = state
        self.told(work)

    def clear_away(self) -> None:
        """End the actors of the run, which have nothing to do any more."""
        for one in self.ray.util.list_named_actors(all_namespaces=True):
            if one["namespace"] == NAMESPACE and one["name"].startswith(f"{self.run} "):
                self.ray.kill(self.ray.get_actor(one["name"], namespace=NAMESPACE))


async def work_on_ray(
    run: str,
    hold: Hold,
    *,
    store: str | Path,
    address: str = "auto",
    told: Callable[[NodeWork], object] = lambda _: None,
) -> Mapping[str, NodeWork]:
    """Have every node of a Ray cluster work on a run that `enqueue` has entered, until none of its debates is left.

    `hold` is called once on each node, nodes that join later included, in a detached async actor; it is a coroutine function that
    works on the run, as with `work`, and every node has to be able to import it. A node that goes is made up for by the
    others, as any worker is. Where this process is ended the actors go on, `stop` ends
    them, and a second call finds them. `told` hears of every change. What became of each node comes back by its id.

    `address` is the cluster's, as `ray.init` takes it. Ray's usage statistics are switched off. Raises MissingExtra without
    the extra `ray`, UsageError where there is no such cluster or no node could work on the run, and StoreError.
    """
    os.environ["RAY_USAGE_STATS_ENABLED"] = "0"  # before the import, which reads it
    ray = optional("ray", "ray")
    optional("ray.util.scheduling_strategies", "ray")
    if await anyio.to_thread.run_sync(partial(crew, run, store=store)) is None:
        raise no_queue(run)
    connect = partial(
        ray.init, address=address, namespace=NAMESPACE, log_to_driver=False, logging_level="ERROR"
    )
    try:
        await anyio.to_thread.run_sync(connect)
    except (ConnectionError, RuntimeError, ValueError) as error:
        raise UsageError(f"there is no Ray cluster at {address}: {error}; start it with ray start") from error
    fleet = _Fleet(ray, run, hold, str(Path.cwd()), told)
    try:
        await _until_over(fleet, store)
        await anyio.to_thread.run_sync(fleet.clear_away)
    finally:
        ray.shutdown()
    return fleet.nodes


async def _until_over(fleet: _Fleet, store: str | Path) -> None:
    """Look after the nodes until the run has ended, or no node works on it and none may join that does."""
    with read_store(store) as reader:
        while True:
            await anyio.to_thread.run_sync(fleet.look)
            ended = await anyio.to_thread.run_sync(reader.ended, fleet.run)
            working = [one for one in fleet.nodes.values() if one.state == "working"]
            if ended and not working:
                return
            if not working and any(one.state == "done" for one in fleet.nodes.values()):
                return  # they were told to stop
            if (
                not working
                and fleet.nodes
                and all(one.state not in ("done", "lost") for one in fleet.nodes.values())
            ):
                raise UsageError(
                    f"no node could work on run {fleet.run}: {next(iter(fleet.nodes.values())).state}"
                )
            await anyio.sleep(LOOK)
