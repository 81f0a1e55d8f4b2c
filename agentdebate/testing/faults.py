"""The faults that an endpoint can have, and which try of which request meets one."""

import math
from collections.abc import Mapping, Sequence
from itertools import accumulate

from agentdebate.errors import UsageError, nearest
from agentdebate.testing.chance import share

FAULTS: Mapping[str, str] = {
    "429": "HTTP 429 with Retry-After in seconds",
    "500": "HTTP 500",
    "503": "HTTP 503",
    "529": "HTTP 529, with which Anthropic says that it is overloaded",
    "reset-before": "the connection is reset before the headers of the answer",
    "truncated": "the connection is closed in the middle of the answer's body",
    "malformed-json": "HTTP 200 with JSON that breaks off",
    "empty-choices": "HTTP 200 with a completion that has no choices",
    "hang": "no answer at all, until the server is closed",
    "long": "a completion whose text has millions of letters",
    "refusal": "a whole completion in which the model declines to answer",
    "length": "a whole completion that was cut at the token limit",
    "thinking": "a whole completion without text, for thinking used up the token limit",
    "filtered": "HTTP 200 with a completion that the provider's filter stopped",
}
"""Every fault by name, and what it is."""

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

    Raises UsageError for a fault that does not exist, and for shares that are no shares.
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
