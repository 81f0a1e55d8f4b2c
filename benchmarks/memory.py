"""Memory of many debates in flight, with a model that answers only when all of them wait for it (aim: 60 kB each)."""

import subprocess
import sys

import anyio

import agentdebate as ad
from agentdebate.debates.ready import ready
from benchmarks.resident import resident_mb
from benchmarks.sample_debate import ITEM, answer

LAST = 4, "score"
"""The round and the reply at which every debate is halted, its ninth call, so that all are in flight at once with a transcript behind them."""


async def hold(count: int) -> float:
    """Hold this many debates at once, each halted in the middle; the memory when all have come so far, in MB."""
    halted, measured, gate = 0, 0.0, anyio.Event()

    async def model(request: ad.ModelRequest) -> str:
        nonlocal halted, measured
        assert request.context is not None
        if (request.context.round, request.context.reply) == LAST:
            halted += 1
            if halted == count:
                measured = resident_mb()
                gate.set()
            await gate.wait()
        return answer(request)

    halting = ad.Function("halting", model)
    async with (
        ready("debate", model=halting, project=ad.Project()) as debate,
        anyio.create_task_group() as group,
    ):
        for _ in range(count):
            group.start_soon(debate.hold, ITEM, "coherence")
    return measured


def main() -> None:
    """Print a row for 1, 10, 100 and 1,000 debates, each in a process of its own."""
    rows = {}
    for count in (1, 10, 100, 1000):
        code = f"from benchmarks import memory; import asyncio; print(asyncio.run(memory.hold({count})))"
        run = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
        rows[count] = float(run.stdout)
    for count, megabytes in rows.items():
        each = f"{(megabytes - rows[1]) * 1024 / (count - 1):6.1f} kB each" if count > 1 else ""
        print(f"{count:5} at once   {megabytes:6.1f} MB   {each}")
