"""Asking again after an error that may pass, with growing waits in between."""

import random
import time
from collections.abc import Callable

import stamina

from agentdebate.errors import ModelError
from agentdebate.models.base import Completion, Model, ModelRequest
from agentdebate.models.wrapper import Wrapper


class Retrying(Wrapper):
    """A model that asks the model in it again where an error says that it is retryable.

    At most `attempts` tries in all. The waits double from `first_wait` to at most `longest_wait`, with up to
    `jitter` more; where the endpoint says how long to wait, that is the least. `deadline` counts from the
    first failure: no try starts after it, and a wait that would pass it is not begun. All of these are
    seconds. The last error is raised as it was.

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
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        super().__init__(model)
        self._attempts, self._deadline, self._jitter, self._clock = attempts, deadline, jitter, clock
        self._first_wait, self._longest_wait = first_wait, longest_wait

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
        """Go on after a first failure. It enters the loop as its first try, so that the waits count from
        there.
        """
        wait = _Wait(
            self._clock, self._clock() + self._deadline, self._first_wait, self._longest_wait, self._jitter
        )
        async for attempt in stamina.retry_context(on=wait, attempts=self._attempts, timeout=None):
            with attempt:
                if attempt.num == 1:
                    raise first
                return await self.model.complete(request)
        raise first  # pragma: no cover - the loop ends by returning or raising


class _Wait:
    """Decides after each error of one call how long to wait; False is to give up."""

    def __init__(
        self, clock: Callable[[], float], end: float, first_wait: float, longest_wait: float, jitter: float
    ) -> None:
        self._clock, self._end = clock, end
        self._next, self._longest, self._jitter = first_wait, longest_wait, jitter

    def __call__(self, error: Exception) -> float | bool:
        if not (isinstance(error, ModelError) and error.retryable):
            return False
        spread = random.uniform(0, self._jitter)  # noqa: S311 - only spreads calls out
        wait = max(self._next, error.retry_after or 0.0) + spread
        self._next = min(2 * self._next, self._longest)
        return wait if self._clock() + wait <= self._end else False
