"""The actors: an agent reads its mailbox, remembers, and answers when it is asked."""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import replace
from typing import Any

from agentdebate.agents.common import FirstReading
from agentdebate.agents.debate_settings import DebateSettings
from agentdebate.agents.memory import Memory
from agentdebate.agents.replies import read_reply
from agentdebate.agents.reply_kind import Doubt, Fields, ReplyKind
from agentdebate.agents.request import RequestWriter
from agentdebate.agents.samples import complete
from agentdebate.agents.seat import Seat
from agentdebate.agents.subject import Subject
from agentdebate.ballots.ballot import Ballot
from agentdebate.ballots.plain import plain
from agentdebate.ballots.repetition import copies, repetition
from agentdebate.ballots.replies.outcome import Problem
from agentdebate.errors import AgentFailed, ModelError, ReplyTooLong, StrategyError, UnreadableReply
from agentdebate.models.base import Call, Completion, Model, ModelRequest
from agentdebate.talk.bus import Bus, Delivery
from agentdebate.talk.messages import FLOOR, Ask, Critique, Failure, Statement, words_of
from agentdebate.talk.turn_clock import turn_clock
from agentdebate.telemetry import ERROR, Span
from agentdebate.wrong_values import in_words

Recorder = Callable[[Call], Awaitable[None]]
"""Takes note of a call before its completion is used."""


class Actor:
    """Someone in a seat, with a memory. What it is told it remembers; what it is asked it answers, to the floor."""

    answering = False
    """True while it has been asked and has not answered."""

    def __init__(self, seat: Seat, bus: Bus, subject: Subject) -> None:
        self.name, self.subject = seat.name, subject
        self.memory = Memory()
        self._bus = bus

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self.name!r}, {self.memory!r}>"

    def leave(self) -> None:
        """Hear nothing any more."""


class Agent(Actor):
    """An actor whose words come from a model: it reads its mailbox, one delivery after the other."""

    def __init__(
        self,
        seat: Seat,
        model: Model,
        bus: Bus,
        subject: Subject,
        *,
        settings: DebateSettings,
        record: Recorder,
        first: FirstReading,
    ) -> None:
        super().__init__(seat, bus, subject)
        self._mailbox: asyncio.Queue[Delivery | None] = asyncio.Queue()
        bus.open(self.name, seat.called, self._mailbox.put_nowait)
        self._model, self._speaks_as = model, model.name
        self._patience, self._record, self._first = settings.patience, record, first
        self._writer = RequestWriter(seat, subject, settings, bus)

    def leave(self) -> None:
        """Read to the end of what is in the mailbox."""
        self._mailbox.put_nowait(None)

    async def run(self) -> None:
        """Read the mailbox until its end. Raises AgentFailed, whose cause is what went wrong."""
        try:
            while (delivery := await self._mailbox.get()) is not None:
                self.memory.take(delivery.message, delivery.heard)
                if isinstance(delivery.message, Ask):
                    self.answering = True
                    await self._turn(delivery.message, delivery)
                    self.answering = False
        except Exception as error:
            raise AgentFailed(f"{self.name}: {in_words(error)}", agent=self.name) from error

    async def _turn(self, ask: Ask, delivery: Delivery) -> None:
        """Answer, or say that there is no answer, which is a message too: the strategy decides what follows from it.

        Raises what ends the run.
        """
        turn_clock.set(delivery.clock)
        about: dict[str, Any] = {"sender": self.name, "to": (FLOOR,), "round": ask.round, "answers": ask.seq}
        with Span("turn", agent=self.name, round=ask.round, purpose=ask.purpose) as span:
            try:
                kind, fields = await self.answer(ask, delivery)
                reply = kind.made(fields, model=self._speaks_as, **about)
            except (UnreadableReply, ModelError) as error:
                if isinstance(error, ModelError) and error.ends_run:
                    raise
                name = type(error).__name__
                span.tell({ERROR: name})
                self._bus.send(Failure(error=name, reason=str(error), agent=self.name, **about), cause=error)
            else:
                self.memory.keep(self._bus.send(reply))

    async def answer(self, ask: Ask, delivery: Delivery) -> tuple[ReplyKind, Fields]:
        """Ask the model, and ask again with what was wrong while the reply cannot be read.

        Raises UnreadableReply when patience ends, ReplyTooLong where the last reply was too long, NothingRead where no reply of the run
        can be read, and StrategyError, before anything is paid for, where the kind of reply is none that an agent can give. A reply that
        stays in doubt to the end counts as far as it can be read.
        """
        question = self._writer.question(ask, delivery.purpose)
        shown, first = self._writer.request(ask, question, self.memory)
        kind, request, spec = question.kind, first, question.spec
        problems: tuple[str, ...] = ()
        repeated, doubted = 0, False
        for attempt in range(1, self._patience + 1):
            self._first.check()
            completion = await self._complete(kind, request, ask, attempt, shown)
            read = self._copied(kind, completion, first) or read_reply(kind, completion, spec, ask.confidence)
            if not isinstance(read, Problem):
                self._first.read(kind.message)
            if isinstance(read, Doubt):  # asked about once
                last, doubted = doubted or attempt == self._patience, True
                read = read.fields if last else Problem("several", read.text)
            if not isinstance(read, Problem):
                return kind, _after(read, problems, repeated) if problems else read
            loop = repetition(completion.text)
            repeated += loop is not None
            problems = (*problems, loop.said(completion.text) if loop else read.text)
            asked = replace(first, sampling=request.sampling)  # and none of the questions back before
            request = self._writer.again(
                question, asked, completion, problems[-1], loops=loop is not None, attempt=attempt
            )
            spec = replace(spec, asked_again=True)
        self._first.fail(kind.message, self._speaks_as, problems[-1], completion.text)
        raise UnreadableReply(
            f"{len(problems)} replies could not be read; the last: {problems[-1]}",
            agent=self.name,
            problems=problems,
        )

    async def _complete(
        self, kind: ReplyKind, request: ModelRequest, ask: Ask, attempt: int, shown: tuple[int, ...]
    ) -> Completion:
        """A completion, which is taken note of before it is used; one that is too long to be kept counts as cut at its beginning.

        Raises ModelError, and ReplyTooLong where nothing is asked any more.
        """

        def keep(request: ModelRequest, completion: Completion) -> Awaitable[None]:
            return self._record(Call(self.name, ask.round, ask.seq, attempt, shown, request, completion))

        try:
            return await complete(self._model, request, keep)
        except ReplyTooLong as error:
            if attempt == self._patience:
                self._first.fail(kind.message, self._speaks_as, str(error), "")
                raise
            return Completion(text="", model="", finish="length")

    def _copied(self, kind: ReplyKind, completion: Completion, request: ModelRequest) -> Problem | None:
        """Return the problem of a critique that only repeats what its writer was told.

        Of other kinds of reply a copy does no harm, or holds nothing to be read. Words of the judged texts and of other agents are quotations.
        """
        if not issubclass(kind.message, Critique):
            return None
        told = [one.content for one in request.messages if one.role != "assistant"]
        quoted = (*self.subject.item.fields.values(), *map(words_of, self.memory.talk))
        if not copies(plain(completion.text), told, quoted):
            return None
        return Problem("nothing", "The reply repeats what was asked, and says nothing of the score.")


