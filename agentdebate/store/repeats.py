"""Items of a run that have the same text, so that a judge which is asked twice can be seen beside itself."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import sqlalchemy as sa
from sqlalchemy.dialects import postgresql

from agentdebate.store.database import Database
from agentdebate.store.schema import ITEMS, RUNS


@dataclass(frozen=True, slots=True)
class Repeat:
    """Texts that several items share."""

    items: int
    """How many items have them."""
    first: str
    """The id of one of them."""
    texts: str | None
    fields: str
    """The two of them name the texts in the store."""


class Repeats:
    """Finds the items of one run whose texts are all the same, field by field. Raises StoreError."""

    def __init__(self, database: Database, run: str) -> None:
        self._database = database
        number = database.scalar(sa.select(RUNS.c.number).where(RUNS.c.id == run))
        self._run: int = -1 if number is None else number

    def __repr__(self) -> str:
        return f"<Repeats in run {self._run}>"

    def part(self, *, start: int = 0, most: int = 50) -> tuple[list[Repeat], int]:
        """Some of them, those with the most items first, and how many texts are there more than once."""
        query = self._grouped().add_columns(sa.func.count().over())
        query = query.order_by(sa.text("items DESC"), sa.text("first")).offset(start).limit(most)
        rows = self._database.rows(query)
        if not rows and start:
            return [], self.part(most=1)[1]
        return [Repeat(*row[:-1]) for row in rows], rows[0][-1] if rows else 0

    def items(self, repeat: Repeat, most: int = 200) -> Sequence[str]:
        """The ids of the items that share them, the first so many."""
        same = (ITEMS.c.texts.is_not_distinct_from(repeat.texts), self._fields == repeat.fields)
        query = sa.select(ITEMS.c.id).where(ITEMS.c.run == self._run, *same)
        return [str(item) for item in self._database.scalars(query.order_by(ITEMS.c.id).limit(most))]

    @property
    def _fields(self) -> "sa.ColumnElement[str]":
        """The fields of an item as they are stored, with the places of the long texts in them."""
        if self._database.dialect == "sqlite":
            return sa.func.json_extract(ITEMS.c.data, "$.fields")
        # No parameter, or PostgreSQL takes what is grouped by for something else.
        place: sa.ColumnClause[Any] = sa.literal_column("'fields'")
        fields: sa.ColumnElement[str] = sa.cast(ITEMS.c.data, postgresql.JSON).op("->>")(place)
        return fields

    def _grouped(self) -> "sa.Select[tuple[int, str, str | None, str]]":
        count = sa.func.count().label("items")
        fields = self._fields.label("fields")
        query = sa.select(count, sa.func.min(ITEMS.c.id).label("first"), ITEMS.c.texts, fields)
        return (
            query.where(ITEMS.c.run == self._run).group_by(ITEMS.c.texts, fields).having(sa.func.count() > 1)
        )
