"""Entry points of packages, by group: strategies and models, ours through the same door as everybody's."""

import inspect
import os
import sys
from collections.abc import Callable, Collection, Iterable, Mapping
from functools import lru_cache
from importlib.metadata import EntryPoint, entry_points
from typing import Any

from agentdebate.errors import AgentDebateError, StrategyError, UsageError, UserError, nearest
from agentdebate.options import OptionKind, option_kind
from agentdebate.wrong_values import WrongValue, in_words

_OURS = "agentdebate."
"""Prefix of our groups and modules."""

Places = tuple[tuple[str, int | None], ...]
"""The folders where packages are looked for, and when something was last installed there (nanoseconds)."""


def registered(group: str) -> dict[str, EntryPoint]:
    """Return the entry points of a group, by name; `value` says where each comes from, and `load` imports it."""
    found = _all(group)
    alone = {name: points[0] for name, points in found.items() if len(points) == 1}
    _seen(group, tuple(sys.path)).update(alone)
    return {name: points[0] for name, points in found.items()}


@lru_cache(maxsize=32)
def _seen(group: str, path: tuple[str, ...]) -> dict[str, EntryPoint]:  # noqa: ARG001 - by which it is known
    """Remember the names in a group that one package alone registers, as far as they have been found. Every debate looks up a merge: for a name
    that is known, no folder is looked at.
    """
    return {}


def clashes(group: str) -> dict[str, str]:
    """The names of a group that several packages register, each with what is wrong and what to do. None of them can be used."""
    return {
        name: f"{_listed(points)} are registered as {name!r} under {group}: uninstall all but one of them."
        for name, points in _all(group).items()
        if len(points) > 1
    }


def _taken(point: EntryPoint) -> str:
    """Say that a package registers a built-in name."""
    return f"{_package(point)} registers {point.value} as {point.name!r} under {point.group}, which is built in: it needs another name"


def _all(group: str) -> Mapping[str, tuple[EntryPoint, ...]]:
    return _found().get(group, {})


def _found() -> Mapping[str, Mapping[str, tuple[EntryPoint, ...]]]:
    return _search(tuple((place, _changed(place)) for place in sys.path))


@lru_cache(maxsize=8)
def _search(places: Places) -> Mapping[str, Mapping[str, tuple[EntryPoint, ...]]]:  # noqa: ARG001 - by which it is known
    """Search for entry points, by group and name. The search reads a file of every installed package, which takes longer than a small
    debate.
    """
    points = entry_points()
    return {group: _by_name(points.select(group=group)) for group in points.groups if group.startswith(_OURS)}


def _by_name(found: Iterable[EntryPoint]) -> dict[str, tuple[EntryPoint, ...]]:
    named: dict[str, dict[str, EntryPoint]] = {}
    for point in sorted(found, key=lambda one: (one.name, not _is_ours(one), one.value)):
        named.setdefault(point.name, {}).setdefault(
            point.value, point
        )  # a package may be found in two places
    return {name: tuple(points.values()) for name, points in named.items()}


def _is_ours(point: EntryPoint) -> bool:
    return point.value.startswith(_OURS)


def _listed(points: Iterable[EntryPoint]) -> str:
    return " and ".join(_told(point) for point in points)


def _told(point: EntryPoint) -> str:
    return f"{point.value} of {_package(point)}"


def _package(point: EntryPoint) -> str:
    """The package that registers something, where that is known."""
    return f"the package {point.dist.name!r}" if point.dist else "a package"


def _changed(place: str) -> int | None:
    try:
        return os.stat(place or os.curdir).st_mtime_ns  # noqa: PTH116 - a Path for each folder takes three times as long
    except OSError:
        return None


def find(group: str, name: str, problem: str, error: Callable[[str], UserError] = UsageError) -> EntryPoint:
    """Find the entry point of that name in a group.

    Raises the error with the problem and the nearest known name, and where several packages register that name.
    """
    known = _seen(group, tuple(sys.path)).get(name)
    if known is not None:
        return known
    points = registered(group)
    if name not in points:
        raise error(f"{problem}. {nearest(name, points)}")
    _check_clash(group, name, error)
    return points[name]


def load(point: EntryPoint, error: Callable[[str], AgentDebateError] = UsageError) -> Any:
    """Import an entry point. Raises the error for whatever keeps its module from being imported."""
    try:
        return point.load()
    except AgentDebateError:
        raise
    except Exception as raised:
        raise error(
            f"{_told(point)}, which is registered as {point.name!r} under {point.group}, cannot be imported: "
            f"{type(raised).__name__}: {raised}; fix the package, or uninstall it."
        ) from raised


def kind_of(group: str, name: str, option: str) -> OptionKind | None:
    """Return what an option of something registered is declared to hold; None where nothing declares it."""
    point = registered(group).get(name)
    return option_kind(load(point), option) if point else None


def extension(group: str, name: str, *, ours: Collection[str]) -> Any:
    """Import the entry point of that name in a group; None if there is none.

    `ours` are the names of what is built in. Raises StrategyError where it cannot be imported, where several packages register
    that name, and where a package registers anything by one of our names.
    """
    seen = _seen(group, tuple(sys.path))
    points = seen if name in seen else registered(group)
    for taken in points.keys() & set(ours):
        raise StrategyError(_taken(points[taken]))
    if name not in points:
        return None
    if points is not seen:
        _check_clash(group, name, StrategyError)
    return load(points[name], StrategyError)


def _check_clash(group: str, name: str, error: Callable[[str], AgentDebateError]) -> None:
    problem = clashes(group).get(name)
    if problem is not None:
        raise error(problem)


def call(of: str, function: Callable[..., Any], *args: Any, **options: Any) -> Any:
    """Return the result of a package's function. Raises StrategyError, which begins with `of`, for what it raises but an error of ours."""
    try:
        return function(*args, **options)
    except Exception as error:
        if isinstance(error, AgentDebateError) and not isinstance(error, WrongValue):
            raise
        raise StrategyError(f"{of} raised {type(error).__name__}: {in_words(error)}") from error


def says(point: EntryPoint) -> str:
    """The first sentence of what is said of itself by something registered. It is imported for that."""
    return " ".join((inspect.getdoc(load(point)) or "").split()).partition(". ")[0].rstrip(".")


def places(group: str) -> dict[str, str]:
    """Return the import paths of a group's entry points, by name."""
    return {name: point.value for name, point in registered(group).items()}
