"""Where rows belong: to which source, and to which system."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from agentdebate.meta.arrays import Array, np


class Placed(Protocol):
    """A row of a source."""

    @property
    def id(self) -> str:
        """Its own name."""
        ...

    @property
    def source(self) -> str:
        """What it shares with others; empty where that is not known."""
        ...


@dataclass(frozen=True)
class Places:
    """The number of each row's source and system, in the order of their names."""

    source: Array
    """n."""
    system: Array
    """n; all the same where rows have no systems."""

    @property
    def sources(self) -> int:
        """How many sources there are."""
        return _count(self.source)

    @property
    def systems(self) -> int:
        """How many systems there are."""
        return _count(self.system)


def source_of(row: Placed) -> tuple[str, str]:
    """The name of a row's source. A row whose source is not known is one of its own."""
    return (row.source, "") if row.source else ("", row.id)


def places(rows: Sequence[Placed]) -> Places:
    """The places of rows."""
    return Places(
        _numbered([source_of(row) for row in rows]),
        _numbered([(getattr(row, "system", ""), "") for row in rows]),
    )


def _numbered(names: Sequence[tuple[str, str]]) -> Array:
    numbers = {name: number for number, name in enumerate(sorted(set(names)))}
    return np.array([numbers[name] for name in names], dtype=int)


def _count(numbers: Array) -> int:
    return int(numbers.max()) + 1 if len(numbers) else 0
