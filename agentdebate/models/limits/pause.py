"""Pauses for an endpoint that is down, and for one that tells one call after the other to wait."""

from dataclasses import dataclass

from agentdebate.log import get_log

_NEVER = float("inf")
_FIRST, _LONGEST = 1.0, 60.0
"""Seconds of the first pause of an endpoint that is down, and of the longest."""
_FEW, _WHILE = 3, 1.0
"""Failures in a row, over so many seconds, after which an endpoint that has never answered counts as down already."""
_AGREED = 3
"""So many calls have to be told to wait, with no success between them, before the others wait too."""
_WINDOW = 60.0
"""Seconds within which they are told."""
_NOTABLE = 30.0
"""A wait of more seconds than this is a warning."""
_SEEN_THROUGH = 600.0
"""Seconds for which probes that are refused go back in line, and so cost nobody their tries."""

_log = get_log(__name__, quiet=True)


class Pause:
    """A time in which no calls go out but one probe after the other, until one of them succeeds.

    Calls belong to the era in which they began, and a pause and its end each begin the next: what was under way then and ends
    later says nothing of now. Times are in seconds.
    """

    def __init__(self, name: str) -> None:
        self._name = name
        self._began, self._until, self._probing = 0.0, _NEVER, False
        self.era = 0
        """Odd while there is a pause: the calls of such an era are its probes."""
        self.well = False
        """Whether the newest word of the endpoint was an answer, so that another one says nothing new."""

    @property
    def paused(self) -> bool:
        """Whether only probes are let through."""
        return self.era % 2 == 1

    def opens(self, now: float) -> float:
        """The moment from which the next call may go; infinity while a probe is under way."""
        if not self.paused:
            return now
        return _NEVER if self._probing else max(now, self._until)

    def start(self) -> int:
        """A call begins; returns its era."""
        self._probing = self.paused
        return self.era

    def left(self, era: int) -> None:
        """A call of that era ended in a way that says nothing of the endpoint."""
        if era == self.era:
            self._probing = False

    def succeeded(self, now: float) -> None:
        """A call of any era was answered."""
        self.well = True
        if self.paused:
            gone = now - self._began
            told = {"kind": "endpoint resumed", "model": self._name, "seconds": gone}
            _log.warning("%s answers again after %.0f s", self._name, gone, **told)
            self._probing = False
            self.era += 1

    def _begin(self, since: float, until: float) -> None:
        self._began, self._until, self._probing = since, until, False
        self.era += 1


class Breaker(Pause):
    """Pauses an endpoint after `failures` failures in a row; a few will do where it has never answered.

    The first pause takes a second; each failed probe doubles it, up to a minute. Pauses and their ends are warnings in the
    log, with `kind` "endpoint paused" and "endpoint resumed".
    """

    def __init__(
        self, name: str, *, failures: int = 10, give_up: float = 240.0, unheard: float = 10.0
    ) -> None:
        super().__init__(name)
        self._failures, self._give_up, self._unheard = failures, give_up, unheard
        self._row, self._first, self._heard = 0, 0.0, False
        self._pause = _FIRST

    def __repr__(self) -> str:
        return f"<Breaker {'paused' if self.paused else 'open'}, {self._row} failures in a row>"

    @property
    def gives_up(self) -> float:
        """The moment from which waiting makes no sense; infinity where the endpoint is not paused."""
        patience = self._give_up if self._heard else min(self._give_up, self._unheard)
        return self._first + patience if self.paused else _NEVER

    def down_for(self, now: float) -> float:
        """Seconds since the first of the failures in a row."""
        return max(0.0, now - self._first)

    def probes(self, era: int) -> bool:
        """Whether a call of that era is the probe that decides."""
        return era == self.era and self.paused

    def succeeded(self, now: float) -> None:
        """A call of any era was answered."""
        super().succeeded(now)
        self._row, self._heard, self._pause = 0, True, _FIRST

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
            self._begin(self._first, now + self._pause)
            told = {"kind": "endpoint paused", "model": self._name, "failures": self._row}
            words = "%s failed %d times in a row: its calls wait until it answers again"
            _log.warning(words, self._name, self._row, **told)


@dataclass(slots=True)
class _Row:
    """Calls that were told to wait, one after the other."""

    told: int = 0
    last: float = -_NEVER
    until: float = -_NEVER


class Standstill(Pause):
    """What Retry-After means for the calls that were not told so themselves.

    One call that is told to wait is nobody's matter but its own. Where three are told in a row, without a success between
    them, new calls wait as well: as long as was asked for, and at most `longest`. Then one goes first, and finds out for the
    others; where it is told to wait as well, they do. Pauses, their ends and every wait of more than half a minute are
    warnings in the log, with `kind` "rate limited", "endpoint resumed" and "long wait".
    """

    def __init__(self, name: str, *, longest: float = 30.0) -> None:
        super().__init__(name)
        self._longest = longest
        self._row, self._noted = _Row(), -_NEVER
        self.well = True

    def __repr__(self) -> str:
        return f"<Standstill {'paused' if self.paused else 'open'}, {self._row.told} told to wait in a row>"

    def succeeded(self, now: float) -> None:
        """A call of any era was answered."""
        super().succeeded(now)
        self._row = _Row()

    def told(self, seconds: float, era: int, now: float, error: Exception) -> bool:
        """A call of that era was told to wait. Returns whether it was a probe, which may go back in line."""
        self._note(seconds, now, error)
        self.well = False
        wait = min(seconds, self._longest)
        if not self.paused:
            self._count(wait, now, error)
            return False
        if era != self.era:  # it was under way already when the others began to wait
            return False
        self._probing, self._until = False, now + wait
        return now - self._began < _SEEN_THROUGH

    def _count(self, wait: float, now: float, error: Exception) -> None:
        row = self._row = self._row if now - self._row.last <= _WINDOW else _Row()
        row.told, row.last, row.until = row.told + 1, now, max(row.until, now + wait)
        if row.told < _AGREED:
            return
        self._begin(now, row.until)
        self._row = _Row()
        told = {"kind": "rate limited", "model": self._name, "seconds": self._until - now}
        words = "%s: %d calls in a row were told to wait: no new ones for %.1f s, then one to find out: %s"
        _log.warning(words, self._name, _AGREED, self._until - now, error, **told)

    def _note(self, seconds: float, now: float, error: Exception) -> None:
        """Warn of a long wait, once in half a minute."""
        if seconds <= _NOTABLE or now - self._noted < _NOTABLE:
            return
        self._noted = now
        told = {"kind": "long wait", "model": self._name, "seconds": seconds}
        _log.warning("%s asks a call to wait for %.0f s: %s", self._name, seconds, error, **told)
