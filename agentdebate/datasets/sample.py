"""Draw items at random, in one pass, so that the file may have more lines than fit into memory."""

from collections.abc import Iterable
from hashlib import sha256
from heapq import heappush, heappushpop
from typing import Self

from agentdebate.errors import UsageError
from agentdebate.tasks import Item


class Sample:
    """Holds the items whose ids and the seed have the smallest digests, so that a draw is the same on every machine.

    A larger sample with the same seed holds the smaller one, and lines that are added to the file displace few.
    """

    def __init__(self, size: int, seed: int = 0) -> None:
        self._size, self._seed = size, seed
        self._held: list[tuple[int, int, Item]] = []
        self.seen = 0
        """The items that it was drawn from."""

    def __repr__(self) -> str:
        return f"<Sample of {self._size} from {self.seen} items>"

    def add(self, item: Item) -> None:
        """Take an item in."""
        self.seen += 1
        digest = sha256(f"{self._seed}\n{item.id}".encode("utf-8", "backslashreplace")).digest()
        one = (-int.from_bytes(digest), self.seen, item)
        if len(self._held) < self._size:
            heappush(self._held, one)
        else:
            heappushpop(self._held, one)

    def of(self, items: Iterable[Item]) -> Self:
        """Take these items in, too."""
        for item in items:
            self.add(item)
        return self

    def items(self) -> tuple[Item, ...]:
        """Give the drawn items, in the order in which they came. Raises UsageError where there were fewer."""
        if self.seen < self._size:
            raise UsageError(f"sample=...: {self._size} items cannot be drawn from {self.seen}: draw fewer")
        return tuple(item for _, _, item in sorted(self._held, key=lambda one: one[1]))
