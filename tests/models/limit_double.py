"""A slow model for tests of limits, which knows when its calls started and how many ran at once."""

import asyncio
from collections.abc import Callable, Coroutine
from functools import wraps
from typing import Any, ParamSpec

from agentdebate.errors import ModelError, ServerFailed
from agentdebate.models.base import ChatMessage, Completion, ModelRequest, Sampling
from agentdebate.models.limits.limit import Limited
from agentdebate.testing import run_jumping
from agentdebate.usage import Usage

DOWN = ServerFailed("down", status=500)


def ask(text: str = "Hi", *, max_tokens: int | None = None) -> ModelRequest:
    return ModelRequest((ChatMessage("user", text),), Sampling(max_tokens=max_tokens))


def fine(text: str = "fine", prompt: int = 10, reply: int = 4) -> Completion:
    usage = Usage(calls=1, prompt_tokens=prompt, completion_tokens=reply)
    return Completion(text=text, model="slow", usage=usage)


Outcome = Completion | BaseException
Behaviour = Callable[[int, ModelRequest], Outcome]
"""From the number of a call, from 0, to how it ends."""


class Slow:
    """Takes `seconds` for every call, or what `lasts` says. `starts` and `texts` are of the calls that came through."""

    name = "slow"
    structured = True

    def __init__(self, behave: Behaviour | None = None, *, seconds: float = 1.0) -> None:
        self.behave, self.seconds = behave or (lambda number, request: fine()), seconds
        self.starts: list[float] = []
        self.texts: list[str] = []
        self.running = self.peak = 0
        self.closed = False

    async def complete(self, request: ModelRequest) -> Completion:
        number = len(self.starts)
        self.starts.append(now())
        self.texts.append(request.messages[-1].content)
        self.running += 1
        self.peak = max(self.peak, self.running)
        try:
            await asyncio.sleep(self.lasts(request))
        finally:
            self.running -= 1
        outcome = self.behave(number, request)
        if isinstance(outcome, BaseException):
            raise outcome
        return outcome

    def lasts(self, request: ModelRequest) -> float:
        return self.seconds

    async def aclose(self) -> None:
        self.closed = True


def now() -> float:
    return asyncio.get_running_loop().time()


async def outcome(limited: Limited, request: ModelRequest | None = None) -> Completion | ModelError:
    """Return what a call ended with."""
    try:
        return await limited.complete(request or ask())
    except ModelError as error:
        return error


def idle(limited: Limited) -> bool:
    """Tell whether nothing is left of any call."""
    return (limited.running, limited.waiting) == (0, 0)


P = ParamSpec("P")


def jumping(test: Callable[P, Coroutine[Any, Any, None]]) -> Callable[P, None]:
    """Run a test on a clock that jumps over its waits."""

    @wraps(test)
    def run(*given: P.args, **named: P.kwargs) -> None:
        run_jumping(test(*given, **named))

    return run
