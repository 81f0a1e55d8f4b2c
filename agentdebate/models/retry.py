"""Asking again after an error that may pass, with growing waits in between."""

import asyncio
import random
import time
from collections.abc import Callable
from itertools import count
from math import inf

from agentdebate.errors import MalformedReply, ModelError
from agentdebate.log import get_log
from agentdebate.models.base import Completion, Model, ModelRequest
from agentdebate.models.wrapper import WrapperModel
from agentdebate.talk.turn_clock import note_trouble

_log = get_log(__name__, quiet=True)
_LONGEST, _LONGEST_ASKED = 20.0, 60.0
"""Seconds of the longest wait, and of the longest that an endpoint may ask for."""


class Retrying(WrapperModel):
    """A model that asks the model in it again where an error says that it is retryable.

    At most `attempts` tries in all, and one more after an answer that came whole and could not be read, for what a server says
    so it says again. The waits double from `first_wait` to 20 seconds, with up to `jitter` more; where the endpoint says how long to wait, that
    is the least, up to a minute: figures beyond are mostly a mistake, and another try tells. `deadline` counts in seconds from the
    first failure: no try starts after it, and a wait that would pass it is not begun. The last error is raised as it was. Every wait is a warning in the log.

    Time before the first failure does not count, for it may have been spent waiting for a limiter's slot.
    """

    def __init__(
        self,
        model: Model,
        *,
        attempts: int = 5,
        deadline: float = 300.0,
        first_wait: float = 0.5,
        jitter: float = 1.0,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        super().__init__(model)
        self._attempts, self._deadline, self._clock = attempts, deadline, clock
        self._first_wait, self._jitter = first_wait, jitter

    def __repr__(self) -> str:
        return f"<Retrying {self._attempts} attempts within {self._deadline:g} s: {self.model!r}>"

    async def complete(self, request: ModelRequest) -> Completion:
        """Answer the request, in several tries where need be. Raises the last try's ModelError."""
        end, unread = inf, 0
        for attempt in count(1):
            try:
                completion = await self.model.complete(request)
            except ModelError as error:
                if attempt == 1:
                    end = self._clock() + self._deadline
                wait = self._wait(attempt, error)
                unread += isinstance(error, MalformedReply) and error.whole
                again = attempt < self._attempts and unread <= 1 and self._clock() + wait <= end
                if not (error.retryable and again):
                    raise
                _tell(request, error, attempt, wait)
            else:
                if attempt > 1:
                    note_trouble("")
                return completion
            await asyncio.sleep(wait)
        raise AssertionError("the loop returns or raises")  # pragma: no cover

    def _wait(self, attempt: int, error: ModelError) -> float:
        """Seconds to wait after a failure."""
        grown = min(self._first_wait * 2.0 ** min(attempt - 1, 64), _LONGEST)
        asked = min(error.retry_after or 0.0, _LONGEST_ASKED)
        return max(grown, asked) + random.uniform(0, self._jitter)  # noqa: S311 - only spreads calls out


def _tell(request: ModelRequest, error: ModelError, attempt: int, wait: float) -> None:
    """Warn of a wait. Handlers find what is asked about, and by whom, in the record's `item` and `agent`."""
    context, name = request.context, type(error).__name__
    about = {"item": context.item.id, "agent": context.agent} if context else {}
    note_trouble(f"{name}: {error}")
    told = {"kind": "retry", "seconds": wait, "error": name, "attempt": attempt, **about}
    _log.warning("tried again in %.1f s: %s: %s", wait, name, error, **told)
