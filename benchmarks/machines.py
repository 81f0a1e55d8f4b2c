"""One run on several processes: how work grows with workers.

    python -m benchmarks machines [--quick] [--write]

On a SQLite file, and on PostgreSQL where it is installed; both wait for the disk. `--quick` measures for a shorter time.
"""

import sys
import time
from collections.abc import Mapping

import agentdebate as ad
from benchmarks.cores import SERVER
from benchmarks.endpoint import serving
from benchmarks.page import SPEED, write_parts
from benchmarks.workers import NewStore, enter_items, kill, load, processor_seconds, stores, worker

AT_ONCE = 50
LATENCY = 0.2


def cost(store: str, url: str, workers: int, debates: int) -> tuple[float, float]:
    """Milliseconds a debate of nine calls, of the clock and of all workers' processors, without their start."""
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
    return wall * 1000 / debates, (spent - workers * started) * 1000 / debates


def scaling(kinds: Mapping[str, NewStore], *, quick: bool) -> str:
    """Time of a debate with 1, 2 and 4 workers, on endpoints that answer at once and later, as a table."""
    debates, before = 300 if quick else 2_000, load()
    lines = [
        "| store | reply after | workers | wall ms a debate | CPU ms a debate |",
        "| --- | --- | --- | --- | --- |",
    ]
    for kind, new_store in kinds.items():
        for latency in (0.0, LATENCY):
            with serving(latency, core=SERVER) as url:
                for count in (1, 2, 4):
                    wall, cpu = cost(new_store(), url, count, debates)
                    lines.append(f"| {kind} | {latency * 1000:g} ms | {count} | {wall:.1f} | {cpu:.1f} |")
                    print(lines[-1], load(), flush=True)
    lines.append(
        f"\n{debates:,} debates of nine calls, {AT_ONCE} at once in each worker; the endpoint has a core of its own; {before} before they began."
    )
    return "\n".join(lines)


def main() -> None:
    """Print the table. `--write` puts it into the page on speed."""
    with stores() as kinds:
        part = scaling(kinds, quick="--quick" in sys.argv)
    if "--write" in sys.argv:
        write_parts(SPEED, "machines", {"workers": part})
