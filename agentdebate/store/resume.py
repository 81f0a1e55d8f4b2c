"""A resumed run: what of it has ended, what is on disk of the debates that have not, and what failed and is held once more."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import sqlalchemy as sa

from agentdebate.codec import plain_json
from agentdebate.debates.outcome import FAILURE
from agentdebate.debates.record import Record
from agentdebate.errors import UsageError
from agentdebate.models.base import Call
from agentdebate.store.crew import lease_entry, queue_of
from agentdebate.store.damage import naming, reading
from agentdebate.store.database import Database
from agentdebate.store.debate_writer import forget_messages
from agentdebate.store.documents import CALL, call_in, line_row
from agentdebate.store.reader import SAME_ITEM, Reader, of_run
from agentdebate.store.rows import call_of, debate_row, document_lines, message_of
from agentdebate.store.run_tables import RunCall
from agentdebate.store.schema import (
    COSTS,
    DEBATES,
    DOCUMENTS,
    IN_FLIGHT,
    ITEMS,
    LEASES,
    RUNS,
    SCORES,
    Condition,
    insert_rows,
    number_of,
)
from agentdebate.store.stored_run import StoredRecord
from agentdebate.talk.messages import Reply


@dataclass(frozen=True)
class Begun:
    """A run as it was left."""

    number: int
    ended: frozenset[str]
    """The debates that have ended, by id."""
    tasks: tuple[str, ...]
    paid: frozenset[str]
    """The debates that have not ended and have calls on disk."""
    common: Sequence[RunCall]
    """Calls of these debates that serve any other: who made them had not been shown the item."""


def take_up(connection: sa.Connection, *, run: str, retry_failed: bool) -> Begun:
    """Clear away what debates said that have not ended, and say what is left. Calls are kept: they are paid for.

    With `retry_failed` debates that failed are among those that have not ended; what an agent answered in vain in them is
    not given again. Raises UsageError for a run of a queue, and StoreError where a call or message that is needed is damaged.
    """
    if queue_of(connection, run) is not None:
        raise UsageError(f"run {run} is one of a queue: go on with agentdebate work {run}")
    number = number_of(connection, run)
    if retry_failed:
        forget_failures(connection, run, number)
    forget_messages(connection, number)
    connection.execute(RUNS.update().where(RUNS.c.number == number).values(ended=None))
    ended = frozenset(connection.execute(sa.select(DEBATES.c.id).where(DEBATES.c.run == number)).scalars())
    tasks = connection.execute(sa.select(RUNS.c.task).where(RUNS.c.number == number)).scalar_one()
    calls = _calls(connection, run, IN_FLIGHT.c.run == number)
    common = [call for call in calls if not call.shown]
    return Begun(
        number,
        ended,
        tuple(filter(None, tasks.split(", "))),
        frozenset(call.debate for call in calls),
        common,
    )


def paid_calls(database: Database, run: str, debate: str) -> list[RunCall]:
    """The calls of a debate that were paid for. One without an `ask` cannot be given again. Raises StoreError."""
    where = (of_run(IN_FLIGHT, run), IN_FLIGHT.c.debate == debate)
    return database.look(lambda connection: _calls(connection, run, *where))


def _calls(connection: sa.Connection, run: str, *where: Condition) -> list[RunCall]:
    query = sa.select(IN_FLIGHT.c.debate, IN_FLIGHT.c.place, IN_FLIGHT.c.entry).where(
        *where, IN_FLIGHT.c.call
    )
    ordered = query.order_by(IN_FLIGHT.c.debate, IN_FLIGHT.c.place)
    return [call_of(run, *line) for line in connection.execute(ordered)]


def forget_failures(connection: sa.Connection, run: str, number: int) -> Sequence[Any]:
    """Have the debates that failed held again, and return their rows: their calls are in flight once more.

    Calls whose Ask got no answer belong to no Ask.
    """
    failed = (DEBATES.c.run == number, DEBATES.c.outcome == FAILURE.name)
    columns = (
        DEBATES.c.id,
        DEBATES.c.item,
        DEBATES.c.row,
        DOCUMENTS,
        ITEMS.c.data,
        ITEMS.c.number.label("place"),
    )
    query = sa.select(*columns).select_from(DEBATES).outerjoin(ITEMS, SAME_ITEM).where(*failed)
    query = query.join(DOCUMENTS, DOCUMENTS.c.debate == DEBATES.c.number).order_by("place", DEBATES.c.id)
    # On a server two who do this at once come one after the other.
    rows = connection.execute(query.with_for_update(of=DEBATES)).all()
    for row in rows:
        talk = document_lines(run, row.id, row.talk, row.talk_sum, row.data)
        said = (message_of(run, row.id, place, line) for place, line in enumerate(talk, 1))
        answered = {message.answers for message in said if isinstance(message, Reply)}
        lines = document_lines(run, row.id, row.calls, row.calls_sum, row.data)
        with reading(run, f"the debate {row.id!r}"):
            asked = [_in_flight(row.id, call_in(line), answered) for line in lines]
        insert_rows(connection, IN_FLIGHT, [{**one, "run": number} for one in asked])
    numbers = sa.select(DEBATES.c.number).where(*failed)
    for table in (SCORES, COSTS, DOCUMENTS):
        within = [table.c.run == number] if "run" in table.c else []
        connection.execute(table.delete().where(*within, table.c.debate.in_(numbers)))
    connection.execute(DEBATES.delete().where(*failed))
    return rows


def _in_flight(debate: str, body: Mapping[str, Any], answered: set[int]) -> dict[str, Any]:
    """The row of a call of a debate that failed."""
    ask = body["ask"] if body["ask"] in answered else 0
    line = plain_json({"kind": CALL, "body": {**body, "ask": ask}}).decode()
    return line_row(debate, body["number"], line, call=True)


def requeue_failed(connection: sa.Connection, *, run: str) -> int:
    """Have the debates of a run that failed held once more by its workers; how many there are comes back.

    What is on disk of them is not paid for again, but for what an agent answered in vain. Raises StoreError where a record that is
    needed is damaged.
    """
    number = number_of(connection, run)
    failed = forget_failures(connection, run, number)
    for place, row in enumerate(failed):
        aspects = debate_row(run, row.id, row.row)["aspects"]
        lease = lease_entry(row.id, place=place, item=row.item, item_number=row.place, aspects=aspects)
        # It was taken before, so that calls of it are looked for.
        insert_rows(connection, LEASES, [{**lease.values, "run": number, "taken": 1}])
    if failed:
        connection.execute(RUNS.update().where(RUNS.c.number == number).values(ended=None))
    return len(failed)


def ended_record(reader: Reader, run: str, debate: str) -> Record:
    """The record of a debate that ended before its run was resumed, read whole. Of a request the schema is not kept. Raises StoreError."""
    with naming(reader.place):
        row = reader.row(run, debate)
    assert row is not None, "the run says that it has ended"
    stored = StoredRecord(reader, run, row)
    same = {name: getattr(stored, name) for name in ("id", "item", "verdict", "failure", "transcript")}
    told = {"task": row["task"], "aspects": tuple(row["aspects"]), "strategy": row["strategy"]}
    calls = (
        Call(one.agent, one.round, one.ask, one.attempt, one.shown, one.request, one.completion)
        for one in stored.calls
    )
    return Record(**same, **told, calls=tuple(calls), seconds=row.get("seconds") or 0.0)
