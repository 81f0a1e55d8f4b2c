"""Peak memory of many debates held at once, with a model that answers when all of them wait for it (aim: 60 kB each)."""

import subprocess
import sys
from pathlib import Path

import anyio

import agentdebate as ad
from agentdebate.debates import ready
from benchmarks.machinery import ITEM, answer

ROUND = 3
"""The round in which every debate is halted, so that all are in flight at once with a transcript behind them."""


def peak() -> int:
    """The process's peak resident memory in kB."""
    status = Path("/proc/self/status").read_text()
    return int(next(line.split()[1] for line in status.splitlines() if line.startswith("VmHWM")))


async def hold(count: int) -> None:
    """Hold this many debates at once, each halted in the middle until all have come so far."""
    halted, gate = 0, anyio.Event()

    async def model(request: ad.ModelRequest) -> str:
        nonlocal halted
        assert request.context is not None
        if request.context.round == ROUND and request.context.reply == "critique":
            halted += 1
            if halted == count:
                gate.set()
            await gate.wait()
        return answer(request)

    async with ready("debate", model=ad.Function("halting", model), project=ad.Project()) as debate:
        await debate.hold(ITEM, "coherence") if count == 0 else None
        async with anyio.create_task_group() as group:
            for _ in range(count):
                group.start_soon(debate.hold, ITEM, "coherence")


def main() -> None:
    """Print a row for 1, 10, 100 and 1,000 debates, each in a process of its own."""
    rows = {}
    for count in (1, 10, 100, 1000):
        code = f"from benchmarks import memory; import asyncio; asyncio.run(memory.hold({count})); print(memory.peak())"
        run = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
        rows[count] = int(run.stdout)
    for count, kilobytes in rows.items():
        each = f"{(kilobytes - rows[1]) / (count - 1):6.1f} kB each" if count > 1 else ""
        print(f"{count:5} at once   peak {kilobytes / 1024:6.1f} MB   {each}")
