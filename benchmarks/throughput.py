"""Our client and whole debates against the loop by hand, in one run on one server; server and client have a core each.

Every figure is from a process of its own; the passes are interleaved and the median is taken, for machines are noisy. CPU a
call is the steadiest of them. The ideal wall is that of a client that takes no time, with the server's latency alone.
"""

import asyncio
import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from importlib.util import find_spec
from pathlib import Path
from statistics import median

from benchmarks.endpoint import serving
from benchmarks.memory import resident

DEBATES = "debates"
"""Whole debates with the store on, beside the ways of benchmarks.by_hand."""
BY_AIOHTTP = "debates, aiohttp"
"""The same with aiohttp alone as the client."""
WAYS = ("aiohttp", "httpx over aiohttp", "our client", "our client, aiohttp", DEBATES, BY_AIOHTTP)
AUTOGEN = "AutoGen"
"""Measured with 200 at once and no latency, where it is installed."""
AT_ONCE = (20, 64, 200, 1024)
LATENCIES = (0.0, 0.2)
PASSES = int(os.environ.get("PASSES", "3"))
CLIENT, SERVER = 0, 1
"""The cores that they are pinned to."""


@dataclass(frozen=True)
class Figures:
    """What one process measured. `ideal` is the wall time of a client that takes no time at all, in seconds."""

    calls: float
    wall: float
    cpu: float
    first_mb: float
    """Resident memory after the first debates."""
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


Table = Mapping[tuple[float, int, str], Figures]
"""Figures by latency, debates at once, and way."""


def size(way: str, at_once: int, latency: float) -> int:
    """Debates of a measurement: some turns of all that are held at once, and enough that it takes a while."""
    if way == AUTOGEN:
        return at_once
    return 2 * at_once if latency else max(400 if way in (DEBATES, BY_AIOHTTP) else 1000, at_once)


async def measure(way: str, url: str, at_once: int, latency: float) -> Figures:
    """Hold debates and say what they took, after a few to warm up."""
    from benchmarks.by_hand import CALLS

    debates = size(way, at_once, latency)
    wall, cpu, first = await (_whole if way in (DEBATES, BY_AIOHTTP) else _by_hand)(
        way, url, debates, at_once
    )
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    ideal = -(-debates // at_once) * CALLS * latency
    return Figures(debates * CALLS, wall, cpu, first / 1024, peak, ideal)


async def _by_hand(way: str, url: str, debates: int, at_once: int) -> tuple[float, float, int]:
    from benchmarks.by_hand import WAYS as BY_HAND
    from benchmarks.by_hand import hold

    async with BY_HAND[way](url, at_once) as chat:
        await hold(chat, 4, 4)
        first, began, spent = resident(), time.perf_counter(), time.process_time()
        await hold(chat, debates, at_once)
        return time.perf_counter() - began, time.process_time() - spent, first


async def _whole(way: str, url: str, debates: int, at_once: int) -> tuple[float, float, int]:
    from agentdebate.runs.garbage import collecting_seldom
    from benchmarks.whole import hold

    with tempfile.TemporaryDirectory() as folder, collecting_seldom():
        client = "aiohttp" if way == BY_AIOHTTP else "httpx"
        await hold(url, Path(folder) / "warm.db", 4, 4, client=client)
        first = resident()
        return (*await hold(url, Path(folder) / "run.db", debates, at_once, client=client), first)


def run(way: str, url: str, at_once: int, latency: float, *, loop: str = "asyncio") -> Figures:
    """The figures of a process of its own."""
    command = [sys.executable, "-m", "benchmarks.throughput", way, url, str(at_once), str(latency), loop]
    done = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True)
    return Figures(**json.loads(done.stdout))


