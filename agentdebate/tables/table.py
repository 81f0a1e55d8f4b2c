"""A table: rows with typed columns. Rows are read when they are asked for, and none is kept."""

import json
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import islice
from typing import Any, Generic, TypeVar

from agentdebate.extras import optional
from agentdebate.tables.column import Column, Kind
from agentdebate.tables.drawing import html_of
from agentdebate.visible import shortened

Row_co = TypeVar("Row_co", covariant=True)

EXTRA = "tables"
"""The extra that brings pandas, polars and pyarrow."""
BATCH = 1000
"""Rows of a record batch: so many are in memory at once."""
_LONGEST = 60
"""Characters of a table's title in its `repr`."""


class Table(Generic[Row_co]):
    """Rows with typed columns.

    Iterating gives the objects behind the rows, one after the other, as often as you like; `rows()` gives each as a dictionary
    by column. `to_pandas()` and `to_polars()` make a data frame, and what takes Arrow streams (pyarrow, polars, DuckDB,
    pandas) takes the table itself: `pyarrow.table(table)`.
    """

    def __init__(
        self,
        title: str,
        columns: Sequence[Column] | Callable[[], Sequence[Column]],
        objects: Callable[[], Iterator[Row_co]],
        cells: Callable[[Row_co], dict[str, Any]],
        *,
        count: Callable[[], int] | None = None,
    ) -> None:
        """`cells` says what an object has in which column; a column that it does not name is empty. `count` says how many
        rows there are, where that is known without reading them.
        """
        self.title = title
        self._given, self._objects, self._cells, self._count = columns, objects, cells, count

    @classmethod
    def of(
        cls, title: str, columns: Sequence[Column], rows: Iterable[dict[str, Any]]
    ) -> "Table[dict[str, Any]]":
        """A table of rows that are at hand."""
        kept = list(rows)
        return Table(title, columns, lambda: iter(kept), lambda row: row, count=lambda: len(kept))

    @cached_property
    def schema(self) -> tuple[Column, ...]:
        """The columns, each with what stands in it."""
        return tuple(self._given() if callable(self._given) else self._given)

    @property
    def columns(self) -> tuple[str, ...]:
        """The names of the columns."""
        return tuple(column.name for column in self.schema)

    def __repr__(self) -> str:
        return f"<{type(self).__name__}: {shortened(self.title, _LONGEST)}>"

    def _repr_html_(self) -> str:
        return html_of(self)

    def __iter__(self) -> Iterator[Row_co]:
        return self._objects()

    def __len__(self) -> int:
        return sum(1 for _ in self) if self._count is None else self._count()

    def __bool__(self) -> bool:
        return any(True for _ in islice(self, 1))

    def __getitem__(self, place: int) -> Row_co:
        start = place if place >= 0 else len(self) + place
        for one in islice(self, start, start + 1) if start >= 0 else ():
            return one
        raise IndexError(f"the table has no row {place}")

    def rows(self) -> Iterator[dict[str, Any]]:
        """Every row as a dictionary by column."""
        for one in self:
            cells = self._cells(one)
            yield {column.name: column.value(cells.get(column.name)) for column in self.schema}

    def values(self) -> Iterator[list[Any]]:
        """Every row as values in the order of the columns."""
        for row in self.rows():
            yield list(row.values())

    def to_pandas(self) -> Any:
        """All rows as a pandas data frame. Raises MissingExtra where pandas or pyarrow is not installed."""
        pandas, pyarrow = optional("pandas", EXTRA), optional("pyarrow", EXTRA)
        whole = {
            pyarrow.string(): pandas.StringDtype(),
            pyarrow.int64(): pandas.Int64Dtype(),
            pyarrow.bool_(): pandas.BooleanDtype(),
        }
        return self.to_arrow().read_pandas(types_mapper=whole.get)

    def to_polars(self) -> Any:
        """All rows as a polars data frame. Raises MissingExtra where polars or pyarrow is not installed."""
        return optional("polars", EXTRA).from_arrow(self.to_arrow().read_all())

    def to_arrow(self) -> Any:
        """The rows as a `pyarrow.RecordBatchReader`, which reads them as they are asked for. Raises MissingExtra."""
        pyarrow = optional("pyarrow", EXTRA)
        text = pyarrow.string()
        kinds: dict[Kind, Any] = {
            "text": text,
            "integer": pyarrow.int64(),
            "number": pyarrow.float64(),
            "boolean": pyarrow.bool_(),
            "time": pyarrow.timestamp("us", "UTC"),
            "texts": pyarrow.list_(text),
            "messages": pyarrow.list_(pyarrow.struct([("role", text), ("content", text)])),
        }
        schema = pyarrow.schema([(column.name, kinds[column.kind]) for column in self.schema])
        return pyarrow.RecordBatchReader.from_batches(schema, self._batches(pyarrow, schema))

    def _batches(self, pyarrow: Any, schema: Any) -> Iterator[Any]:
        rows = self.rows()
        while some := list(islice(rows, BATCH)):
            yield pyarrow.RecordBatch.from_pylist(some, schema=schema)

    def __arrow_c_stream__(self, requested_schema: object = None) -> Any:
        """The rows as an Arrow C stream, read as they are asked for. Raises MissingExtra where pyarrow is not installed."""
        return self.to_arrow().__arrow_c_stream__(requested_schema)


def inferred(title: str, rows: Sequence[Mapping[str, Any]]) -> Table[dict[str, Any]]:
    """A table of records that are at hand. What is nested in them stands in its cell as JSON."""
    names = dict.fromkeys(name for row in rows for name in row)
    columns = [Column(name, _kind([row.get(name) for row in rows])) for name in names]
    return Table.of(title, columns, [{name: _flat(value) for name, value in row.items()} for row in rows])


def _kind(values: Sequence[Any]) -> Kind:
    kinds = {type(value) for value in values if value is not None}
    if kinds == {bool}:
        return "boolean"
    if kinds == {int}:
        return "integer"
    return "number" if kinds <= {int, float} else "text"


def _flat(value: Any) -> Any:
    return json.dumps(value, ensure_ascii=False) if isinstance(value, Mapping | list | tuple) else value


class Tabular(ABC):
    """A result with a table of its figures."""

    __slots__ = ()

    @abstractmethod
    def to_table(self) -> Table[dict[str, Any]]:
        """Figures as a table with typed columns."""

    def to_pandas(self) -> Any:
        """Figures as a pandas data frame. Raises MissingExtra where pandas is not installed."""
        return self.to_table().to_pandas()

    def to_polars(self) -> Any:
        """Figures as a polars data frame. Raises MissingExtra where polars is not installed."""
        return self.to_table().to_polars()

    def __arrow_c_stream__(self, requested_schema: object = None) -> Any:
        """Figures as an Arrow C stream. Raises MissingExtra where pyarrow is not installed."""
        return self.to_table().__arrow_c_stream__(requested_schema)

    def _repr_html_(self) -> str:
        return html_of(self)
