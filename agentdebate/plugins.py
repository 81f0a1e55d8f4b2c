"""What packages register under an entry-point group: strategies and models, ours through the same door as everybody's."""

import inspect
from importlib.metadata import EntryPoint, entry_points


def registered(group: str) -> dict[str, EntryPoint]:
    """What is registered under a group, by name; `value` says where each comes from, and `load()` imports it."""
    return {point.name: point for point in sorted(entry_points(group=group))}


def says(point: EntryPoint) -> str:
    """The first sentence of what is said of itself by something registered. It is imported for that."""
    return " ".join((inspect.getdoc(point.load()) or "").split()).partition(". ")[0].rstrip(".")


def places(group: str) -> dict[str, str]:
    """What is registered under a group: name to where each comes from."""
    return {name: point.value for name, point in registered(group).items()}
