"""The insert of each database that knows what to do about a row that is there."""

from importlib import import_module
from typing import Any

import sqlalchemy as sa

DIALECTS = "sqlite", "postgresql"
"""The databases that have one."""


def insert(dialect: str, table: sa.Table) -> Any:
    """The insert into a table. The module of its database alone is imported: that of PostgreSQL takes 2 MB."""
    return import_module(f"sqlalchemy.dialects.{dialect}").insert(table)
