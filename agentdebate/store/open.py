"""Opening a store to read its runs."""

from collections.abc import Iterator
from pathlib import Path
from types import TracebackType
from typing import Self
from weakref import finalize

from agentdebate.store.damage import DamageLog, naming
from agentdebate.store.database import Database
from agentdebate.store.engine import open_database
from agentdebate.store.reader import LAST, Reader
from agentdebate.store.stored_run import COLUMNS, Run
from agentdebate.tables.drawing import html_of
from agentdebate.tables.table import Table


class Store:
    """A store of runs, opened to be read. Use it as a context manager, or close it; one that is let go closes itself."""

    def __init__(self, url: str | Path) -> None:
        """`open_store` makes it."""
        database = open_database(url, reading=True)
        self._url = str(url)
        self._reader = Reader(database)
        # Whatever reads holds the reader: when it is let go, nobody reads any more.
        self._closing = finalize(self._reader, _closed, database, self._reader.damage)

    def __repr__(self) -> str:
        return f"<Store {self._reader.place[-150:]!r}>"

    def _repr_html_(self) -> str:
        return html_of(self.runs())

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, _kind: type[BaseException] | None, _error: BaseException | None, _trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Close all connections. What was read stays; to read on is a StoreError. Safe to call twice."""
        self._closing()

    def runs(self) -> Table[Run]:
        """Every run that can be read, the newest last."""
        return Table(f"runs of {self._reader.place}", COLUMNS, self._runs, Run.row)

    def run(self, name: str = LAST) -> Run:
        """The run of that name, or of the one name that begins so; "last" is the newest. Raises UsageError and StoreError."""
        with naming(self._reader.place):
            return Run(self._reader, self._reader.run(name), self._url)

    def _runs(self) -> Iterator[Run]:
        for head in self._reader.runs():
            yield Run(self._reader, head, self._url)


def _closed(database: Database, damage: DamageLog) -> None:
    damage.close()
    database.end()


def open_store(url: str | Path) -> Store:
    """Open the store at a path or database URL to read its runs.

    It can be read while runs are written to it. Nothing is changed, except that a store of an older version is brought to this
    version's tables. Raises UsageError where there is no store, and StoreError where it cannot be read.
    """
    return Store(url)
