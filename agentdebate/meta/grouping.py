"""What every count of a debate's dynamics shares: how cases are sorted, and when two values are the same."""

from collections.abc import Callable, Hashable, Iterable
from typing import TypeVar

from agentdebate.meta.talk import Value

HAIR = 1e-9
"""What differs by less is rounding."""

_Kind = TypeVar("_Kind", bound=Hashable)
_Case = TypeVar("_Case")


def grouped(cases: Iterable[_Case], kind: Callable[[_Case], _Kind]) -> dict[_Kind, list[_Case]]:
    """The cases by their kind, kinds and cases in the order in which they come."""
    found: dict[_Kind, list[_Case]] = {}
    for case in cases:
        found.setdefault(kind(case), []).append(case)
    return found


def in_order(names: Iterable[tuple[str, int]]) -> list[tuple[str, int]]:
    """Pairs of a thing that is judged and a number: things as they first come, numbers from the lowest."""
    names = list(names)
    places = {about: place for place, about in enumerate(dict.fromkeys(about for about, _ in names))}
    return sorted(names, key=lambda name: (places[name[0]], name[1]))


def differ(one: Value, other: Value) -> bool:
    """Whether two choices, or two scores, are not the same."""
    if isinstance(one, str) or isinstance(other, str):
        return one != other
    return abs(one - other) > HAIR
