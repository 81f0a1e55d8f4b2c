"""One run on several processes: what a lease costs, and how work grows with workers.

    python -m benchmarks machines [--claims] [--scaling] [--quick]

On a SQLite file, and on PostgreSQL where it is installed; both wait for the disk. `--quick` measures for a shorter time.
"""

import sys
import time
from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

import agentdebate as ad
from agentdebate.store.crew import Leases, lease_entry
from agentdebate.store.debate_writer import enter
from agentdebate.store.engine import open_database
from agentdebate.store.schema import enter_run
from benchmarks.aim import Aim, aims_table
from benchmarks.cores import SERVER
from benchmarks.endpoint import serving
from benchmarks.page import SPEED, write_parts
from benchmarks.workers import NewStore, enter_items, kill, load, processor_seconds, stores, worker

BATCH = 64
AT_ONCE = 50
LATENCY = 0.2


def lease_cost(store: str, debates: int) -> float:
    """Milliseconds a debate for taking it and for entering its end, in batches."""
    database = open_database(store, create=True)
    try:
        head = {
            "id": "run",
            "created": 1.0,
            "strategy": "s",
            "task": "t",
            "model": "m",
            "configuration": "{}",
        }
        number = database.change(partial(enter_run, row=head))
        entries = [
            lease_entry(f"d{place}", place=place, item=f"i{place}", item_number=place, aspects=["coherence"])
            for place in range(debates)
        ]
        database.change(partial(enter, run=number, parts=entries))
        leases = Leases(number, "one")
        begun = time.perf_counter()
        while taken := database.change(lambda connection: leases.take(connection, BATCH)):
            leases.hold(taken)
            database.change(partial(_end, leases=leases, names=[one.debate for one in taken]))
        return (time.perf_counter() - begun) * 1000 / debates
    finally:
        database.close()


def _end(connection: Any, *, leases: Leases, names: list[str]) -> None:
    assert not leases.guard(connection, names, ending=names)
    leases.forget(names)


@dataclass(frozen=True)
class Cost:
    """Milliseconds that a debate takes, of the clock and of all workers' processors."""

    wall: float
    cpu: float


def cost(store: str, url: str, workers: int, debates: int) -> Cost:
    """What a debate of nine calls takes where so many workers hold so many debates, without their start."""
    run = enter_items(store, url, debates, "debate")
    processes = [worker(store, url, at_once=AT_ONCE) for _ in range(workers)]
    try:
        while (crew := ad.crew(run, store=store)) is None or len(crew.workers) < workers:
            time.sleep(0.1)
        begun = time.perf_counter()
        spent = sum(map(processor_seconds, processes))
        wall = time.perf_counter() - begun
    finally:
        kill(processes)
    started = processor_seconds(worker(store, url, at_once=AT_ONCE))  # it finds nothing left
    return Cost(wall * 1000 / debates, (spent - workers * started) * 1000 / debates)


def claims(kinds: Mapping[str, NewStore], *, quick: bool) -> list[Aim]:
    """What taking and entering a debate costs."""
    return [
        Aim(
            f"{kind}: claim and entry of a debate",
            lease_cost(new_store(), 640 if quick else 12_800),
            0.1,
            unit=" ms",
            digits=3,
        )
        for kind, new_store in kinds.items()
    ]


def scaling(kinds: Mapping[str, NewStore], *, quick: bool) -> list[Aim]:
    """What a debate takes with 1, 2 and 4 workers, on endpoints that answer at once and later. `--write` puts it into the page on speed."""
    debates = 300 if quick else 2_000
    lines = [
        "| store | reply after | workers | wall ms a debate | CPU ms a debate |",
        "| --- | --- | --- | --- | --- |",
    ]
    for kind, new_store in kinds.items():
        for latency in (0.0, LATENCY):
            with serving(latency, core=SERVER) as url:
                for count in (1, 2, 4):
                    took = cost(new_store(), url, count, debates)
                    lines.append(
                        f"| {kind} | {latency * 1000:g} ms | {count} | {took.wall:.1f} | {took.cpu:.1f} |"
                    )
                    print(lines[-1], load(), flush=True)
    lines.append(
        f"\n{debates:,} debates of nine calls, {AT_ONCE} at once in each worker; the endpoint has a core of its own; {load()}."
    )
    if "--write" in sys.argv:
        write_parts(SPEED, "machines --scaling", {"workers": "\n".join(lines)})
    return []


PARTS = {"claims": claims, "scaling": scaling}


def main() -> None:
    """Print the tables."""
    words = sys.argv[1:]
    chosen = [name for name in PARTS if f"--{name}" in words] or list(PARTS)
    print(load())
    with stores() as kinds:
        aims = [aim for name in chosen for aim in PARTS[name](kinds, quick="--quick" in words)]
    print("\n".join([*aims_table(aims), f"{load()} at the end"]))
