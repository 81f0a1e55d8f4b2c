"""The statements that write a run: what is entered is there once, however many rows go in and however a driver takes its values."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
import sqlalchemy as sa

from agentdebate.store.schema import METADATA, SCORES, TALKS
from agentdebate.store.statements import MOST_ROWS, insert_columns, insert_rows, rows_of


@contextmanager
def tables(**options: Any) -> Iterator[sa.Connection]:
    engine = sa.create_engine("sqlite://", **options)
    try:
        with engine.connect() as connection:
            METADATA.create_all(connection)
            yield connection
    finally:
        engine.dispose()


def scores(count: int) -> list[tuple[Any, ...]]:
    return [(talk, f"a{talk % 3}", 1, talk / 2, None if talk % 2 else 3.0) for talk in range(count)]


NAMES = ("talk", "name", "run", "score", "human")


def there(connection: sa.Connection) -> list[tuple[Any, ...]]:
    found = connection.execute(sa.select(*(SCORES.c[name] for name in NAMES)).order_by(SCORES.c.talk))
    return [tuple(row) for row in found]


@pytest.mark.parametrize("paramstyle", ["qmark", "named"])
@pytest.mark.parametrize("count", [1, 2, 7, MOST_ROWS - 1, MOST_ROWS, MOST_ROWS + 1, 3 * MOST_ROWS + 5])
def test_rows_and_columns_enter_the_same(paramstyle: str, count: int) -> None:
    rows = scores(count)
    with tables(paramstyle=paramstyle) as connection:
        # The order of a row's values is not that of the table.
        by_name = [dict(reversed(list(zip(NAMES, row, strict=True)))) for row in rows]
        insert_rows(connection, SCORES, by_name)
        assert there(connection) == rows
    with tables(paramstyle=paramstyle) as connection:
        columns = dict(zip(NAMES, zip(*rows, strict=True), strict=True))
        insert_columns(connection, SCORES, columns)
        assert there(connection) == rows


def test_rows_that_are_there_are_passed_by_where_they_may_be() -> None:
    with tables() as connection:
        talks = [{"run": 1, "debate": f"d{number}"} for number in range(MOST_ROWS + 3)]
        insert_rows(connection, TALKS, talks[:5])
        insert_rows(connection, TALKS, talks, again=True)
        names = [talk["debate"] for talk in talks]
        found = dict(rows_of(connection, TALKS.c.debate, TALKS.c.number, names, (TALKS.c.run, 1)))
        assert sorted(found, key=found.__getitem__) == names
        with pytest.raises(Exception, match="UNIQUE constraint failed"):
            insert_rows(connection, TALKS, talks[-1:])


def test_columns_of_two_lengths_are_an_error_and_nothing_is_left_out_in_silence() -> None:
    with tables() as connection, pytest.raises(ValueError, match="argument 2 is shorter"):
        insert_columns(connection, TALKS, {"run": [1, 1], "debate": ["d"]})
