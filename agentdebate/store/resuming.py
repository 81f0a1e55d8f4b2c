"""A run taken up again: what of it has ended, what is on disk of the debates that have not."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import sqlalchemy as sa

from agentdebate.messages import Message, Reply
from agentdebate.models.base import Completion
from agentdebate.store.database import Database
from agentdebate.store.rows import completion_of, message_of
from agentdebate.store.schema import CALLS, DEBATES, FOUND, ITEMS, MESSAGES, RUNS

FAILURE = "failure"
_NOTHING = "[]"
"""What a call was shown whose speaker knew nothing."""


@dataclass(frozen=True)
class Paid:
    """A call that was paid for: its number in the debate, who made it, the digest of its request, and what came back."""

    number: int
    agent: str
    key: str
    completion: Completion


@dataclass(frozen=True)
class Begun:
    """A run as it was left."""

    ended: frozenset[str]
    """The debates that have ended, by id."""
    items: frozenset[str]
    """The items that are written, by id."""
    tasks: str
    paid: frozenset[str]
    """The debates that have not ended and have calls on disk."""
    common: Sequence[Paid]
    """Calls of these debates that serve any other: who made them had not been shown the item."""
    found: Mapping[str, tuple[str, Message]]
    """What was found out once for all debates, and in which debate."""


def take_up(database: Database, run: str, *, retry_failed: bool) -> Begun:
    """Clear away what debates said that have not ended, and say what is left. Calls are kept: they are paid for.

    With `retry_failed` debates that failed are among those that have not ended; what an agent answered in vain in them is
    not given again. Raises StoreError, and changes nothing, where a call or message that is needed is damaged.
    """
    return database.change(partial(_take_up, run=run, retry_failed=retry_failed))


def _take_up(connection: sa.Connection, *, run: str, retry_failed: bool) -> Begun:
    if retry_failed:
        _forget_failures(connection, run)
    ended = _ids(connection, sa.select(DEBATES.c.id).where(DEBATES.c.run == run))
    over = sa.select(DEBATES.c.id).where(DEBATES.c.run == run)
    connection.execute(MESSAGES.delete().where(MESSAGES.c.run == run, MESSAGES.c.debate.not_in(over)))
    connection.execute(RUNS.update().where(RUNS.c.id == run).values(ended=None))
    paid = _ids(
        connection,
        sa.select(CALLS.c.debate).where(CALLS.c.run == run, CALLS.c.debate.not_in(over)).distinct(),
    )
    items = _ids(connection, sa.select(ITEMS.c.id).where(ITEMS.c.run == run))
    tasks = connection.execute(sa.select(RUNS.c.task).where(RUNS.c.id == run)).scalar() or ""
    common = _calls(connection, run, CALLS.c.debate.in_(paid), CALLS.c.shown == _NOTHING)
    return Begun(ended, items, tasks, paid, common, _found(connection, run))


def paid_calls(database: Database, run: str, debate: str) -> list[Paid]:
    """The calls of a debate that can be given again, and, with no key, those that cannot. Raises StoreError."""
    return database.look(lambda connection: _calls(connection, run, CALLS.c.debate == debate))


def _calls(connection: sa.Connection, run: str, *where: sa.ColumnElement[bool]) -> list[Paid]:
    query = sa.select(CALLS).where(CALLS.c.run == run, *where).order_by(CALLS.c.debate, CALLS.c.number)
    return [
        Paid(
            row["number"],
            row["agent"],
            row["key"] if row["ask"] else "",
            completion_of(run, row["debate"], row["number"], row["completion"]),
        )
        for row in connection.execute(query).mappings()
    ]


def _ids(connection: sa.Connection, query: sa.Select[Any]) -> frozenset[str]:
    return frozenset(connection.execute(query).scalars())


def _found(connection: sa.Connection, run: str) -> dict[str, tuple[str, Message]]:
    rows = connection.execute(sa.select(FOUND).where(FOUND.c.run == run)).mappings()
    return {
        row["name"]: (row["debate"], message_of(run, row["debate"], row["name"], row["data"])) for row in rows
    }


def _forget_failures(connection: sa.Connection, run: str) -> None:
    """Have the debates that failed held again; calls whose Ask got no answer belong to no Ask any more."""
    failed = sa.select(DEBATES.c.id).where(DEBATES.c.run == run, DEBATES.c.state == FAILURE)
    for debate in connection.execute(failed).scalars().all():
        answered = _answered(connection, run, debate)
        unanswered = (CALLS.c.run == run, CALLS.c.debate == debate, CALLS.c.ask.not_in(answered))
        connection.execute(CALLS.update().where(*unanswered).values(ask=0))
    connection.execute(DEBATES.delete().where(DEBATES.c.run == run, DEBATES.c.state == FAILURE))


def _answered(connection: sa.Connection, run: str, debate: str) -> Sequence[int]:
    query = sa.select(MESSAGES.c.seq, MESSAGES.c.data).where(
        MESSAGES.c.run == run, MESSAGES.c.debate == debate
    )
    said = (message_of(run, debate, seq, data) for seq, data in connection.execute(query))
    return [message.answers for message in said if isinstance(message, Reply)]
