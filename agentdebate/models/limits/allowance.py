"""What the provider says is left of one of its limits, and how new calls are spread over it."""

_ASSUMED = 1.0
"""Seconds until the next look at a limit whose reset the provider does not tell."""


class Allowance:
    """Lets calls through while there is plenty; spreads what is left over the time until the reset where there is not.

    There is plenty where twice the calls that could run at once would still fit. Nothing is known before the first answer and
    after the reset, and then nothing is held back. Times are in seconds.
    """

    __slots__ = ("_free", "_longest", "_next", "_reset", "_spare")

    def __init__(self, *, longest: float) -> None:
        self._longest = longest
        self._reset = self._next = float("-inf")
        self._spare, self._free = 0.0, True

    @property
    def told(self) -> bool:
        """Whether the provider has said anything of this limit."""
        return self._reset > float("-inf")

    def note(self, left: int, reset: float | None, now: float, *, unseen: float, busy: float) -> None:
        """Take the provider's word: so much is left now, and all of it again in `reset` seconds.

        `unseen` is what it may not have counted yet, and `busy` what the calls cost that could run at once.
        """
        wait = _ASSUMED if reset is None else min(reset, self._longest)
        self._spare, self._reset = left - unseen, now + wait
        self._free = self._spare >= 2 * busy

    def opens(self, amount: float, now: float) -> float:
        """The moment from which so much may be spent."""
        if self._free or now >= self._reset:
            return now
        return max(now, self._next) if self._spare >= amount else self._reset

    def spend(self, amount: float, now: float) -> None:
        """Note that so much is spent now."""
        if now < self._reset:
            share = min(1.0, amount / self._spare) if self._spare > 0 else 1.0
            self._next = now + (self._reset - now) * share
            self._spare -= amount
            self._free = self._free and self._spare > 0
