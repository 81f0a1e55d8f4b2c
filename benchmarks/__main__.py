"""python -m benchmarks [agreement] [imports] [machinery] ... [ways]: run the parts that are named (see PARTS), or all."""

import sys
from collections.abc import Callable, Mapping
from itertools import takewhile

from benchmarks import (
    agreement,
    imports,
    long_replies,
    machinery,
    many_debates,
    memory,
    papers,
    reading,
    replies,
    resampling,
    roles,
    soak,
    store_size,
    strategies,
    streaming,
    summeval,
    throughput,
    transports,
    turn,
    ways,
)

PARTS: Mapping[str, Callable[[], int | None]] = {
    "agreement": agreement.main,
    "imports": imports.main,
    "long-replies": long_replies.main,
    "machinery": machinery.main,
    "many-debates": many_debates.main,
    "memory": memory.main,
    "papers": papers.main,
    "reading": reading.main,
    "replies": replies.main,
    "resampling": resampling.main,
    "roles": roles.main,
    "soak": soak.main,
    "store-size": store_size.main,
    "strategies": strategies.main,
    "streaming": streaming.main,
    "summeval": summeval.main,
    "throughput": throughput.main,
    "transports": transports.main,
    "turn": turn.main,
    "ways": ways.main,
}


def main() -> None:
    """Run the parts named on the command line."""
    names = list(takewhile(lambda word: not word.startswith("-"), sys.argv[1:]))
    codes = []
    for name in names or list(PARTS):
        print(f"== {name}")
        codes.append(PARTS[name]() or 0)
    sys.exit(max(codes))


if __name__ == "__main__":
    main()
