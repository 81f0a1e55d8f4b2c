"""The ground of a store's tables: what all of them share, which version they are, and whether they are there."""

from collections.abc import Sequence

import sqlalchemy as sa

from agentdebate.errors import StoreError, UsageError

METADATA = sa.MetaData()

NUMBER = sa.BigInteger().with_variant(sa.Integer, "sqlite")
"""Numbers rows; SQLite takes an INTEGER key alone for the number of the row itself."""

HEAD = "7"
"""The number of this version's schema."""

BEFORE = "6"
"""The one schema that is brought over (schema_6.py)."""

REVISION = sa.Table("alembic_version", METADATA, sa.Column("version_num", sa.String(32), primary_key=True))
"""The number of the schema, where versions before kept it."""


def run_column() -> "sa.Column[int]":
    """The column that says of which run a row is, as a part of the key."""
    return sa.Column("run", NUMBER, primary_key=True, comment="the run's number", autoincrement=False)


def version_of(connection: sa.Connection, place: str) -> str | None:
    """The number of a store's schema; None where there is none. Raises UsageError for one that is not known, StoreError for what is not a store."""
    inspector = sa.inspect(connection)
    has_runs = inspector.has_table("runs")
    if inspector.has_table(REVISION.name):
        versions = connection.execute(sa.select(REVISION.c.version_num)).scalars().all()
    elif has_runs and inspector.has_table("schema_version"):  # where the first versions kept their number
        versions = connection.execute(sa.text("SELECT version FROM schema_version")).scalars().all()
    else:
        return None
    if not has_runs and not all(map(_is_version, versions)):
        return None  # many programs have Alembic keep a revision of theirs
    return _known(versions, place)


def _is_version(version: object) -> bool:
    return isinstance(version, int | str) and str(version).isdecimal()


def _known(versions: Sequence[object], place: str) -> str:
    for version in versions or [None]:
        if not _is_version(version):
            raise StoreError(
                f"the store {place} says {version!r} where the number of its schema belongs; take a copy that you have"
            )
    newest = max(int(str(version)) for version in versions)
    if newest > int(HEAD):
        raise UsageError(
            f"the store {place} was written by a newer agentdebate (schema {newest}, and this one knows {HEAD}); "
            "upgrade agentdebate to use it"
        )
    if newest < int(BEFORE):
        raise UsageError(
            f"the store {place} was written by an early agentdebate (schema {newest}, and this one brings over {BEFORE}): hold its runs again"
        )
    return str(newest)


def create(connection: sa.Connection) -> None:
    """Make the tables in an empty database."""
    METADATA.create_all(connection)
    connection.execute(REVISION.insert(), {"version_num": HEAD})


def check_tables(connection: sa.Connection, place: str) -> None:
    """Raise StoreError where a table or a column is missing."""
    inspector = sa.inspect(connection)
    there = set(inspector.get_table_names())
    for table in METADATA.sorted_tables:
        if table.name not in there:
            raise _altered(place, f"the table {table.name}")
        columns = {column["name"] for column in inspector.get_columns(table.name)}
        for name in set(table.columns.keys()) - columns:
            raise _altered(place, f"the column {name} of the table {table.name}")


def _altered(place: str, lost: str) -> StoreError:
    return StoreError(
        f"the store {place} was altered: {lost} is missing; take a copy that you have, or name another store"
    )
