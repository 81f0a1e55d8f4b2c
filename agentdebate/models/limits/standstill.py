"""A pause for an endpoint that tells one call after the other to wait."""

from dataclasses import dataclass

from agentdebate.log import get_log

_NEVER = float("inf")
_AGREED = 3
"""So many calls have to be told, with no success between them, before the others wait too."""
_WINDOW = 60.0
"""Seconds within which they are told."""
_NOTABLE = 30.0
"""A wait of more seconds than this is a warning."""
_SEEN_THROUGH = 600.0
"""Seconds for which probes that are refused go back in line, and so cost nobody their tries."""

_log = get_log(__name__, quiet=True)


@dataclass(slots=True)
class _Row:
    """Calls that were told to wait, one after the other."""

    told: int = 0
    last: float = -_NEVER
    until: float = -_NEVER


class Standstill:
    """What Retry-After means for the calls that were not told so themselves.

    One call that is told to wait is nobody's matter but its own. Where `_AGREED` are told in a row, without a success
    between them, new calls wait as well: as long as was asked for, and at most `longest`. Then one goes first, and finds
    out for the others; where it is told to wait as well, they do. A success of any call ends that. Pauses, their ends and
    every wait of more than half a minute are warnings in the log, with `kind` "rate limited", "endpoint resumed" and
    "long wait". Times are in seconds.
    """

    __slots__ = ("_began", "_longest", "_name", "_noted", "_probing", "_row", "_until", "era", "well")

    def __init__(self, name: str, *, longest: float = 30.0) -> None:
        self._name, self._longest = name, longest
        self._row, self._noted = _Row(), -_NEVER
        self._began, self._until, self._probing = 0.0, -_NEVER, False
        self.era = 0
        """Odd while calls wait: the calls of such an era are probes."""
        self.well = True
        """Whether no call has been told to wait since the last success, so that another one says nothing new."""

    def __repr__(self) -> str:
        return f"<Standstill {'paused' if self.era % 2 else 'open'}, {self._row.told} told to wait in a row>"

    def opens(self, now: float) -> float:
        """The moment from which the next call may go; infinity while a probe is under way."""
        if not self.era % 2:
            return now
        return _NEVER if self._probing else max(now, self._until)

    def start(self) -> int:
        """A call begins; returns its era."""
        self._probing = self.era % 2 == 1
        return self.era

    def succeeded(self, now: float) -> None:
        """A call of any era was answered."""
        self.well = True
        if self._row.told:
            self._row = _Row()
        if self.era % 2:
            gone = now - self._began
            told = {"kind": "endpoint resumed", "model": self._name, "seconds": gone}
            _log.warning("%s takes calls again after %.0f s", self._name, gone, **told)
            self.era += 1
            self._probing = False

    def left(self, era: int) -> None:
        """A call of that era ended in a way that says nothing of waits."""
        if era == self.era:
            self._probing = False

    def told(self, seconds: float, era: int, now: float, error: Exception) -> bool:
        """A call of that era was told to wait. Returns whether it was a probe, which may go back in line."""
        self._note(seconds, now, error)
        self.well = False
        wait = min(seconds, self._longest)
        if not self.era % 2:
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
        self._began, self._until, self._probing = now, row.until, False
        self._row = _Row()
        self.era += 1
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
