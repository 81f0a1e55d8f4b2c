"""What comes into a store while another process writes a run there."""

from collections.abc import Iterator, Sequence
from functools import partial
from typing import Any

import sqlalchemy as sa

from agentdebate.store._debates import DEBATES
from agentdebate.store.damage import DamageLog
from agentdebate.store.database import Database
from agentdebate.store.rows import debate_row

MOST = 500
"""Debates that are read at once."""

_FIRST = sa.text("SELECT min(number) FROM debates WHERE run = :run")  # the table's key leads there
_NEXT = sa.text(
    # Rows of other runs are passed by and not read; without the first two words SQLite would sort all of them.
    "SELECT number, id, CASE WHEN run = :run THEN row END FROM debates NOT INDEXED "
    "WHERE number > :last ORDER BY number LIMIT :most"
)


class News:
    """The debates of a run as they end, each once, in the order in which they were written.

    Each look at the store is a short one, since a writer's log grows while it is read. In SQLite nothing is read twice; other
    databases have no order of writing, and there the ids of what was read are kept.
    """

    def __init__(self, database: Database, run: str, number: int, damage: DamageLog) -> None:
        self._database, self._run, self._number, self._damage = database, run, number, damage
        self._last: int | None = None
        self._seen: set[str] = set()

    def __repr__(self) -> str:
        return f"<News of {self._run!r}>"

    def rows(self) -> Iterator[list[dict[str, Any]]]:
        """What is new, as Record.row() gave it, in parts that may be empty."""
        part = self._by_number if self._database.dialect == "sqlite" else self._by_id
        while (found := part()) is not None:
            yield [row for one in found for row in self._damage.kept(partial(debate_row, self._run, *one))]

    def _by_number(self) -> list[tuple[str, str]] | None:
        if self._last is None:
            first = self._database.scalar(_FIRST, {"run": self._number})
            if first is None:
                return None
            self._last = first - 1
        found = self._database.rows(_NEXT, {"run": self._number, "last": self._last, "most": MOST})
        if not found:
            return None
        self._last = found[-1][0]
        return [(debate, row) for _, debate, row in found if row is not None]

    def _by_id(self) -> Sequence[tuple[str, str]] | None:
        of_run = DEBATES.c.run == self._number
        count = self._database.scalar(sa.select(sa.func.count()).where(of_run).select_from(DEBATES))
        if count == len(self._seen):
            return None
        ids = self._database.scalars(sa.select(DEBATES.c.id).where(of_run))
        new = [debate for debate in ids if debate not in self._seen][:MOST]
        query = sa.select(DEBATES.c.id, DEBATES.c.row).where(of_run, DEBATES.c.id.in_(new))
        found = [(debate, row) for debate, row in self._database.rows(query)]
        self._seen.update(new)
        return found or None
