"""The turns of a floor: who was given the word, reminded of what, for how long, and what came of it."""

from dataclasses import dataclass

from agentdebate.agents.debate import Debate
from agentdebate.agents.debate_settings import USUAL
from agentdebate.agents.seat import Seat
from agentdebate.errors import AgentFailed, StrategyError, TurnTimeout
from agentdebate.models.wrapper import tier_of
from agentdebate.strategies.histories import HistoryContext, Remembered, counted, history_rule, keep
from agentdebate.strategies.rule import RegisteredRule
from agentdebate.talk.bus import Delivery
from agentdebate.talk.messages import FLOOR, Ask, Failure, Forget, Reply, ReplyType, words_of
from agentdebate.talk.purposes import Purpose
from agentdebate.talk.turn_clock import TurnClock

_AT_FLEX = 1800.0
"""Usual seconds of a turn at the tier flex: a call of 15 minutes, and as much again at the standard tier."""


@dataclass(eq=False, slots=True)
class Turn:
    """A turn that was asked for: who has the word, and what came of it."""

    seat: Seat
    clock: TurnClock
    """The time that it may take."""
    answer: Reply | Failure | None = None
    cause: Exception | None = None
    """Error that kept the agent from answering."""


class Turns:
    """Holds the turns of one floor, several at once where several are asked."""

    def __init__(self, debate: Debate) -> None:
        self.said: list[tuple[Seat, Reply]] = []
        """Replies given in time by agents with a model, in order."""
        self._bus, self._actors, self._deadline = debate.bus, debate.actors, debate.settings.deadline
        self._waiting: dict[int, Turn] = {}
        """Turns that are waited for, by the numbers of their Asks."""
        self._rules: dict[str, RegisteredRule | None] = {}
        """The history rules of agents; None where nothing is forgotten."""
        self._bus.floors.append(self._hear)

    def __repr__(self) -> str:
        return f"<Turns: {len(self._waiting)} under way>"

    async def hold(self, seat: Seat, ask: Ask, wanted: Purpose[ReplyType]) -> ReplyType:
        """Hold a turn and return the answer. Raises TurnTimeout, AgentFailed, and StrategyError for one of a wrong kind."""
        self._remind(seat, ask)
        clock = TurnClock(self._seconds(seat))
        number = len(self._bus.sent) + 1  # a relay answers before its question has come back with its number
        turn = self._waiting[number] = Turn(seat, clock)
        try:
            self._bus.send(ask, clock=clock, purpose=wanted)
            await clock.ended
        finally:
            clock.end()
            del self._waiting[number]
        if isinstance(turn.answer, wanted.reply):
            return turn.answer
        raise self._unanswered(turn, wanted.name, wanted.kind, wanted.reply.__name__) from turn.cause

    def _seconds(self, seat: Seat) -> float:
        """Return the seconds of a turn: more for a model at the tier flex, where none are asked for."""
        usual = self._deadline == USUAL.deadline and not seat.plan.relay
        return _AT_FLEX if usual and tier_of(seat.model) == "flex" else self._deadline

    def _unanswered(self, turn: Turn, purpose: str, kind: str, reply: str) -> Exception:
        """Return the error of a turn without an answer of the wanted kind."""
        answer, name = turn.answer, turn.seat.name
        if answer is None:
            trouble = f"; its last try: {turn.clock.trouble}" if turn.clock.trouble else ""
            seconds = f"{self._seconds(turn.seat):g} seconds{trouble}"
            return TurnTimeout(f"{name} did not answer within {seconds}", agent=name)
        if isinstance(answer, Failure):
            return AgentFailed(f"{name}: {answer.reason}", agent=name)
        was = f"a reply of the kind {kind!r} is a {type(answer).__name__}"
        return StrategyError(f"the purpose {purpose!r} wants a {reply}, and {was}")

    def _hear(self, delivery: Delivery) -> None:
        """Take what answers a turn, and end the turn, where it is still waited for."""
        answer = delivery.message
        if not isinstance(answer, Reply | Failure):
            return
        turn = self._waiting.get(answer.answers or 0)
        if turn is None or turn.clock.ended.done():
            return
        turn.answer, turn.cause = answer, delivery.cause
        turn.clock.end()
        if isinstance(answer, Reply) and answer.model:
            self.said.append((turn.seat, answer))

    def _remind(self, seat: Seat, ask: Ask) -> None:
        """Have an agent forget what its history rule does not keep; what it hears with the question is kept."""
        if seat.plan.history is None or seat.plan.relay:
            return
        if seat.name not in self._rules:
            self._rules[seat.name] = history_rule(seat.plan.history)
        rule = self._rules[seat.name]
        if rule is None:
            return
        heard = [self._bus.sent[number - 1] for number in ask.hearing]
        talk = tuple(
            Remembered(one.seq, one.sender, one.round, one.kind, words_of(one), seat.model.name)
            for one in {one.seq: one for one in (*self._actors[seat.name].memory.talk, *heard)}.values()
            if one.sender != FLOOR
        )
        context = HistoryContext(seat.name, ask.round, seat.model.name)
        kept = {one.number for one in keep(rule, talk, context)}
        dropped = tuple(one.number for one in talk if one.number not in kept.union(ask.hearing))
        if dropped:
            how = counted(rule.name, talk)
            self._bus.send(
                Forget(sender=FLOOR, to=ask.to, round=ask.round, dropped=dropped, rule=rule.name, counted=how)
            )
