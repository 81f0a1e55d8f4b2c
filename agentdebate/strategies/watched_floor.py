"""A floor that notices calls whose `await` a strategy forgot: they would do nothing, and the debate would go on without them."""

import inspect
import sys
from collections.abc import Callable, Coroutine, Iterable, Sequence
from functools import wraps
from traceback import walk_tb
from types import FrameType
from typing import Any, NamedTuple, TypeVar

from agentdebate.agents.sitting import Sitting
from agentdebate.errors import StrategyError
from agentdebate.strategies.base import Strategy
from agentdebate.strategies.floor import Floor

_OURS = f"{__name__.partition('.')[0]}."
_MANY = 100
"""Calls after which those are dropped that were awaited."""
_Watching = TypeVar("_Watching", bound="type[WatchedFloor]")


class _FloorCall(NamedTuple):
    coroutine: Coroutine[Any, Any, Any]
    name: str
    place: str

    @property
    def is_forgotten(self) -> bool:
        """Whether nothing has awaited it."""
        return inspect.getcoroutinestate(self.coroutine) == inspect.CORO_CREATED


def _watching(floor: _Watching) -> _Watching:
    """Have the public coroutines of a class note where a strategy calls them."""
    for name, method in inspect.getmembers(Floor, inspect.iscoroutinefunction):
        if not name.startswith("_"):
            setattr(floor, name, _noted(name, method))
    return floor


def _noted(name: str, method: Callable[..., Coroutine[Any, Any, Any]]) -> Callable[..., Any]:
    @wraps(method)
    def called(self: "WatchedFloor", *args: Any, **options: Any) -> Coroutine[Any, Any, Any]:
        coroutine, caller = method(self, *args, **options), sys._getframe(1)  # noqa: SLF001 - Python's own way to the caller
        if not _is_ours(caller):
            self.note(_FloorCall(coroutine, name, _place(caller, caller.f_lineno)))
        return coroutine

    return called


@_watching
class WatchedFloor(Floor):
    """The floor that strategies are given."""

    def __init__(self, sitting: Sitting, floors: list[Floor], order: Sequence[str] | None = None) -> None:
        super().__init__(sitting, floors, order)
        self.calls: list[_FloorCall] = []
        """What the strategy called, but for some of what was awaited."""

    def note(self, call: _FloorCall) -> None:
        """Remember a call until it is awaited."""
        if len(self.calls) >= _MANY:
            self.calls = [one for one in self.calls if one.is_forgotten]
        self.calls.append(call)


def check_awaited(strategy: Strategy, floors: Iterable[Floor], returned: object) -> None:
    """Raise StrategyError where a strategy has ended and a call was never awaited, or is what it returned."""
    problem = _forgotten(floors)
    if not problem and inspect.iscoroutine(returned):
        returned.close()
        code = inspect.unwrap(type(strategy).debate).__code__
        place = f"{code.co_filename}, line {code.co_firstlineno}"
        problem = f"{place}: debate returns the coroutine {returned.__name__}(...): write `return await`"
    if problem:
        raise StrategyError(problem)


def explained(error: Exception, floors: Iterable[Floor]) -> StrategyError | None:
    """The error that says where the `await` was forgotten that led to another one; None where none was."""
    if "coroutine" not in str(error):
        return None
    problem = _forgotten(floors) or (
        f"{_raised_at(error)}: write `await` before the call whose reply is used here: {error}"
    )
    if isinstance(error, AttributeError) and inspect.iscoroutine(error.obj):
        error.obj.close()  # or Python warns of it too
    return StrategyError(problem)


def _raised_at(error: Exception) -> str:
    """The innermost place in a strategy that an error came through."""
    places = [_place(frame, line) for frame, line in walk_tb(error.__traceback__) if not _is_ours(frame)]
    return places[-1] if places else "the strategy"


def _forgotten(floors: Iterable[Floor]) -> str:
    """The first call that nothing awaited, in words; all of these are closed, so that Python does not warn of them too."""
    calls = [
        one for floor in floors if isinstance(floor, WatchedFloor) for one in floor.calls if one.is_forgotten
    ]
    for one in calls:
        one.coroutine.close()
    return (
        f"{calls[0].place}: write `await floor.{calls[0].name}(...)`, which does nothing without `await`"
        if calls
        else ""
    )


def _is_ours(frame: FrameType) -> bool:
    return str(frame.f_globals.get("__name__", "")).startswith(_OURS)


def _place(frame: FrameType, line: int) -> str:
    return f"{frame.f_code.co_filename}, line {line}"
