"""A store's database as the rest of the package uses it: the one place where SQL is sent, and where its errors are translated."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, TypeVar

import sqlalchemy as sa

from agentdebate.errors import StoreError
from agentdebate.store.damage import translated

_Result = TypeVar("_Result")

SERVER = "postgresql"
"""The dialect of the database server."""

PAGE = 500
"""Rows that are fetched at once where a query gives many."""

_GIVEN_BACK = 1 << 16
"""Pages of a file that are given back at most at a time: more takes seconds, and is there for the next run."""


class Database:
    """A database and how it is called in messages. Every method raises StoreError, and nothing of the driver's."""

    def __init__(self, engine: sa.Engine, place: str) -> None:
        self._engine, self.place = engine, place
        self._closed = False

    @property
    def dialect(self) -> str:
        """The name of the database: sqlite or postgresql."""
        return self._engine.dialect.name

    def scalar(self, query: sa.Executable) -> Any:
        """The first column of the first row; None where there is no row."""
        return self.look(lambda connection: connection.execute(query).scalar())

    def scalars(self, query: sa.Executable) -> Sequence[Any]:
        """The first column of every row."""
        return self.look(lambda connection: connection.execute(query).scalars().all())

    def rows(self, query: sa.Executable) -> Sequence[Any]:
        """Every row."""
        return self.look(lambda connection: connection.execute(query).all())

    def stream(self, query: "sa.Select[Any]", page: int = PAGE) -> Iterator[sa.RowMapping]:
        """Row after row of a query, by column, `page` rows at a time."""
        with self._reading() as connection:
            if self.dialect == SERVER:  # a caller may take its time between rows, and keeps nobody waiting
                connection.exec_driver_sql("SET LOCAL idle_in_transaction_session_timeout = 0")
            with connection.execution_options(yield_per=page).execute(query) as found:
                yield from found.mappings()

    def look(self, work: Callable[[sa.Connection], _Result]) -> _Result:
        """Return the result of `work`, which only reads."""
        with self._reading() as connection:
            return work(connection)

    def change(self, work: Callable[[sa.Connection], _Result]) -> _Result:
        """Return the result of `work` in one transaction, which is on disk afterwards."""
        with (
            translated(self.place, "written"),
            self._engine.connect() as connection,
            transaction(connection),
        ):
            return work(connection)

    def give_back(self) -> None:
        """Give back to the disk the room in a file that nothing takes up any more. A server does so by itself."""
        if self.dialect == "sqlite":
            with translated(self.place, "written"), self._engine.connect() as connection:
                # A script takes every step: a statement that is stepped once gives back a page.
                driven: Any = connection.connection.driver_connection
                driven.executescript(f"PRAGMA incremental_vacuum({_GIVEN_BACK})")

    def connect(self) -> sa.Connection:
        """A connection of its own, which the caller closes. Raises what the driver raises: use it within `translated`."""
        return self._engine.connect()

    def close(self) -> None:
        """Close every connection that is not read from. To read anything else is a StoreError."""
        self._closed = True
        self._engine.dispose()

    @contextmanager
    def _reading(self) -> Iterator[sa.Connection]:
        if self._closed:
            raise StoreError(f"the store {self.place} has been closed: open it again with open_store()")
        with translated(self.place, "read"), self._engine.connect() as connection:
            yield connection


@contextmanager
def transaction(connection: sa.Connection) -> Iterator[None]:
    """A transaction in which what is read still holds when something is written: SQLite lets in no other writer, a server locks rows."""
    with connection.begin():
        if connection.dialect.name == "sqlite":
            connection.exec_driver_sql("BEGIN IMMEDIATE")
        yield
