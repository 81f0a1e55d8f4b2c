"""Pauses for an endpoint that does not answer, or that tells one call after the other to wait."""

from agentdebate.log import get_log

_NEVER = float("inf")
_FIRST, _LONGEST = 1.0, 60.0
"""Seconds of the first pause of an endpoint that cannot be reached, and of the longest."""
_FEW, _WHILE = 3, 1.0
"""Failures in a row, over so many seconds, after which an endpoint that has never answered is paused already."""
_TOLD = 3
"""Calls in a row that have to be told to wait before the others wait too."""
_BUSY = 600.0
"""Seconds for which an endpoint is waited for that only tells calls to wait."""

_log = get_log(__name__, quiet=True)


class Pause:
    """Decides when the next call to an endpoint may start.

    After `failures` failures in a row (a few, where the endpoint has never answered), and after three calls in a row that were
    told to wait, no call starts for a while; then one goes first, the probe, and finds out for the others. One call alone that is
    told to wait is its own affair. A failed probe doubles the pause, up to a minute; one that is told to wait has the others
    wait as long, up to `longest`. Every answer ends it.

    Calls belong to the era in which they began, and a pause and its end each begin the next: what was under way then says
    nothing of now. Pauses and their ends are warnings in the log, with `kind` "endpoint paused", "rate limited" and "endpoint
    resumed". Times are in seconds.
    """

    def __init__(self, name: str, *, failures: int, give_up: float, unheard: float, longest: float) -> None:
        self._name, self._most, self._longest = name, failures, longest
        self._give_up, self._unheard = give_up, unheard
        self._failures = self._told = 0
        self._heard = self._probing = False
        self._since = self._until = 0.0
        self._wait = _FIRST
        self._patience = _NEVER
        self.era = 0
        """Odd while there is a pause: the calls of such an era are its probes."""

    def __repr__(self) -> str:
        state = "paused" if self.paused else "open"
        return f"<Pause {state}, {self._failures} failures and {self._told} told to wait in a row>"

    @property
    def paused(self) -> bool:
        """Tell whether only probes are let through."""
        return self.era % 2 == 1

    @property
    def gives_up(self) -> float:
        """The moment from which waiting makes no sense; infinity where there is no pause."""
        return self._since + self._patience if self.paused else _NEVER

    def seconds(self, now: float) -> float:
        """Seconds since the first of the calls in a row."""
        return max(0.0, now - self._since)

    def opens(self, now: float) -> float:
        """The moment from which the next call may go; infinity while a probe is under way."""
        if not self.paused:
            return now
        return _NEVER if self._probing else max(now, self._until)

    def begin(self) -> int:
        """Note that a call begins; gives its era."""
        self._probing = self.paused
        return self.era

    def left(self, era: int) -> None:
        """Note that a call of that era ended in a way that says nothing of the endpoint."""
        if era == self.era:
            self._probing = False

    def answered(self, now: float) -> None:
        """Note that a call was answered, by a completion or by a refusal of its own."""
        self._failures = self._told = 0
        self._heard, self._wait = True, _FIRST
        if self.paused:
            gone = self.seconds(now)
            told = {"kind": "endpoint resumed", "model": self._name, "seconds": gone}
            _log.warning("%s answers again after %.0f s", self._name, gone, **told)
            self._probing = False
            self.era += 1

    def failed(self, era: int, now: float) -> bool:
        """Note that a call of that era did not reach the endpoint, or that the endpoint failed. Tells whether it was the probe."""
        if era != self.era:
            return False
        if self.paused:
            self._wait = min(2 * self._wait, _LONGEST)
            self._hold(now + self._wait)
            return True
        self._failures += 1
        self._since = now if self._failures == 1 else self._since
        # A few calls alone never come to so many failures before their tries are used up.
        silent = not self._heard and self._failures >= _FEW and now - self._since >= _WHILE
        if silent or self._failures >= self._most:
            patience = self._give_up if self._heard else min(self._give_up, self._unheard)
            self._start(now + self._wait, patience)
            told = {"kind": "endpoint paused", "model": self._name, "failures": self._failures}
            words = "%s failed %d times in a row: its calls wait until it answers again"
            _log.warning(words, self._name, self._failures, **told)
        return False

    def told_to_wait(self, seconds: float | None, era: int, now: float, error: Exception) -> bool:
        """Note that a call of that era was told to wait so long, or for a while. Tells whether it was the probe."""
        if era != self.era:
            return False
        self._heard, self._failures = True, 0
        until = now + min(seconds or _FIRST, self._longest)
        if self.paused:
            self._hold(until)
            return True
        self._told += 1
        if self._told == 1:
            self._since, self._until = now, until
        self._until = max(self._until, until)
        if self._told >= _TOLD:
            self._start(self._until, _BUSY)
            told = {"kind": "rate limited", "model": self._name, "seconds": self._until - now}
            words = (
                "%s: %d calls in a row were told to wait: no new ones for %.1f s, then one to find out: %s"
            )
            _log.warning(words, self._name, _TOLD, self._until - now, error, **told)
        return False

    def _start(self, until: float, patience: float) -> None:
        self._patience = patience
        self._hold(until)
        self.era += 1

    def _hold(self, until: float) -> None:
        self._until, self._probing = until, False
