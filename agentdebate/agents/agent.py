"""The actors: an agent reads its mailbox, remembers, and answers when it is asked."""

from abc import ABC, abstractmethod
from collections.abc import Awaitable, Callable

import anyio

from agentdebate.agents.asking import Keep, complete
from agentdebate.agents.chair import Chair
from agentdebate.agents.debate_settings import DebateSettings
from agentdebate.agents.memory import Memory
from agentdebate.agents.question import Question
from agentdebate.agents.reading import read_reply, reply_kind
from agentdebate.agents.reply_kind import Doubt, Fields, ReplyKind
from agentdebate.agents.request import RequestWriter
from agentdebate.agents.subject import Subject, said
from agentdebate.ballots.ballot import Ballot
from agentdebate.ballots.problem import Problem
from agentdebate.errors import AgentFailed, ModelError, ReplyTooLong, StrategyError, UnreadableReply
from agentdebate.models.base import Call, Completion, ModelRequest
from agentdebate.talk.bus import Bus, Delivery, Mailbox
from agentdebate.talk.messages import FLOOR, Ask, Failure, Reply, Statement
from agentdebate.talk.turn_clock import turn_clock
from agentdebate.telemetry import ERROR, Span

Recorder = Callable[[Call], Awaitable[None]]
"""Takes note of a call before its completion is used."""

NOTHING_KEPT = Completion(text="", model="")
"""What stands for a reply that was too long to be kept."""


class Actor(ABC):
    """Someone with a mailbox and a memory. What it is told it remembers; what it is asked it answers, to the floor."""

    def __init__(self, chair: Chair, bus: Bus, subject: Subject) -> None:
        self.name, self.subject = chair.speaker.name, subject
        self.memory = Memory()
        self._bus = bus
        self._mailbox: Mailbox = bus.open(self.name, chair.speaker.title)
        self._service = anyio.CancelScope()
        self._answering = False

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self.name!r}, {self.memory!r}>"

    async def run(self) -> None:
        """Read the mailbox until it closes. Raises AgentFailed, whose cause is what went wrong."""
        try:
            with self._service:
                await self._read()
        except Exception as error:
            raise AgentFailed(f"{self.name}: {error}", agent=self.name) from error

    def dismiss(self) -> None:
        """Stop it where it still answers: nobody waits for that any more, and a debate does not end before it."""
        if self._answering:
            self._service.cancel()

    async def _read(self) -> None:
        async for delivery in self._mailbox:
            self.memory.take(delivery.message, delivery.heard)
            if isinstance(delivery.message, Ask):
                await self._speak(delivery.message, delivery)

    async def _speak(self, ask: Ask, delivery: Delivery) -> None:
        """Answer an Ask. That an answer cannot be had is a message too: the strategy decides what follows from it."""
        self._answering = True
        turn_clock.set(delivery.clock)
        with Span("turn", agent=self.name, round=ask.round, purpose=ask.purpose) as span:
            try:
                reply = await self.answer(ask, delivery)
            except (UnreadableReply, ModelError) as error:
                if isinstance(error, ModelError) and error.ends_run:
                    raise
                span.tell({ERROR: type(error).__name__})
                await self._bus.send(self._failure(ask, error), cause=error)
            else:
                self.memory.keep(await self._bus.send(reply))
        self._answering = False

    def _failure(self, ask: Ask, error: Exception) -> Failure:
        return Failure(
            sender=self.name,
            to=(FLOOR,),
            round=ask.round,
            answers=ask.seq,
            error=type(error).__name__,
            reason=str(error),
            agent=self.name,
        )

    @abstractmethod
    async def answer(self, ask: Ask, delivery: Delivery) -> Reply:
        """What it says when asked; the delivery has what the Ask put into its memory."""


