"""1,000, 10,000 and 100,000 items as a stream, with the store on: ten times the time, in the same memory (aim: 10 MB more).

    python -m benchmarks streaming [--few] [--write]

Debates have one round. 100,000 items take some minutes; --few leaves them out.
"""

import asyncio
import json
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping
from itertools import pairwise
from pathlib import Path

from benchmarks.aim import Aim, aims_table, table
from benchmarks.cores import CLIENT, SERVER, pin
from benchmarks.endpoint import serving
from benchmarks.growth import LINEAR
from benchmarks.page import SPEED, write_parts
from benchmarks.resident import peak_mb
from benchmarks.whole import hold

ITEMS = (1000, 10_000, 100_000)
AT_ONCE = 64
Took = tuple[float, float, float]
"""Wall and CPU seconds, and the peak memory in MB."""


async def measure(url: str, items: int) -> Took:
    """Wall and CPU seconds for so many items in debates of one round, and the peak memory in MB."""
    with tempfile.TemporaryDirectory() as folder:
        began, spent = time.perf_counter(), time.process_time()
        await hold(url, Path(folder) / "run.db", items, AT_ONCE, rounds=1)
        wall, cpu = time.perf_counter() - began, time.process_time() - spent
    return wall, cpu, peak_mb()


def main() -> None:
    """Print a row for each, and the aims. With `--write` they go into the page on speed."""
    rows: dict[int, Took] = {}
    with serving(0.0, core=SERVER) as url:
        for items in ITEMS[:2] if "--few" in sys.argv else ITEMS:
            command = [sys.executable, "-m", "benchmarks.streaming", url, str(items)]
            done = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True)
            wall, cpu, peak = rows[items] = json.loads(done.stdout)
            print(
                f"{items:>7,} items   wall {wall:6.1f} s   CPU {cpu:6.1f} s   peak {peak:5.0f} MB", flush=True
            )
    parts = {"streaming": "\n".join(items_table(rows)), "streaming-aims": "\n".join(aims_table(aims(rows)))}
    print("\n\n".join(["", *parts.values()]))
    if "--write" in sys.argv:
        write_parts(SPEED, "streaming", parts)


def items_table(rows: Mapping[int, Took]) -> list[str]:
    """A row a number of items."""
    cells = [
        (f"{items:,}", f"{wall:,.1f}", f"{cpu:,.1f}", f"{peak:.0f}")
        for items, (wall, cpu, peak) in rows.items()
    ]
    return table(("items", "wall s", "CPU s", "peak MB"), cells)


def aims(rows: Mapping[int, Took]) -> list[Aim]:
    """That ten times the items take ten times the CPU, and little more memory."""
    made = []
    for few, many in pairwise(rows):
        of = f"{many:,} items, over {few:,}"
        made.append(
            Aim(f"CPU for {of}", rows[many][1] / rows[few][1], LINEAR * many / few, unit=" times", digits=1)
        )
        made.append(Aim(f"more memory for {of}", rows[many][2] - rows[few][2], 10, unit=" MB", digits=0))
    return made


if __name__ == "__main__":
    pin(CLIENT)
    print(json.dumps(asyncio.run(measure(sys.argv[1], int(sys.argv[2])))))
