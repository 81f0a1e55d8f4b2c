"""Analyses kept for the next turn of the same debate, within a bound."""

from collections import OrderedDict
from collections.abc import Callable, Hashable
from typing import Generic, TypeVar

Value = TypeVar("Value")


class Shelf(Generic[Value]):
    """Keeps what was computed last, up to a total weight; the least recently used goes first.

    The newest entry always stays, however heavy: the turns of one debate come close together.
    """

    def __init__(self, bound: int) -> None:
        self._bound = bound
        self._weight = 0
        self._kept: OrderedDict[Hashable, tuple[int, Value]] = OrderedDict()

    def __repr__(self) -> str:
        return f"<Shelf {len(self._kept)} entries, {self._weight} of {self._bound}>"

    def __len__(self) -> int:
        return len(self._kept)

    def get(self, key: Hashable, weight: int, make: Callable[[], Value]) -> Value:
        """What is kept under the key, or what `make` returns, which is then kept with this weight."""
        kept = self._kept.get(key)
        if kept is not None:
            self._kept.move_to_end(key)
            return kept[1]
        value = make()
        self._kept[key] = weight, value
        self._weight += weight
        while self._weight > self._bound and len(self._kept) > 1:
            _, (freed, _) = self._kept.popitem(last=False)
            self._weight -= freed
        return value
