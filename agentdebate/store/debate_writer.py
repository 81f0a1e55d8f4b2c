"""Writes debates: what they say is put into an outbox as it is, made into rows in the store's thread, and entered in batches."""

import asyncio
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import count
from typing import Any, Protocol

import sqlalchemy as sa

from agentdebate.codec import read
from agentdebate.debates.record import Record
from agentdebate.errors import AgentDebateError
from agentdebate.models.base import Call, Completion
from agentdebate.store._debates import (
    COSTS,
    DEBATES,
    SCORES,
    Spent,
    changed_in_talk,
    debate_row,
    numbers_of,
    score_rows,
)
from agentdebate.store._in_flight import (
    DOCUMENTS,
    IN_FLIGHT,
    call_in,
    call_line,
    document_row,
    line_row,
    take_lines,
)
from agentdebate.store._runs import FOUND, ITEMS
from agentdebate.store.schema import Entry, insert_rows
from agentdebate.talk.envelope import message_line
from agentdebate.talk.messages import KINDS, Ask, Message, Reply

Guard = Callable[[sa.Connection, Sequence[str]], Mapping[str, AgentDebateError]]
"""Says which debates may not be written any more, and why. It is called within the transaction that would write them."""

Lines = Mapping[int, str]

_SEVERAL = 32
"""Debates whose documents are made at a time: they may be long."""

_SHARED = (ITEMS, FOUND)
"""What several debates come with: the first one enters it."""


@dataclass
class Ending:
    """How a debate ended: its row, its scores, what its calls took, and the lines of its documents where they are not in flight."""

    debate: str
    row: Mapping[str, Any]
    scores: Sequence[Mapping[str, Any]]
    spent: Spent = field(default_factory=Spent)
    first: int = 1
    """The number of the first call whose cost is in `spent`; earlier ones are read where they stand."""
    models: Mapping[str, str] = field(default_factory=dict)
    """What the replies of each agent call its model."""
    talk: Lines = field(default_factory=dict)
    calls: Lines = field(default_factory=dict)


Part = Entry | Ending


def enter(
    connection: sa.Connection,
    run: int,
    parts: Sequence[Part],
    *,
    guard: Guard | None = None,
    again: bool = False,
) -> Mapping[str, AgentDebateError]:
    """Enter rows of a run and ends of its debates, within the transaction of the connection. The debates that the guard refused come back.

    Of these nothing is entered. `again` passes by what is there already: a server may have taken the rows and gone before it could
    say so.
    """
    debates = [one for one in dict.fromkeys(part.debate for part in parts) if one is not None]
    refused = guard(connection, debates) if guard and debates else {}
    endings = list[Ending]()
    tables = defaultdict[sa.Table, list[dict[str, Any]]](list)
    for part in parts:
        if part.debate in refused:
            continue
        if isinstance(part, Ending):
            endings.append(part)
        else:
            tables[part.table].append({**part.values, "run": run})
    for table, rows in tables.items():
        insert_rows(connection, table, rows, again=again or table in _SHARED)
    for start in range(0, len(endings), _SEVERAL):
        _end(connection, run, endings[start : start + _SEVERAL], again=again)
    return refused


def _end(connection: sa.Connection, run: int, endings: Sequence[Ending], *, again: bool) -> None:
    """Move the lines of debates into their documents, and enter how they ended."""
    there = take_lines(connection, run, [one.debate for one in endings])
    whole = [
        replace(
            one,
            talk={**one.talk, **there.get((one.debate, False), {})},
            calls={**one.calls, **there.get((one.debate, True), {})},
        )
        for one in endings
    ]
    enter_ended(connection, run, whole, again=again)


def enter_ended(
    connection: sa.Connection, run: int, endings: Sequence[Ending], *, again: bool = False
) -> None:
    """Enter debates that have ended, with their documents, scores and costs."""
    rows = [
        {**one.row, "id": one.debate, "run": run, "said": len(one.talk), "asked": len(one.calls)}
        for one in endings
    ]
    insert_rows(connection, DEBATES, rows, again=again)
    numbers = numbers_of(connection, run, [one.debate for one in endings])
    of_tables = defaultdict[sa.Table, list[Mapping[str, Any]]](list)
    for one in endings:
        of_debate = {"run": run, "debate": numbers[one.debate]}
        talk, calls = _text(one.talk), _text(one.calls)
        of_tables[DOCUMENTS].append(document_row(numbers[one.debate], talk, calls, connection.dialect.name))
        of_tables[SCORES] += [{**row, **of_debate} for row in one.scores]
        of_tables[COSTS] += [{**row, **of_debate} for row in _costs(one)]
    for table, found in of_tables.items():
        insert_rows(connection, table, found, again=again)


def _text(lines: Lines) -> str:
    return "\n".join([lines[place] for place in sorted(lines)])


def _costs(ending: Ending) -> Iterable[Mapping[str, Any]]:
    """What the calls of a debate took, those of earlier holdings included, which are paid for too."""
    spent = ending.spent.copy()
    for place, line in ending.calls.items():
        if place < ending.first:
            call = call_in(line)
            spent.add(call["agent"], call["round"], read(Completion, call["completion"]))
    return spent.rows(ending.models)


SOON = 0.5
"""Seconds after which rows are written that nobody waits for: a message goes with the next call, or is seen by then."""

Make = Callable[[], Iterable[Part]]
"""Makes rows. It is called in the store's thread, once, in the order in which rows were put."""

Work = Callable[[sa.Connection, int], object]
"""Does something else for the run of a number, in the transaction of a batch."""


