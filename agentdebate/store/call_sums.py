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

    None where the rows have to be read one by one, since something in one of them is not as we write it.
    """
    sums = _sums if database.dialect == "sqlite" else _sums_of_server
    try:
        rows = database.rows(sums(run))
    except StoreError:  # a row that is no JSON, or too large: whoever reads them one by one says which
        return None
    found: Spent = {}
    for agent, model, cached, _first, odd, *sums in rows:
        if odd or not isinstance(agent, str) or not isinstance(model, str) or not model:
            return None
        spending = found.setdefault((agent.partition("#")[0], model), Spending())
        usage = Usage(**{name: int(count or 0) for name, count in zip(_FIELDS, sums, strict=True)})
        spending.add(usage, cached=bool(cached))
    return found


_TALK = sa.literal(1 << 31, sa.BigInteger)
"""More calls than a debate has: what puts calls into the order of their debates."""
_JOINED = TALKS.join(CALLS, TALKS.c.number == CALLS.c.talk)


def _sums(run: int) -> "sa.Select[Any]":
    said = CALLS.c.completion
    model, cached = sa.func.json_extract(said, "$.model"), sa.func.json_extract(said, "$.cached")
    counts = [sa.func.sum(sa.func.json_extract(said, f"$.usage.{name}")) for name in _FIELDS]
    first = sa.func.min(CALLS.c.talk * _TALK + CALLS.c.number)
    odd = sa.func.sum(sa.case((sa.or_(*_oddities(said)), 1), else_=0))
    query = sa.select(CALLS.c.agent, model, cached, first, odd, *counts)
    return (
        query.select_from(_JOINED)
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


def _sums_of_server(run: int) -> "sa.Select[Any]":
    """The same for PostgreSQL, which raises for a usage that is no object and for a count that is no whole number."""
    from sqlalchemy.dialects.postgresql import JSONB  # takes 2 MB, which stores in a file do without

    parsed = sa.cast(CALLS.c.completion, JSONB).label("said")
    rows = sa.select(CALLS.c.agent, CALLS.c.talk, CALLS.c.number, parsed).select_from(_JOINED)
    calls = (
        rows.where(TALKS.c.run == run).offset(0).subquery()
    )  # without the offset it would parse once for each use
    said = calls.c.said
    columns = [sa.column(name, sa.BigInteger) for name in _FIELDS]
    usage = sa.func.jsonb_to_record(said["usage"]).table_valued(*columns).render_derived("u", with_types=True)
    each = (
        sa.select(
            calls.c.agent,
            said["model"].astext.label("model"),
            (sa.func.coalesce(said["cached"].astext, "false") == "true").label("cached"),
            (calls.c.talk * _TALK + calls.c.number).label("place"),
            sa.case((sa.or_(*_oddities_of_server(said, usage.c)), 1), else_=0).label("odd"),
            *usage.c,
        )
        .select_from(calls.join(usage, sa.true()))
        .subquery()
    )
    of = (each.c.agent, each.c.model, each.c.cached)
    first = sa.func.min(each.c.place)
    sums = [sa.func.sum(each.c[name]) for name in _FIELDS]
    return sa.select(*of, first, sa.func.sum(each.c.odd), *sums).group_by(*of).order_by(first)


def _oddities_of_server(said: Any, usage: Any) -> "Iterator[sa.ColumnElement[bool]]":
    kind = sa.func.jsonb_typeof
    yield sa.func.coalesce(kind(said["usage"]), "") != "object"
    yield sa.func.coalesce(kind(said["model"]), "") != "string"
    yield sa.func.coalesce(kind(said["cached"]), "boolean") != "boolean"
    yield sa.func.least(*usage) < 0
