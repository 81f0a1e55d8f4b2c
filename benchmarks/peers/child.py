"""Measures one peer in this process, and prints its figures as JSON.

python -m benchmarks.peers.child MODULE:FUNCTION WARM_URL URL DEBATES AT_ONCE LATENCY
"""

import asyncio
import importlib
import json
import os
import sys
import threading
import time
import urllib.request
import warnings
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import asdict
from importlib.metadata import distributions
from pathlib import Path

from benchmarks.cores import CLIENT, pin
from benchmarks.peers.cell import Cell
from benchmarks.peers.figures import Figures
from benchmarks.resident import peak_mb, resident_mb
from benchmarks.sockets import allow_many

Hold = Callable[[str, int, int], Awaitable[None]]
WARM_UP = 4
"""Debates that are held before, for imports and what else is done once."""


async def measure(hold: Hold, url: str, debates: int, cell: Cell, *, warm: str) -> Figures:
    """Hold so many debates, after some to warm up at another endpoint, which answers at once."""
    await hold(warm, WARM_UP, WARM_UP)
    first, load, before = resident_mb(), os.getloadavg()[0], received(url)
    began, spent, waited = time.perf_counter(), time.process_time(), kept_waiting()
    await hold(url, debates, cell.at_once)
    wall, cpu = time.perf_counter() - began, time.process_time() - spent
    calls, sent = (now - then for now, then in zip(received(url), before, strict=True))
    return Figures(
        calls=calls,
        sent=sent,
        wall=wall,
        cpu=cpu,
        kept_waiting=max(0.0, kept_waiting() - waited),
        ideal=cell.ideal(debates),
        first_mb=first,
        peak_mb=peak_mb(),
        load=load,
    )


def received(url: str) -> tuple[int, int]:
    """How many calls and bytes of bodies the endpoint has had."""
    with urllib.request.urlopen(f"{url}/received", timeout=30) as reply:
        calls, sent = json.load(reply)
    return calls, sent


def kept_waiting() -> float:
    """Seconds for which the main thread could have run and did not, less those in which our other threads did."""
    schedule = Path(f"/proc/self/task/{threading.main_thread().native_id}/schedstat")
    if not schedule.exists():
        return 0.0
    return int(schedule.read_text().split()[1]) / 1e9 - (time.process_time() - time.thread_time())


def versions() -> dict[str, str]:
    """What is installed here."""
    return {each.name.lower(): each.version for each in distributions()}


def main(words: Sequence[str]) -> None:
    """Measure, and print."""
    holds, warm, url, debates, at_once, latency = words
    pin(CLIENT)
    allow_many()
    warnings.simplefilter("ignore")  # of what others' clients leave open at the end
    module, _, function = holds.partition(":")
    hold: Hold = getattr(importlib.import_module(f"benchmarks.peers.{module}"), function)
    cell = Cell(int(at_once), float(latency))
    figures = asyncio.run(measure(hold, url, int(debates), cell, warm=warm))
    print(json.dumps({"figures": asdict(figures), "versions": versions()}))


if __name__ == "__main__":
    main(sys.argv[1:])
