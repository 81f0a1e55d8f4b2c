"""A folder in this machine's memory, for what tests write: a store waits for the disk at each commit, and thousands of stores are written."""

import os
from pathlib import Path

FOLDER = Path("/dev/shm")
ROOM = 6 << 30
"""Bytes that have to be free. Databases of two servers take about a third of it, and each test's folder goes with the test."""


def memory_folder() -> Path | None:
    """The folder; None where there is none, where programs in it may not be run, or where memory is short."""
    if not os.access(FOLDER, os.W_OK | os.X_OK):
        return None
    facts = os.statvfs(FOLDER)
    if facts.f_flag & os.ST_NOEXEC or min(facts.f_bavail * facts.f_frsize, _available()) < ROOM:
        return None
    return FOLDER


def _available() -> int:
    """Bytes of memory that can be had without swapping."""
    for line in Path("/proc/meminfo").read_text(encoding="ascii").splitlines():
        name, _, amount = line.partition(":")
        if name == "MemAvailable":
            return int(amount.removesuffix("kB")) << 10
    return 0
