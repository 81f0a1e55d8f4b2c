"""Our client and whole debates against the loop by hand, in one run on one server; server and client have a core each.

Every figure is from a process of its own; several passes are interleaved and the median is taken, for machines are noisy.
"""

import asyncio
import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from dataclasses import asdict, dataclass
from pathlib import Path
from statistics import median
from typing import Any

DEBATES = "debates"
"""Whole debates with the store on, beside the ways of benchmarks.by_hand."""
AT_ONCE = (20, 64, 200, 1024)
LATENCIES = (0.0, 0.2)
PASSES = 3
CLIENT, SERVER = 0, 1
"""The cores that they are pinned to."""


@dataclass(frozen=True)
class Figures:
    """What one process measured. `ideal` is the wall time of a client that takes no time at all, in seconds."""

    calls: int
    wall: float
    cpu: float
    peak_mb: float
    ideal: float

    @property
    def rate(self) -> float:
        """Calls a second."""
        return self.calls / self.wall

    @property
    def cpu_us(self) -> float:
        """Microseconds of CPU a call."""
        return self.cpu / self.calls * 1e6

    @property
    def share(self) -> float:
        """Ideal wall over wall."""
        return self.ideal / self.wall


def size(way: str, at_once: int, latency: float) -> int:
    """Debates of a measurement: some turns of all that are held at once, and enough that it takes a while."""
    return 3 * at_once if latency else max(400 if way == DEBATES else 2000, at_once)


async def measure(way: str, url: str, at_once: int, latency: float) -> Figures:
    """Hold debates and say what they took, after a few to warm up."""
    from benchmarks.by_hand import CALLS

    debates = size(way, at_once, latency)
    wall, cpu = await (_whole if way == DEBATES else _by_hand)(way, url, debates, at_once)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    ideal = -(-debates // at_once) * CALLS * latency
    return Figures(debates * CALLS, wall, cpu, peak, ideal)


async def _by_hand(way: str, url: str, debates: int, at_once: int) -> tuple[float, float]:
    from benchmarks.by_hand import WAYS, hold

    async with WAYS[way](url, at_once) as chat:
        await hold(chat, 4, 4)
        began, spent = time.perf_counter(), time.process_time()
        await hold(chat, debates, at_once)
        return time.perf_counter() - began, time.process_time() - spent


async def _whole(_: str, url: str, debates: int, at_once: int) -> tuple[float, float]:
    from benchmarks.whole import hold

    with tempfile.TemporaryDirectory() as folder:
        await hold(url, Path(folder) / "warm.db", 4, 4)
        began, spent = time.perf_counter(), time.process_time()
        await hold(url, Path(folder) / "run.db", debates, at_once)
        return time.perf_counter() - began, time.process_time() - spent


def run(way: str, url: str, at_once: int, latency: float, *, loop: str = "asyncio") -> Figures:
    """The figures of a process of its own."""
    command = [sys.executable, "-m", "benchmarks.throughput", way, url, str(at_once), str(latency), loop]
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    return Figures(**json.loads(done.stdout))


def child(way: str, url: str, at_once: str, latency: str, loop: str) -> None:
    """Measure in this process, and print the figures as JSON."""
    os.sched_setaffinity(0, {CLIENT})
    factory: Any = None
    if loop == "uvloop":
        import uvloop

        factory = uvloop.new_event_loop
    with asyncio.Runner(loop_factory=factory) as runner:
        print(json.dumps(asdict(runner.run(measure(way, url, int(at_once), float(latency))))))


def typical(figures: list[Figures]) -> Figures:
    """The median of several passes, each figure by itself."""
    return Figures(**{name: median(asdict(one)[name] for one in figures) for name in asdict(figures[0])})


if __name__ == "__main__":
    child(*sys.argv[1:])
