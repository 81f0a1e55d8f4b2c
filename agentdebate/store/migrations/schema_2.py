"""The tables as they were before Alembic: every text in every row that shows it."""

from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "2"
down_revision = None


def upgrade() -> None:
    """Make the tables. Stores that were written with them are here already."""
    create("runs", "id*", "created:f", "ended:f?", "strategy", "task", "model", "configuration")
    create("items", "run*", "id*", "number:i", "data")
    create("debates", "run*", "id*", "item", "state", "row")
    create("messages", "run*", "debate*", "seq*:i", "kind", "data")
    create(
        "calls", "run*", "debate*", "number*:i", "agent", "round:i", "ask:i", "attempt:i", "shown", "key", "sampling",
        "schema:b", "sample:i", "prompt", "completion",
    )  # fmt: skip
    create_found()


def create_found() -> None:
    """Make the table that schema 1 had not got."""
    create("found", "run*", "name*", "debate", "data")


def create(table: str, *columns: str) -> None:
    """Make a table: `*` marks a key, `?` what may be empty, and `:i`, `:f`, `:b` what is not a text."""
    op.create_table(table, *map(_column, columns))


def _column(said: str) -> "sa.Column[Any]":
    name, _, kind = said.partition(":")
    types: dict[str, Any] = {"i": sa.Integer(), "f": sa.Float(), "b": sa.Boolean()}
    type_ = types.get(kind.rstrip("?"), sa.Text())
    key = name.endswith("*")
    return sa.Column(name.rstrip("*"), type_, primary_key=key, nullable=kind.endswith("?"))
