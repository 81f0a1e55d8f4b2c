"""A store's database: what it opens, it closes."""

import sqlalchemy as sa

from agentdebate.store.database import Database, Unread
from agentdebate.store.engine import open_engine


def test_closing_closes_the_connection_of_a_stream_that_was_not_read_to_its_end() -> None:
    engine = open_engine("runs.db", create=True)
    in_use, closed = list[object](), list[object]()
    sa.event.listen(engine, "checkout", lambda connection, *_: in_use.append(connection))
    sa.event.listen(engine, "close", lambda connection, _: closed.append(connection))
    database = Database(engine, "runs.db")
    name: sa.Column[str] = sa.Column("name", sa.String)
    query = sa.union_all(*(sa.select(sa.literal(word).label("name")) for word in "abc")).subquery()
    rows = database.stream(sa.select(query.c.name), [name])
    first = next(rows)
    assert not isinstance(first, Unread)
    assert first["name"] == "a"
    database.close()
    assert closed == in_use
    assert len(closed) == 1
    assert rows is not None  # held until here, as an error holds on to what it went through
