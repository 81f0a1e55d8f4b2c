"""Rows that say the same, put together: people who score in whole numbers, and a judge who does, leave a few dozen."""

from dataclasses import dataclass

from agentdebate.meta.arrays import Array, np
from agentdebate.meta.draws import Drawn
from agentdebate.meta.places import Places


@dataclass(frozen=True)
class Cells:
    """The different pairs of values among rows, in their order, and which rows have them."""

    first: Array
    """m."""
    second: Array
    """m."""
    places: Places
    """Of the rows, in the order of their cells."""
    order: Array
    """The rows, cell by cell."""
    starts: Array
    """Where the rows of each cell begin."""
    of_source: Array | None
    """The cell of each source, where each has but one row."""

    @classmethod
    def of(cls, first: Array, second: Array, places: Places, *, together: bool = True) -> "Cells":
        """The cells of n rows; where they are not to be put `together`, each row is a cell of its own."""
        order = np.lexsort((second, first))
        x, y = first[order], second[order]
        new = np.ones(len(x), dtype=bool)
        if together:
            new[1:] = (x[1:] != x[:-1]) | (y[1:] != y[:-1])
        starts = np.flatnonzero(new)
        of_source = None
        if places.sources == len(x):
            of_source = np.empty(len(x), dtype=int)
            of_source[places.source[order]] = np.cumsum(new) - 1
        own = Places(places.source[order], places.system[order])
        return cls(x[starts], y[starts], own, order, starts, of_source)

    def weights(self, drawn: Drawn) -> Array:
        """How many drawn rows each cell has, b x m."""
        if self.of_source is not None and drawn.systems is None:
            return drawn.sorted_into(self.of_source, len(self.first))
        return self._added(drawn.of_rows(self.places))

    def sums(self, w: Array) -> Array:
        """The weight of each cell, b x m, from that of each row, b x n."""
        return self._added(w.take(self.order, axis=1))

    def _added(self, rows: Array) -> Array:
        return rows if len(self.starts) == rows.shape[1] else np.add.reduceat(rows, self.starts, axis=1)