class Agent(Actor):
    """An actor whose words come from a model."""

    def __init__(
        self, chair: Chair, bus: Bus, subject: Subject, settings: DebateSettings, record: Recorder
    ) -> None:
        super().__init__(chair, bus, subject)
        self._model, self._patience, self._record = chair.model, settings.patience, record
        self._writer = RequestWriter(chair, subject, settings, bus.titles)

    async def answer(self, ask: Ask, delivery: Delivery) -> Reply:
        """Ask the model, and ask again with what was wrong while the reply cannot be read.

        Raises UnreadableReply when patience ends, ReplyTooLong where the last reply was too long, and StrategyError, before
        anything is paid for, where the kind of reply is none that an agent can give. A reply that stays in doubt to the end
        counts as far as it can be read.
        """
        question = self._writer.question(ask, _kind(ask, delivery))
        shown, request = self._writer.request(question, self.memory)
        problems: tuple[str, ...] = ()
        for attempt in range(1, self._patience + 1):
            try:
                completion = await complete(self._model, request, self._keeper(ask, attempt, shown))
            except ReplyTooLong as error:
                if attempt == self._patience:
                    raise
                completion, problem = NOTHING_KEPT, f"It was too long to be read ({error.size:,} bytes)."
            else:
                read = self._read_reply(question, completion, last=attempt == self._patience)
                if not isinstance(read, Problem):
                    return self._reply(question, _with_history(read, problems))
                problem = read.text
            problems = (*problems, problem)
            request = self._writer.again(question, request, completion, problem)
        raise UnreadableReply(
            f"{len(problems)} replies could not be read; the last: {problems[-1]}",
            agent=self.name,
            problems=problems,
        )

    def _read_reply(self, question: Question, completion: Completion, *, last: bool) -> Fields | Problem:
        """What a reply holds, or why it cannot be used; one in doubt can, where it is the last."""
        read = read_reply(question.kind, completion, question.spec, question.ask.confidence)
        if isinstance(read, Doubt):
            return read.fields if last else Problem("several", read.text)
        return read

    def _keeper(self, ask: Ask, attempt: int, shown: tuple[int, ...]) -> Keep:
        """What takes note of every completion of an attempt."""

        async def keep(request: ModelRequest, completion: Completion) -> None:
            call = Call(self.name, ask.round, ask.seq, attempt, shown, request, completion)
            await self._record(call)

        return keep

    def _reply(self, question: Question, fields: Fields) -> Reply:
        ask = question.ask
        return question.kind.made(
            fields, sender=self.name, to=(FLOOR,), round=ask.round, answers=ask.seq, model=self._model.name
        )


class Relay(Actor):
    """An actor that passes on what it heard, in the words of a template and without a model."""

    async def answer(self, ask: Ask, delivery: Delivery) -> Reply:
        """Say what the Ask made it hear, by the relay prompt of the Ask's purpose.

        Raises StrategyError where more than a statement is wanted: a relay has no opinion.
        """
        if ask.reply != "statement":
            raise StrategyError(
                f"{self.name} only relays, and cannot be asked for a {ask.reply!r}", agent=self.name
            )
        titles = self._bus.titles
        text = self.subject.prompts.relay(ask.purpose).render(
            messages=tuple(said(message, titles) for message in delivery.heard),
            aspects=self.subject.aspects,
            task=self.subject.task,
            title=titles[self.name],
            round=ask.round,
        )
        return Statement(sender=self.name, to=(FLOOR,), round=ask.round, answers=ask.seq, text=text)


def _kind(ask: Ask, delivery: Delivery) -> ReplyKind:
    """The kind of reply that is asked for: the strategy's own, or the one of that name. Raises StrategyError."""
    if delivery.form is None:
        return reply_kind(ask.reply)
    if not isinstance(delivery.form, ReplyKind):
        raise StrategyError(f"the form of {ask.purpose!r} is no ReplyKind: {delivery.form!r}")
    return delivery.form


def _with_history(read: Fields, problems: tuple[str, ...]) -> Fields:
    """The fields, with what was wrong with the replies before written into the reading of every ballot in them."""
    if not problems:
        return read
    ballot, ballots, votes = read.get("ballot"), read.get("ballots", ()), read.get("votes", ())
    changed: dict[str, object] = {}
    if isinstance(ballot, Ballot):
        changed["ballot"] = ballot.after(problems)
    if ballots:
        changed["ballots"] = tuple(one.after(problems) for one in ballots)
    if votes:
        changed["votes"] = tuple(
            vote.model_copy(update={"ballot": vote.ballot.after(problems)}) for vote in votes
        )
    return {**read, **changed}
