"""A store's database as the rest of the package uses it: the one place where SQL is sent, and where its errors are translated."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from typing import Any, TypeVar

import sqlalchemy as sa

from agentdebate.errors import StoreError
from agentdebate.store.problems import is_away, of_one_value, translated

_Result = TypeVar("_Result")

PAGE = 500
"""Rows that are fetched at once where a query gives many."""

Values = Mapping[str, Any]


@dataclass(frozen=True)
class Unread:
    """Stands for a row of which one value cannot be read."""

    key: tuple[Any, ...]
    """The values that name the row, in the order of the columns that were given as its key."""
    problem: str


class Database:
    """A database and how it is called in messages. Every method raises StoreError, and nothing of the driver's."""

    def __init__(self, engine: sa.Engine, place: str) -> None:
        self._engine, self.place = engine, place
        self._streams = set[sa.Connection]()
        """What rows are being read from, one after the other. A reader that an error ends may leave its stream half read."""
        self._ended = False

    def __repr__(self) -> str:
        return f"<Database {self.place!r}>"

    @property
    def dialect(self) -> str:
        """sqlite, postgresql, or another that SQLAlchemy knows."""
        return self._engine.dialect.name

    def scalar(self, query: sa.Executable, values: Values | None = None) -> Any:
        """The first column of the first row; None where there is no row."""
        with self._reading() as connection:
            return connection.execute(query, values).scalar()

    def scalars(self, query: sa.Executable, values: Values | None = None) -> Sequence[Any]:
        """The first column of every row."""
        with self._reading() as connection:
            return connection.execute(query, values).scalars().all()

    def rows(self, query: sa.Executable, values: Values | None = None) -> Sequence[Any]:
        """Every row."""
        with self._reading() as connection:
            return connection.execute(query, values).all()

    def stream(
        self, query: "sa.Select[Any]", key: Sequence["sa.Column[Any]"], page: int = PAGE
    ) -> Iterator[sa.RowMapping | Unread]:
        """Row after row, by column, of a query without an offset, `page` rows at a time, whose order is that of its key, or more exact.

        Unread stands for a row that cannot be read. A server ends the session of a caller who lets it wait between two rows; then
        another session goes on behind the last row.
        """
        last, place = None, 0
        while True:
            first = place
            try:
                with translated(self.place, "read"), self._streaming() as connection:
                    rows = connection.execution_options(yield_per=page).execute(query.offset(first or None))
                    for last in rows.mappings():
                        place += 1
                        yield last
            except StoreError as error:
                if of_one_value(error.__cause__):
                    yield from self._one_by_one(query, key, place)
                    return
                if last is None or place == first or not is_away(error.__cause__):
                    raise
            else:
                return
            place = self._behind(query, key, last, place)

    def _behind(
        self, query: "sa.Select[Any]", key: Sequence["sa.Column[Any]"], last: sa.RowMapping, read: int
    ) -> int:
        """How many rows come up to the last that was read: others may have come before it meanwhile."""
        if not all(column in last for column in key):
            return read
        keys = [tuple(row) for row in self.rows(query.with_only_columns(*key, maintain_column_froms=True))]
        there = tuple(last[column] for column in key)
        return keys.index(there) + 1 if there in keys else read

    def _one_by_one(
        self, query: "sa.Select[Any]", key: Sequence["sa.Column[Any]"], first: int
    ) -> Iterator[sa.RowMapping | Unread]:
        """The rows behind the first so many, each fetched by itself."""
        keys = self.rows(query.with_only_columns(*key, maintain_column_froms=True))
        for values in keys[first:]:
            same = (column.is_not_distinct_from(value) for column, value in zip(key, values, strict=True))
            try:
                (row,) = self.look(partial(_mappings, query.where(*same)))
            except StoreError as error:
                problem = of_one_value(error.__cause__)
                if problem is None:
                    raise
                yield Unread(tuple(values), problem)
            else:
                yield row

    def look(self, work: Callable[[sa.Connection], _Result]) -> _Result:
        """What `work` gives, reading."""
        with self._reading() as connection:
            return work(connection)

    def change(self, work: Callable[[sa.Connection], _Result]) -> _Result:
        """What `work` gives, in one transaction that is on disk afterwards."""
        with translated(self.place, "written"), self._engine.begin() as connection:
            return work(connection)

    def connect(self) -> sa.Connection:
        """A connection of its own, which the caller closes. Raises what the driver raises: use it within `translated`."""
        return self._engine.connect()

    def close(self) -> None:
        """Close every connection, those of streams that nobody reads to the end included."""
        for connection in tuple(self._streams):
            connection.close()
        self._engine.dispose()

    def end(self) -> None:
        """Close every connection, and open none any more: later use is a StoreError."""
        self._ended = True
        self.close()

    def _check_open(self) -> None:
        if self._ended:
            raise StoreError(f"the store {self.place} has been closed: open it again with open_store()")

    @contextmanager
    def _streaming(self) -> Iterator[sa.Connection]:
        self._check_open()
        with self._engine.connect() as connection:
            self._streams.add(connection)
            try:
                yield connection
            finally:
                self._streams.discard(connection)

    @contextmanager
    def _reading(self) -> Iterator[sa.Connection]:
        self._check_open()
        with translated(self.place, "read"), self._engine.connect() as connection:
            yield connection


def _mappings(query: "sa.Select[Any]", connection: sa.Connection) -> Sequence[sa.RowMapping]:
    return connection.execute(query).mappings().all()
