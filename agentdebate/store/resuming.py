"""A run taken up again: what of it has ended, what is on disk of the debates that have not."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import sqlalchemy as sa

from agentdebate.debates.outcome import FAILURE
from agentdebate.models.base import Completion
from agentdebate.store.database import Database
from agentdebate.store.entry import number_of
from agentdebate.store.piece_table import PieceShelf
from agentdebate.store.rows import completion_of, found_of, listed_pieces, message_of
from agentdebate.store.schema import CALLS, DEBATES, FOUND, ITEMS, MESSAGES, RUNS, SCORES, TALKS
from agentdebate.talk.messages import Message, Reply

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
    return database.change(partial(_take_up, run=run, shelf=PieceShelf(database), retry_failed=retry_failed))


def _take_up(connection: sa.Connection, *, run: str, shelf: PieceShelf, retry_failed: bool) -> Begun:
    number = number_of(connection, run)
    if retry_failed:
        forget_failures(connection, run, number, shelf)
    ended = _ids(connection, sa.select(DEBATES.c.id).where(DEBATES.c.run == number))
    over = sa.select(DEBATES.c.id).where(DEBATES.c.run == number)
    left = (TALKS.c.run == number, TALKS.c.debate.not_in(over))
    for table in (MESSAGES, SCORES):
        connection.execute(table.delete().where(table.c.talk.in_(sa.select(TALKS.c.number).where(*left))))
    connection.execute(RUNS.update().where(RUNS.c.number == number).values(ended=None))
    has_calls = sa.exists().where(CALLS.c.talk == TALKS.c.number)
    paid = _ids(connection, sa.select(TALKS.c.debate).where(*left, has_calls))
    items = _ids(connection, sa.select(ITEMS.c.id).where(ITEMS.c.run == number))
    tasks = connection.execute(sa.select(RUNS.c.task).where(RUNS.c.number == number)).scalar() or ""
    common = _calls(connection, run, shelf, *left, CALLS.c.shown == _NOTHING)
    return Begun(ended, items, tasks, paid, common, _found(connection, run, number))


def paid_calls(database: Database, run: str, debate: str) -> list[Paid]:
    """The calls of a debate that can be given again, and, with no key, those that cannot. Raises StoreError.

    It uses one connection after the other and never two at a time: many threads call this at once, and where each held one and
    waited for a second, the pool would be empty and none could go on.
    """
    of_run = TALKS.c.run == sa.select(RUNS.c.number).where(RUNS.c.id == run).scalar_subquery()
    rows = database.look(lambda connection: _call_rows(connection, of_run, TALKS.c.debate == debate))
    return _paid(run, rows, PieceShelf(database))


def _calls(
    connection: sa.Connection, run: str, shelf: PieceShelf, *where: "sa.ColumnElement[bool]"
) -> list[Paid]:
    return _paid(run, _call_rows(connection, *where), shelf)


def _call_rows(connection: sa.Connection, *where: "sa.ColumnElement[bool]") -> Sequence[sa.RowMapping]:
    query = sa.select(CALLS, TALKS.c.debate).join(TALKS, TALKS.c.number == CALLS.c.talk).where(*where)
    return connection.execute(query.order_by(TALKS.c.debate, CALLS.c.number)).mappings().all()


def _paid(run: str, rows: Sequence[sa.RowMapping], shelf: PieceShelf) -> list[Paid]:
    shelf.fetch(number for row in rows for number in listed_pieces(row, ["texts"]))
    return [
        Paid(
            row["number"],
            row["agent"],
            row["key"] if row["ask"] else "",
            completion_of(run, row, shelf),
        )
        for row in rows
    ]


def _ids(connection: sa.Connection, query: "sa.Select[Any]") -> frozenset[str]:
    return frozenset(connection.execute(query).scalars())


def _found(connection: sa.Connection, run: str, number: int) -> dict[str, tuple[str, Message]]:
    rows = connection.execute(sa.select(FOUND).where(FOUND.c.run == number)).mappings()
    return {row["name"]: (row["debate"], found_of(run, row)) for row in rows}


def forget_failures(connection: sa.Connection, run: str, number: int, shelf: PieceShelf) -> None:
    """Have the debates that failed held again; calls whose Ask got no answer belong to no Ask any more."""
    failed = (DEBATES.c.run == number, DEBATES.c.outcome == FAILURE.name)
    query = sa.select(TALKS.c.number, TALKS.c.debate).join(
        DEBATES, sa.and_(DEBATES.c.run == TALKS.c.run, DEBATES.c.id == TALKS.c.debate)
    )
    for talk, debate in connection.execute(query.where(*failed)).all():
        answered = _answered(connection, run, talk, debate, shelf)
        unanswered = (CALLS.c.talk == talk, CALLS.c.ask.not_in(answered))
        connection.execute(CALLS.update().where(*unanswered).values(ask=0))
    connection.execute(DEBATES.delete().where(*failed))


def _answered(
    connection: sa.Connection, run: str, talk: int, debate: str, shelf: PieceShelf
) -> Sequence[int]:
    rows = connection.execute(sa.select(MESSAGES).where(MESSAGES.c.talk == talk)).mappings().all()
    shelf.fetch(number for row in rows for number in listed_pieces(row, ["texts"]))
    said = (message_of(run, debate, row, shelf) for row in rows)
    return [message.answers for message in said if isinstance(message, Reply)]
