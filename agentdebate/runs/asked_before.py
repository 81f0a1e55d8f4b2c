"""What a judge was asked in a run before the run was taken up again."""

import hashlib
import json
from collections import deque
from collections.abc import Iterable

from agentdebate.tasks import Item

AGAIN = "~"
"""What stands before the number in the id of an item that was judged once more."""


class AskedBefore:
    """The items of a run by what they say. Each is given back once: who asks a third time meets the third of them."""

    def __init__(self, items: Iterable[Item] = ()) -> None:
        self.names: set[str] = set()
        """The ids of the items."""
        self._ids: dict[bytes, deque[str]] = {}
        for item in items:
            self.names.add(item.id)
            self._ids.setdefault(_digest(item), deque()).append(item.id)

    def __repr__(self) -> str:
        return f"<AskedBefore: {len(self.names)} items, {sum(map(len, self._ids.values()))} to come>"

    def take(self, item: Item) -> str | None:
        """The id under which the same texts were judged before; None where they were not, or not under this id."""
        kept = self._ids.get(_digest(item), deque[str]())
        for name in kept:
            if _is_same(name, item.id):
                kept.remove(name)
                return name
        return None


def _is_same(stored: str, given: str) -> bool:
    """Whether an item that was given so had that id: it had a number where it was given none."""
    first = stored.partition(AGAIN)[0]
    return first.isdecimal() if not given else given in (first, stored)


def _digest(item: Item) -> bytes:
    said = json.dumps([item.task, sorted(item.fields.items())])
    return hashlib.sha256(said.encode()).digest()
