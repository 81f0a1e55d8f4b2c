"""How long a test waits before it says that something hangs: a minute, whatever the machine. No test asserts seconds."""

import signal
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import pytest

PATIENCE = 60.0
"""Seconds after which something hangs."""
MOMENT = 0.05
"""Seconds in which something is seen not to happen. A slow machine shows less by it, and fails nothing."""


def until(holds: Callable[[], object]) -> None:
    """Wait until something holds, and fail if it does not."""
    end = time.monotonic() + 2 * PATIENCE
    while not holds():
        if time.monotonic() > end:
            pytest.fail("it did not come true")
        time.sleep(0.01)


@contextmanager
def ends() -> Iterator[None]:
    """Fail where what is inside does not end."""
    before = signal.signal(signal.SIGALRM, _hangs)
    signal.setitimer(signal.ITIMER_REAL, PATIENCE)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def _hangs(*_: object) -> None:
    pytest.fail("it does not end")
