"""What `import agentdebate` costs, against `import anyio, pydantic` (aim: at most 1.3 times)."""

import subprocess
import sys
import time
from statistics import median

RUNS = 25


def seconds(code: str) -> float:
    """The median wall time of an interpreter that runs this and exits."""
    times = []
    for _ in range(RUNS):
        started = time.perf_counter()
        subprocess.run([sys.executable, "-c", code], check=True)
        times.append(time.perf_counter() - started)
    return median(times)


def main() -> None:
    """Print the three times and their ratio."""
    base = seconds("import anyio, pydantic")
    ours = seconds("import agentdebate")
    used = seconds("import agentdebate as ad; ad.debate, ad.strategy, ad.Item")
    print(f"import anyio, pydantic           {base * 1000:6.1f} ms")
    print(f"import agentdebate               {ours * 1000:6.1f} ms   {ours / base:.2f} times (aim 1.3)")
    print(f"... and debate, strategy, Item   {used * 1000:6.1f} ms   {used / base:.2f} times")
