"""Memory where one reply in five has 5 MB: 2,000 debates, 64 at once, the server in another process (aim: below 400 MB)."""

import asyncio
import json
import logging
import subprocess
import sys
import tempfile
from collections import Counter
from pathlib import Path

import agentdebate as ad
from agentdebate.models.composition import Around, Limits
from agentdebate.models.registry import model
from agentdebate.strategies.devils_advocate import DevilsAdvocate
from benchmarks.resident import peak_mb
from benchmarks.soak import items, serving

DEBATES, AT_ONCE, SHARE, AIM = 2000, 64, 0.2, 400


async def hold(url: str, store: Path, debates: int, client: str) -> Counter[str]:
    """Hold the debates; how they ended."""
    endpoint = model(
        "openai/any",
        around=Around(Limits(in_flight=AT_ONCE)),
        base_url=url,
        connections=AT_ONCE,
        client=client,
    )
    ended = Counter[str]()
    async with ad.evaluate(
        items(debates),
        DevilsAdvocate(rounds=2),
        model=endpoint,
        aspects="coherence",
        concurrency=AT_ONCE,
        store=store,
    ) as run:
        async for record in run:
            ended[record.failure.error if record.failure else "verdict"] += 1
    await endpoint.aclose()
    return ended


def measured(debates: int, client: str) -> dict[str, float]:
    """What a process of its own came to: how debates ended, its peak memory in MB, the size of the store in MB."""
    with serving(f"--fault=long={SHARE}") as server:
        command = [sys.executable, "-m", "benchmarks.long_replies", server.base_url, str(debates), client]
        done = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True)
        found: dict[str, float] = json.loads(done.stdout)
        return {**found, "long replies": server.ledger()["faults"].get("long", 0)}


def child(url: str, debates: str, client: str) -> None:
    """Measure in this process, and print the figures as JSON."""
    logging.getLogger("agentdebate").setLevel(logging.ERROR)
    with tempfile.TemporaryDirectory() as folder:
        store = Path(folder) / "run.db"
        ended = asyncio.run(hold(url, store, int(debates), client))
        kept = sum(path.stat().st_size for path in Path(folder).iterdir()) / 1e6
    peak = peak_mb()
    print(json.dumps({**ended, "peak MB": peak, "store MB": kept}))


def main() -> int:
    """Print a row for each client; 1 where one needs more memory than is the aim."""
    peaks = []
    for client in ("httpx", "aiohttp"):
        found = measured(DEBATES, client)
        peaks.append(found["peak MB"])
        print(f"{client:8}", ", ".join(f"{name} {figure:g}" for name, figure in found.items()), flush=True)
    return int(max(peaks) > AIM)


if __name__ == "__main__":
    child(*sys.argv[1:])
