"""What debates have written: put into an outbox as it is, made into rows in the store's thread, in batches that share a commit."""

import asyncio
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import count, islice
from typing import Any, Protocol

import sqlalchemy as sa
from pydantic_core import from_json, to_json, to_jsonable_python

from agentdebate.codec import read
from agentdebate.debates.record import Record
from agentdebate.errors import AgentDebateError
from agentdebate.models.base import Call, Completion, RequestKeys
from agentdebate.store._debates import COSTS, DEBATES, SCORES, Spent, changed_in_talk, debate_row, score_rows
from agentdebate.store._in_flight import (
    DOCUMENTS,
    IN_FLIGHT,
    call_in,
    call_line,
    document_row,
    line_in,
    line_row,
    take_lines,
)
from agentdebate.store._runs import FOUND, ITEMS
from agentdebate.store.schema import Entry, insert_rows, rows_of
from agentdebate.talk.envelope import dumped, message_line
from agentdebate.talk.messages import KINDS, Ask, Message, Reply, Ruling, Score, Statement

Guard = Callable[[sa.Connection, Sequence[str]], Mapping[str, AgentDebateError]]
"""Says which debates may not be written any more, and why. It is called within the transaction that would write them."""

Lines = dict[int, str]
Fresh = dict[tuple[str, bool], Lines]
"""What is at hand of debates that end: the lines of each, of its messages and of its calls, which no row has yet."""

_SEVERAL = 32
"""Debates whose documents are made at a time."""


@dataclass
class Ending:
    """How a debate ended: its row, its scores, what its calls took, and the lines of its documents as far as they are at hand."""

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
    kept = [part for part in parts if part.debate not in refused]
    endings = {part.debate: part for part in kept if isinstance(part, Ending)}
    fresh: Fresh = {}
    tables = defaultdict[sa.Table, list[dict[str, Any]]](list)
    for part in kept:
        if isinstance(part, Entry):
            if part.table is IN_FLIGHT and part.debate in endings:
                key = part.values["debate"], part.values["call"]
                fresh.setdefault(key, {})[part.values["place"]] = line_in(part.values["entry"])
            else:
                tables[part.table].append({**part.values, "run": run})
    for table, rows in tables.items():
        insert_rows(connection, table, rows, again=again or table in _SHARED)
    ending = iter(endings.values())
    while some := list(islice(ending, _SEVERAL)):
        _end(connection, run, some, fresh, again=again)
    return refused


_SHARED = (ITEMS, FOUND)
"""What several debates come with: the first one enters it."""


def _end(
    connection: sa.Connection, run: int, endings: Sequence[Ending], fresh: "Fresh", *, again: bool
) -> None:
    """Move the lines of debates into their documents, and enter how they ended."""
    names = [one.debate for one in endings]
    there = take_lines(connection, run, names)
    for one in endings:
        for call, lines in ((False, one.talk), (True, one.calls)):
            lines |= {**there.get((one.debate, call), {}), **fresh.get((one.debate, call), {})}
    enter_ended(connection, run, endings, again=again)
    for one in endings:  # they are kept until all of the batch is written, and may be long
        one.talk, one.calls = {}, {}


def enter_ended(
    connection: sa.Connection, run: int, endings: Iterable[Ending], *, again: bool = False
) -> None:
    """Enter debates that have ended, with their documents, scores and costs."""
    some = list(endings)
    rows = [
        {**one.row, "id": one.debate, "run": run, "said": len(one.talk), "asked": len(one.calls)}
        for one in some
    ]
    insert_rows(connection, DEBATES, rows, again=again)
    names = [one.debate for one in some]
    numbers = dict(rows_of(connection, DEBATES.c.id, DEBATES.c.number, names, (DEBATES.c.run, run)))
    dialect = connection.dialect.name
    documents = [
        document_row(numbers[one.debate], _text(one.talk), _text(one.calls), dialect) for one in some
    ]
    insert_rows(connection, DOCUMENTS, documents, again=again)
    for table, found in ((SCORES, [one.scores for one in some]), (COSTS, list(map(_costs, some)))):
        of_table = [
            {**row, "run": run, "debate": numbers[one.debate]}
            for one, values in zip(some, found, strict=True)
            for row in values
        ]
        if of_table:
            insert_rows(connection, table, of_table, again=again)


