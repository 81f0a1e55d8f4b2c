"""What can carry the calls of the loop by hand: aiohttp, httpx over several transports, and our client, with replies after 200 ms.

httpx's own pool is measured at 64 at once alone: with 256 it takes 50 ms of CPU a call, which is minutes.
"""

from benchmarks.aim import table
from benchmarks.peers import peer
from benchmarks.peers.cell import Cell, plan
from benchmarks.peers.compare import PASSES
from benchmarks.peers.comparison import Comparison, compare
from benchmarks.peers.environment import CHECKOUT
from benchmarks.peers.report import caption

WAYS = (peer.STACK, peer.HTTPX, peer.AIOHTTP, peer.CLIENT, peer.CLIENT_BY_AIOHTTP)
AT_ONCE = (64, 256, 1024)
LATENCY = 0.2
"""Seconds."""
RESULTS = CHECKOUT / "build" / "transports.json"


def main() -> None:
    """Print a row for every way at each number of calls in flight."""
    pool = (peer.PEERS[peer.POOL], Cell(min(AT_ONCE), LATENCY))
    made = compare([pool, *plan([peer.PEERS[name] for name in WAYS], AT_ONCE, (LATENCY,))], PASSES, RESULTS)
    print(f"{caption(made)}\n")
    print("\n".join(transports_table(made)))


def transports_table(made: Comparison) -> list[str]:
    """The lines of the table, in the order of calls in flight."""
    found = [(cell.at_once, name, made.figures(name, cell)) for name, cell in made.passes]
    rows = [
        (
            f"{at_once:,}",
            name,
            f"{one.rate:,.0f}",
            f"{one.cpu_us:,.0f}",
            f"{one.share:.2f}",
            f"{one.peak_mb:.0f}",
        )
        for at_once, name, one in sorted(found, key=lambda row: row[0])
        if one is not None
    ]
    return table(("in flight", "", "calls/s", "CPU us a call", "ideal wall / wall", "peak MB"), rows)
