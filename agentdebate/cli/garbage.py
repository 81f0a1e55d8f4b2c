"""How often a command looks for garbage in cycles."""

import gc
from collections.abc import Iterator
from contextlib import contextmanager

THRESHOLDS = 50_000, 20, 100
"""Python's own are 700, 10, 10. Debates make no cycles, so there is next to nothing to be found; and every look walks
all debates in flight, which with 200 of them takes more time than their calls do. Memory grows by some MB."""


@contextmanager
def collecting_seldom() -> Iterator[None]:
    """Look for cycles seldom, for as long as the block runs."""
    before = gc.get_threshold()
    gc.set_threshold(*THRESHOLDS)
    try:
        yield
    finally:
        gc.set_threshold(*before)
