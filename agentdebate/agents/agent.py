"""The actors: an agent reads its mailbox, remembers, and answers when it is asked."""

from collections.abc import Awaitable
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

from agentdebate.agents.memory import Memory
from agentdebate.agents.replies import read_reply
from agentdebate.agents.reply_kind import Doubt, Fields, Read
from agentdebate.agents.request import Question, RequestWriter
from agentdebate.agents.samples import complete
from agentdebate.agents.seat import Seat
from agentdebate.agents.subject import Subject
from agentdebate.ballots.ballot import Ballot
from agentdebate.ballots.plain import plain
from agentdebate.ballots.repetition import copies, repetition
from agentdebate.ballots.replies.outcome import Problem
from agentdebate.errors import AgentFailed, ModelError, ReplyTooLong, StrategyError, UnreadableReply
from agentdebate.models.base import Call, Completion, Model, ModelRequest
from agentdebate.talk.bus import Delivery
from agentdebate.talk.messages import FLOOR, Ask, Critique, Failure, Reply, Statement, words_of
from agentdebate.talk.turn_clock import turn_clock
from agentdebate.telemetry import ERROR, Span
from agentdebate.wrong_values import in_words

if TYPE_CHECKING:
    from agentdebate.agents.debate import Debate  # which seats the agents


class Actor:
    """Someone in a seat, with a memory. What it is told it remembers; what it is asked it answers, to the floor."""

    def __init__(self, debate: "Debate", seat: Seat, subject: Subject) -> None:
        self.seat, self.name, self.subject = seat, seat.name, subject
        self.memory = Memory()
        self._bus = debate.bus
        self._bus.open(self.name, seat.called, self.hear)

    @property
    def answering(self) -> bool:
        """True while it has been asked and has not answered."""
        return False

    def hear(self, delivery: Delivery) -> None:
        """Remember what is delivered."""
        self.memory.take(delivery.message, delivery.heard)

    def _envelope(self, ask: Ask) -> dict[str, Any]:
        return {"sender": self.name, "to": (FLOOR,), "round": ask.round, "answers": ask.seq}


