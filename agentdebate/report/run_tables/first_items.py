"""The first items of a run, with their rows: what a table shows of it."""

from agentdebate.report.run_tables.places import Place
from agentdebate.report.run_tables.rows import MOST, Row, Rows


class FirstItems:
    """Keeps the rows of the first items, by their places, and lets those of all others go."""

    def __init__(self, most: int = MOST) -> None:
        self.most = most
        self._items: dict[str, list[tuple[Place, Row]]] = {}
        self._last = -1

    def __repr__(self) -> str:
        return f"<FirstItems {list(self._items)}>"

    def take(self, row: Row, place: Place) -> None:
        """Take in a row."""
        name = row["id"]
        if name in self._items:
            self._items[name].append((place, row))
            return
        if len(self._items) == self.most:
            if place[0] >= self._last:
                return
            del self._items[max(self._items, key=self._number)]
        self._items[name] = [(place, row)]
        self._last = max(map(self._number, self._items))

    @property
    def rows(self) -> Rows:
        """The rows in their order."""
        pairs = [pair for of_item in self._items.values() for pair in of_item]
        return [row for _, row in sorted(pairs, key=lambda pair: pair[0])]

    def _number(self, name: str) -> int:
        (number, *_), _row = self._items[name][0]
        return number
