"""A resumed run: what of it has ended, what is on disk of the debates that have not, and what failed and is held once more."""

from collections.abc import Iterator, Sequence
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
from agentdebate.store.debate_writer import Line, delete_debates, enter, forget_messages
from agentdebate.store.documents import CALL, call_in
from agentdebate.store.reader import Reader
from agentdebate.store.rows import debate_row, document_lines, message_of
from agentdebate.store.run_tables import RunCall
from agentdebate.store.schema import (
    DEBATES,
    DOCUMENTS,
    ITEMS,
    LEASES,
    RUNS,
    SAME_ITEM,
    insert_rows,
    number_of,
)
from agentdebate.store.stored_run import StoredRecord
from agentdebate.talk.messages import Reply

_FAILED = DEBATES.c.outcome == FAILURE.name


@dataclass(frozen=True)
class Begun:
    """A run as it was left."""

    ended: frozenset[str]
    """The debates that have ended, by id."""
    tasks: tuple[str, ...]
    paid: frozenset[str]
    """The debates that have not ended and have calls on disk."""
    common: Sequence[RunCall]
    """Calls of these debates that serve any other: who made them had not been shown the item."""


def take_up(connection: sa.Connection, *, run: str, retry_failed: bool) -> int:
    """Clear away what debates said that have not ended, and return the run's number. Calls are kept: they are paid for.

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
    return number


def begun_run(reader: Reader, run: str) -> Begun:
    """Say what is left of a run that was taken up. Raises StoreError where a call is damaged."""
    calls, tasks = reader.paid_calls(run), reader.run(run, counted=False).task.split(", ")
    paid = frozenset(call.debate for call in calls)
    common = [call for call in calls if not call.shown]
    return Begun(frozenset(reader.ended_ids(run)), tuple(filter(None, tasks)), paid, common)


def forget_failures(connection: sa.Connection, run: str, number: int) -> Sequence[sa.RowMapping]:
    """Have the debates that failed held again, and return their rows: their calls are in flight once more."""
    place = ITEMS.c.number.label("place")
    query = sa.select(DEBATES.c.id, DEBATES.c.item, DEBATES.c.row, DOCUMENTS, ITEMS.c.data, place)
    query = query.join(DOCUMENTS, DOCUMENTS.c.debate == DEBATES.c.number).outerjoin(ITEMS, SAME_ITEM)
    query = query.where(DEBATES.c.run == number, _FAILED).order_by(place, DEBATES.c.id)
    # On a server two who do this at once come one after the other.
    rows = connection.execute(query.with_for_update(of=DEBATES)).mappings().all()
    enter(connection, number, [line for row in rows for line in _calls(run, row)])
    delete_debates(connection, number, _FAILED)
    return rows


def _calls(run: str, row: sa.RowMapping) -> Iterator[Line]:
    """The calls of a debate that failed. Those whose Ask got no answer belong to no Ask."""
    talk, calls = (document_lines(run, row, name) for name in ("talk", "calls"))
    said = (message_of(run, row["id"], place, line) for place, line in enumerate(talk, 1))
    answered = {message.answers for message in said if isinstance(message, Reply)}
    with reading(run, f"the debate {row['id']!r}"):
        for body in map(call_in, calls):
            ask = body["ask"] if body["ask"] in answered else 0
            line = plain_json({"kind": CALL, "body": {**body, "ask": ask}}).decode()
            yield Line(row["id"], body["number"], line, call=True)


def requeue_failed(connection: sa.Connection, *, run: str) -> int:
    """Have the debates of a run that failed held once more by its workers; how many there are comes back.

    What is on disk of them is not paid for again, but for what an agent answered in vain. Raises StoreError where a record that is
    needed is damaged.
    """
    number = number_of(connection, run)
    failed = forget_failures(connection, run, number)
    for place, row in enumerate(failed):
        about: Any = {"item": row["item"], "item_number": row["place"], "place": place}
        lease = lease_entry(row["id"], aspects=debate_row(run, row["id"], row["row"])["aspects"], **about)
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