def _costs(ending: Ending) -> Iterable[Mapping[str, Any]]:
    """What the calls of a debate took, those of earlier holdings included, which are paid for too."""
    for place, line in ending.calls.items():
        if place < ending.first:
            call = call_in(line)
            completion = read(Completion, call["completion"])
            ending.spent.add(call["agent"], call["round"], completion)
    ending.first = 0  # counted, should this be entered once more
    return ending.spent.rows(ending.models)


def _text(lines: Lines) -> str:
    return "\n".join([lines[place] for place in sorted(lines)])


SOON = 0.5
"""Seconds after which rows are written that nobody waits for: a message goes with the next call, or is seen by then."""

Make = Callable[[], Iterable[Part]]
"""Makes rows. It is called in the store's thread, once, in the order in which rows were put."""


class Batch:
    """Rows that go to disk in one commit."""

    def __init__(self) -> None:
        self.unmade: list[tuple[str | None, Make]] = []
        """What is to be written and of which debate; None for what is of the run."""
        self.parts: list[Part] = []
        """The rows that were made of it."""
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
        return bool(self.unmade or self.parts)

    def end(self) -> None:
        """Let everyone go on who waits for it."""
        self.over = True
        for one in self.waiting:
            if not one.done():
                one.set_result(None)

    def follow(self, later: "Batch") -> None:
        """Take in the rows of a later batch, and whoever waits for them."""
        self.unmade += later.unmade
        self.waiting += later.waiting

    def ended(self) -> "asyncio.Future[None]":
        """A future that is done when it is over; cancelling it takes nothing back."""
        done: asyncio.Future[None] = asyncio.Future()
        if self.over:
            done.set_result(None)
        else:
            self.waiting.append(done)
        return done


class Outbox:
    """The batch that goes next. Its reader is woken when somebody waits for it, and else now and then."""

    def __init__(self) -> None:
        self.batch = Batch()
        self._due = False
        self._reader: asyncio.Future[None] | None = None
        self.timer: asyncio.TimerHandle | None = None
        """What sees to it that the batch goes at last; None where nothing has been put since it rang."""

    def __repr__(self) -> str:
        return f"<Outbox with {self.batch!r}>"

    def put(self, debate: str | None, make: Make) -> None:
        """Have rows written with the next commit."""
        self.batch.unmade.append((debate, make))
        if self.timer is None:
            self.remind()

    def remind(self) -> None:
        """Have what was put written soon, if nobody waits for it."""
        self.timer = asyncio.get_running_loop().call_later(SOON, self._ring)

    def ended(self) -> "asyncio.Future[None]":
        """A future that is done when what was put is on disk, or cannot be written."""
        if not self._due:
            self.hurry()
        done: asyncio.Future[None] = asyncio.Future()
        self.batch.waiting.append(done)
        return done

    def hurry(self) -> None:
        """Have the batch written now."""
        self._due = True
        if self._reader is not None and not self._reader.done():
            self._reader.set_result(None)

    async def due(self) -> None:
        """Wait until there is something to be written."""
        while not self._due:
            self._reader = asyncio.Future()
            await self._reader

    def take(self) -> Batch:
        """The batch; what is put from now on is in the next one."""
        batch, self.batch, self._due = self.batch, Batch(), False
        return batch

    def give_back(self, batch: Batch) -> None:
        """Have a batch that could not be written go next, and with it what was put meanwhile."""
        batch.follow(self.batch)
        self.batch = batch

    def close(self) -> None:
        """Let go of the timer."""
        if self.timer is not None:
            self.timer.cancel()

    def _ring(self) -> None:
        self.timer = None
        if self.batch:
            self.hurry()


_MAY_HOLD_ANYTHING: frozenset[type[Message]] = frozenset({Statement, Score, Ruling})
"""Messages whose ballot may be of a package's kind. What JSON cannot hold is told to their sender at once."""

