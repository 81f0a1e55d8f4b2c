"""The memory of this process. What getrusage calls the peak may be that of the process that started this one."""

import resource
import sys
from pathlib import Path

_STATUS = Path("/proc/self/status")


def resident_mb() -> float:
    """Memory that it has now, in MB; where the system does not say, the peak."""
    return _read("VmRSS")


def peak_mb() -> float:
    """The most that it has had, in MB."""
    return _read("VmHWM")


def _read(name: str) -> float:
    if not _STATUS.exists():
        unit = 1024**2 if sys.platform == "darwin" else 1024
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / unit
    line = next(line for line in _STATUS.read_text().splitlines() if line.startswith(name))
    return int(line.split()[1]) / 1024
