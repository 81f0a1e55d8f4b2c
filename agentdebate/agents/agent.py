"""The actors: an agent reads its mailbox, remembers, and answers when it is asked."""

from collections.abc import Awaitable
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from agentdebate.agents.memory import Memory
from agentdebate.agents.question import Question
from agentdebate.agents.reply_kind import Doubt, Fields
from agentdebate.agents.samples import complete
from agentdebate.agents.seat import Seat
from agentdebate.agents.subject import Subject
from agentdebate.ballots.ballot import Ballot
from agentdebate.ballots.repetition import repetition
from agentdebate.ballots.replies.outcome import Problem
from agentdebate.errors import AgentFailed, ModelError, ReplyTooLong, UnreadableReply
from agentdebate.models.base import Call, Completion, Model, ModelRequest
from agentdebate.prompts.foreign_text import fenced
from agentdebate.talk.bus import Delivery
from agentdebate.talk.messages import FLOOR, Ask, Failure, Purpose, Reply, Statement, words_of
from agentdebate.talk.turn_clock import turn_clock
from agentdebate.telemetry import ERROR, Span
from agentdebate.wrong_values import in_words

if TYPE_CHECKING:
    from agentdebate.agents.debate import Debate  # which seats the agents


class Actor:
    """Someone in a seat, with a memory. What it is told it remembers; what it is asked it answers, to the floor."""

    mailbox: list[Delivery] | None = None
    """Deliveries that wait while it answers; None while it does not."""

    def __init__(self, debate: "Debate", seat: Seat, subject: Subject) -> None:
        self.seat, self.name, self.subject = seat, seat.name, subject
        self.memory = Memory()
        self.bus = debate.bus
        self.bus.open(self.name, seat.called, self.hear)

    def hear(self, delivery: Delivery) -> None:
        """Remember what is delivered."""
        self.memory.take(delivery.message, delivery.heard)

    def _envelope(self, ask: Ask) -> dict[str, Any]:
        return {"sender": self.name, "to": (FLOOR,), "round": ask.round, "answers": ask.seq}


class Agent(Actor):
    """An actor whose words come from a model. What is delivered while it answers waits in its mailbox until it has answered."""

    def __init__(self, debate: "Debate", seat: Seat, subject: Subject, model: Model) -> None:
        super().__init__(debate, seat, subject)
        self.persona = subject.persona(seat.card)
        """Description of who it is, as it is told; what a model wrote of a recruit is shown as data."""
        if seat.card.recruited:
            who = fenced(seat.card.title, self.persona)
            self.persona = subject.prompts.part("recruit").render(texts=[who], title=seat.card.title)
        self.form = debate.settings.form
        self._debate, self._model, self._first = debate, model, debate.common.first
        self._questions: dict[Purpose[Reply], Question] = {}

    def hear(self, delivery: Delivery) -> None:
        """Remember what is delivered, and begin to answer what is asked."""
        if self.mailbox is not None:
            self.mailbox.append(delivery)
            return
        super().hear(delivery)
        if isinstance(delivery.message, Ask):
            self.mailbox = []
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
                    self.bus.send(failed, cause=error)
                else:
                    self.memory.keep(self.bus.send(reply))
            waiting, self.mailbox = self.mailbox or [], None
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
        assert delivery.purpose is not None, "an Ask comes with its purpose"
        question = self._question(ask, delivery.purpose)
        request = first = question.request(ask)
        kind, problems, doubted = question.kind, list[str](), False
        patience = self._debate.settings.patience
        for attempt in range(1, patience + 1):
            self._first.check()
            completion = await self._complete(request, ask, attempt)
            read = question.read(completion, first, again=bool(problems))
            if not isinstance(read, Problem):
                self._first.read(kind.message)
            if isinstance(read, Doubt):  # asked about once
                last, doubted = doubted or attempt == patience, True
                read = read.fields if last else Problem("several", read.text)
            if not isinstance(read, Problem):
                fields = _after(read, tuple(problems)) if problems else read
                return kind.made(fields, model=self._model.name, **self._envelope(ask))
            loop = repetition(completion.text)
            problems.append(loop.said(completion.text) if loop else read.text)
            request = question.again(first, completion, problems)
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

    def _question(self, ask: Ask, purpose: Purpose[Reply]) -> Question:
        """The question of an Ask; where the strategy gives it nothing of its own, it is made once."""
        if ask.given:
            return Question(self, ask, purpose)
        if purpose not in self._questions:
            self._questions[purpose] = Question(self, ask, purpose)
        return self._questions[purpose]


class Relay(Actor):
    """An actor that passes on what it heard, in the words of a template and without a model, as soon as it is asked."""

    def hear(self, delivery: Delivery) -> None:
        """Remember what is delivered, and answer what is asked."""
        super().hear(delivery)
        ask = delivery.message
        if isinstance(ask, Ask):
            self.memory.keep(self.bus.send(self.answer(ask, delivery)))

    def answer(self, ask: Ask, delivery: Delivery) -> Statement:
        """Say what the Ask made it hear, by the relay prompt of the Ask's purpose. It is a statement, whatever is wanted."""
        titles, own = self.bus.titles, delivery.purpose.prompt if delivery.purpose else ""
        text = self.subject.fill(
            self.subject.prompts.relay(ask.purpose, own),
            messages=[(titles.get(one.sender, one.sender), words_of(one)) for one in delivery.heard],
            title=titles[self.name],
            round=ask.round,
        )
        return Statement(text=text, **self._envelope(ask))


def _after(read: Fields, problems: tuple[str, ...]) -> Fields:
    """The fields, with what was wrong with the replies before written into the reading of every ballot."""
    match read:
        case {"ballot": Ballot() as ballot}:
            return {**read, "ballot": ballot.after(problems)}
        case {"ballots": ballots}:
            return {**read, "ballots": tuple([ballot.after(problems) for ballot in ballots])}
        case {"votes": votes}:
            votes = [replace(vote, ballot=vote.ballot.after(problems)) for vote in votes]
            return {**read, "votes": tuple(votes)}
    return read
