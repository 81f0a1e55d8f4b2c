"""Limits by the minute: what was spent in the last 60 seconds, and what a call is taken to cost before its answer says so."""

from collections import deque

from agentdebate.models.base import Effort, ModelRequest, Sampling
from agentdebate.models.tokens import THINKING, estimated
from agentdebate.usage import Usage

MINUTE = 60.0
_WEIGHT = 0.1
"""Weight of the newest reply in the running mean."""
_REPLY = 256.0
"""Tokens that a reply is taken to have before there was any, beside its thinking."""
_NONE = Sampling()


class Expense:
    """An amount that was spent at a moment."""

    __slots__ = ("amount", "at")

    def __init__(self, at: float, amount: float) -> None:
        self.at, self.amount = at, amount


class Window:
    """At most `limit` in any 60 seconds, whatever their beginning. Times are in seconds, on a clock that never goes back.

    A bucket that leaks would let nearly twice its rate through in the first minute.
    """

    def __init__(self, limit: float) -> None:
        self.limit, self.spent = limit, 0.0
        self._entries: deque[Expense] = deque()

    def __repr__(self) -> str:
        return f"<Window {self.spent:g} of {self.limit:g}>"

    def opens(self, amount: float, now: float) -> float:
        """`now` where so much may be spent at once, else the next moment at which to look again.

        More than the whole limit counts as the whole limit.
        """
        entries = self._entries
        while entries and entries[0].at + MINUTE <= now:
            self.spent -= entries.popleft().amount
        if not entries:
            self.spent = 0.0  # which rounding may have left a little off
        fits = self.spent + min(amount, self.limit) <= self.limit
        return now if fits else entries[0].at + MINUTE

    def spend(self, amount: float, now: float) -> Expense:
        """Note that so much is spent now."""
        entry = Expense(now, min(amount, self.limit))
        self._entries.append(entry)
        self.spent += entry.amount
        return entry

    def settle(self, entry: Expense, amount: float, now: float) -> None:
        """Correct what was spent. An entry of more than a minute ago is left as it is."""
        if entry.at + MINUTE > now:
            self.spent += amount - entry.amount
            entry.amount = amount


class Estimate:
    """Tokens of a call: the prompt by its bytes; the reply by the request's limit, else by the mean of the replies so far at its effort.

    `sampling` is for what requests leave open.
    """

    def __init__(self, sampling: Sampling = _NONE) -> None:
        self._sampling = sampling
        self._replies: dict[Effort | None, float] = {
            effort: _REPLY + thinking for effort, thinking in THINKING.items()
        }

    def __repr__(self) -> str:
        return f"<Estimate of {self._replies.get(self._sampling.effort, _REPLY):.0f} tokens a reply>"

    def of(self, request: ModelRequest) -> float:
        """Tokens that the call may cost."""
        asked = self._sampling.overlaid(request.sampling)
        return estimated(request) + (asked.max_tokens or self._replies.get(asked.effort, _REPLY)) * asked.n

    def learn(self, request: ModelRequest, usage: Usage) -> None:
        """Take in what a call cost. A usage of nothing means that the endpoint does not tell."""
        if usage.tokens:
            asked = self._sampling.overlaid(request.sampling)
            reply = self._replies.setdefault(asked.effort, _REPLY)
            self._replies[asked.effort] += _WEIGHT * (usage.completion_tokens / asked.n - reply)
