"""Objects of JSON that have each key once. JSON itself lets a key stand twice, and readers take the last in silence."""

from collections.abc import Sequence
from typing import Any


class KeyTwiceError(ValueError):
    """An object has a key twice."""

    def __init__(self, key: str) -> None:
        self.key = key
        super().__init__(
            f"the key {key!r:.200} stands twice in one object, so it is not known which value counts: leave one out"
        )


def once(pairs: Sequence[tuple[str, Any]]) -> dict[str, Any]:
    """An object from its keys and values, for `object_pairs_hook`. Raises KeyTwiceError."""
    found = dict(pairs)
    if len(found) < len(pairs):
        seen = set[str]()
        for key, _ in pairs:
            if key in seen:
                raise KeyTwiceError(key)
            seen.add(key)
    return found
