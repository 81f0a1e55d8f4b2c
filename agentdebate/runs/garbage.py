"""How often Python looks for garbage in cycles while debates are held."""

import gc
import threading
from collections.abc import Iterator
from contextlib import contextmanager

THRESHOLDS = 50_000, 20, 100
"""Python's own are 700, 10, 10. Debates make no cycles, so there is next to nothing to be found; and every look walks
all debates in flight, which with 200 of them takes more time than their calls do. Memory grows by some MB."""


class _Collector:
    """The process's one collector. Whoever holds debates shares it, in whatever thread: the first sets it, the last gives it back."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._blocks = 0
        self._before = self._set = gc.get_threshold()

    def enter(self) -> None:
        """One block more needs it to look seldom."""
        with self._lock:
            if not self._blocks:
                self._before = gc.get_threshold()
                if 0 < self._before[0] < THRESHOLDS[0]:  # nought is off, and more is seldom already
                    gc.set_threshold(*THRESHOLDS)
                self._set = gc.get_threshold()
            self._blocks += 1

    def leave(self) -> None:
        """One block less does. What somebody else has set meanwhile stays."""
        with self._lock:
            self._blocks -= 1
            if not self._blocks and gc.get_threshold() == self._set:
                gc.set_threshold(*self._before)


_COLLECTOR = _Collector()


@contextmanager
def collecting_seldom() -> Iterator[None]:
    """Look for cycles seldom, for as long as the block runs, or another one that began meanwhile."""
    _COLLECTOR.enter()
    try:
        yield
    finally:
        _COLLECTOR.leave()