class Batch:
    """Rows that go to disk in one commit."""

    def __init__(self) -> None:
        self.unmade: list[tuple[str | None, Make]] = []
        """What is to be written and of which debate; None for what is of the run."""
        self.parts: list[Part] = []
        """The rows that were made of it."""
        self.works: list[Work] = []
        self.again = False
        """Whether a server that went away may have them already."""
        self.written = False
        """Whether they were committed, which is known even where whoever waited for it was cancelled."""
        self.over = False
        """Whether they are on disk, or cannot be written."""
        self.waiting: list[asyncio.Future[None]] = []

    def __repr__(self) -> str:
        return f"<Batch of {len(self.unmade) + len(self.parts)} rows>"

    def __bool__(self) -> bool:
        return bool(self.unmade or self.parts or self.works)

    def ended(self) -> "asyncio.Future[None]":
        """A future that is done when it is over; cancelling it takes nothing back."""
        done: asyncio.Future[None] = asyncio.Future()
        if self.over:
            done.set_result(None)
        else:
            self.waiting.append(done)
        return done

    def end(self) -> None:
        """Let everyone go on who waits for it."""
        self.over = True
        for one in self.waiting:
            if not one.done():
                one.set_result(None)


class Outbox:
    """The batch that goes next. It goes when somebody waits for it, and else soon."""

    def __init__(self) -> None:
        self.batch = Batch()
        self._due = asyncio.Event()
        self._timer: asyncio.TimerHandle | None = None
        """Sees to it that the batch goes at last; None where nothing has been put since it rang."""

    def __repr__(self) -> str:
        return f"<Outbox with {self.batch!r}>"

    def put(self, debate: str | None, make: Make) -> None:
        """Have rows written with the next commit."""
        self.batch.unmade.append((debate, make))
        if self._timer is None:
            self._timer = asyncio.get_running_loop().call_later(SOON, self._ring)

    def do(self, work: Work) -> None:
        """Have something done in the transaction of the next commit, which comes now."""
        self.batch.works.append(work)
        self._due.set()

    def ended(self) -> "asyncio.Future[None]":
        """A future that is done when what was put is on disk, or cannot be written."""
        if not self.batch.waiting:
            self._due.set()
        return self.batch.ended()

    async def due(self) -> None:
        """Wait until there is something to be written."""
        await self._due.wait()

    def take(self) -> Batch:
        """The batch; what is put from now on is in the next one."""
        batch, self.batch = self.batch, Batch()
        self._due.clear()
        return batch

    def close(self) -> None:
        """Let go of the timer."""
        if self._timer is not None:
            self._timer.cancel()

    def _ring(self) -> None:
        self._timer = None
        if self.batch:
            self._due.set()


_OURS = frozenset(KINDS.values())

Cost = Callable[[Record], float | None]
"""What a debate did cost; None where that is not known."""


class Run(Protocol):
    """The run that a debate is of, as far as its writer has to know it."""

    outbox: Outbox

    async def commit(self, debate: str | None = None) -> None:
        """Wait until everything put so far is on disk; raise what writing met."""
        ...


class DebateWriter:
    """Writes one debate of a run: puts what was said, as it is, into the run's outbox. The store's thread makes rows of it.

    Calls are numbered from `first` on.
    """

    def __init__(self, run: Run, debate: str, *, first: int = 1) -> None:
        self.debate = debate
        self._run, self._put = run, partial(run.outbox.put, debate)
        self._numbers, self._first = count(first), first
        self._spent = Spent()

    def __repr__(self) -> str:
        return f"<DebateWriter of {self.debate!r}>"

    def message(self, message: Message) -> None:
        """Have a message written.

        What a strategy may go on to change, and what a package says, is made into a line at once: raises StrategyError where JSON
        cannot hold it. What else cannot be held is raised by the next call.
        """
        given = type(message) is Ask and message.given
        line = message_line(message) if given or type(message) not in _OURS else None
        self._put(partial(self._said, message, line))

    async def keep(self, call: Call) -> None:
        """Write a call under the next number; returns when it is on disk."""
        self._put(partial(self._asked, next(self._numbers), call))
        await self._run.commit(self.debate)

    async def call(self, number: int, call: Call) -> None:
        """Write a call under a number; returns when it is on disk."""
        self._numbers = count(number)
        await self.keep(call)

    async def record(self, record: Record, cost: Cost | None = None) -> None:
        """Write how the debate ended, and what it cost where that is known; returns when it is on disk."""
        self._put(partial(self._ended, record, cost))
        await self._run.commit(self.debate)

    # From here on: in the thread.

    def _said(self, message: Message, line: str | None) -> tuple[Entry]:
        return self._entry(message.seq, line or message_line(message), call=False)

    def _asked(self, number: int, call: Call) -> tuple[Entry]:
        line = call_line(number, call, call.request.key())
        self._spent.add(call.agent, call.round, call.completion)
        return self._entry(number, line, call=True)

    def _entry(self, place: int, line: str, *, call: bool) -> tuple[Entry]:
        return (Entry(IN_FLIGHT, line_row(self.debate, place, line, call=call), self.debate),)

    def _ended(self, record: Record, cost: Cost | None) -> tuple[Ending]:
        row = record.row()
        values = {
            **debate_row(row),
            "item": record.item.id,
            "changed": changed_in_talk(record.verdict),
            "money": cost(record) if cost else None,
        }
        models = models_of(record.transcript)
        return (Ending(self.debate, values, [*score_rows(row)], self._spent, self._first, models),)


def models_of(messages: Iterable[Message]) -> dict[str, str]:
    """What the replies of each agent call its model."""
    replies = (one for one in messages if isinstance(one, Reply))
    return {one.sender.partition("#")[0]: one.model for one in replies if one.model}
