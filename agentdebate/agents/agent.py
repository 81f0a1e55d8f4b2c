"""The actors: an agent reads its mailbox, remembers, and answers when it is asked."""

import asyncio
from abc import ABC, abstractmethod
from collections.abc import Awaitable, Callable
from dataclasses import replace

from anyio.abc import TaskGroup

from agentdebate.agents.debate_settings import DebateSettings
from agentdebate.agents.first_reading import FirstReading
from agentdebate.agents.memory import Memory
from agentdebate.agents.replies import read_reply
from agentdebate.agents.reply_kind import Doubt, Fields, ReplyKind
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
from agentdebate.talk.bus import Bus, Delivery
from agentdebate.talk.messages import FLOOR, Ask, Critique, Failure, Reply, Statement, words_of
from agentdebate.talk.turn_clock import turn_clock
from agentdebate.telemetry import ERROR, Span
from agentdebate.wrong_values import in_words

Recorder = Callable[[Call], Awaitable[None]]
"""Takes note of a call before its completion is used."""

_TO_FLOOR = (FLOOR,)

COPIED = "The reply repeats what was asked, and says nothing of the score."

NOTHING_KEPT = Completion(text="", model="")
"""What stands for a reply that was too long to be kept."""


class Actor(ABC):
    """Someone in a seat, with a memory. What it is told it remembers; what it is asked it answers, to the floor."""

    def __init__(self, seat: Seat, bus: Bus, subject: Subject) -> None:
        self.name, self.subject = seat.name, subject
        self.memory = Memory()
        self.answering = False
        """Whether it has been asked and has not answered yet."""
        self._bus = bus

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self.name!r}, {self.memory!r}>"

    @abstractmethod
    def sit(self, group: TaskGroup) -> None:
        """Begin to hear; what takes time is done in the group."""

    @abstractmethod
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
        self._unread: tuple[type[Reply], str, str, str] | None = None
        """The kind of reply that the turn's last try was for, the model, what was wrong with it, and what it said."""

    def sit(self, group: TaskGroup) -> None:
        """Begin to read the mailbox."""
        group.start_soon(self.run, name=self.name)

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
        with Span("turn", agent=self.name, round=ask.round, purpose=ask.purpose) as span:
            try:
                reply = await self.answer(ask, delivery)
            except (UnreadableReply, ModelError) as error:
                if isinstance(error, ModelError) and error.ends_run:
                    raise
                if self._unread is not None:
                    self._first.fail(*self._unread)
                span.tell({ERROR: type(error).__name__})
                self._bus.send(_failure(self.name, ask, error), cause=error)
            else:
                self.memory.keep(self._bus.send(reply))

    async def answer(self, ask: Ask, delivery: Delivery) -> Reply:
        """Ask the model, and ask again with what was wrong while the reply cannot be read.

        Raises UnreadableReply when patience ends, ReplyTooLong where the last reply was too long, NothingRead where no reply of the run
        can be read, and StrategyError, before anything is paid for, where the kind of reply is none that an agent can give. A reply that
        stays in doubt to the end counts as far as it can be read.
        """
        question = self._writer.question(delivery, ask)
        shown, first = self._writer.request(ask, question, self.memory)
        kind, request, spec = question.kind, first, question.spec
        problems: tuple[str, ...] = ()
        repeated, doubted, self._unread = 0, False, None
        for attempt in range(1, self._patience + 1):
            self._first.check()
            completion, problem = await self._complete(request, ask, attempt, shown)
            problem = problem or self._copied(kind, completion, first)
            read = problem or read_reply(kind, completion, spec, ask.confidence)
            if not isinstance(read, Problem):
                self._first.read(kind.message)
            if isinstance(read, Doubt):  # asked about once
                last, doubted = doubted or attempt == self._patience, True
                read = read.fields if last else Problem("several", read.text)
            if not isinstance(read, Problem):
                return self._reply(ask, kind, _after(read, problems, repeated))
            loop = repetition(completion.text)
            repeated += loop is not None
            problems = (*problems, loop.said(completion.text) if loop else read.text)
            self._unread = kind.message, self._speaks_as, problems[-1], completion.text
            asked = replace(first, sampling=request.sampling)  # and none of the questions back before
            request = self._again(
                question, asked, completion, problems[-1], loops=loop is not None, attempt=attempt
            )
            spec = replace(spec, asked_again=True)
        raise UnreadableReply(
            f"{len(problems)} replies could not be read; the last: {problems[-1]}",
            agent=self.name,
            problems=problems,
        )

    async def _complete(
        self, request: ModelRequest, ask: Ask, attempt: int, shown: tuple[int, ...]
    ) -> tuple[Completion, Problem | None]:
        """A completion, which is taken note of before it is used, or why there is none to be read.

        Raises ModelError, and ReplyTooLong where nothing is asked any more.
        """

        def keep(request: ModelRequest, completion: Completion) -> Awaitable[None]:
            return self._record(Call(self.name, ask.round, ask.seq, attempt, shown, request, completion))

        try:
            return await complete(self._model, request, keep), None
        except ReplyTooLong as error:
            if attempt == self._patience:
                raise
            told = f"It was too long to be read ({error.size:,} bytes)."
            return NOTHING_KEPT, Problem("cut_off", told)

    def _again(
        self,
        question: Question,
        request: ModelRequest,
        completion: Completion,
        problem: str,
        *,
        loops: bool,
        attempt: int,
    ) -> ModelRequest:
        """The question once more, with what was wrong with the reply. One that ends in a loop, or was cut at its longest, is not shown to
        the model again, which would write the same once more.
        """
        if loops:
            return self._writer.without_loop(request)
        if completion.finish == "length":
            return self._writer.without_cut(request, attempt)
        return self._writer.again(question, request, completion, problem)

    def _copied(self, kind: ReplyKind, completion: Completion, request: ModelRequest) -> Problem | None:
        """Why a critique says nothing: it repeats what its writer was told. Of other kinds of reply a copy does no harm, or holds nothing
        to be read. Words of the judged texts and of other agents are quotations.
        """
        if not issubclass(kind.message, Critique):
            return None
        told = [one.content for one in request.messages if one.role != "assistant"]
        quoted = (*self.subject.item.fields.values(), *map(words_of, self.memory.talk))
        return Problem("nothing", COPIED) if copies(plain(completion.text), told, quoted) else None

    def _reply(self, ask: Ask, kind: ReplyKind, fields: Fields) -> Reply:
        return kind.made(
            fields, sender=self.name, to=_TO_FLOOR, round=ask.round, answers=ask.seq, model=self._speaks_as
        )


