"""1,000 and 10,000 items as a stream, with the store on: ten times the time, in the same memory (aim: 10 MB more)."""

import asyncio
import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from agentdebate.runs.garbage import collecting_seldom
from benchmarks.endpoint import serving
from benchmarks.throughput import CLIENT, SERVER
from benchmarks.whole import hold

ITEMS = (1000, 10_000)
AT_ONCE = 64


async def measure(url: str, items: int) -> tuple[float, float, float]:
    """Wall and CPU seconds for so many items in debates of one round, and the peak memory in MB."""
    with tempfile.TemporaryDirectory() as folder, collecting_seldom():
        began, spent = time.perf_counter(), time.process_time()
        await hold(url, Path(folder) / "run.db", items, AT_ONCE, rounds=1)
        wall, cpu = time.perf_counter() - began, time.process_time() - spent
    return wall, cpu, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def main() -> None:
    """Print a row for each, and what the second is of the first."""
    rows = []
    with serving(0.0, core=SERVER) as url:
        for items in ITEMS:
            command = [sys.executable, "-m", "benchmarks.streaming", url, str(items)]
            done = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True)
            wall, cpu, peak = json.loads(done.stdout)
            rows.append((wall, cpu, peak))
            print(f"{items:>6} items   wall {wall:6.1f} s   CPU {cpu:6.1f} s   peak {peak:5.0f} MB")
    (wall, cpu, peak), (wall_10, cpu_10, peak_10) = rows
    print(f"wall {wall_10 / wall:.1f} times, CPU {cpu_10 / cpu:.1f} times, {peak_10 - peak:+.0f} MB")


if __name__ == "__main__":
    os.sched_setaffinity(0, {CLIENT})
    print(json.dumps(asyncio.run(measure(sys.argv[1], int(sys.argv[2])))))
