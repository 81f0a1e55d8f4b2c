"""What comes into a store while another process writes a run there."""

import json
from collections.abc import Iterator
from typing import Any

import sqlalchemy as sa

from agentdebate.store.schema import DEBATES

MOST = 500
"""Debates that are read at once."""

_FIRST = sa.text("SELECT min(rowid) FROM debates WHERE run = :run")  # the table's key leads there
_NEXT = sa.text(
    # Rows of other runs are passed by and not read; without the first two words SQLite would sort all of them.
    "SELECT rowid, id, CASE WHEN run = :run THEN row END FROM debates NOT INDEXED "
    "WHERE rowid > :last ORDER BY rowid LIMIT :most"
)


class News:
    """The debates of a run as they end, each once, in the order in which they were written.

    Each look at the store is a short one, since a writer's log grows while it is read. In SQLite nothing is read twice; other
    databases have no order of writing, and there the ids of what was read are kept.
    """

    def __init__(self, engine: sa.Engine, run: str) -> None:
        self._engine, self._run = engine, run
        self._last: int | None = None
        self._seen: set[str] = set()

    def __repr__(self) -> str:
        return f"<News of {self._run!r}>"

    def rows(self) -> Iterator[list[dict[str, Any]]]:
        """What is new, as Record.row() gave it, in parts that may be empty."""
        part = self._by_number if self._engine.dialect.name == "sqlite" else self._by_id
        while (found := part()) is not None:
            yield [{"debate": debate, **json.loads(row)} for debate, row in found]

    def _by_number(self) -> list[tuple[str, str]] | None:
        with self._engine.connect() as connection:
            if self._last is None:
                first = connection.execute(_FIRST, {"run": self._run}).scalar()
                if first is None:
                    return None
                self._last = first - 1
            found = connection.execute(_NEXT, {"run": self._run, "last": self._last, "most": MOST}).all()
        if not found:
            return None
        self._last = found[-1][0]
        return [(debate, row) for _, debate, row in found if row is not None]

    def _by_id(self) -> list[tuple[str, str]] | None:
        of_run = DEBATES.c.run == self._run
        with self._engine.connect() as connection:
            count = connection.execute(sa.select(sa.func.count()).where(of_run).select_from(DEBATES)).scalar()
            if count == len(self._seen):
                return None
            ids = connection.execution_options(yield_per=MOST).execute(sa.select(DEBATES.c.id).where(of_run))
            new = [debate for debate in ids.scalars() if debate not in self._seen][:MOST]
            query = sa.select(DEBATES.c.id, DEBATES.c.row).where(of_run, DEBATES.c.id.in_(new))
            found = [(debate, row) for debate, row in connection.execute(query)]
        self._seen.update(new)
        return found or None
