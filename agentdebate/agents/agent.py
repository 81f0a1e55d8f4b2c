"""The actors of a debate: an agent reads its mailbox, remembers, and answers the questions that it is asked."""

from collections.abc import Awaitable, Sequence
from dataclasses import replace
from functools import partial

from agentdebate.agents.debate import Actor, Debate
from agentdebate.agents.replies import read_reply, reply_kind
from agentdebate.agents.reply_kind import (
    FORM,
    STRUCTURED,
    Doubt,
    Fields,
    Read,
    ReplyKind,
    check_confidence,
    with_confidence_key,
)
from agentdebate.agents.samples import complete
from agentdebate.agents.seat import Seat, quoted
from agentdebate.agents.subject import Subject
from agentdebate.ballots.ballot import Ballot
from agentdebate.ballots.lineup import Player, ReplySpec
from agentdebate.ballots.plain import plain
from agentdebate.ballots.repetition import copies, repetition
from agentdebate.ballots.replies.outcome import Problem
from agentdebate.ballots.sheet import filled_in
from agentdebate.errors import AgentFailed, ModelError, ReplyTooLong, StrategyError, UnreadableReply
from agentdebate.models.base import Call, ChatMessage, Completion, Context, Model, ModelRequest, Sampling
from agentdebate.models.checked import checked
from agentdebate.models.prompt_caching import prompt_caching_of
from agentdebate.models.resumed import Resumed
from agentdebate.prompts.foreign_text import fenced, legible, line
from agentdebate.talk.bus import Delivery
from agentdebate.talk.messages import (
    FLOOR,
    Ask,
    Critique,
    Failure,
    Purpose,
    Reply,
    Samples,
    Statement,
    words_of,
)
from agentdebate.talk.turn_clock import turn_clock
from agentdebate.telemetry import ERROR, Span
from agentdebate.wrong_values import in_words

_LIVELY = 0.8
"""The least temperature at which a model that repeated itself is asked again."""
_SILENCE = "(an empty reply)"
"""Stands for a reply without text, which some endpoints do not take."""
_ANEW = 1000
"""Offset of a sample's number for each time that it is asked for in the same words: no other sample has such a number."""


class Agent(Actor):
    """An actor whose words come from a model. What is delivered while it answers waits in its mailbox until it has answered."""

    def __init__(self, debate: Debate, seat: Seat, subject: Subject, model: Model) -> None:
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
                    failed = Failure(error=name, reason=str(error), agent=self.name, **self.envelope(ask))
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
        assert delivery.purpose is not None  # an Ask comes with one
        question = self._question(ask, delivery.purpose)
        request = first = question.request(ask)
        kind, problems, loops, doubted = question.kind, list[str](), 0, False
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
                fields = _after(read, tuple(problems), loops) if problems else read
                return kind.made(fields, model=self._model.name, **self.envelope(ask))
            loop = repetition(completion.text)
            loops += loop is not None
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

    def _question(self, ask: Ask, purpose: Purpose[Reply]) -> "Question":
        """The question of an Ask; where the strategy gives it nothing of its own, it is made once."""
        if ask.given:
            return Question(self, ask, purpose)
        if purpose not in self._questions:
            self._questions[purpose] = Question(self, ask, purpose)
        return self._questions[purpose]


