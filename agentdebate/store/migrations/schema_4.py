"""Tables through which several processes work on one run: queues, leases, workers, and what these share."""

from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "4"
down_revision = "3"


def upgrade() -> None:
    """Make the new tables; nothing that was there changes."""
    whole, text, real = sa.BigInteger().with_variant(sa.Integer, "sqlite"), sa.Text(), sa.Double[float]()

    def column(name: str, type_: Any, *, key: bool = False, empty: bool = False) -> "sa.Column[Any]":
        return sa.Column(name, type_, primary_key=key, nullable=empty, autoincrement=False)

    def run() -> "sa.Column[Any]":
        return column("run", whole, key=True)

    op.create_table(
        "queues", run(), column("entered", sa.Boolean()), column("stopped", real, empty=True),
        column("drain", sa.Boolean()), column("code", text),
    )  # fmt: skip
    op.create_table(
        "leases", run(), column("debate", text, key=True), column("place", sa.Integer()), column("item", text),
        column("item_number", sa.Integer()), column("aspects", text), column("worker", text, empty=True),
        column("token", sa.BigInteger()), column("until", real), column("taken", sa.Integer()),
    )  # fmt: skip
    op.create_table(
        "workers", run(), column("name", text, key=True), column("begun", real), column("seen", real), column("until", real),
        column("departed", text, empty=True), column("debates", sa.Integer()), column("calls", sa.BigInteger()),
        column("tokens", sa.BigInteger()), column("lost", sa.Integer()),
    )  # fmt: skip
    op.create_table(
        "accounts", run(), column("name", text, key=True), column("drawn", sa.BigInteger()), column("until", real),
        column("worker", text, empty=True),
    )  # fmt: skip
    op.create_table(
        "blocks", sa.Column("number", whole, primary_key=True), column("run", whole), column("name", text),
        column("at", real), column("amount", real),
    )  # fmt: skip
    op.create_index("leases_place", "leases", ["run", "place"])
    op.create_index("leases_worker", "leases", ["run", "worker"])
    op.create_index("blocks_at", "blocks", ["run", "name", "at"])