def child(way: str, url: str, at_once: str, latency: str, loop: str) -> None:
    """Measure in this process, and print the figures as JSON."""
    os.sched_setaffinity(0, {CLIENT})
    factory = None
    if loop == "uvloop":
        import uvloop

        factory = uvloop.new_event_loop
    with asyncio.Runner(loop_factory=factory) as runner:
        print(json.dumps(asdict(runner.run(measure(way, url, int(at_once), float(latency))))))


def typical(figures: list[Figures]) -> Figures:
    """The median of several passes, each figure by itself."""
    return Figures(**{name: median(asdict(one)[name] for one in figures) for name in asdict(figures[0])})


def measured() -> Table:
    """The figures of every way, printed as they come."""
    table: dict[tuple[float, int, str], Figures] = {}
    for latency in LATENCIES:
        print(f"replies after {latency * 1000:.0f} ms")
        print(f"{'at once':>8}  {'':<20}{'calls/s':>9}{'CPU us':>9}{'ideal/wall':>12}{'peak MB':>9}")
        with serving(latency, core=SERVER) as url:
            for at_once in AT_ONCE:
                ways = (*WAYS, AUTOGEN) if _compared(latency, at_once) else WAYS
                passes = [{way: run(way, url, at_once, latency) for way in ways} for _ in range(PASSES)]
                for way in ways:
                    one = table[latency, at_once, way] = typical([each[way] for each in passes])
                    share = f"{one.share:.2f}" if latency else "-"
                    print(
                        f"{at_once:>8}  {way:<20}{one.rate:9.0f}{one.cpu_us:9.0f}{share:>12}{one.peak_mb:9.0f}",
                        flush=True,
                    )
    return table


def _compared(latency: float, at_once: int) -> bool:
    return not latency and at_once == 200 and find_spec("autogen_core") is not None


def aims(table: Table) -> None:
    """Print every aim with its figure, met or not."""

    def say(what: str, figure: float, aim: float, *, least: bool, unit: str = "") -> None:
        met = figure >= aim if least else figure <= aim
        bound = "at least" if least else "at most"
        print(f"{'met    ' if met else 'NOT MET'}  {what:<82}{figure:8.2f} ({bound} {aim:g}{unit})")

    same = (("our client", DEBATES, "httpx over aiohttp"), ("our client, aiohttp", BY_AIOHTTP, "aiohttp"))
    for ours, debates, other in same:
        for at_once in (64, 1024):
            alone, whole, loop = (table[0.0, at_once, way] for way in (ours, debates, other))
            of = f"calls a CPU second of the loop by hand, {other}, {at_once} at once"
            say(f"our client: of the {of}", loop.cpu_us / alone.cpu_us, 0.9, least=True)
            say(f"whole debates: of the {of}", loop.cpu_us / whole.cpu_us, 0.7, least=True)
    if (0.0, 200, AUTOGEN) in table:
        times = table[0.0, 200, AUTOGEN].cpu_us / table[0.0, 200, DEBATES].cpu_us
        say("whole debates: calls a CPU second of AutoGen's, 200 at once", times, 12, least=True)
    few, many = table[0.2, 64, "our client"], table[0.2, 1024, "our client"]
    say(
        "our client: CPU a call at 200 ms, 1,024 at once, of that at 64",
        many.cpu_us / few.cpu_us,
        1.5,
        least=False,
    )
    for at_once, least in ((20, 0.97), (200, 0.92), (1024, 0.90)):
        share = table[0.2, at_once, DEBATES].share
        say(f"whole debates: ideal wall of wall at 200 ms, {at_once} at once", share, least, least=True)
    first = table[0.0, 20, DEBATES].first_mb
    say("memory after first use", first, 60, least=False, unit=" MB")
    whole, alone = table[0.0, 64, DEBATES], table[0.0, 64, "our client"]
    say("ours around a call, store and all", whole.cpu_us - alone.cpu_us, 100, least=False, unit=" us")


def main() -> None:
    """Run it."""
    print(f"medians of {PASSES} passes")
    aims(measured())


if __name__ == "__main__":
    child(*sys.argv[1:])
