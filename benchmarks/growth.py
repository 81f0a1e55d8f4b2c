"""Whole debates as there are more at once, and as they have more rounds: CPU a call, memory, and what a verdict takes in the store.

    python -m benchmarks growth [--write]

The store is on; server and client have a core each. PASSES says how often everything is measured.
"""

import asyncio
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path
from statistics import median

from benchmarks.aim import Aim, aims_table, table
from benchmarks.cores import CLIENT, SERVER, pin
from benchmarks.endpoint import serving
from benchmarks.page import SPEED, write_parts
from benchmarks.resident import peak_mb
from benchmarks.sockets import allow_many

PASSES = int(os.environ.get("PASSES", "3"))
AT_ONCE = (20, 1000, 4000)
ROUNDS = (4, 16, 64)
LATENCY = 0.2
CLIENTS = ("httpx", "aiohttp")
PYTHONS = 700, 10, 10
"""The thresholds of Python's collector for garbage in cycles."""
MORE = 4 / 3
"""A call may take a third more at 4,000 at once than at 20."""
LINEAR = 1.2
"""What is linear takes no more than this of its share, machines being noisy."""


@dataclass(frozen=True)
class Load:
    """What is held."""

    debates: int
    at_once: int
    rounds: int = 4
    latency: float = 0.0
    client: str = "aiohttp"
    collector: bool = False
    """Whether Python's collector looks as often as it would by itself."""

    @property
    def calls(self) -> int:
        """Model calls: a score, and in each round an objection and a score."""
        return self.debates * (2 * self.rounds + 1)


@dataclass(frozen=True)
class Taken:
    """What it took. Seconds."""

    wall: float
    cpu: float
    peak_mb: float
    store_kb: float
    """Of all debates."""


def many(at_once: int, latency: float, client: str, *, collector: bool = False) -> Load:
    """So many debates at once, and enough that it takes a while."""
    debates = max(at_once, 60 if latency else 400)
    return Load(debates, at_once, latency=latency, client=client, collector=collector)


