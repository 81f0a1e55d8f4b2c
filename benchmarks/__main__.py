"""python -m benchmarks [caching] [imports] [intervals] ... [worth]: run the parts that are named (see PARTS), or all but LONG."""

import signal
import sys
from collections.abc import Callable, Mapping, Sequence
from itertools import takewhile

from benchmarks import (
    caching,
    imports,
    intervals,
    local,
    machines,
    memory,
    million,
    papers,
    replies,
    resampling,
    store_size,
    turn,
    view,
    ways,
    worth,
)
from benchmarks.peers import compare, peers_table

PARTS: Mapping[str, Callable[[], int | None]] = {
    "caching": caching.main,
    "imports": imports.main,
    "intervals": intervals.main,
    "local": local.main,
    "machines": machines.main,
    "memory": memory.main,
    "million": million.main,
    "papers": papers.main,
    "peers": compare.main,
    "peers-table": peers_table.main,
    "replies": replies.main,
    "resampling": resampling.main,
    "store-size": store_size.main,
    "turn": turn.main,
    "view": view.main,
    "ways": ways.main,
    "worth": worth.main,
}

LONG = frozenset({"intervals", "local", "million", "peers", "peers-table"})
"""What runs only where it is named: it installs packages of others, needs root, or takes long."""


def main() -> None:
    """Run the parts named on the command line."""
    signal.signal(signal.SIGTERM, _leave)
    words = sys.argv[1:]
    names = list(takewhile(lambda word: not word.startswith("-"), words))
    unknown = [name for name in names if name not in PARTS]
    if unknown or {"-h", "--help"} & set(words):
        sys.exit(_usage(unknown))
    codes = []
    for name in names or [each for each in PARTS if each not in LONG]:
        print(f"== {name}")
        codes.append(PARTS[name]() or 0)
    sys.exit(max(codes))


def _usage(unknown: Sequence[str]) -> int:
    """Say what can be run; the exit code."""
    print(__doc__)
    print("parts: " + ", ".join(name + (" (only if it is named)" if name in LONG else "") for name in PARTS))
    if unknown:
        print(f"There is no part {', '.join(unknown)}.", file=sys.stderr)
    return 2 if unknown else 0


def _leave(number: int, _: object) -> None:
    """End as other errors do, so that endpoints and measured processes end too."""
    sys.exit(128 + number)


if __name__ == "__main__":
    main()
