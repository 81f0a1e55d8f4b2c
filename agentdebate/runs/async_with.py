"""Calls that are entered with `async with`: what is tried instead is an error that says what to write."""

from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from functools import wraps
from types import TracebackType
from typing import Generic, NoReturn, ParamSpec, TypeVar

from agentdebate.errors import UsageError

Given = ParamSpec("Given")
Entered = TypeVar("Entered")


class AsyncWith(AbstractAsyncContextManager[Entered], Generic[Entered]):
    """What a call gives that is entered with `async with`: neither awaited, nor looped over, before that."""

    def __init__(self, inside: AbstractAsyncContextManager[Entered], name: str, usage: str) -> None:
        self._inside, self._name, self._usage = inside, name, usage

    def __repr__(self) -> str:
        return f"<{self._name}(...), not entered: {self._usage}>"

    async def __aenter__(self) -> Entered:
        """Enter it."""
        return await self._inside.__aenter__()

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> bool | None:
        """Leave it."""
        return await self._inside.__aexit__(kind, error, trace)

    def _refuse(self, *_: object) -> NoReturn:
        raise UsageError(f"{self._name}(...) is entered before anything is had from it: {self._usage}")

    __await__ = __aiter__ = __iter__ = __enter__ = __exit__ = _refuse


def entered(
    usage: str,
) -> Callable[[Callable[Given, AsyncIterator[Entered]]], Callable[Given, AsyncWith[Entered]]]:
    """As `asynccontextmanager`, for calls that people make: whoever does something else is told the `usage`."""

    def decorated(function: Callable[Given, AsyncIterator[Entered]]) -> Callable[Given, AsyncWith[Entered]]:
        manager = asynccontextmanager(function)

        @wraps(function)
        def called(*args: Given.args, **kwargs: Given.kwargs) -> AsyncWith[Entered]:
            return AsyncWith(manager(*args, **kwargs), function.__name__, usage)

        return called

    return decorated
