"""Public test doubles: what tests of a strategy, an agent card or a model of your own need. No network, no waiting."""

import asyncio
import selectors
from collections.abc import Callable, Coroutine, Iterable, Mapping
from typing import Any, TypeVar

from agentdebate.agents.memory import recalled
from agentdebate.errors import ModelError
from agentdebate.models.base import ModelRequest
from agentdebate.models.function import Function
from agentdebate.talk.messages import Message

Words = str | Callable[[ModelRequest], str]
"""Words of a double: always the same text, or what a function makes of the request."""

Result = TypeVar("Result")


def replying(
    words: Words | Mapping[str, Words], *, name: str = "replying", structured: bool = False
) -> Function:
    """A model that never runs out of replies.

    `words` is for everybody, or a mapping from an agent's name or a purpose; the agent's name goes first. Where the
    mapping has neither, the model raises ModelError. `Scripted` gives replies one after the other instead.
    """

    def reply(request: ModelRequest) -> str:
        chosen = _words(words, request, name) if isinstance(words, Mapping) else words
        return chosen if isinstance(chosen, str) else chosen(request)

    return Function(name, reply, structured=structured)


def _words(words: Mapping[str, Words], request: ModelRequest, name: str) -> Words:
    context = request.context
    for key in (context.agent, context.seat, context.purpose) if context else ():
        if key in words:
            return words[key]
    asker = f"{context.agent!r} ({context.purpose})" if context else "a request without a context"
    raise ModelError(f"there are no words for {asker}; there are for: {', '.join(sorted(words))}", model=name)


def transcript_memories(messages: Iterable[Message]) -> dict[str, tuple[int, ...]]:
    """Every agent's memory, rebuilt from a transcript alone: the numbers of what it came to know, in that order.

    An agent reads its mailbox one delivery after the other, so what arrives while it answers comes after its reply. One
    that never answers, since its turn ran out of time, reads no more. Where a debate failed, an agent may have been
    stopped before it read the last of what was sent to it.
    """
    return {address: memory.numbers for address, memory in recalled(messages).items()}


class JumpingLoop(asyncio.SelectorEventLoop):
    """An event loop whose clock jumps: instead of waiting until the next timer is due, it says that it is.

    An hour's deadline passes in no time, and in the right order. `time()` is in seconds and begins at 0. There is
    nothing but timers here: where no timer is left and no task can go on, RuntimeError says so instead of hanging.
    Threads and sockets are not waited for.
    """

    def __init__(self) -> None:
        self._clock = _JumpingSelector()
        super().__init__(self._clock)
        # What asyncio adds to the time to find the timers that are due; a nanosecond is lost in the float of a year.
        self._clock_resolution = 1e-6

    def time(self) -> float:
        """Seconds since the loop was made, as its timers see it."""
        return self._clock.now


class _JumpingSelector(selectors.DefaultSelector):
    def __init__(self) -> None:
        super().__init__()
        self.now = 0.0

    def select(self, timeout: float | None = None) -> list[tuple[selectors.SelectorKey, int]]:
        ready = super().select(0)
        if ready:
            return ready
        if timeout is None:
            raise RuntimeError(
                "every task waits, and nothing is left that could wake one: this would hang for ever"
            )
        self.now += max(timeout, 0.0)
        return []


def run_jumping(main: Coroutine[Any, Any, Result]) -> Result:
    """Run a coroutine in a JumpingLoop and return its result: asyncio.run for tests of deadlines."""
    with asyncio.Runner(loop_factory=JumpingLoop) as runner:
        return runner.run(main)
