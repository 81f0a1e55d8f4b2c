"""What the calls of a run took, added up by the database itself."""

from collections.abc import Iterator
from typing import Any

import sqlalchemy as sa

from agentdebate.errors import StoreError
from agentdebate.store.database import Database
from agentdebate.store.schema import CALLS, TALKS
from agentdebate.store.spending import Spending
from agentdebate.usage import Usage

Spent = dict[tuple[str, str], Spending]
"""What was spent, by agent and model."""

_FIELDS = tuple(Usage.model_fields)


def spent_by_sums(database: Database, run: int) -> Spent | None:
    """What the calls of a run took, by agent and model, as they first came.

    None where the rows have to be read one by one: on a database server, and where something in one of them is not as we write it.
    """
    if database.dialect != "sqlite":
        return None
    try:
        rows = database.rows(_sums(run))
    except StoreError:  # a row that is no JSON, or too large: whoever reads them one by one says which
        return None
    found: Spent = {}
    for agent, model, cached, _first, odd, *sums in rows:
        if odd or not isinstance(agent, str) or not isinstance(model, str) or not model:
            return None
        spending = found.setdefault((agent.partition("#")[0], model), Spending())
        usage = Usage(**{name: count or 0 for name, count in zip(_FIELDS, sums, strict=True)})
        spending.add(usage, cached=bool(cached))
    return found


def _sums(run: int) -> "sa.Select[Any]":
    said = CALLS.c.completion
    model, cached = sa.func.json_extract(said, "$.model"), sa.func.json_extract(said, "$.cached")
    counts = [sa.func.sum(sa.func.json_extract(said, f"$.usage.{name}")) for name in _FIELDS]
    first = sa.func.min(CALLS.c.talk * (1 << 31) + CALLS.c.number)
    odd = sa.func.sum(sa.case((sa.or_(*_oddities(said)), 1), else_=0))
    query = sa.select(CALLS.c.agent, model, cached, first, odd, *counts)
    joined = TALKS.join(CALLS, TALKS.c.number == CALLS.c.talk)
    return (
        query.select_from(joined)
        .where(TALKS.c.run == run)
        .group_by(CALLS.c.agent, model, cached)
        .order_by(first)
    )


def _oddities(said: "sa.Column[str]") -> "Iterator[sa.ColumnElement[bool]]":
    """What we do not write: no usage, and counts that are no whole numbers or less than nothing."""
    yield sa.func.coalesce(sa.func.json_type(said, "$.usage"), "") != "object"
    yield sa.func.coalesce(sa.func.json_type(said, "$.cached"), "false").not_in(("true", "false"))
    for name in _FIELDS:
        place = f"$.usage.{name}"
        yield sa.func.coalesce(sa.func.json_type(said, place), "integer") != "integer"
        yield sa.func.coalesce(sa.func.json_extract(said, place), 0) < 0
