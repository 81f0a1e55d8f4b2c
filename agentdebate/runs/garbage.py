"""Frequency of Python's garbage collection during debates."""

import gc
from collections.abc import Iterator
from contextlib import contextmanager

THRESHOLDS = 50_000, 20, 100
"""Python's own are 700, 10, 10. Debates make no cycles, and every look walks all debates in flight: with 1,000 of them a call takes
232 us of CPU instead of 303 (`python -m benchmarks growth`)."""


@contextmanager
def collecting_seldom() -> Iterator[None]:
    """Look for cycles seldom while the block runs, unless that was set before; what somebody else sets meanwhile stays."""
    before = gc.get_threshold()
    if not 0 < before[0] < THRESHOLDS[0]:  # nought is off, and more is seldom already
        yield
        return
    gc.set_threshold(*THRESHOLDS)
    try:
        yield
    finally:
        if gc.get_threshold() == THRESHOLDS:
            gc.set_threshold(*before)
