"""Holding calls back, so that an endpoint is not asked for more than it gives."""

import asyncio
import heapq
import sys
from contextvars import ContextVar
from dataclasses import dataclass, field

from agentdebate.errors import (
    ConnectionFailed,
    EndpointDown,
    MalformedReply,
    ModelError,
    ModelTimeout,
    RateLimited,
    ServerFailed,
)
from agentdebate.log import get_log
from agentdebate.models.base import Completion, Model, ModelRequest
from agentdebate.models.event_loop import OneLoop
from agentdebate.models.limits.pause import Pause
from agentdebate.models.limits.rate import Estimate, Expense, Window
from agentdebate.models.secrets import without_keys
from agentdebate.models.wrapper import WrapperModel, sampling_of
from agentdebate.talk.turn_clock import in_line
from agentdebate.visible import shortened

_log = get_log(__name__)

turn_order: ContextVar[int] = ContextVar("turn_order", default=sys.maxsize)
"""Priority of calls that wait: the lowest goes first. It is the number of the debate, in the order of their beginning."""

_NEVER = float("inf")
_SHOWN, _READ = 400, 4000
"""Characters of a failure's reason that are shown, and in which keys are looked for."""
_TICK = 1e-3
"""No timer is set for less than this, in seconds, so that a clock's rounding cannot make a wait a busy one."""


@dataclass(slots=True)
class _Started:
    """A call that was let through."""

    era: int
    tokens: Expense | None


@dataclass(order=True, slots=True)
class _Waiter:
    """A waiting call: who goes first has the lower order, then the lower number."""

    order: int
    number: int
    need: float = field(compare=False)
    """Tokens."""
    turn: "asyncio.Future[_Started | None]" = field(compare=False)


