"""Whether the next call to an endpoint may start, or when: all its limits together."""

from collections import deque
from collections.abc import Callable
from http import HTTPStatus

from agentdebate.errors import (
    ConnectionFailed,
    MalformedReply,
    ModelError,
    ModelTimeout,
    RateLimited,
    ServerFailed,
)
from agentdebate.log import get_log
from agentdebate.models.base import ModelRequest
from agentdebate.models.limits.pause import Breaker, Standstill
from agentdebate.models.limits.quota import Quota
from agentdebate.models.tokens import estimated
from agentdebate.usage import Usage

_NEVER = float("inf")
_OVERLOADED = frozenset((HTTPStatus.SERVICE_UNAVAILABLE, 529))
"""The statuses with which servers say that they have too much to do."""
_UNREACHED = (ConnectionFailed, ServerFailed, ModelTimeout)
_REFUSED = 5.0
"""Seconds for which the headers of a refusal are believed."""
_FREE = frozenset((400, 401, 403, 404, 422, 429))
"""The statuses of answers that cost no tokens."""

_CUT = 0.7
"""Of the limit on calls at once, what an overload leaves."""
_ASSUMED = 1.0
"""Seconds until the next look at a limit whose reset the provider does not tell."""
_WEIGHT = 0.1
"""Of the newest reply in the running mean."""
MINUTE = 60.0

_log = get_log(__name__)


class Adaptive:
    """A limit on the calls in flight that grows while it goes well and is cut where the endpoint is overloaded.

    As TCP does it (RFC 5681): up to the first cut every success at the limit adds one, which doubles the limit in
    a round; later a round adds a sixty-fourth of `most`, or one. A cut leaves 0.7 of the limit, and at least 1.
    A limit that is not used up does not grow.

    What goes wrong comes in episodes: a call belongs to the episode in which it began, and a cut begins the next. So
    the errors of calls that were under way at a cut do not cut again.
    """

    __slots__ = ("_slow", "_step", "episode", "limit", "most")

    def __init__(self, most: int, *, start: int = 32) -> None:
        self.most = most
        self.limit = float(min(start, most))
        self.episode = 0
        self._slow, self._step = False, max(1.0, most / 64)

    def __repr__(self) -> str:
        return f"<Adaptive {self.limit:.1f} of {self.most}>"

    def succeeded(self, episode: int, running: int) -> None:
        """A call of that episode succeeded while so many were running, itself among them."""
        if running + 1 > self.limit and self.limit < self.most and episode == self.episode:
            growth = self._step / self.limit if self._slow else 1.0
            self.limit = min(self.limit + growth, float(self.most))

    def overloaded(self, episode: int) -> bool:
        """A call of that episode met an endpoint with too much to do; says whether the limit was cut for it."""
        if episode != self.episode:
            return False
        self.limit = max(1.0, self.limit * _CUT)
        self.episode += 1
        self._slow = True
        return True


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


class Estimate:
    """The prompt by its length; the reply by the request's limit, else by the mean of the replies so far."""

    __slots__ = ("call", "reply")

    def __init__(self, *, reply: float = 256.0) -> None:
        self.reply = reply
        """Tokens of a reply, on average."""
        self.call = 2 * reply
        """Tokens of a whole call, on average."""

    def of(self, request: ModelRequest) -> float:
        """Tokens that the call may cost: the prompt by its bytes, and the reply."""
        return estimated(request) + (request.sampling.max_tokens or self.reply) * request.sampling.n

    def learn(self, usage: Usage, samples: int) -> None:
        """Take in what a call cost. A usage of nothing means that the endpoint does not tell."""
        if tokens := usage.prompt_tokens + usage.completion_tokens:
            self.reply += _WEIGHT * (usage.completion_tokens / samples - self.reply)
            self.call += _WEIGHT * (tokens - self.call)


class Slot:
    """A call that was let through."""

    __slots__ = ("episode", "era", "halt", "number", "request", "tokens")

    def __init__(self, number: int, episode: int, era: int, halt: int) -> None:
        self.number, self.episode, self.era, self.halt = number, episode, era, halt
        self.request: Entry | None = None
        self.tokens: Entry | None = None


