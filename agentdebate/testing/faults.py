"""The faults that an endpoint can have, and which try of which request meets one."""

import math
from collections.abc import Mapping, Sequence
from itertools import accumulate

from agentdebate.errors import UsageError, nearest
from agentdebate.testing.chance import share

FAULTS = (
    "429",
    "500",
    "503",
    "529",
    "reset-before",
    "truncated",
    "malformed-json",
    "empty-choices",
    "hang",
    "long",
    "refusal",
    "length",
    "thinking",
    "filtered",
)
"""Every fault by name; docs/how-to/testing.md says what each is."""

WHOLE = frozenset({"refusal", "length", "thinking"})
"""Faults with which a completion is given all the same: somebody would have to pay for it."""

_ROUNDING = 1e-9

Chosen = Mapping[str, float] | Sequence[str | None]
"""Faults by rate, or those that the tries of every request meet in turn."""


class Faults:
    """Chooses the fault of a try, if any.

    A mapping gives the share of tries that meet each fault: which of them do follows from the seed, the request and
    the number of the try, so a run can be repeated and a request that failed may succeed when it is tried again. A sequence
    gives what the first, second ... try of every request meets, None for no fault; further tries meet none.

    Raises UsageError for a fault that does not exist, and for invalid shares.
    """

    def __init__(self, chosen: Chosen = (), *, seed: int = 0) -> None:
        names = [name for name in chosen if name is not None]
        for name in names:
            if name not in FAULTS:
                raise UsageError(f"there is no fault {name!r}. {nearest(name, FAULTS)}")
        self._seed = seed
        self._turns = () if isinstance(chosen, Mapping) else tuple(chosen)
        shares = list(chosen.values()) if isinstance(chosen, Mapping) else []
        if not all(math.isfinite(one) and one >= 0 for one in shares) or sum(shares) > 1 + _ROUNDING:
            raise UsageError("the shares of faults are 0 or more, and at most 1 together")
        self._ends = list(zip(accumulate(shares), names, strict=True)) if shares else []

    def choose(self, digest: str, attempt: int) -> str | None:
        """The fault that this try of a request meets; tries count from 0."""
        if not self._ends:
            return self._turns[attempt] if attempt < len(self._turns) else None
        place = share("fault", self._seed, digest, attempt)
        return next((name for end, name in self._ends if place < end), None)
