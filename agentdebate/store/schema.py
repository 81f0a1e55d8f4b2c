"""The ground of a store's tables: what all of them share, which version they are, and the statements that enter rows."""

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache, lru_cache
from itertools import chain, islice
from operator import itemgetter
from typing import Any, NamedTuple

import sqlalchemy as sa

from agentdebate.errors import StoreError, UsageError
from agentdebate.store.driver import insert

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
    return sa.Column("run", NUMBER, primary_key=True, autoincrement=False)


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


AT_ONCE = 400
"""How many values one query asks for."""

MOST_ROWS = 64
"""How many rows one statement enters: with the columns of our widest table, any SQLite takes as many values."""


class Entry(NamedTuple):
    """One row that goes into a table of a run."""

    table: sa.Table
    values: Mapping[str, Any]
    debate: str | None = None
    """The debate that it is of; None for a row of the run."""


_VALUES = re.compile(r"VALUES (\([^)]*\))")
_AMONG = re.compile(r"IN \((\?|%s)\)")


def insert_rows(
    connection: sa.Connection, table: sa.Table, rows: Sequence[Mapping[str, Any]], *, again: bool = False
) -> None:
    """Enter rows that have the same columns; with `again`, all but those that are there already.

    The driver gets them as they are, which is quicker: rows hold numbers, texts and bytes, of which each driver knows what to
    do. Many go into one statement, since a server answers each one, and SQLite takes half the time for it. The statements are
    for 1, 2, 4 ... rows, so that there are few of them, and drivers keep them prepared.
    """
    statement, names = _insert(connection.dialect, table, tuple(rows[0]), again=again)
    if not names:
        connection.exec_driver_sql(statement, [dict(row) for row in rows])
        return
    values = chain.from_iterable(map(itemgetter(*names), rows))
    left = len(rows)
    while left:
        count = min(MOST_ROWS, 1 << left.bit_length() - 1)
        _send(connection, _of_many(statement, count), tuple(islice(values, count * len(names))))
        left -= count


def rows_of(
    connection: sa.Connection,
    key: "sa.Column[Any]",
    column: "sa.Column[Any]",
    values: Sequence[Any],
    where: tuple["sa.Column[Any]", int] | None = None,
) -> Iterator[tuple[Any, Any]]:
    """The values of a key with those of another column, as far as they are there; with `where`, among the rows with that number."""
    named = where[0] if where else None
    for some in batches(values):
        query, statement = _select(connection.dialect, key, column, named)
        if not statement:
            found = connection.execute(
                query, {"values": some, "number": where[1]} if where else {"values": some}
            )
        else:
            count = 1 << (len(some) - 1).bit_length()  # so that there are few statements
            bound = (*((where[1],) if where else ()), *some, *some[:1] * (count - len(some)))
            found = _send(connection, _of_many(statement, count), bound)
        yield from map(tuple, found)


def among(
    connection: sa.Connection, column: "sa.Column[Any]", values: Iterable[str]
) -> "sa.ColumnElement[bool]":
    """Whether a column has one of these texts. They are one value of the statement, whose text is the same however many there are:

    the driver of PostgreSQL reads the text of each statement character by character, and 64 names take it longer than the
    server takes for the rest.
    """
    if connection.dialect.name == "sqlite":
        given = sa.func.json_each(json.dumps(list(values))).table_valued("value")
        return column.in_(sa.select(given.c.value))
    return column == sa.any_(sa.literal(list(values), sa.ARRAY(sa.Text)))


def batches(values: Sequence[Any]) -> Iterator[list[Any]]:
    """The values, as many at a time as one query asks for."""
    left = iter(values)
    while some := list(islice(left, AT_ONCE)):
        yield some


@cache
def _of_many(statement: str, count: int) -> str:
    """The statement for one row, or one value, as one for so many."""
    several = _VALUES.sub(lambda one: "VALUES " + ", ".join([one[1]] * count), statement, count=1)
    return _AMONG.sub(lambda one: "IN (" + ", ".join([one[1]] * count) + ")", several, count=1)


@lru_cache(maxsize=256)
def _insert(
    dialect: sa.Dialect, table: sa.Table, names: tuple[str, ...], *, again: bool
) -> tuple[str, tuple[str, ...]]:
    """The statement for one row, and the order of its values where they are bound by their place and not by name."""
    into = insert(dialect.name, table).on_conflict_do_nothing() if again else table.insert()
    compiled = into.values({name: sa.bindparam(name) for name in names}).compile(dialect=dialect)
    return str(compiled), tuple(compiled.positiontup or ())


@lru_cache(maxsize=256)
def _select(
    dialect: sa.Dialect, key: "sa.Column[Any]", column: "sa.Column[Any]", number: "sa.Column[Any] | None"
) -> tuple["sa.Select[Any]", str]:
    """The query of `rows_of`, and the statement for one value where values are bound by their place and not by name."""
    query = sa.select(key, column)
    if number is not None:
        query = query.where(number == sa.bindparam("number"))
    of_one = query.where(key.in_([sa.bindparam("value")])).compile(dialect=dialect)
    of_all = query.where(key.in_(sa.bindparam("values", expanding=True)))
    return of_all, str(of_one) if of_one.positiontup else ""


def _send(connection: sa.Connection, statement: str, values: tuple[Any, ...]) -> Any:
    """Send a statement. SQLite's driver is asked directly: a statement of ten rows takes it half as long as SQLAlchemy around it."""
    if connection.dialect.name != "sqlite":
        return connection.exec_driver_sql(statement, values)
    driven = connection.connection.driver_connection
    assert driven is not None
    return driven.execute(statement, values)
