"""The statements that write a run: what is entered is there once, however many rows go in and however a driver takes its values."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
import sqlalchemy as sa

from agentdebate.store._debates import SCORES
from agentdebate.store._runs import RUNS
from agentdebate.store.schema import METADATA, MOST_ROWS, insert_rows, rows_of


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


NAMES = ("debate", "name", "run", "score", "human")


def there(connection: sa.Connection) -> list[tuple[Any, ...]]:
    found = connection.execute(sa.select(*(SCORES.c[name] for name in NAMES)).order_by(SCORES.c.debate))
    return [tuple(row) for row in found]


@pytest.mark.parametrize("paramstyle", ["qmark", "named"])
@pytest.mark.parametrize("count", [1, 2, 7, MOST_ROWS - 1, MOST_ROWS, MOST_ROWS + 1, 3 * MOST_ROWS + 5])
def test_rows_are_there_however_many_go_in(paramstyle: str, count: int) -> None:
    rows = scores(count)
    with tables(paramstyle=paramstyle) as connection:
        # The order of a row's values is not that of the table.
        by_name = [dict(reversed(list(zip(NAMES, row, strict=True)))) for row in rows]
        insert_rows(connection, SCORES, by_name)
        assert there(connection) == rows


def test_rows_that_are_there_are_passed_by_where_they_may_be() -> None:
    head = {"created": 1.0, "strategy": "s", "task": "t", "model": "m", "configuration": "{}"}
    with tables() as connection:
        runs = [{"id": f"r{number}", **head} for number in range(MOST_ROWS + 3)]
        insert_rows(connection, RUNS, runs[:5])
        insert_rows(connection, RUNS, runs, again=True)
        names = [run["id"] for run in runs]
        found = dict(rows_of(connection, RUNS.c.id, RUNS.c.number, names, (RUNS.c.created, 1)))
        assert sorted(found, key=found.__getitem__) == names
        with pytest.raises(Exception, match="UNIQUE constraint failed"):
            insert_rows(connection, RUNS, runs[-1:])
