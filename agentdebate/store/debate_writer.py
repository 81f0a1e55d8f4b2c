"""What one debate has written: messages as they are said, calls before they are used, and how it ended."""

from collections.abc import Callable, Iterable
from functools import partial
from itertools import count
from typing import Protocol

from pydantic_core import from_json, to_json, to_jsonable_python

from agentdebate.debates.record import Record
from agentdebate.frozen import changed
from agentdebate.models.base import Call, RequestKeys
from agentdebate.store._debates import Spent, changed_in_talk, debate_row, score_rows
from agentdebate.store._in_flight import IN_FLIGHT, call_line, dumped, line_row, message_line
from agentdebate.store.entry import Ending
from agentdebate.store.outbox import Outbox
from agentdebate.store.statements import Entry
from agentdebate.talk.messages import KINDS, Ask, Message, Reply, Ruling, Score, Statement

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
        return changed(ask, given={**given})
    try:
        given = from_json(to_json(ask.given))
    except ValueError:  # what is wrong with it, if anything, is said where all messages are looked at
        dumped(ask)
        given = to_jsonable_python(ask.given)
    return changed(ask, given=given)
