"""Where rows stand in a run's tables, whatever the order in which they come."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

Place = tuple[int, ...]
"""The place of a row: of its item, of its first aspect, and which row it is of those that came."""


class Places:
    """Gives rows their places.

    `items` are the ids in their order, and `aspects` the names; what they do not name comes after, as it came. Without
    `items` the rows come item by item, in their order, and no id is kept.
    """

    def __init__(self, items: Sequence[str] | None = None, aspects: Sequence[str] = ()) -> None:
        self._number = {name: n for n, name in enumerate(dict.fromkeys(items))} if items else None
        self._rank = {name: number for number, name in enumerate(aspects)}
        self._seen: set[str] = set()
        self._last: str | None = None
        self.items = 0
        """How many items have come."""
        self.rows = 0
        """How many rows have come."""

    def __repr__(self) -> str:
        return f"<Places of {self.rows} rows about {self.items} items>"

    def of(self, row: Mapping[str, Any]) -> Place:
        """The place of the row that comes next."""
        self.rows += 1
        first = row["aspects"][0] if row["aspects"] else ""
        return self._item(row["id"]), self._rank.get(first, len(self._rank)), self.rows

    def _item(self, name: str) -> int:
        if self._number is None:
            if name != self._last:
                self._last = name
                self.items += 1
            return self.items
        self._seen.add(name)
        self.items = len(self._seen)
        return self._number.get(name, len(self._number))


class Names:
    """Names in the order of the places at which they first stand."""

    def __init__(self) -> None:
        self._first: dict[str, Place] = {}

    def __repr__(self) -> str:
        return f"<Names {list(self)}>"

    def __len__(self) -> int:
        return len(self._first)

    def __iter__(self) -> Iterator[str]:
        return iter(sorted(self._first, key=self._first.__getitem__))

    def note(self, names: Iterable[str], place: Place) -> None:
        """Take in the names of the row at that place."""
        for number, name in enumerate(names):
            here = (*place, number)
            if name not in self._first or here < self._first[name]:
                self._first[name] = here
