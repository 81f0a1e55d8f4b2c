"""What `import agentdebate` and `agentdebate --help` cost, against `import anyio, pydantic`: CPU, since machines are shared.

python -m benchmarks imports [--write]
"""

import resource
import subprocess
import sys
from collections.abc import Mapping
from statistics import median

from benchmarks.aim import Aim, aims_table
from benchmarks.page import SPEED, write_parts

RUNS = 15
BASE = "import anyio, pydantic"
COMMANDS: Mapping[str, tuple[str, ...]] = {
    BASE: ("-c", BASE),
    "import agentdebate": ("-c", "import agentdebate"),
    "... and debate, strategy, Item": ("-c", "import agentdebate as ad; ad.debate, ad.strategy, ad.Item"),
    "agentdebate --help": ("-m", "agentdebate", "--help"),
}
BOUNDS: Mapping[str, float] = {
    "import agentdebate": 0.3,
    "... and debate, strategy, Item": 10.1,
    "agentdebate --help": 7.0,
}
"""At most so many times as much; a twentieth more than when this was written."""


def milliseconds() -> dict[str, float]:
    """The median CPU time of an interpreter for each, in turn."""
    times: dict[str, list[float]] = {name: [] for name in COMMANDS}
    for _ in range(RUNS):
        for name, words in COMMANDS.items():
            times[name].append(_spent(words))
    return {name: median(each) for name, each in times.items()}


def _spent(words: tuple[str, ...]) -> float:
    before = _of_children()
    subprocess.run([sys.executable, *words], check=True, stdout=subprocess.DEVNULL)
    return (_of_children() - before) * 1000


def _of_children() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def aims(times: Mapping[str, float]) -> list[Aim]:
    """That each takes at most so many times what anyio and pydantic take."""
    return [
        Aim(f"`{name}`: CPU, over `{BASE}`", times[name] / times[BASE], bound, unit=" times")
        for name, bound in BOUNDS.items()
    ]


def main() -> None:
    """Print the times and the aims. With `--write` these go into the page on speed."""
    times = milliseconds()
    for name, each in times.items():
        print(f"{name:32} {each:6.0f} ms of CPU   {each / times[BASE]:.2f} times")
    part = "\n".join(aims_table(aims(times)))
    print(f"\n{part}")
    if "--write" in sys.argv:
        write_parts(SPEED, "imports", {"imports-aims": part})
