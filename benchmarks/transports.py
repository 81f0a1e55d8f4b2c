"""What can carry the calls of a loop by hand, and on which event loop: aiohttp, and httpx over several transports.

httpx's own pool is measured at 64 at once alone: with 256 it takes 50 ms of CPU a call, which is minutes.
"""

from importlib.util import find_spec

from benchmarks import throughput
from benchmarks.endpoint import serving

WAYS = ("httpx, pool", "httpx, stack", "httpx over aiohttp", "aiohttp", "our client", "our client, aiohttp")
AT_ONCE = (64, 256, 1024)
LATENCY = 0.2


def main() -> None:
    """Print a row for every way and loop, at 200 ms."""
    loops = ("asyncio", "uvloop") if find_spec("uvloop") else ("asyncio",)
    print(f"{'at once':>8}  {'':<20}{'':<9}{'calls/s':>9}{'CPU us':>9}{'ideal/wall':>12}{'peak MB':>9}")
    with serving(LATENCY, core=throughput.SERVER) as url:
        for at_once in AT_ONCE:
            for way in WAYS:
                if way == "httpx, pool" and at_once > min(AT_ONCE):
                    continue
                for loop in loops:
                    passes = [
                        throughput.run(way, url, at_once, LATENCY, loop=loop)
                        for _ in range(throughput.PASSES)
                    ]
                    one = throughput.typical(passes)
                    print(
                        f"{at_once:>8}  {way:<20}{loop:<9}{one.rate:9.0f}{one.cpu_us:9.0f}{one.share:>12.2f}"
                        f"{one.peak_mb:9.0f}",
                        flush=True,
                    )