class Gate:
    """The limits of one endpoint and model, without any waiting: times go in, and times come out, in seconds."""

    def __init__(
        self,
        *,
        requests_per_minute: int | None,
        tokens_per_minute: int | None,
        adaptive: Adaptive,
        breaker: Breaker,
        standstill: Standstill,
        longest_pause: float,
    ) -> None:
        self.adaptive, self.breaker, self.standstill = adaptive, breaker, standstill
        self.running = 0
        self._started = self._newest = 0
        self._requests = Window(requests_per_minute) if requests_per_minute else None
        self._tokens = Window(tokens_per_minute) if tokens_per_minute else None
        self._requests_left = Allowance(longest=longest_pause)
        self._tokens_left = Allowance(longest=longest_pause)
        self._estimate = Estimate()
        self._counts = self._requests is not None or self._tokens is not None
        """Whether anything is counted besides the calls in flight."""

    @property
    def counts_tokens(self) -> bool:
        """Whether anybody has set a limit on tokens, or told of one."""
        return self._tokens is not None or self._tokens_left.told

    def need(self, request: ModelRequest) -> float:
        """The tokens that a call may cost."""
        return self._estimate.of(request)

    def at_once(self, request: ModelRequest, clock: Callable[[], float]) -> Slot | None:
        """The slot of a call that nothing holds back. The clock is asked where something goes by time, which is seldom."""
        if self.running + 1 > self.adaptive.limit:
            return None
        if not (self._counts or self.breaker.era % 2 or self.standstill.era % 2):
            self.running += 1
            self._started += 1
            return Slot(self._started, self.adaptive.episode, self.breaker.era, self.standstill.era)
        need, now = self.need(request) if self.counts_tokens else 0.0, clock()
        return self.take(need, now) if self.opens(need, now) <= now else None

    def opens(self, need: float, now: float) -> float:
        """The moment from which a call may start, or at which to ask again; infinity until a running call ends."""
        if self.running + 1 > self.adaptive.limit:
            return _NEVER
        when = max(self.standstill.opens(now), self.breaker.opens(now), self._requests_left.opens(1, now))
        if need:
            when = max(when, self._tokens_left.opens(need, now))
        if self._requests is not None:
            when = max(when, self._requests.opens(1, now))
        if self._tokens is not None:
            when = max(when, self._tokens.opens(need, now))
        return when

    def take(self, need: float, now: float) -> Slot:
        """A call starts."""
        self.running += 1
        self._started += 1
        slot = Slot(self._started, self.adaptive.episode, self.breaker.start(), self.standstill.start())
        self._requests_left.spend(1, now)
        if need:
            self._tokens_left.spend(need, now)
        if self._requests is not None:
            slot.request = self._requests.spend(1, now)
        if self._tokens is not None:
            slot.tokens = self._tokens.spend(need, now)
        return slot

    def undo(self, slot: Slot, now: float) -> None:
        """The call never went out."""
        self.left(slot)
        if self._requests is not None and slot.request is not None:
            self._requests.settle(slot.request, 0, now)
        self._cost(slot, 0, now)

    def left(self, slot: Slot) -> None:
        """The call ended, and nothing is known of how the endpoint took it: it was cancelled, say."""
        self.running -= 1
        self.breaker.left(slot.era)
        self.standstill.left(slot.halt)

    def succeeded(self, slot: Slot, usage: Usage, samples: int, clock: Callable[[], float]) -> None:
        """The call was answered, and cost so much. The clock is asked where something goes by time, which is seldom."""
        # Most calls tell nothing new: what is well already is not told so again.
        if self.running + 1 > self.adaptive.limit:
            self.adaptive.succeeded(slot.episode, self.running)
        self.running -= 1
        if not self.breaker.well:
            self.breaker.succeeded(clock())
        if not self.standstill.well:
            self.standstill.succeeded(clock())
        self._estimate.learn(usage, samples)
        if self._tokens is not None and usage.tokens:
            self._cost(slot, usage.tokens, clock())

    def failed(self, slot: Slot, error: ModelError, now: float) -> bool:
        """The call ended with an error. Returns whether it was a probe in vain, which goes back in line."""
        self.running -= 1
        vain = self._judge(slot, error, now)
        if _is_overload(error) and self.adaptive.overloaded(slot.episode):
            limit = self.adaptive.limit
            _log.info(
                "at most %d calls at once from now on: %s", limit, error, kind="fewer calls", limit=limit
            )
        if isinstance(error, RateLimited | ServerFailed) and error.retry_after:
            vain = self.standstill.told(error.retry_after, slot.halt, now, error) or vain
        else:
            self.standstill.left(slot.halt)
        if error.status in _FREE or isinstance(error, RateLimited):
            self._cost(slot, 0, now)
        return vain

    def told(self, quota: Quota, slot: Slot, now: float, *, waiting: int, refused: bool = False) -> None:
        """The answer to the call said what is left, while so many calls were waiting.

        That of a call that was `refused` holds for a few seconds only: others may be answered all the same.

        Calls that began after it may not be counted in that. An answer to a call that began before one that was
        heard already is old news.
        """
        if slot.number < self._newest:
            return
        self._newest, self._counts = slot.number, True
        unseen = min(self.running, self._started - slot.number)
        busy = min(self.adaptive.limit, self.running + waiting + 1)
        cost, longest = self._estimate.call, _REFUSED if refused else _NEVER
        if quota.requests_left is not None:
            reset = _at_most(quota.requests_reset_s, longest)
            self._requests_left.note(quota.requests_left, reset, now, unseen=unseen, busy=busy)
        if quota.tokens_left is not None:
            reset = _at_most(quota.tokens_reset_s, longest)
            self._tokens_left.note(quota.tokens_left, reset, now, unseen=unseen * cost, busy=busy * cost)

    def _judge(self, slot: Slot, error: ModelError, now: float) -> bool:
        """Tell the breaker what the error says of the endpoint."""
        probe, broken = self.breaker.probes(slot.era), isinstance(error, MalformedReply)
        # Answers that are no completions come from proxies in front of an endpoint that is down, too.
        if isinstance(error, _UNREACHED) or (broken and probe):
            self.breaker.failed(slot.era, now)
            return probe
        if isinstance(error, RateLimited) or (error.status is not None and not broken):
            self.breaker.succeeded(now)  # a refusal is an answer
        else:
            self.breaker.left(slot.era)
        return False

    def _cost(self, slot: Slot, tokens: float, now: float) -> None:
        if self._tokens is not None and slot.tokens is not None:
            self._tokens.settle(slot.tokens, tokens, now)


def _at_most(reset: float | None, longest: float) -> float | None:
    return None if reset is None else min(reset, longest)


def _is_overload(error: ModelError) -> bool:
    if isinstance(error, ServerFailed):
        return error.status in _OVERLOADED
    # A timeout is most often one slow reply; an endpoint that answers none in time is the breaker's matter.
    return isinstance(error, RateLimited)
