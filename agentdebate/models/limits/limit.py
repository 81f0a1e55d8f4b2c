"""Holding calls back, so that an endpoint is not asked for more than it gives."""

import asyncio
import heapq
import sys
from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import Protocol, runtime_checkable

from agentdebate.errors import EndpointDown, ModelError, RateLimited, UsageError
from agentdebate.log import get_log
from agentdebate.models.base import Completion, Model, ModelRequest
from agentdebate.models.event_loop import OneLoop, running_loop
from agentdebate.models.limits.gate import Adaptive, Gate, Slot
from agentdebate.models.limits.pause import Breaker, Standstill
from agentdebate.models.limits.quota import Quota
from agentdebate.models.secrets import without_keys
from agentdebate.models.wrapper import Wrapper, innermost
from agentdebate.talk.turn_clock import in_line
from agentdebate.visible import shortened

_log = get_log(__name__)

turn_order: ContextVar[int] = ContextVar("turn_order", default=sys.maxsize)
"""Whose calls go first where calls wait: the lowest. It is the number of the debate, in the order of their beginning."""

_SHOWN, _READ = 400, 4000
"""Characters of a failure's reason that are shown, and in which keys are looked for."""
_TICK = 1e-3
"""No timer is set for less than this, in seconds, so that a clock's rounding cannot make a wait a busy one."""


@runtime_checkable
class Metered(Protocol):
    """A model whose endpoint says what is left of its limits."""

    @property
    def quota(self) -> Quota | None:
        """What the newest answer that said anything of it said; another object for every such answer."""
        ...


@dataclass(order=True, slots=True)
class _Waiter:
    """A waiting call: who goes first has the lower order, then the lower number."""

    order: int
    number: int
    need: float = field(compare=False)
    """Tokens."""
    turn: "asyncio.Future[Slot | None]" = field(compare=False)


