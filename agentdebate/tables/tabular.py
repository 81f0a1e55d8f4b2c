"""Results whose figures are a table too: data frames, Arrow and notebooks take them as they take a table."""

from abc import ABC, abstractmethod
from typing import Any

from agentdebate.tables.drawing import html_of
from agentdebate.tables.table import Table


class Tabular(ABC):
    """A result with a table of its figures."""

    __slots__ = ()

    @abstractmethod
    def to_table(self) -> Table[dict[str, Any]]:
        """Its figures as a table with typed columns."""

    def to_pandas(self) -> Any:
        """Its figures as a pandas data frame. Raises MissingExtra where pandas is not installed."""
        return self.to_table().to_pandas()

    def to_polars(self) -> Any:
        """Its figures as a polars data frame. Raises MissingExtra where polars is not installed."""
        return self.to_table().to_polars()

    def __arrow_c_stream__(self, requested_schema: object = None) -> Any:
        """Its figures as an Arrow C stream. Raises MissingExtra where pyarrow is not installed."""
        return self.to_table().__arrow_c_stream__(requested_schema)

    def _repr_html_(self) -> str:
        return html_of(self)