class Agent(Actor):
    """An actor whose words come from a model. What is delivered while it answers waits in its mailbox until it has answered."""

    def __init__(self, debate: "Debate", seat: Seat, subject: Subject, model: Model) -> None:
        super().__init__(debate, seat, subject)
        self._mailbox: list[Delivery] | None = None
        self._debate, self._model, self._first = debate, model, debate.common.first
        self._writer = RequestWriter(seat, subject, debate.settings, debate.bus)

    @property
    def answering(self) -> bool:
        """True while it has been asked and has not answered."""
        return self._mailbox is not None

    def hear(self, delivery: Delivery) -> None:
        """Remember what is delivered, and begin to answer what is asked."""
        if self._mailbox is not None:
            self._mailbox.append(delivery)
            return
        super().hear(delivery)
        if isinstance(delivery.message, Ask):
            self._mailbox = []
            self._debate.group.start_soon(self._turn, delivery.message, delivery)

    async def _turn(self, ask: Ask, delivery: Delivery) -> None:
        """Answer, or say that there is no answer, which is a message too: the strategy decides what follows from it.

        Raises AgentFailed, whose cause is what went wrong, where that ends more than the turn.
        """
        turn_clock.set(delivery.clock)
        try:
            with Span("turn", agent=self.name, round=ask.round, purpose=ask.purpose) as span:
                try:
                    reply = await self.answer(ask, delivery)
                except (UnreadableReply, ModelError) as error:
                    if isinstance(error, ModelError) and error.ends_run:
                        raise
                    name = type(error).__name__
                    span.tell({ERROR: name})
                    failed = Failure(error=name, reason=str(error), agent=self.name, **self._envelope(ask))
                    self._bus.send(failed, cause=error)
                else:
                    self.memory.keep(self._bus.send(reply))
            waiting, self._mailbox = self._mailbox or [], None
            for arrived in waiting:
                self.hear(arrived)
        except Exception as error:
            raise AgentFailed(f"{self.name}: {in_words(error)}", agent=self.name) from error

    async def answer(self, ask: Ask, delivery: Delivery) -> Reply:
        """Ask the model, and ask again with what was wrong while the reply cannot be read.

        Raises UnreadableReply when patience ends, NothingRead where no reply of the run
        can be read, and StrategyError, before anything is paid for, where the kind of reply is none that an agent can give. A reply that
        stays in doubt to the end counts as far as it can be read.
        """
        question = self._writer.question(ask, delivery.purpose)
        request = first = self._writer.request(ask, question, self.memory)
        kind, problems, repeated, doubted = question.kind, list[str](), 0, False
        patience = self._debate.settings.patience
        for attempt in range(1, patience + 1):
            self._first.check()
            completion = await self._complete(request, ask, attempt)
            read = self._read(question, completion, first)
            if not isinstance(read, Problem):
                self._first.read(kind.message)
            if isinstance(read, Doubt):  # asked about once
                last, doubted = doubted or attempt == patience, True
                read = read.fields if last else Problem("several", read.text)
            if not isinstance(read, Problem):
                fields = _after(read, tuple(problems), repeated) if problems else read
                return kind.made(fields, model=self._model.name, **self._envelope(ask))
            loop = repetition(completion.text)
            repeated += loop is not None
            problems.append(loop.said(completion.text) if loop else read.text)
            request = self._writer.again(question, first, completion, problems, repeated)
            question = question.asked_again()
        self._first.fail(kind.message, self._model.name, problems[-1], completion.text)
        raise UnreadableReply(
            f"{len(problems)} replies could not be read; the last: {problems[-1]}",
            agent=self.name,
            problems=tuple(problems),
        )

    async def _complete(self, request: ModelRequest, ask: Ask, attempt: int) -> Completion:
        """Ask the model. A completion is taken note of before it is used; one that is too long to be kept counts as cut at its beginning.

        Raises ModelError.
        """

        def keep(request: ModelRequest, completion: Completion) -> Awaitable[None]:
            shown = self.memory.numbers
            return self._debate.keep(Call(self.name, ask.round, ask.seq, attempt, shown, request, completion))

        try:
            return await complete(self._model, request, keep)
        except ReplyTooLong:
            return Completion(text="", model="", finish="length")

    def _read(self, question: Question, completion: Completion, request: ModelRequest) -> Read:
        """Read a reply; a critique that only repeats what its writer was told is a Problem.

        Of other kinds of reply a copy does no harm, or holds nothing to be read. Words of the judged texts and of other agents are quotations.
        """
        if issubclass(question.kind.message, Critique):
            told = [one.content for one in request.messages]
            quoted = (*self.subject.item.fields.values(), *map(words_of, self.memory.talk))
            if copies(plain(completion.text), told, quoted):
                return Problem("nothing", "The reply repeats what was asked, and says nothing of the score.")
        return read_reply(question.kind, completion, question.spec, question.confidence)


class Relay(Actor):
    """An actor that passes on what it heard, in the words of a template and without a model, as soon as it is asked."""

    def hear(self, delivery: Delivery) -> None:
        """Remember what is delivered, and answer what is asked."""
        super().hear(delivery)
        ask = delivery.message
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
        titles, own = self._bus.titles, delivery.purpose.prompt if delivery.purpose else ""
        text = self.subject.fill(
            self.subject.prompts.relay(ask.purpose, own),
            messages=[(titles.get(one.sender, one.sender), words_of(one)) for one in delivery.heard],
            title=titles[self.name],
            round=ask.round,
        )
        return Statement(text=text, **self._envelope(ask))


def _after(read: Fields, problems: tuple[str, ...], repeated: int) -> Fields:
    """The fields, with what was wrong with the replies before, of which some looped, written into the reading of every ballot."""
    after = partial(Ballot.after, problems=problems, repeated=repeated)
    match read:
        case {"ballot": Ballot() as ballot}:
            return {**read, "ballot": after(ballot)}
        case {"ballots": ballots}:
            return {**read, "ballots": tuple(map(after, ballots))}
        case {"votes": votes}:
            return {**read, "votes": tuple([replace(vote, ballot=after(vote.ballot)) for vote in votes])}
    return read
