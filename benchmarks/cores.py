"""The cores that measured processes and their endpoint are pinned to, so that neither takes the other's time."""

import os

_OURS = sorted(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else []
APART = len(_OURS) > 1
"""Whether there are two cores to be had, and the system lets us choose."""
CLIENT, SERVER = (_OURS[0], _OURS[1]) if APART else (0, 0)


def pin(core: int) -> None:
    """Keep this process to a core. Where there is but one, or the system does not let us choose, nothing is done."""
    if APART:
        os.sched_setaffinity(0, {core})
