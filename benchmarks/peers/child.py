"""Measures one peer in this process, and prints its figures as JSON.

python -m benchmarks.peers.child MODULE:FUNCTION WARM_URL URL DEBATES AT_ONCE LATENCY
"""

import asyncio
import importlib
import json
import os
import sys
import time
import urllib.request
import warnings
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import asdict
from importlib.metadata import distributions

from benchmarks.cores import CLIENT, pin
from benchmarks.peers.peer import Cell, Figures
from benchmarks.resident import peak_mb
from benchmarks.sockets import allow_many

Hold = Callable[[str, int, int], Awaitable[None]]
WARM_UP = 4
"""Debates that are held before the clock starts, for imports and caches."""


async def measure(hold: Hold, url: str, debates: int, cell: Cell, *, warm: str) -> Figures:
    """Hold so many debates, after some to warm up at another endpoint, which answers at once."""
    await hold(warm, WARM_UP, WARM_UP)
    load, before = os.getloadavg()[0], received(url)
    began, spent = time.perf_counter(), time.process_time()
    await hold(url, debates, cell.at_once)
    wall, cpu = time.perf_counter() - began, time.process_time() - spent
    calls, sent = (now - then for now, then in zip(received(url), before, strict=True))
    return Figures(calls, sent, wall, cpu, cell.ideal(debates), peak_mb(), load)


def received(url: str) -> tuple[int, int]:
    """Calls and bytes of bodies that the endpoint has had."""
    with urllib.request.urlopen(f"{url}/received", timeout=30) as reply:
        calls, sent = json.load(reply)
    return calls, sent


def main(words: Sequence[str]) -> None:
    """Measure, and print."""
    holds, warm, url, debates, at_once, latency = words
    pin(CLIENT)
    allow_many()
    warnings.simplefilter("ignore")  # of what others' clients leave open at the end
    module, _, function = holds.partition(":")
    hold: Hold = getattr(importlib.import_module(f"benchmarks.peers.{module}"), function)
    figures = asyncio.run(measure(hold, url, int(debates), Cell(int(at_once), float(latency)), warm=warm))
    versions = {each.name.lower(): each.version for each in distributions()}
    print(json.dumps({"figures": asdict(figures), "versions": versions}))


if __name__ == "__main__":
    main(sys.argv[1:])
