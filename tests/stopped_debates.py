"""Debates that have ended, put back to where they were a moment before: what was said and asked is in flight, as in a run that was stopped."""

from pathlib import Path

import sqlalchemy as sa

from agentdebate.store.documents import line_row, unpacked
from agentdebate.store.engine import open_database
from agentdebate.store.schema import COSTS, DEBATES, DOCUMENTS, IN_FLIGHT, RUNS, SCORES
from agentdebate.talk.envelope import body_of


def stop_debates(store: str | Path, like: str, run: str | None = None) -> None:
    """Put back the debates of a run, or of all, whose ids are like that; runs have no end then."""
    database = open_database(store)
    try:
        database.change(lambda connection: _stop(connection, like, run))
    finally:
        database.close()


def _stop(connection: sa.Connection, like: str, run: str | None) -> None:
    of_run = RUNS.c.id == run if run else sa.true()
    query = sa.select(DEBATES, DOCUMENTS).join(DOCUMENTS, DOCUMENTS.c.debate == DEBATES.c.number)
    query = query.join(RUNS, RUNS.c.number == DEBATES.c.run).where(DEBATES.c.id.like(like), of_run)
    for row in connection.execute(query).mappings().all():
        for call, place in ((False, "seq"), (True, "number")):
            for line in filter(None, unpacked(row["calls_1" if call else "talk"]).split("\n")):
                values = line_row(row["id"], body_of(line)[1][place], line, call=call)
                connection.execute(IN_FLIGHT.insert().values(**values, run=row["run"]))
        connection.execute(DEBATES.delete().where(DEBATES.c.number == row["number"]))
        for table in (DOCUMENTS, SCORES, COSTS):
            connection.execute(table.delete().where(table.c.debate == row["number"]))
        connection.execute(RUNS.update().where(RUNS.c.number == row["run"]).values(ended=None))