class Relay(Actor):
    """An actor that passes on what it heard, in the words of a template and without a model, as soon as it is asked."""

    def __init__(self, seat: Seat, bus: Bus, subject: Subject) -> None:
        super().__init__(seat, bus, subject)
        self._title = seat.title

    def sit(self, group: TaskGroup) -> None:  # noqa: ARG002 - it needs no time
        """Hear from now on."""
        self._bus.open(self.name, self._title, self._hear)

    def leave(self) -> None:
        """Nothing waits here."""

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
        titles = self._bus.titles
        text = self.subject.prompts.relay(ask.purpose, delivery.prompt).render(
            messages=[(titles.get(one.sender, one.sender), words_of(one)) for one in delivery.heard],
            aspects=self.subject.aspects,
            task=self.subject.task,
            title=titles[self.name],
            round=ask.round,
            wanted=self.subject.wanted,
        )
        return Statement(sender=self.name, to=_TO_FLOOR, round=ask.round, answers=ask.seq, text=text)


def _failure(name: str, ask: Ask, error: Exception) -> Failure:
    return Failure(
        sender=name,
        to=_TO_FLOOR,
        round=ask.round,
        answers=ask.seq,
        error=type(error).__name__,
        reason=str(error),
        agent=name,
    )


def _after(read: Fields, problems: tuple[str, ...], repeated: int) -> Fields:
    """The fields, with what was wrong with the replies before written into the reading of every ballot in them.

    So many of these replies ended in a loop.
    """
    if not problems:
        return read

    def after(ballot: Ballot) -> Ballot:
        return ballot.after(problems, repeated=repeated)

    changed: dict[str, object] = {}
    if isinstance(read.get("ballot"), Ballot):
        changed["ballot"] = after(read["ballot"])
    if "ballots" in read:
        changed["ballots"] = tuple(map(after, read["ballots"]))
    if "votes" in read:
        changed["votes"] = tuple(replace(vote, ballot=after(vote.ballot)) for vote in read["votes"])
    return {**read, **changed}
