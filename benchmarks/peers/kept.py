"""Holds a peer's debates in this process, which may be killed: python -m benchmarks.peers.kept MODULE:FUNCTION URL DEBATES AT_ONCE [FOLDER].

With a folder the module's `hold_kept` goes on with what an earlier process left there.
"""

import asyncio
import importlib
import sys
import warnings
from collections.abc import Sequence
from pathlib import Path

from benchmarks.cores import CLIENT, pin


def main(words: Sequence[str]) -> None:
    """Hold them."""
    holds, url, debates, at_once, *folder = words
    pin(CLIENT)
    warnings.simplefilter("ignore")  # of what others' clients leave open at the end
    module, _, function = holds.partition(":")
    hold = getattr(importlib.import_module(f"benchmarks.peers.{module}"), "hold_kept" if folder else function)
    asyncio.run(hold(url, int(debates), int(at_once), *map(Path, folder)))


if __name__ == "__main__":
    main(sys.argv[1:])
