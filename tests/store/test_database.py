"""A store's database: what it opens, it closes."""

import sqlalchemy as sa

from agentdebate.store.engine import open_database


def test_closing_closes_the_connection_of_a_stream_that_was_not_read_to_its_end() -> None:
    database = open_database("runs.db", create=True)
    engine = database._engine
    in_use, closed = list[object](), list[object]()
    sa.event.listen(engine, "checkout", lambda connection, *_: in_use.append(connection))
    sa.event.listen(engine, "close", lambda connection, _: closed.append(connection))
    query = sa.union_all(*(sa.select(sa.literal(word).label("name")) for word in "abc")).subquery()
    rows = database.stream(sa.select(query.c.name))
    first = next(rows)
    assert first["name"] == "a"
    database.close()
    assert closed == in_use
    assert len(closed) == 1
    assert rows is not None  # held until here, as an error holds on to what it went through
