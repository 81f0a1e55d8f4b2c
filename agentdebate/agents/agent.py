"""The actors: an agent reads its mailbox, remembers, and answers when it is asked."""

import sys
from abc import ABC, abstractmethod
from collections.abc import Awaitable, Callable
from dataclasses import replace
from functools import partial

from anyio.abc import TaskGroup

from agentdebate.agents.asking import complete
from agentdebate.agents.chair import Chair
from agentdebate.agents.debate_settings import DebateSettings
from agentdebate.agents.first_reading import FirstReading
from agentdebate.agents.memory import Memory
from agentdebate.agents.question import Question
from agentdebate.agents.reading import read_reply, reply_kind
from agentdebate.agents.reply_kind import Doubt, Fields, ReplyKind
from agentdebate.agents.request import RequestWriter
from agentdebate.agents.subject import Subject
from agentdebate.ballots.ballot import Ballot
from agentdebate.ballots.plain import plain
from agentdebate.ballots.repetition import copies, repetition
from agentdebate.ballots.replies.outcome import Problem
from agentdebate.errors import AgentFailed, ModelError, ReplyTooLong, StrategyError, UnreadableReply
from agentdebate.models.base import Call, Completion, ModelRequest
from agentdebate.talk.bus import Bus, Delivery
from agentdebate.talk.messages import FLOOR, Ask, Critique, Failure, Reply, ReplyForm, Statement, words_of
from agentdebate.talk.turn_clock import turn_clock
from agentdebate.telemetry import API, ERROR, Span, recorder
from agentdebate.wrong_values import in_words

Recorder = Callable[[Call], Awaitable[None]]
"""Takes note of a call before its completion is used."""

_TO_FLOOR = (FLOOR,)

COPIED = "The reply repeats what was asked, and says nothing of the score."

NOTHING_KEPT = Completion(text="", model="")
"""What stands for a reply that was too long to be kept."""


class Actor(ABC):
    """Someone with an address and a memory. What it is told it remembers; what it is asked it answers, to the floor."""

    def __init__(self, chair: Chair, bus: Bus, subject: Subject) -> None:
        self.name, self.subject = chair.speaker.name, subject
        self.memory = Memory()
        self.answering = False
        """Whether it has been asked and has not answered yet."""
        self._bus = bus

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self.name!r}, {self.memory!r}>"

    @abstractmethod
    def sit(self, group: TaskGroup) -> None:
        """Begin to hear; what takes time is done in the group."""


