"""How much may be spent in any minute: a window that slides."""

from collections import deque

MINUTE = 60.0


class Entry:
    """Something that was spent at a moment. `amount` may be corrected through the window."""

    __slots__ = ("amount", "at")

    def __init__(self, at: float, amount: float) -> None:
        self.at, self.amount = at, amount


class Window:
    """At most `limit` in any 60 seconds, whatever their beginning.

    A bucket that leaks would let nearly twice its rate through in the first minute. What is spent in one burst
    comes free in one burst a minute later; no provider that counts by the minute sees more than it allows.
    Times are in seconds, on a clock that never goes back.
    """

    __slots__ = ("_entries", "limit", "spent")

    def __init__(self, limit: float) -> None:
        self.limit = limit
        self.spent = 0.0
        """In the last minute, as far as it was looked at."""
        self._entries: deque[Entry] = deque()

    def opens(self, amount: float, now: float) -> float:
        """`now` where so much may be spent at once, else the next moment at which to look again.

        More than the whole limit counts as the whole limit.
        """
        entries = self._entries
        while entries and entries[0].at + MINUTE <= now:
            self.spent -= entries.popleft().amount
        if not entries:
            self.spent = 0.0  # which rounding may have left a little off
        if self.spent + min(amount, self.limit) <= self.limit:
            return now
        return entries[0].at + MINUTE

    def spend(self, amount: float, now: float) -> Entry:
        """Note that so much is spent now."""
        entry = Entry(now, min(amount, self.limit))
        self._entries.append(entry)
        self.spent += entry.amount
        return entry

    def settle(self, entry: Entry, amount: float, now: float) -> None:
        """Correct what was spent. An entry of more than a minute ago is let be."""
        if entry.at + MINUTE > now:
            self.spent += amount - entry.amount
            entry.amount = amount
