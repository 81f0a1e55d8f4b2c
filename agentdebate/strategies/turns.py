"""The turns of a floor: who was given the word, for how long, and what came of it."""

import asyncio
from dataclasses import dataclass
from typing import Any

from agentdebate.agents.sitting import Sitting
from agentdebate.agents.speaker import Speaker
from agentdebate.errors import AgentFailed, StrategyError, TurnTimeout
from agentdebate.talk.bus import Delivery
from agentdebate.talk.messages import Ask, Failure, Purpose, Reply
from agentdebate.talk.turn_clock import TurnClock

_ANSWERS = (Reply, Failure)


@dataclass(eq=False, slots=True)
class Turn:
    """A turn that was asked for: who has the word, and what came of it."""

    speaker: Speaker
    ended: asyncio.Future[None] | None = None
    """Done when it is answered and when its time is over: an answer that still comes is too late to count. None where nobody
    waits yet, as with a relay, which answers as it is asked.
    """
    answer: Reply | Failure | None = None
    cause: Exception | None = None
    """What kept the speaker from answering."""
    clock: TurnClock | None = None
    """The time that it may take; None for a turn that is answered at once."""


class Turns:
    """Holds the turns of one floor, several at once where several are asked."""

    def __init__(self, sitting: Sitting) -> None:
        self.talk: list[Reply] = []
        """What was said in time by speakers with a model, in order."""
        self.causes: dict[str, Exception] = {}
        """What kept speakers from answering the first time, by their addresses."""
        self._bus, self._deadlines = sitting.bus, sitting.common.deadlines
        self._seconds = sitting.settings.deadline
        self._waiting: dict[int, Turn] = {}
        """Those that are waited for, by the numbers of their Asks."""
        sitting.bus.receive(self._hear)

    def __repr__(self) -> str:
        return f"<Turns: {len(self._waiting)} under way>"

    async def hold(self, speaker: Speaker, ask: Ask, wanted: Purpose[Any], *, timed: bool) -> Turn:
        """A turn that was held to its end: it was answered, or its time is over. One that is not `timed` is answered at once."""
        form = None if isinstance(wanted.form, str) else wanted.form
        clock = TurnClock(self._seconds, self._deadlines) if timed else None
        # A relay answers as it is asked, so that the turn is known before its question has a number.
        number = len(self._bus.sent) + 1
        turn = self._waiting[number] = Turn(speaker, clock=clock)
        try:
            await self._bus.send(ask, clock=clock, form=form, prompt=wanted.prompt)
            if turn.answer is None and clock is not None:
                turn.ended = self._deadlines.begin(clock)
                await turn.ended
        finally:
            if turn.ended is not None:
                self._deadlines.end(turn.ended)
            del self._waiting[number]
        return turn

    def unanswered(self, turn: Turn, wanted: Purpose[Any]) -> Exception:
        """Why a turn came to no answer of the kind that was wanted."""
        answer, name = turn.answer, turn.speaker.name
        if answer is None:
            trouble = f"; its last try: {turn.clock.trouble}" if turn.clock and turn.clock.trouble else ""
            return TurnTimeout(f"{name} did not answer within {self._seconds:g} seconds{trouble}", agent=name)
        if isinstance(answer, Failure):
            return AgentFailed(f"{name}: {answer.reason}", agent=name)
        was = f"a reply of the kind {wanted.kind!r} is a {type(answer).__name__}"
        return StrategyError(f"the purpose {wanted.name!r} wants a {wanted.reply.__name__}, and {was}")

    def _hear(self, delivery: Delivery) -> None:
        """Take what answers a turn, and end the turn, where it is still waited for."""
        answer, cause = delivery.message, delivery.cause
        turn = self._waiting.get(answer.answers or 0) if isinstance(answer, _ANSWERS) else None
        if turn is None or turn.answer is not None or (turn.ended is not None and turn.ended.done()):
            return
        assert isinstance(answer, _ANSWERS)
        turn.answer, turn.cause = answer, cause
        if cause is not None:
            self.causes.setdefault(turn.speaker.name, cause)
        if turn.ended is not None:
            turn.ended.set_result(None)
        if isinstance(answer, Reply) and answer.model:
            self.talk.append(answer)