class Agent(Actor):
    """An actor whose words come from a model: it reads its mailbox, one delivery after the other."""

    def __init__(
        self,
        chair: Chair,
        bus: Bus,
        subject: Subject,
        settings: DebateSettings,
        record: Recorder,
        *,
        first: FirstReading,
    ) -> None:
        super().__init__(chair, bus, subject)
        self._first = first
        self._mailbox = bus.open(self.name, chair.called)
        self._model, self._patience, self._record = chair.model, settings.patience, record
        self._speaks_as = chair.model.name
        self._writer = RequestWriter(chair, subject, settings, bus)

    def sit(self, group: TaskGroup) -> None:
        """Begin to read the mailbox."""
        group.start_soon(self.run, name=self.name)

    async def run(self) -> None:
        """Read the mailbox until it closes. Raises AgentFailed, whose cause is what went wrong."""
        try:
            async for delivery in self._mailbox:
                ask = delivery.message
                self.memory.take(ask, delivery.heard)
                if not isinstance(ask, Ask):
                    continue
                # Not in a function of its own, through which a coroutine would go each time that it goes on.
                self.answering = True
                turn_clock.set(delivery.clock)
                with Span("turn", agent=self.name, round=ask.round, purpose=ask.purpose) as span:
                    try:
                        reply = await self.answer(ask, delivery)
                    except (UnreadableReply, ModelError) as error:
                        self._fail(ask, error, span)
                    else:
                        self.memory.keep(self._bus.post(reply))
                self.answering = False
                del delivery, ask, span  # nothing of a turn stays while the next one is waited for
        except Exception as error:
            raise AgentFailed(f"{self.name}: {in_words(error)}", agent=self.name) from error

    def _fail(self, ask: Ask, error: UnreadableReply | ModelError, span: Span) -> None:
        """Say that there is no answer, which is a message too: the strategy decides what follows from it. Raises what ends the run."""
        if isinstance(error, ModelError) and error.ends_run:
            raise error
        span.tell({ERROR: type(error).__name__})
        self._bus.post(self._failure(ask, error), cause=error)

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

    async def answer(self, ask: Ask, delivery: Delivery) -> Reply:
        """Ask the model, and ask again with what was wrong while the reply cannot be read.

        Raises UnreadableReply when patience ends, ReplyTooLong where the last reply was too long, NothingRead where no reply of the run
        can be read, and StrategyError, before anything is paid for, where the kind of reply is none that an agent can give. A reply that stays in doubt to the end
        counts as far as it can be read. One that ends in a loop, or was cut at its longest, is not shown to the model again, which
        would write the same once more.
        """
        kind = reply_kind(ask.reply) if delivery.form is None else _own_kind(ask, delivery.form)
        question = self._writer.question(ask, kind, delivery.prompt)
        shown, request = self._writer.request(ask, question, self.memory)
        first, spec = request, question.spec
        problems: tuple[str, ...] = ()
        repeated, doubted = 0, False
        with self._first.turn(question.kind.message, self._speaks_as) as turn:
            await turn.begin()
            for attempt in range(1, self._patience + 1):
                try:
                    keep = partial(self._keep, ask, attempt, shown)
                    completion = await complete(self._model, request, keep, name=self._speaks_as)
                except ReplyTooLong as error:
                    if attempt == self._patience:
                        raise
                    completion, problem = NOTHING_KEPT, f"It was too long to be read ({error.size:,} bytes)."
                else:
                    read = self._copied(question.kind, completion, first) or read_reply(
                        question.kind, completion, spec, ask.confidence
                    )
                    if not isinstance(read, Problem):
                        turn.read()
                    if isinstance(read, Doubt):  # asked about once
                        last, doubted = doubted or attempt == self._patience, True
                        read = read.fields if last else Problem("several", read.text)
                    if not isinstance(read, Problem):
                        if problems:
                            read = _with_history(read, problems, repeated)
                        return self._reply(ask, question.kind, read)
                    problem = read.text
                if (loop := repetition(completion.text)) is not None:
                    repeated, problem = repeated + 1, loop.said(completion.text)
                asked = replace(first, sampling=request.sampling)  # and none of the questions back before
                loops = loop is not None
                request = self._again(question, asked, completion, problem, loops=loops, attempt=attempt)
                spec = replace(spec, asked_again=True)
                problems = (*problems, problem)
                await turn.unread(completion, problem, last=attempt == self._patience)
            raise UnreadableReply(
                f"{len(problems)} replies could not be read; the last: {problems[-1]}",
                agent=self.name,
                problems=problems,
            )

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
        """The question once more, with what was wrong with the reply."""
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
        quoted = (*self.subject.item.fields.values(), *map(words_of, self.memory.numbered.values()))
        return Problem("nothing", COPIED) if copies(plain(completion.text), told, quoted) else None

    def _keep(
        self, ask: Ask, attempt: int, shown: tuple[int, ...], request: ModelRequest, completion: Completion
    ) -> Awaitable[None]:
        """Take note of a completion of an attempt, before it is used."""
        return self._record(Call(self.name, ask.round, ask.seq, attempt, shown, request, completion))

    def _reply(self, ask: Ask, kind: ReplyKind, fields: Fields) -> Reply:
        return kind.made(
            fields,
            sender=self.name,
            to=_TO_FLOOR,
            round=ask.round,
            answers=ask.seq,
            model=self._speaks_as,
        )


class Relay(Actor):
    """An actor that passes on what it heard, in the words of a template and without a model, as soon as it is asked."""

    def __init__(self, chair: Chair, bus: Bus, subject: Subject) -> None:
        super().__init__(chair, bus, subject)
        self._title = chair.speaker.title

    def sit(self, group: TaskGroup) -> None:  # noqa: ARG002 - it needs no time
        """Hear from now on."""
        self._bus.open_desk(self.name, self._title, self._hear)

    def _hear(self, delivery: Delivery) -> None:
        ask = delivery.message
        self.memory.take(ask, delivery.heard)
        if not isinstance(ask, Ask):
            return
        if (
            API not in sys.modules or recorder() is None
        ):  # nothing is logged in such a turn, so that its span is for who records it
            self.memory.keep(self._bus.post(self.answer(ask, delivery)))
        else:
            with Span("turn", agent=self.name, round=ask.round, purpose=ask.purpose):
                self.memory.keep(self._bus.post(self.answer(ask, delivery)))

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


def _own_kind(ask: Ask, form: ReplyForm) -> ReplyKind:
    """The strategy's own kind of reply. Raises StrategyError."""
    if not isinstance(form, ReplyKind):
        raise StrategyError(f"the form of {ask.purpose!r} is no ReplyKind: {form!r}")
    return form


def _with_history(read: Fields, problems: tuple[str, ...], repeated: int) -> Fields:
    """The fields, with what was wrong with the replies before written into the reading of every ballot in them.

    So many of these replies ended in a loop.
    """
    ballot, ballots, votes = read.get("ballot"), read.get("ballots", ()), read.get("votes", ())
    changed: dict[str, object] = {}
    if isinstance(ballot, Ballot):
        changed["ballot"] = ballot.after(problems, repeated=repeated)
    if ballots:
        changed["ballots"] = tuple(one.after(problems, repeated=repeated) for one in ballots)
    if votes:
        changed["votes"] = tuple(
            replace(vote, ballot=vote.ballot.after(problems, repeated=repeated)) for vote in votes
        )
    return {**read, **changed}