def long(rounds: int) -> Load:
    """Debates of so many rounds, with about as many calls for every number of rounds."""
    return Load(max(20, 3600 // (2 * rounds + 1)), 20, rounds)


def typical(passes: Iterable[Taken]) -> Taken:
    """The median of several passes, each figure by itself."""
    rows = [asdict(one) for one in passes]
    return Taken(**{name: median(row[name] for row in rows) for name in rows[0]})


def measured(loads: Iterable[Load]) -> dict[Load, Taken]:
    """The medians, printed as passes come."""
    loads = list(loads)
    found: dict[Load, list[Taken]] = {load: [] for load in loads}
    for number in range(1, PASSES + 1):
        for load in loads:
            with serving(load.latency, core=SERVER) as url:
                taken = _run(load, url)
            found[load].append(taken)
            each = taken.cpu / load.calls * 1e6
            print(
                f"pass {number} of {PASSES}   {load}: {each:.0f} us a call, {taken.peak_mb:.0f} MB, "
                f"{taken.wall:.1f} s, load {os.getloadavg()[0]:.1f}",
                flush=True,
            )
    return {load: typical(passes) for load, passes in found.items()}


def _run(load: Load, url: str) -> Taken:
    command = [sys.executable, "-m", "benchmarks.growth", url, json.dumps(asdict(load))]
    done = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True)
    return Taken(**json.loads(done.stdout))


def child(url: str, described: str) -> None:
    """Measure in this process, and print what it took as JSON."""
    from benchmarks.whole import hold

    pin(CLIENT)
    allow_many()
    load = Load(**json.loads(described))
    with tempfile.TemporaryDirectory() as folder:
        store, warm = Path(folder) / "run.db", Path(folder) / "warm.db"
        own = PYTHONS if load.collector else None
        held = partial(hold, url, rounds=load.rounds, client=load.client, collector=own)
        asyncio.run(held(warm, 4, 4))
        wall, cpu = asyncio.run(held(store, load.debates, load.at_once))
        kept = sum(path.stat().st_size for path in Path(folder).glob("run.db*")) / 1000
    print(json.dumps(asdict(Taken(wall, cpu, peak_mb(), kept))))


def at_once_table(found: dict[Load, Taken]) -> list[str]:
    """A row a number of debates at once and client."""
    rows = [
        (
            f"{at_once:,}",
            "agentdebate on aiohttp" if client == "aiohttp" else "agentdebate",
            _us(found, many(at_once, 0.0, client)),
            _us(found, many(at_once, LATENCY, client)),
            f"{found[many(at_once, LATENCY, client)].peak_mb:.0f}",
        )
        for at_once in AT_ONCE
        for client in CLIENTS
    ]
    head = ("at once", "", "CPU us a call, 0 ms", "CPU us a call, 200 ms", "peak MB, 200 ms")
    return table(head, rows)


def _us(found: dict[Load, Taken], load: Load) -> str:
    return f"{found[load].cpu / load.calls * 1e6:,.0f}"


def collector_table(found: dict[Load, Taken]) -> list[str]:
    """What Python's own thresholds take, and ours, at 1,000 at once."""
    loads = {"those of `evaluate`": many(1000, 0.0, "aiohttp"), "Python's own": OWN}
    rows = [(name, _us(found, load), f"{found[load].peak_mb:.0f}") for name, load in loads.items()]
    return table(("the collector's thresholds", "CPU us a call, 1,000 at once, 0 ms", "peak MB"), rows)


OWN = many(1000, 0.0, "aiohttp", collector=True)
"""With Python's own thresholds."""


def rounds_table(found: dict[Load, Taken]) -> list[str]:
    """A row a number of rounds."""
    loads = [long(rounds) for rounds in ROUNDS]
    rows = [
        (
            f"{load.rounds}",
            _us(found, load),
            f"{found[load].cpu / load.debates * 1e3:,.1f}",
            f"{found[load].store_kb / load.debates:,.0f}",
        )
        for load in loads
    ]
    return table(("rounds", "CPU us a call", "CPU ms a debate", "kB a verdict in the store"), rows)


def aims(found: dict[Load, Taken]) -> list[Aim]:
    """What may grow, and how far it did."""
    made = [_more(found, client) for client in CLIENTS]
    few, most = (long(rounds) for rounds in ROUNDS[1:])
    each = [found[load].cpu / load.calls for load in (few, most)]
    kept = [found[load].store_kb / load.calls for load in (few, most)]
    over = f"a call at {most.rounds} rounds, over {few.rounds} rounds"
    return [
        *made,
        Aim(f"CPU {over}", each[1] / each[0], LINEAR),
        Aim(f"kB in the store {over}", kept[1] / kept[0], LINEAR),
    ]


def _more(found: dict[Load, Taken], client: str) -> Aim:
    few, most = many(AT_ONCE[0], 0.0, client), many(AT_ONCE[-1], 0.0, client)
    figure = (found[most].cpu / most.calls) / (found[few].cpu / few.calls)
    name = "agentdebate on aiohttp" if client == "aiohttp" else "agentdebate"
    return Aim(
        f"{name}: CPU a call at {AT_ONCE[-1]:,} at once, over {AT_ONCE[0]}, 0 ms", figure, round(MORE, 2)
    )


def main() -> None:
    """Measure and print. With `--write` the tables go into the page on speed."""
    busy = [many(n, latency, client) for latency in (0.0, LATENCY) for n in AT_ONCE for client in CLIENTS]
    found = measured([*busy, OWN, *(long(rounds) for rounds in ROUNDS)])
    tables = (at_once_table(found), collector_table(found), rounds_table(found))
    parts = {"growth": "\n\n".join("\n".join(lines) for lines in tables)}
    parts["growth-aims"] = "\n".join(aims_table(aims(found)))
    print("\n\n".join(["", *parts.values()]))
    if "--write" in sys.argv:
        write_parts(SPEED, "growth", parts)


if __name__ == "__main__":
    child(*sys.argv[1:])
