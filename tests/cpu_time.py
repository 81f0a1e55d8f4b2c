"""Whether the time that work takes grows with its size, or faster: shapes are the same on every machine, and seconds are not."""

import gc
import math
from collections.abc import Callable
from contextlib import suppress
from time import process_time

from patience import ends

from agentdebate.errors import AgentDebateError

FACTOR = 4
"""How much larger one size is than the other: four tells a square from a line where two may not."""
STEEPEST = 2.5**2
"""Twice the size may take 2.5 times as long. In proportion, four times the size takes 4 times as long, and a square 16 times."""
TRIES = 8
GRAIN = range(50_000)
"""Work that is too little to be compared."""


def grows_evenly(work: Callable[[int], object], size: int) -> bool:
    """Decide whether work of a size takes about as much longer as it is larger; of several tries the shortest count."""
    small = large = grain = math.inf
    for _ in range(TRIES):
        small = min(small, _seconds(lambda: work(size // FACTOR)))
        large = min(large, _seconds(lambda: work(size)))
        grain = min(grain, _seconds(lambda: sum(GRAIN)))
        if large <= STEEPEST * small + grain:
            return True
    return False


def _seconds(work: Callable[[], object]) -> float:
    """Processor time, which other processes do not add to. An error with a name is an answer too."""
    gc.disable()  # it would look through all that the tests before have left
    try:
        begun = process_time()
        with ends(), suppress(AgentDebateError):
            work()
        return process_time() - begun
    finally:
        gc.enable()