class Limited(WrapperModel):
    """A model that passes calls on to the model in it when its endpoint can take them; until then they wait.

    All callers of an endpoint and model share one of these, within one event loop at a time. What limits them:

    - `in_flight` calls at once;
    - `requests_per_minute` calls that start, and `tokens_per_minute`, in any 60 seconds. A call's tokens are its
      prompt by its length and its `max_tokens` (or the mean reply so far); what it really cost takes their place when
      it ends. A single call larger than the limit waits until a minute is wholly free;
    - an endpoint that cannot be reached, or that tells one call after the other to wait: a pause, then a probe
      (agentdebate.models.limits.pause). A probe in vain goes back in line, so that an outage does not use up tries. With
      `give_up` seconds gone since the first failure, waiting calls raise EndpointDown, which ends the run and says why the
      latest call failed; with `unheard` seconds where it has not answered once, which more likely is a wrong address than an
      outage.

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
        failures: int = 10,
        give_up: float = 240.0,
        unheard: float = 10.0,
        longest_pause: float = 30.0,
    ) -> None:
        super().__init__(model)
        self._in_flight = in_flight
        self._requests = Window(requests_per_minute) if requests_per_minute else None
        self._tokens = Window(tokens_per_minute) if tokens_per_minute else None
        self._estimate = Estimate(sampling_of(model))
        self._pause = Pause(
            model.name, failures=failures, give_up=give_up, unheard=unheard, longest=longest_pause
        )
        self._smallest = tokens_per_minute
        """The tokens a minute that a call may be above; None once that was said."""
        self.running = self.waiting = 0
        """Count the calls in flight and those that wait."""
        self._line: list[_Waiter] = []
        """A heap of those that wait, and of some that were cancelled."""
        self._number = 0
        self._loop = OneLoop()
        self._timer: asyncio.TimerHandle | None = None
        self._reason = ""
        """Reason of the latest failure."""

    def __repr__(self) -> str:
        return (
            f"<Limited {self.running} running of {self._in_flight}, {self.waiting} waiting: {self.model!r}>"
        )

    @property
    def paused(self) -> bool:
        """Tell whether the endpoint does not answer, as far as is known, and only probes go out."""
        return self._pause.paused

    async def complete(self, request: ModelRequest) -> Completion:
        """Answer the request when it is its turn. Raises EndpointDown where the endpoint stays down, and ModelError.

        Raises UsageError where calls of another event loop are under way.
        """
        with self._loop.call(self) as left:
            if left:  # calls of an event loop that was closed on them hold no place
                self.running, self.waiting, self._line, self._timer = 0, 0, [], None
            order = turn_order.get()
            while True:
                started = self._at_once(request) or await self._turn(request, order)
                completion = await self._ask(request, started)
                if completion is not None:
                    return completion
                # The next probe is somebody else's, for it may be this very request that the endpoint fails at.
                order = sys.maxsize

    async def _ask(self, request: ModelRequest, started: _Started) -> Completion | None:
        """The answer; None for a probe in vain, which goes back in line. Raises EndpointDown and ModelError."""
        tokens: int | None = None
        try:
            completion = await self.model.complete(request)
            tokens = completion.usage.tokens or None
            self._pause.answered(_now())
            self._estimate.learn(request, completion.usage)
        except ModelError as error:
            self._reason = _reason(error)
            tokens = 0 if isinstance(error, RateLimited) else None
            if not self._in_vain(error, started.era):
                raise
            if self._pause.gives_up <= _now():
                raise self._down() from error
            return None
        else:
            return completion
        finally:
            self._ended(started, tokens)

    def _in_vain(self, error: ModelError, era: int) -> bool:
        """Note what an error says of the endpoint. Tells whether it was that of a probe."""
        now, broken = _now(), isinstance(error, MalformedReply)
        if isinstance(error, RateLimited) or (isinstance(error, ServerFailed) and error.retry_after):
            return self._pause.told_to_wait(error.retry_after, era, now, error)
        # Answers that are no completions come from proxies in front of an endpoint that is down, too.
        if isinstance(error, ConnectionFailed | ServerFailed | ModelTimeout) or (broken and self.paused):
            return self._pause.failed(era, now)
        if error.status is not None and not broken:
            self._pause.answered(now)  # a refusal is an answer
        return False

    def _ended(self, started: _Started, tokens: float | None) -> None:
        """Free the place of a call that cost so much; None: as much as was thought, as far as is known."""
        self.running -= 1
        self._pause.left(started.era)
        if self._tokens is not None and started.tokens is not None and tokens is not None:
            self._tokens.settle(started.tokens, tokens, _now())
        if self._line:
            self._serve()

    def _at_once(self, request: ModelRequest) -> _Started | None:
        """A start for a call that nothing holds back."""
        if self.waiting:
            return None
        need, now = self._need(request), _now()
        return self._start(need, now) if self._opens(need, now) <= now else None

    def _warn_of_size(self, need: float) -> None:
        """Say once that a call is larger than what a minute allows, since it waits long."""
        if self._smallest is not None and need > self._smallest:
            _log.warning(
                "a call of %s may take %d tokens, and tokens_per_minute=... allows %d: one such call starts a minute",
                self.name,
                need,
                self._smallest,
                kind="limit below a call",
            )
            self._smallest = None

    def _need(self, request: ModelRequest) -> float:
        return 0.0 if self._tokens is None else self._estimate.of(request)

    def _opens(self, need: float, now: float) -> float:
        """The moment from which a call may start, or at which to ask again; infinity until a running call ends."""
        if self.running >= self._in_flight:
            return _NEVER
        when = self._pause.opens(now)
        if self._requests is not None:
            when = max(when, self._requests.opens(1, now))
        return when if self._tokens is None else max(when, self._tokens.opens(need, now))

    def _start(self, need: float, now: float) -> _Started:
        self.running += 1
        if self._requests is not None:
            self._requests.spend(1, now)
        tokens = None if self._tokens is None else self._tokens.spend(need, now)
        return _Started(self._pause.begin(), tokens)

    async def _turn(self, request: ModelRequest, order: int) -> _Started:
        """Wait in line."""
        self._warn_of_size(self._need(request))
        turn: asyncio.Future[_Started | None] = asyncio.get_running_loop().create_future()
        self._number += 1
        heapq.heappush(self._line, _Waiter(order, self._number, self._need(request), turn))
        self.waiting += 1
        self._serve()
        try:
            with in_line():
                started = await turn
        except asyncio.CancelledError:
            # It may have been given its turn just before.
            if not turn.cancelled() and (given := turn.result()) is not None:
                self._ended(given, 0)
            self._serve()
            raise
        finally:
            self.waiting -= 1
        if started is None:
            raise self._down()
        return started

    def _down(self) -> EndpointDown:
        seconds = self._pause.seconds(_now())
        return EndpointDown(
            f"every call has failed for {seconds:.0f} s; fix the cause, then go on. The latest failure: {self._reason}",
            model=self.name,
        )

    def _serve(self) -> None:
        """Give turns to those who may start, in their order, and set a timer for the next who only has to wait."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        now, when = _now(), _NEVER
        while (waiter := self._first()) is not None:
            when = self._opens(waiter.need, now)
            if when > now:
                break
            heapq.heappop(self._line).turn.set_result(self._start(waiter.need, now))
        self._wake(now, min(when, self._pause.gives_up))

    def _first(self) -> _Waiter | None:
        """Return the next turn."""
        while self._line and self._line[0].turn.done():
            heapq.heappop(self._line)
        return self._line[0] if self._line else None

    def _wake(self, now: float, when: float) -> None:
        """Serve again then, if anyone is left; where that has passed, it is time to give up."""
        if self._first() is None:
            return
        if self._pause.gives_up <= now:
            while self._first() is not None:
                heapq.heappop(self._line).turn.set_result(None)
        elif when < _NEVER:
            self._timer = asyncio.get_running_loop().call_at(max(when, now + _TICK), self._serve)


def _now() -> float:
    return asyncio.get_running_loop().time()


def _reason(error: ModelError) -> str:
    """Say why a call failed, in a line or two, without keys."""
    said = str(error).removeprefix(f"{error.model}: ") or type(error).__name__
    return shortened(without_keys(said[:_READ]), _SHOWN)
