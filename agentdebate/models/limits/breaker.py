"""A pause for an endpoint that is down."""

from agentdebate.log import get_log

_FIRST, _LONGEST = 1.0, 60.0
_NEVER = float("inf")
_FEW, _WHILE = 3, 1.0
"""Failures in a row, over so many seconds, after which an endpoint that has never answered counts as down already."""

_log = get_log(__name__)


class Breaker:
    """Pauses an endpoint after `failures` failures in a row (a few, where it has never answered), and lets one call at a time find out whether it is back.

    The first pause takes a second; each failed probe doubles it, up to a minute. A success of any call ends it. Calls
    belong to the era in which they began, and a pause and its end each begin the next: what was under way then
    and fails later says nothing of now. Both are warnings in the log, with `kind` "endpoint paused" and
    "endpoint resumed". Times are in seconds.
    """

    __slots__ = (
        "_failures",
        "_first",
        "_give_up",
        "_heard",
        "_name",
        "_pause",
        "_probing",
        "_row",
        "_unheard",
        "_until",
        "era",
        "well",
    )

    def __init__(
        self, name: str, *, failures: int = 10, give_up: float = 240.0, unheard: float = 10.0
    ) -> None:
        self._name, self._failures, self._give_up, self._unheard = name, failures, give_up, unheard
        self._row, self._first, self._heard = 0, 0.0, False
        self._pause, self._until, self._probing = _FIRST, _NEVER, False
        self.era = 0
        """Odd while the endpoint is paused: the calls of such an era are its probes."""
        self.well = False
        """Whether the newest word of it was an answer, so that another one says nothing new."""

    def __repr__(self) -> str:
        return f"<Breaker {'paused' if self.paused else 'open'}, {self._row} failures in a row>"

    @property
    def paused(self) -> bool:
        """Whether only probes are let through."""
        return self.era % 2 == 1

    @property
    def gives_up(self) -> float:
        """The moment from which waiting makes no sense; infinity where the endpoint is not paused."""
        patience = self._give_up if self._heard else min(self._give_up, self._unheard)
        return self._first + patience if self.era % 2 else _NEVER

    def down_for(self, now: float) -> float:
        """Seconds since the first of the failures in a row."""
        return max(0.0, now - self._first)

    def opens(self, now: float) -> float:
        """The moment from which the next call may go; infinity while a probe is under way."""
        if not self.era % 2:
            return now
        return _NEVER if self._probing else max(now, self._until)

    def start(self) -> int:
        """A call begins; returns its era."""
        self._probing = self.paused
        return self.era

    def probes(self, era: int) -> bool:
        """Whether a call of that era is the probe that decides."""
        return era == self.era and self.paused

    def succeeded(self, now: float) -> None:
        """A call of any era was answered."""
        self._row, self._heard, self.well = 0, True, True
        if self.paused:
            gone = now - self._first
            _log.warning(
                "%s answers again after %.0f s",
                self._name,
                gone,
                kind="endpoint resumed",
                model=self._name,
                seconds=gone,
            )
            self._pause, self._until, self._probing = _FIRST, _NEVER, False
            self.era += 1

    def failed(self, era: int, now: float) -> None:
        """A call of that era did not reach the endpoint, or the endpoint failed."""
        if era != self.era:
            return
        self.well = False
        if self.paused:
            self._pause = min(2 * self._pause, _LONGEST)
            self._until, self._probing = now + self._pause, False
            return
        self._row += 1
        self._first = now if self._row == 1 else self._first
        # A few calls alone never come to so many failures before their tries are used up.
        silent = not self._heard and self._row >= _FEW and now - self._first >= _WHILE
        if silent or self._row >= self._failures:
            self._shut(now)

    def left(self, era: int) -> None:
        """A call of that era ended in a way that says nothing of the endpoint."""
        if era == self.era:
            self._probing = False

    def _shut(self, now: float) -> None:
        self._until = now + self._pause
        self.era += 1
        _log.warning(
            "%s failed %d times in a row: its calls wait until it answers again",
            self._name,
            self._row,
            kind="endpoint paused",
            model=self._name,
            failures=self._row,
        )
