"""The statements that write a run: what is entered is there once, however many rows go in."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
import sqlalchemy as sa

from agentdebate.store._debates import SCORES
from agentdebate.store._runs import RUNS
from agentdebate.store.schema import METADATA, insert_rows


@contextmanager
def tables() -> Iterator[sa.Connection]:
    engine = sa.create_engine("sqlite://")
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


@pytest.mark.parametrize("count", [0, 1, 2, 7, 64, 65, 1000])
def test_rows_are_there_however_many_go_in(count: int) -> None:
    rows = scores(count)
    with tables() as connection:
        # The order of a row's values is not that of the table.
        by_name = [dict(reversed(list(zip(NAMES, row, strict=True)))) for row in rows]
        insert_rows(connection, SCORES, by_name)
        assert there(connection) == rows


def test_rows_that_are_there_are_passed_by_where_they_may_be() -> None:
    head = {"created": 1.0, "strategy": "s", "task": "t", "model": "m", "configuration": "{}"}
    with tables() as connection:
        runs = [{"id": f"r{number}", **head} for number in range(67)]
        insert_rows(connection, RUNS, runs[:5])
        insert_rows(connection, RUNS, runs, again=True)
        found = connection.execute(sa.select(RUNS.c.id).order_by(RUNS.c.number)).scalars().all()
        assert found == [run["id"] for run in runs]
        with pytest.raises(Exception, match="UNIQUE constraint failed"):
            insert_rows(connection, RUNS, runs[-1:])