class Question:
    """Question to an agent, which is the same whenever it is asked for the same.

    Raises StrategyError where a reply of this kind cannot be asked for, and ContentError for the turn's template.
    """

    def __init__(self, agent: Agent, ask: Ask, purpose: Purpose[Reply]) -> None:
        self._seat, self._subject, self._persona = agent.seat, agent.subject, agent.persona
        self._memory, self._bus = agent.memory, agent.bus
        kind = reply_kind(ask.reply) if isinstance(purpose.form, str) else purpose.form
        if not isinstance(kind, ReplyKind):
            raise StrategyError(f"the form of {ask.purpose!r} is no ReplyKind: {kind!r}")
        self.kind = kind
        subject, plays = self._subject, self._seat.plays
        self._spec = ReplySpec(
            subject.aspects,
            subject.lines,
            subject.candidates,
            tuple([Player(card.title, subject.persona(card)) for card in plays]),
            ask.given,
            self._seat.sampling.n,
            subject.item.fields.get(subject.task.judged, ""),
        )
        kind.call("check", self._spec)
        if ask.confidence is not None:
            check_confidence(kind, ask.confidence, self._spec)
        self._confidence = ask.confidence
        self._sampling = self._sampled()
        schema = kind.call("schema", self._spec) if self._holds_to_schemas(agent.form) else None
        parts = [kind.form if schema is None else kind.structured]
        if ask.confidence == "asked":
            parts.append(FORM if schema is None else STRUCTURED)
            schema = with_confidence_key(schema) if schema is not None else None
        self._schema = schema
        self._players = [quoted(card.title, card) for card in plays]
        given = {"players": self._players, "given": ask.given, "roles": self._spec.roles}
        forms = [subject.fill(subject.prompts.form(part), **given) for part in parts if part]
        self._form = "\n\n".join(forms)
        self._turn = subject.prompts.turn(ask.purpose, purpose.prompt)

    def request(self, ask: Ask) -> ModelRequest:
        """Write the request to the agent's model: the brief, the talk it remembers, who it is, and what to do now."""
        subject, seat, memory = self._subject, self._seat, self._memory
        said = subject.said(memory.talk, self._bus.titles, self._bus.sent)
        played = zip(self._players, self._spec.players, strict=True)
        text = subject.prompts.part("frame").render(
            talk=[(one.title, one.block) for one in said],
            dropped=memory.left_out,
            title=seat.called,
            persona=self._persona,
            instruction=subject.fill(
                self._turn,
                form=self._form,
                heard=sum([one.sender not in (FLOOR, seat.name) for one in memory.talk]),
                round=ask.round,
                title=seat.called,
                players=[fenced(called, one.description) for called, one in played],
                given=ask.given,
            ),
        )
        brief = [ChatMessage("system", memory.brief.text)] if memory.brief else []
        return ModelRequest(
            messages=(*brief, ChatMessage("user", text)),
            sampling=self._sampling,
            schema=self._schema,
            context=Context(
                task=subject.task,
                item=subject.item,
                aspects=subject.aspects,
                purpose=ask.purpose,
                reply=ask.reply,
                agent=seat.name,
                card=seat.card.name,
                round=ask.round,
                heard=tuple([one.heard for one in said]),
                candidates=subject.candidates,
                lines=subject.lines,
                players=self._spec.players,
                given=ask.given,
                example=partial(self.kind.call, "example", self._spec) if self.kind.example else None,
                confidence=ask.confidence,
            ),
            sample=subject.sample,
            talk=tuple([one.block for one in said]),
        )

    def again(self, first: ModelRequest, completion: Completion, problems: Sequence[str]) -> ModelRequest:
        """Ask once more: with the reply behind the first request, what was wrong with it, and the form, filled in where it has scores.

        A reply that ends in a loop, or was cut at its longest, is not shown to the model again, which would write the same once more:
        there is a word about it, and another sample is asked for, as a cache would give the same reply again; after a loop at a higher
        temperature.
        """
        part, looped = self._subject.prompts.part, repetition(completion.text) is not None
        if looped or completion.finish == "length":
            *before, last = first.messages
            note = part("again-loop" if looped else "again-cut").render()
            noted = replace(last, content=f"{last.content}\n\n{note}")
            sampling = _livelier(first.sampling) if looped else first.sampling
            sample = first.sample + _ANEW * (len(problems) - 1)
            return replace(first, messages=(*before, noted), sampling=sampling, sample=sample)
        sheet = ""
        if self.kind.sheet and self._confidence != "asked":
            schema = self._schema
            reasoned = schema is not None and "reason" in schema["properties"]
            sheet = filled_in(
                self._spec.lines, completion.text, reasoned=reasoned, structured=schema is not None
            )
        text = self._subject.fill(part("again"), problem=line(problems[-1]), form=self._form, sample=sheet)
        reply = ChatMessage("assistant", legible(completion.text).strip() or _SILENCE)
        return replace(first, messages=(*first.messages, reply, ChatMessage("user", text)))

    def read(self, completion: Completion, first: ModelRequest, *, again: bool) -> Read:
        """Read the reply. The table of patterns counts where it is one to a question that was asked `again`.

        A critique that only repeats what its writer was told is a Problem. Of other kinds of reply a copy does no harm, or holds nothing
        to be read. Words of the judged texts and of other agents are quotations.
        """
        if issubclass(self.kind.message, Critique):
            told = [one.content for one in first.messages]
            quoted = (*self._subject.item.fields.values(), *map(words_of, self._memory.talk))
            if copies(plain(completion.text), told, quoted):
                return Problem("nothing", "The reply repeats what was asked, and says nothing of the score.")
        spec = replace(self._spec, asked_again=True) if again else self._spec
        return read_reply(self.kind, completion, spec, self._confidence)

    def _sampled(self) -> Sampling:
        """Several samples only where the reply is made of them, or repeats tell how sure it is; a sitting's requests that are
        seeded have seeds of their own.
        """
        sampling, several = self._seat.sampling, self._confidence == "repeats" or self.kind.message is Samples
        changes = {"n": 1} if sampling.n > 1 and not several else {}
        if self._confidence == "log-probabilities":
            changes["logprobs"] = sampling.logprobs or 0
        if sampling.seed is not None:
            changes["seed"] = sampling.seed + self._subject.sample
        return sampling.model_copy(update=changes) if changes else sampling

    def _holds_to_schemas(self, form: str) -> bool:
        """Tell whether replies are held to schemas; "auto": where the model can, and its cache keeps the brief all the same."""
        if form != "auto":
            return form == "schema"
        model = self._seat.model
        caching = prompt_caching_of(model)
        lost = caching is not None and caching.parted_by_schema and caching.takes(self._subject.brief())
        return model.structured and not lost


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
        return Statement(text=text, **self.envelope(ask))


def sit_down(debate: Debate, seat: Seat, subject: Subject) -> None:
    """Have an actor take a seat at a debate."""
    if seat.plan.relay:
        debate.actors[seat.name] = Relay(debate, seat, subject)
        return
    model = checked(seat.model)
    if debate.earlier is not None:
        model = Resumed(model, seat.name, debate.earlier)
    debate.actors[seat.name] = Agent(debate, seat, subject, model)


def _after(read: Fields, problems: tuple[str, ...], loops: int) -> Fields:
    """The fields, with what was wrong with the replies before, some of them loops, written into the reading of every ballot."""

    def after(ballot: Ballot) -> Ballot:
        return ballot.after(problems, repeated=loops)

    match read:
        case {"ballot": Ballot() as ballot}:
            return {**read, "ballot": after(ballot)}
        case {"ballots": ballots}:
            return {**read, "ballots": tuple(map(after, ballots))}
        case {"votes": votes}:
            return {**read, "votes": tuple([replace(vote, ballot=after(vote.ballot)) for vote in votes])}
    return read


def _livelier(sampling: Sampling) -> Sampling:
    return sampling.model_copy(update={"temperature": max(sampling.temperature or 0.0, _LIVELY)})
