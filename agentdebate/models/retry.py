"""Asking again after an error that may pass, with growing waits in between."""

import random
import time
from collections.abc import Callable
from functools import partial

import tenacity

from agentdebate.errors import MalformedReply, ModelError
from agentdebate.log import get_log
from agentdebate.models.base import Completion, Model, ModelRequest
from agentdebate.models.wrapper import Wrapper
from agentdebate.talk.turn_clock import note_trouble

_log = get_log(__name__, quiet=True)


class Retrying(Wrapper):
    """A model that asks the model in it again where an error says that it is retryable.

    At most `attempts` tries in all, and one more after an answer that came whole and could not be read. The waits double from `first_wait` to at most `longest_wait`, with up to
    `jitter` more; where the endpoint says how long to wait, that is the least, up to `longest_pause`: figures beyond are
    mostly a mistake, and another try tells. `deadline` counts from the
    first failure: no try starts after it, and a wait that would pass it is not begun. All of these are
    seconds. The last error is raised as it was. Every wait is a warning in the log.

    Time before the first failure does not count, for it may have been spent waiting for a limiter's slot.
    """

    def __init__(
        self,
        model: Model,
        *,
        attempts: int = 5,
        deadline: float = 300.0,
        first_wait: float = 0.5,
        longest_wait: float = 20.0,
        jitter: float = 1.0,
        longest_pause: float = 60.0,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        super().__init__(model)
        self._attempts, self._deadline, self._jitter, self._clock = attempts, deadline, jitter, clock
        self._first_wait, self._longest_wait = first_wait, longest_wait
        self._longest_pause = longest_pause

    def __repr__(self) -> str:
        return f"<Retrying {self._attempts} attempts within {self._deadline:g} s: {self.model!r}>"

    async def complete(self, request: ModelRequest) -> Completion:
        """Answer the request, in several tries where need be. Raises the last try's ModelError."""
        try:
            return await self.model.complete(request)
        except ModelError as error:
            if not error.retryable:
                raise
            return await self._again(request, error)

    async def _again(self, request: ModelRequest, first: ModelError) -> Completion:
        """Go on after a first failure, which enters the loop as its first try, so that the waits count from there."""
        end = self._clock() + self._deadline
        unread = 0

        def stop(state: tenacity.RetryCallState) -> bool:
            nonlocal unread
            unread += _is_unread(_error(state))
            return (
                unread > 1
                or state.attempt_number >= self._attempts
                or self._clock() + state.upcoming_sleep > end
            )

        tries = tenacity.AsyncRetrying(
            retry=tenacity.retry_if_exception(_may_pass),
            wait=self._wait,
            stop=stop,
            before_sleep=partial(_tell, request),
            reraise=True,
        )
        async for attempt in tries:
            with attempt:
                if attempt.retry_state.attempt_number == 1:
                    raise first
                completion = await self.model.complete(request)
                note_trouble("")
                return completion
        raise first  # pragma: no cover - the loop ends by returning or raising

    def _wait(self, state: tenacity.RetryCallState) -> float:
        """Seconds to wait after a failure."""
        grown = min(self._first_wait * 2.0 ** min(state.attempt_number - 1, 64), self._longest_wait)
        spread = random.uniform(0, self._jitter)  # noqa: S311 - only spreads calls out
        asked = getattr(_error(state), "retry_after", None) or 0.0
        return max(grown, min(asked, self._longest_pause)) + spread


def _may_pass(error: BaseException) -> bool:
    return isinstance(error, ModelError) and error.retryable


def _is_unread(error: BaseException | None) -> bool:
    """Whether an answer came whole and was no reply: what a server says so it says again."""
    return isinstance(error, MalformedReply) and error.whole


def _error(state: tenacity.RetryCallState) -> BaseException | None:
    return state.outcome.exception() if state.outcome else None


def _tell(request: ModelRequest, state: tenacity.RetryCallState) -> None:
    """Warn of a wait. Handlers find what is asked about, and by whom, in the record's `item` and `agent`."""
    context, error = request.context, _error(state)
    about = {"item": context.item.id, "agent": context.agent} if context else {}
    wait, name = state.upcoming_sleep, type(error).__name__
    note_trouble(f"{name}: {error}")
    told = {"kind": "retry", "seconds": wait, "error": name, "attempt": state.attempt_number, **about}
    _log.warning("tried again in %.1f s: %s: %s", wait, name, error, **told)
