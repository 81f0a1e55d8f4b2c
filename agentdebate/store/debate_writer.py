"""Writes debates: their lines as they are said, and how they ended with their documents, scores and costs."""

import asyncio
from collections import defaultdict
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import count
from typing import Any

import sqlalchemy as sa

from agentdebate.debates.record import Record
from agentdebate.models.base import Call
from agentdebate.store._debates import (
    COSTS,
    DEBATES,
    SCORES,
    changed_in_talk,
    cost_rows,
    debate_row,
    debate_sum,
    numbers_of,
    score_rows,
)
from agentdebate.store._in_flight import (
    DOCUMENTS,
    IN_FLIGHT,
    call_line,
    document_row,
    line_row,
    take_lines,
)
from agentdebate.store._runs import FOUND, ITEMS, long_items
from agentdebate.store.run_tables import RunCall, models_of
from agentdebate.store.schema import Entry, batches, insert_rows
from agentdebate.talk.envelope import message_line
from agentdebate.talk.messages import Message

Lines = Mapping[int, str]

_SEVERAL = 32
"""Debates whose documents are made at a time: they may be long."""

_SHARED = (ITEMS, FOUND)
"""Kinds of entries that debates share: the first debate writes them."""


@dataclass(frozen=True)
class Ending:
    """End of a debate: its rows, and the lines of its documents where they are not in flight."""

    debate: str
    row: Mapping[str, Any]
    scores: Sequence[Mapping[str, Any]]
    costs: Sequence[Mapping[str, Any]] = ()
    talk: Lines = field(default_factory=dict)
    calls: Lines = field(default_factory=dict)


Part = Entry | Ending


def enter(connection: sa.Connection, run: int, parts: Iterable[Part], *, again: bool = False) -> None:
    """Enter rows of a run and ends of its debates, within the transaction of the connection.

    `again` passes by what is there already: a server may have taken the rows and gone before it could say so.
    """
    endings = list[Ending]()
    tables = defaultdict[sa.Table, list[dict[str, Any]]](list)
    for part in parts:
        if isinstance(part, Ending):
            endings.append(part)
        else:
            tables[part.table].append({**part.values, "run": run})
    for table, rows in tables.items():
        insert_rows(connection, table, rows, again=again or table in _SHARED)
    for some in batches(endings, _SEVERAL):
        there = take_lines(connection, run, [one.debate for one in some])
        whole = [
            replace(
                one,
                talk={**one.talk, **there.get((one.debate, False), {})},
                calls={**one.calls, **there.get((one.debate, True), {})},
            )
            for one in some
        ]
        enter_ended(connection, run, whole, again=again)


def enter_ended(
    connection: sa.Connection, run: int, endings: Sequence[Ending], *, again: bool = False
) -> None:
    """Enter debates that have ended, with their documents, scores and costs."""
    rows = []
    for one in endings:
        row = {"id": one.debate, "said": len(one.talk), "asked": len(one.calls), **one.row}
        rows.append({"row_sum": debate_sum(row, one.scores, one.costs), **row, "run": run})
    insert_rows(connection, DEBATES, rows, again=again)
    numbers = numbers_of(connection, run, [one.debate for one in endings])
    items = long_items(connection, run, {one.row["item"] for one in endings})
    of_tables = defaultdict[sa.Table, list[Mapping[str, Any]]](list)
    for one in endings:
        number = numbers[one.debate]
        of_debate = {"run": run, "debate": number}
        documents = (_text(one.talk), _text(one.calls), connection.dialect.name)
        of_tables[DOCUMENTS].append(document_row(number, *documents, items.get(one.row["item"], b"")))
        of_tables[SCORES] += [{**row, **of_debate} for row in one.scores]
        of_tables[COSTS] += [{**row, **of_debate} for row in one.costs]
    for table, found in of_tables.items():
        insert_rows(connection, table, found, again=again)


def _text(lines: Lines) -> str:
    return "\n".join([lines[place] for place in sorted(lines)])


Work = Callable[[sa.Connection, int], object]
"""Does something else for the run of a number, in the transaction of a batch."""


@dataclass(eq=False)
class Batch:
    """Batch of writes that share a commit."""

    parts: list[Part] = field(default_factory=list)
    works: list[Work] = field(default_factory=list)
    again: bool = False
    """True if a server that went away may have it already."""
    over: asyncio.Event = field(default_factory=asyncio.Event)
    """Set when it is on disk, or cannot be written."""

    def __bool__(self) -> bool:
        return bool(self.parts or self.works)


Cost = Callable[[Record], float | None]
"""Function of a debate's cost; None if it is unknown."""


class DebateWriter:
    """Writes one debate of a run. Calls are numbered on from those that were `paid` in earlier holdings of it, which it did cost too.

    `put` has a row, or the end of the debate, written with the next commit, for which `commit` waits.
    """

    def __init__(
        self,
        debate: str,
        put: Callable[[Part], None],
        commit: Callable[[str], Awaitable[None]],
        *,
        paid: Sequence[RunCall] = (),
    ) -> None:
        self.debate, self._put, self._commit = debate, put, commit
        self._numbers = count(1 + max((call.number for call in paid), default=0))
        self._made = [(call.agent, call.round, call.completion) for call in paid]

    def __repr__(self) -> str:
        return f"<DebateWriter of {self.debate!r}>"

    def message(self, message: Message) -> None:
        """Have a message written, soon or with the next call. Raises StrategyError where JSON cannot hold it."""
        self._line(message.seq, message_line(message), call=False)

    async def keep(self, call: Call) -> None:
        """Write a call under the next number; returns when it is on disk."""
        await self.call(next(self._numbers), call)

    async def call(self, number: int, call: Call) -> None:
        """Write a call under a number; returns when it is on disk."""
        self._line(number, call_line(number, call, call.request.key()), call=True)
        self._made.append((call.agent, call.round, call.completion))
        await self._commit(self.debate)

    async def record(self, record: Record, cost: Cost | None = None) -> None:
        """Write how the debate ended, and what it cost where that is known; returns when it is on disk."""
        row = record.row()
        values = {
            **debate_row(row),
            "item": record.item.id,
            "changed": changed_in_talk(record.verdict),
            "money": cost(record) if cost else None,
        }
        costs = cost_rows(self._made, models_of(record.transcript))
        self._put(Ending(self.debate, values, [*score_rows(row)], costs))
        await self._commit(self.debate)

    def _line(self, place: int, line: str, *, call: bool) -> None:
        self._put(Entry(IN_FLIGHT, line_row(self.debate, place, line, call=call), self.debate))