class Limited(Wrapper):
    """A model that passes calls on to the model in it when its endpoint can take them; until then they wait.

    All callers of an endpoint and model share one of these, within one event loop at a time. What limits them:

    - `in_flight` calls at once; fewer while the endpoint shows that it cannot take so many. It begins with `start`
      of them (agentdebate.models.limits.gate);
    - `requests_per_minute` calls that start, and `tokens_per_minute`, in any 60 seconds. A call's tokens are its
      prompt by its length and its `max_tokens` (or the mean reply so far); what it really cost takes their place when
      it ends. A single call larger than the limit waits until a minute is wholly free;
    - Retry-After on an error, where several calls in a row are told so: a pause of at most `standstill` seconds, then a
      probe (agentdebate.models.limits.pause); the call that was told so waits by itself (agentdebate.models.retry);
    - what the endpoint says of its limits, where the model in it has a `quota`: the last of it is spread over the time
      until there is more, or `longest_pause` seconds;
    - `failures` errors in a row of an endpoint that cannot be reached: pauses and probes (agentdebate.models.limits.pause).
      A probe that is in vain goes back in line, so that an outage costs nobody their tries. With `give_up` seconds
      gone since the first failure, waiting calls raise EndpointDown, which ends the run and says why the latest call failed; with
      `unheard` seconds where it has not answered once, which more likely is a wrong address than an outage.

    Calls that wait go by `turn_order`, those of the same order as they came. The first in line is waited for even
    where one behind it would fit, so that large requests get their turn.
    """

    def __init__(
        self,
        model: Model,
        *,
        in_flight: int = 64,
        requests_per_minute: int | None = None,
        tokens_per_minute: int | None = None,
        start: int = 32,
        failures: int = 10,
        give_up: float = 240.0,
        unheard: float = 10.0,
        standstill: float = 30.0,
        longest_pause: float = 600.0,
    ) -> None:
        super().__init__(model)
        _check(in_flight=in_flight, start=start, failures=failures)
        _check(requests_per_minute=requests_per_minute, tokens_per_minute=tokens_per_minute)
        self._gate = Gate(
            requests_per_minute=requests_per_minute,
            tokens_per_minute=tokens_per_minute,
            adaptive=Adaptive(in_flight, start=start),
            breaker=Breaker(model.name, failures=failures, give_up=give_up, unheard=unheard),
            standstill=Standstill(model.name, longest=standstill),
            longest_pause=longest_pause,
        )
        self._smallest = tokens_per_minute
        """The tokens a minute that a call may be above; None once that was said."""
        self.waiting = 0
        """How many calls wait for their turn."""
        self._line: list[_Waiter] = []
        """A heap of those that wait, and of some that were cancelled."""
        self._number = 0
        self._loop = OneLoop()
        self._timer: asyncio.TimerHandle | None = None
        self._reason = ""
        """Why the latest call failed that did."""
        inner = innermost(model)
        self._metered = inner if isinstance(inner, Metered) else None
        self._seen: Quota | None = None

    def __repr__(self) -> str:
        return f"<Limited {self.running} running of {self.limit}, {self.waiting} waiting: {self.model!r}>"

    @property
    def running(self) -> int:
        """How many calls are in flight."""
        return self._gate.running

    @property
    def limit(self) -> int:
        """How many calls may be in flight at the moment."""
        return int(self._gate.adaptive.limit)

    @property
    def paused(self) -> bool:
        """Whether the endpoint is down, as far as is known, and only probes go out."""
        return self._gate.breaker.paused

    async def complete(self, request: ModelRequest) -> Completion:
        """Answer the request when it is its turn. Raises EndpointDown where the endpoint stays down, and ModelError.

        Raises UsageError where calls of another event loop are under way.
        """
        loop = running_loop()
        if self._loop.enter(loop, self):
            self._forget()
        try:
            slot = None if self.waiting else self._gate.at_once(request, loop.time)
            slot = slot or await self._turn(request, turn_order.get())
            while True:
                try:
                    completion = await self.model.complete(request)
                except BaseException as error:
                    if not self._failed(slot, error):
                        raise
                else:
                    self._gate.succeeded(slot, completion.usage, request.sampling.n, loop.time)
                    if self.waiting or (self._metered is not None and self._metered.quota is not self._seen):
                        self._answered(slot)
                    return completion
                # The next probe is somebody else's, for it may be this very request that the endpoint fails at.
                slot = await self._turn(request, sys.maxsize)
        finally:
            self._loop.leave(loop)

    def _forget(self) -> None:
        """Calls of an event loop that was closed on them hold no place."""
        self._gate.running, self.waiting, self._line, self._timer = 0, 0, [], None

    def _failed(self, slot: Slot, error: BaseException) -> bool:
        """Note how the call ended. Returns whether it goes back in line, as a probe does that was in vain.

        Raises EndpointDown where the time for that is over.
        """
        if isinstance(error, ModelError):
            self._reason = _reason(error)
            vain = self._gate.failed(slot, error, _now())
            self._answered(slot, refused=isinstance(error, RateLimited))
            if vain and self._gate.breaker.gives_up <= _now():
                raise self._down() from error
            return vain
        self._gate.left(slot)
        self._serve()
        return False

    def _answered(self, slot: Slot, *, refused: bool = False) -> None:
        """Look at what the endpoint said of its limits, then let go on who can."""
        quota = self._metered.quota if self._metered is not None else None
        if quota is not None and quota is not self._seen:
            self._seen = quota
            self._gate.told(quota, slot, _now(), waiting=self.waiting, refused=refused)
        self._serve()

    async def _turn(self, request: ModelRequest, order: int) -> Slot:
        """Wait in line."""
        # Its tokens are estimated even where nobody counts any yet, for somebody may before its turn.
        need = self._gate.need(request)
        if self._smallest is not None and need > self._smallest:
            _log.warning(
                "a call of %s may take %d tokens, and tokens_per_minute=... allows %d: one such call starts a minute",
                self.name,
                need,
                self._smallest,
                kind="limit below a call",
            )
            self._smallest = None
        turn: asyncio.Future[Slot | None] = asyncio.get_running_loop().create_future()
        self._number += 1
        heapq.heappush(self._line, _Waiter(order, self._number, need, turn))
        self.waiting += 1
        self._serve()
        try:
            with in_line():
                slot = await turn
        except asyncio.CancelledError:
            if (
                not turn.cancelled() and (given := turn.result()) is not None
            ):  # just after it was given its turn
                self._gate.undo(given, _now())
            self._serve()
            raise
        finally:
            self.waiting -= 1
        if slot is None:
            raise self._down()
        return slot

    def _down(self) -> EndpointDown:
        seconds = self._gate.breaker.down_for(_now())
        return EndpointDown(
            f"every call has failed for {seconds:.0f} s; fix the cause, then go on. The latest failure: {self._reason}",
            model=self.name,
        )

    def _serve(self) -> None:
        """Give turns to those who may start, in their order, and set a timer for the next who only has to wait."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        now, when = _now(), float("inf")
        while (waiter := self._first()) is not None:
            when = self._gate.opens(waiter.need, now)
            if when > now:
                break
            heapq.heappop(self._line).turn.set_result(self._gate.take(waiter.need, now))
        self._wake(now, min(when, self._gate.breaker.gives_up))

    def _first(self) -> _Waiter | None:
        """Whose turn is next."""
        while self._line and self._line[0].turn.done():
            heapq.heappop(self._line)
        return self._line[0] if self._line else None

    def _wake(self, now: float, when: float) -> None:
        """Serve again then, if anyone is left; where that has passed, it is time to give up."""
        if self._first() is None:
            return
        if self._gate.breaker.gives_up <= now:
            while self._first() is not None:
                heapq.heappop(self._line).turn.set_result(None)
        elif when < float("inf"):
            loop = asyncio.get_running_loop()
            self._timer = loop.call_at(max(when, now + _TICK), self._serve)


def _now() -> float:
    return asyncio.get_running_loop().time()


def _reason(error: ModelError) -> str:
    """Why a call failed, in a line or two, without keys."""
    said = str(error).removeprefix(f"{error.model}: ") or type(error).__name__
    return shortened(without_keys(said[:_READ]), _SHOWN)


def _check(**counts: int | None) -> None:
    for name, count in counts.items():
        if count is not None and count < 1:
            raise UsageError(f"{name} is {count}; it is at least 1")
