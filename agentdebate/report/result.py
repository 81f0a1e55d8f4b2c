"""Results whose tables and lines are printed, and whose figures are records, a data frame or an Arrow stream."""

from abc import abstractmethod
from collections.abc import Iterator
from typing import Any

from agentdebate.report.grid import Block
from agentdebate.report.terminal import printed
from agentdebate.tables.table import Table, Tabular, inferred


class Result(Tabular):
    """Figures that were counted: print it, or take its `rows`."""

    __slots__ = ()

    @property
    @abstractmethod
    def title(self) -> str:
        """Title in words."""

    @abstractmethod
    def rows(self) -> list[dict[str, Any]]:
        """A record for each line."""

    @abstractmethod
    def blocks(self) -> Iterator[Block]:
        """The tables and lines that are printed."""

    def __repr__(self) -> str:
        return f"<{type(self).__name__}: {self.title}>"

    def __str__(self) -> str:
        return printed(self.blocks()) + "\n"

    def to_table(self) -> Table[dict[str, Any]]:
        """The records as a table; what is nested in them is JSON in its cell."""
        return inferred(self.title, self.rows())