_OURS = frozenset(KINDS.values())

_SCALARS = frozenset({str, int, float, bool, type(None)})
"""What cannot be changed, so that it need not be copied with what holds it."""
_NAMES = frozenset({str})

Cost = Callable[[Record], float | None]
"""What a debate did cost; None where that is not known."""


class Run(Protocol):
    """The run that a debate is of, as far as its writer has to know it."""

    outbox: Outbox
    troubled: bool

    def check(self, debate: str | None) -> None:
        """Raise what writing met."""
        ...


class DebateWriter:
    """Writes one debate of a run: puts what was said, as it is, into the run's outbox. The store's thread makes rows of it.

    Calls are numbered from `first` on.
    """

    def __init__(self, run: Run, debate: str, *, first: int = 1) -> None:
        self.debate = debate
        self._run, self._outbox = run, run.outbox
        self._numbers, self._first = count(first), first
        self._keys, self._spent = RequestKeys(), Spent()

    def __repr__(self) -> str:
        return f"<DebateWriter of {self.debate!r}>"

    def message(self, message: Message) -> None:
        """Have a message written. Raises StrategyError for what a strategy or package says and JSON cannot hold."""
        if type(message) is Ask:
            if message.given:  # the strategy may go on to change it
                message = _as_it_is(message)
        elif type(message) in _MAY_HOLD_ANYTHING:
            ballot = getattr(message, "ballot", None)
            if ballot is not None and ballot.given:
                dumped(message)
        elif type(message) not in _OURS:
            dumped(message)
        self._outbox.put(self.debate, partial(self._said, message))

    async def keep(self, call: Call) -> None:
        """Write a call under the next number; returns when it is on disk."""
        await self._wait_for(partial(self._asked, next(self._numbers), call))

    async def call(self, number: int, call: Call) -> None:
        """Write a call under a number; returns when it is on disk."""
        self._numbers = count(number)
        await self.keep(call)

    async def record(self, record: Record, cost: Cost | None = None) -> None:
        """Write how the debate ended, and what it cost where that is known; returns when it is on disk."""
        await self._wait_for(partial(self._ended, record, cost))

    async def _wait_for(self, make: Callable[[], "Iterable[Entry | Ending]"]) -> None:
        self._outbox.put(self.debate, make)
        await self._outbox.ended()
        if self._run.troubled:
            self._run.check(self.debate)

    # From here on: in the thread.

    def _said(self, message: Message) -> tuple[Entry]:
        row = line_row(self.debate, message.seq, message_line(message), call=False)
        return (Entry(IN_FLIGHT, row, self.debate),)

    def _asked(self, number: int, call: Call) -> tuple[Entry]:
        line = call_line(number, call, self._keys.of(call.request))
        self._spent.add(call.agent, call.round, call.completion)
        return (Entry(IN_FLIGHT, line_row(self.debate, number, line, call=True), self.debate),)

    def _ended(self, record: Record, cost: Cost | None) -> tuple[Ending]:
        row = record.row()
        values = {
            **debate_row(row),
            "item": record.item.id,
            "changed": changed_in_talk(record.verdict),
            "money": cost(record) if cost else None,
        }
        return (
            Ending(
                self.debate,
                values,
                [*score_rows(row)],
                self._spent,
                self._first,
                models_of(record.transcript),
            ),
        )


def models_of(messages: Iterable[Message]) -> dict[str, str]:
    """What the replies of each agent call its model."""
    replies = (one for one in messages if isinstance(one, Reply))
    return {one.sender.partition("#")[0]: one.model for one in replies if one.model}


def _as_it_is(ask: Ask) -> Ask:
    """The question, given what it was given now. Raises StrategyError for what JSON cannot hold."""
    given = ask.given
    if _SCALARS.issuperset(map(type, given.values())) and _NAMES.issuperset(map(type, given)):
        return replace(ask, given={**given})
    try:
        given = from_json(to_json(ask.given))
    except ValueError:  # what is wrong with it, if anything, is said where all messages are looked at
        dumped(ask)
        given = to_jsonable_python(ask.given)
    return replace(ask, given=given)
