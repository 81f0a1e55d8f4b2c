"""What one debate has written: messages as they are said, calls before they are used, and how it ended."""

from collections.abc import Callable
from functools import partial
from itertools import count
from typing import Protocol

from pydantic_core import from_json, to_json, to_jsonable_python

from agentdebate.debates.record import Record
from agentdebate.frozen import changed
from agentdebate.models.base import Call
from agentdebate.store.outbox import Outbox
from agentdebate.store.record_rows import Talk, dumped
from agentdebate.talk.messages import (
    Ask,
    Brief,
    Critique,
    Evidence,
    Failure,
    Forget,
    Message,
    Plan,
    Roster,
    Ruling,
    Score,
    Selection,
    Statement,
    Summary,
    Tell,
    Verdict,
)
from agentdebate.tasks import Item

_OURS: frozenset[type[Message]] = frozenset(
    {Brief, Critique, Evidence, Failure, Forget, Plan, Roster, Selection, Summary, Tell, Verdict}
)
"""Messages whose content is always ours. A package may have put values into others that JSON cannot hold, and their sender has to
be told at once.
"""

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
    """Writes one debate of a run: puts what was said, as it is, into the run's outbox. The store's thread makes rows of it."""

    def __init__(self, run: Run, debate: str, item: Item | None = None, *, first: int = 1) -> None:
        self.debate = debate
        self._run, self._outbox = run, run.outbox
        self._talk = Talk(debate, item)
        self._numbers = count(first)

    def __repr__(self) -> str:
        return f"<DebateWriter of {self.debate!r}>"

    def message(self, message: Message) -> None:
        """Have a message written. Raises StrategyError for what a strategy or package says and JSON cannot hold."""
        if type(message) is Ask:
            if message.given:  # the strategy may go on to change it
                message = _as_it_is(message)
        elif type(message) is Statement or type(message) is Score or type(message) is Ruling:
            if message.ballot is not None and message.ballot.given:
                dumped(message)
        elif type(message) not in _OURS:
            dumped(message)
        outbox = self._outbox  # as its `put` does it, for every message of every debate
        outbox.batch.unmade.append((self.debate, partial(self._talk.message, message)))
        if outbox.timer is None:
            outbox.remind()

    async def keep(self, call: Call) -> None:
        """Write a call under the next number; returns when it is on disk."""
        outbox = self._outbox
        outbox.batch.unmade.append((self.debate, partial(self._talk.call, next(self._numbers), call)))
        await outbox.ended()
        if self._run.troubled:
            self._run.check(self.debate)

    async def call(self, number: int, call: Call) -> None:
        """Write a call under a number; returns when it is on disk."""
        self._numbers = count(number)
        await self.keep(call)

    async def record(self, record: Record, cost: Cost | None = None) -> None:
        """Write how the debate ended, and what it cost where that is known; returns when it is on disk."""
        self._outbox.put(self.debate, partial(self._talk.ended, record, cost))
        await self._outbox.ended()
        if self._run.troubled:
            self._run.check(self.debate)


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
