"""What packages register under an entry-point group: strategies and models, ours through the same door as everybody's."""

import inspect
import sys
from collections.abc import Callable, Collection
from functools import lru_cache
from importlib.metadata import EntryPoint, entry_points
from pathlib import Path
from typing import Any

from agentdebate.errors import StrategyError, UsageError, UserError, nearest

Places = tuple[tuple[str, int | None], ...]
"""The folders where packages are looked for, and when something was last installed there (nanoseconds)."""


def registered(group: str) -> dict[str, EntryPoint]:
    """What is registered under a group, by name; `value` says where each comes from, and `load()` imports it."""
    return dict(_registered(group, tuple((place, _changed(place)) for place in sys.path)))


@lru_cache(maxsize=32)
def _registered(group: str, places: Places) -> tuple[tuple[str, EntryPoint], ...]:  # noqa: ARG001 - by which it is known
    """The search reads a file of every installed package, which takes longer than a small debate."""
    return tuple((point.name, point) for point in sorted(entry_points(group=group)))


def _changed(place: str) -> int | None:
    try:
        return Path(place).stat().st_mtime_ns
    except OSError:
        return None


def find(group: str, name: str, problem: str, error: Callable[[str], UserError] = UsageError) -> EntryPoint:
    """What is registered under a group by that name. Raises the error with the problem and the nearest known name."""
    points = registered(group)
    if name not in points:
        raise error(f"{problem}. {nearest(name, points)}")
    return points[name]


def extension(group: str, name: str, *, ours: Collection[str]) -> Any:
    """What is registered under a group by a name, imported; None where there is nothing.

    `ours` are the names of what is built in. Raises StrategyError where it cannot be imported, and where a package registers
    anything by one of our names.
    """
    points = registered(group)
    for taken in points.keys() & set(ours):
        raise StrategyError(
            f"a package registers {points[taken].value} as {taken!r} under {group}, which is built in: it needs another name"
        )
    point = points.get(name)
    if point is None:
        return None
    try:
        return point.load()
    except (ImportError, AttributeError) as error:
        raise StrategyError(
            f"{point.value}, which a package registers as {name!r} under {group}, cannot be imported: {error}"
        ) from error


def says(point: EntryPoint) -> str:
    """The first sentence of what is said of itself by something registered. It is imported for that."""
    return " ".join((inspect.getdoc(point.load()) or "").split()).partition(". ")[0].rstrip(".")


def places(group: str) -> dict[str, str]:
    """What is registered under a group: name to where each comes from."""
    return {name: point.value for name, point in registered(group).items()}
