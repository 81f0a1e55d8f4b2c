"""10,000 `ad.debate` at once in one asyncio.gather, over the offline judge: wall time, memory and threads on the way."""

import asyncio
import subprocess
import sys
import threading
import time
from pathlib import Path

import agentdebate as ad
from benchmarks.resident import peak_mb

DEBATES = 10_000


def item(number: int) -> ad.Item:
    """One of the items."""
    fields = {"source": "The bridge closes in March.", "summary": f"A bridge closes; take {number}."}
    return ad.Item(task="summarization", id=f"s{number}", fields=fields)


def open_files() -> int:
    """How many files and sockets this process has open."""
    folder = Path("/proc/self/fd")
    return len(list(folder.iterdir())) if folder.is_dir() else 0


async def hold(count: int) -> str:
    """Hold so many debates at once; a line that says what it took."""
    model = ad.model("offline")
    most = [0, 0]

    async def look() -> None:
        while True:
            most[:] = max(most[0], threading.active_count()), max(most[1], open_files())
            await asyncio.sleep(0.5)

    looking, began = asyncio.create_task(look()), time.perf_counter()
    debates = (ad.debate(item(number), "debate", model=model, aspects="coherence") for number in range(count))
    verdicts = await asyncio.gather(*debates)
    looking.cancel()
    assert len(verdicts) == count
    peak = peak_mb()
    took = time.perf_counter() - began
    return f"{count:6} at once   {took:6.1f} s   {peak:6.0f} MB   {most[0]} threads and {most[1]} files at the most"


def main() -> None:
    """Print a row for 100, 1,000 and 10,000, each in a process of its own."""
    for count in (100, 1000, DEBATES):
        code = (
            f"from benchmarks import many_debates as m; import asyncio; print(asyncio.run(m.hold({count})))"
        )
        subprocess.run([sys.executable, "-c", code], check=True)