class Relay(Actor):
    """An actor that passes on what it heard, in the words of a template and without a model, as soon as it is asked."""

    def __init__(self, seat: Seat, bus: Bus, subject: Subject) -> None:
        super().__init__(seat, bus, subject)
        bus.open(self.name, seat.title, self._hear)

    def _hear(self, delivery: Delivery) -> None:
        ask = delivery.message
        self.memory.take(ask, delivery.heard)
        if isinstance(ask, Ask):
            with Span("turn", agent=self.name, round=ask.round, purpose=ask.purpose):
                self.memory.keep(self._bus.send(self.answer(ask, delivery)))

    def answer(self, ask: Ask, delivery: Delivery) -> Statement:
        """Say what the Ask made it hear, by the relay prompt of the Ask's purpose.

        Raises StrategyError where more than a statement is wanted: a relay has no opinion.
        """
        if ask.reply != "statement":
            raise StrategyError(
                f"{self.name} only relays, and cannot be asked for a {ask.reply!r}", agent=self.name
            )
        titles, subject = self._bus.titles, self.subject
        text = subject.prompts.relay(ask.purpose, delivery.purpose.prompt if delivery.purpose else "").render(
            messages=[(titles.get(one.sender, one.sender), words_of(one)) for one in delivery.heard],
            aspects=subject.aspects,
            task=subject.task,
            title=titles[self.name],
            round=ask.round,
            wanted=subject.wanted,
        )
        return Statement(sender=self.name, to=(FLOOR,), round=ask.round, answers=ask.seq, text=text)


def _after(read: Fields, problems: tuple[str, ...], repeated: int) -> Fields:
    """The fields, with what was wrong with the replies before written into the reading of every ballot in them.

    So many of these replies ended in a loop.
    """

    def after(ballot: Ballot) -> Ballot:
        return ballot.after(problems, repeated=repeated)

    match read:
        case {"ballot": Ballot() as ballot}:
            return {**read, "ballot": after(ballot)}
        case {"ballots": ballots}:
            return {**read, "ballots": tuple(map(after, ballots))}
        case {"votes": votes}:
            return {**read, "votes": tuple(replace(vote, ballot=after(vote.ballot)) for vote in votes)}
    return read
