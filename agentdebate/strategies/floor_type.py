"""The floor for annotations, as "floor_type.Floor": the class itself is imported when a tool resolves the annotation.

Importing floor.py brings along all that holds debates, and a strategy is often imported only to be named.
"""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from agentdebate.strategies.floor import Floor

__all__ = ("Floor",)


def __getattr__(name: str) -> object:
    if name != "Floor":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from agentdebate.strategies import floor

    return floor.Floor
