"""The actors of a debate: an agent reads its mailbox, remembers, and answers the questions that it is asked."""

import asyncio
from collections.abc import Awaitable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from hashlib import sha256
from typing import Any

from agentdebate.agents.debate import Actor, Debate
from agentdebate.agents.replies import reply_kind
from agentdebate.agents.reply_kind import (
    FORM,
    STRUCTURED,
    Doubt,
    Read,
    ReplyKind,
    check_confidence,
    read_reply,
    with_confidence_key,
)
from agentdebate.agents.samples import complete
from agentdebate.agents.seat import Seat, quoted
from agentdebate.agents.subject import Said, Subject
from agentdebate.ballots.ballot import Ballot, Source
from agentdebate.ballots.lineup import Player, ReplySpec
from agentdebate.ballots.plain import plain
from agentdebate.ballots.repetition import copies, repetition
from agentdebate.ballots.replies.outcome import Problem
from agentdebate.ballots.sheet import filled_in
from agentdebate.errors import AgentFailed, ModelError, ReplyTooLong, UnreadableReply
from agentdebate.models.base import Call, ChatMessage, Completion, Context, ModelRequest, Sampling
from agentdebate.models.completion_check import checked
from agentdebate.models.prompt_cache import prompt_caching_of
from agentdebate.models.replay import Resumed
from agentdebate.prompts.foreign_text import FencedText, fenced, legible, line
from agentdebate.prompts.prompts import Prompt
from agentdebate.talk.bus import Delivery
from agentdebate.talk.messages import (
    FLOOR,
    Ask,
    Critique,
    Failure,
    Reply,
    Samples,
    Statement,
    Vote,
    words_of,
)
from agentdebate.talk.purposes import Purpose
from agentdebate.talk.turn_clock import turn_clock
from agentdebate.telemetry import ERROR, Span
from agentdebate.wrong_values import in_words

_LIVELY = 0.8
"""The least temperature at which a model that repeated itself is asked again."""
_SILENCE = "(an empty reply)"
"""Stands for a reply without text, which some endpoints do not take."""
_CUT = Completion(text="", model="", finish="length")
"""Stands for a reply that is too long to be kept."""
_ANEW = 1000
"""Offset of a sample's number for each time that it is asked for in the same words: no other sample has such a number."""


@dataclass(frozen=True, slots=True)
class Question:
    """Question to an agent, which is the same whenever it is asked for the same: how it is put, and how its reply is read."""

    kind: ReplyKind
    spec: ReplySpec
    confidence: Source | None
    sampling: Sampling
    schema: dict[str, Any] | None
    form: str
    """Form of the reply, as the agent is shown it."""
    turn: Prompt
    players: list[FencedText]


class Agent(Actor):
    """An actor whose words come from a model. What is delivered while it answers waits in its mailbox until it has answered."""

    def __init__(self, debate: Debate, seat: Seat, subject: Subject) -> None:
        super().__init__(debate, seat, subject)
        self.persona = subject.persona(seat.card)
        """Description of who it is, as it is told; what a model wrote of a recruit is shown as data."""
        if seat.card.recruited:
            who = fenced(seat.card.title, self.persona)
            self.persona = subject.prompts.part("recruit").render(texts=[who], title=seat.card.title)
        self._debate, self._first, self._model = debate, debate.common.first, checked(seat.model)
        if debate.earlier:
            self._model = Resumed(self._model, seat.name, debate.earlier)
        self._questions: dict[Purpose[Reply], Question] = {}
        self._answering, self._mailbox = False, asyncio.Queue[Delivery | None]()
        debate.group.start_soon(self._turns)

    def hear(self, delivery: Delivery) -> None:
        """Remember what is delivered. A question, and what comes while it answers, goes into the mailbox."""
        self._answering = self._answering or isinstance(delivery.message, Ask)
        if self._answering:
            self._mailbox.put_nowait(delivery)
        else:
            super().hear(delivery)

    def close(self) -> None:
        """Read no more. A turn that is under way is called off, and with it all others."""
        if self._answering:
            self._debate.group.cancel_scope.cancel()
        self._mailbox.put_nowait(None)

    async def _turns(self) -> None:
        """Read the mailbox. One task holds all turns: to begin a task takes longer than to wake one."""
        while delivery := await self._mailbox.get():
            super().hear(delivery)
            ask, purpose = delivery.message, delivery.purpose
            if isinstance(ask, Ask) and purpose:
                turn_clock.set(delivery.clock)
                await self._turn(ask, purpose)
            self._answering = not self._mailbox.empty()

    async def _turn(self, ask: Ask, purpose: Purpose[Reply]) -> None:
        """Answer, or say that there is no answer, which is a message too: the strategy decides what follows from it.

        Raises AgentFailed, whose cause is what went wrong, where that ends more than the turn.
        """
        try:
            with Span("turn", agent=self.name, round=ask.round, purpose=ask.purpose) as span:
                try:
                    reply = await self.answer(ask, purpose)
                except (UnreadableReply, ModelError) as error:
                    if isinstance(error, ModelError) and error.ends_run:
                        raise
                    failed = Failure.of(error, agent=self.name, **self.envelope(ask))
                    span.tell({ERROR: failed.error})
                    self.bus.send(failed, cause=error)
                else:
                    self.memory.keep(self.bus.send(reply))
        except Exception as error:
            raise AgentFailed(f"{self.name}: {in_words(error)}", agent=self.name) from error

    async def answer(self, ask: Ask, purpose: Purpose[Reply]) -> Reply:
        """Ask the model, and ask again with what was wrong while the reply cannot be read.

        Raises UnreadableReply when patience ends, NothingRead where no reply of the run
        can be read, and StrategyError, before anything is paid for, where the kind of reply is none that an agent can give. A reply that
        stays in doubt to the end counts as far as it can be read.
        """
        question = self._question(ask, purpose)
        request = first = self._request(question, ask)
        kind, problems, loops, doubted = question.kind, list[str](), 0, False
        patience = self._debate.settings.patience
        for attempt in range(1, patience + 1):
            self._first.check()
            try:
                completion = await complete(self._model, request, partial(self._keep, ask, attempt))
            except ReplyTooLong:
                completion = _CUT
            read = self._read(question, completion, first, again=bool(problems))
            if not isinstance(read, Problem):
                self._first.read(kind.message)
            if isinstance(read, Doubt):  # asked about once
                last, doubted = doubted or attempt == patience, True
                read = read.fields if last else Problem("several", read.text)
            if not isinstance(read, Problem):
                fields = _after(read, tuple(problems), loops) if problems else read
                return kind.made(fields, model=self._model.name, **self.envelope(ask))
            loop = repetition(completion.text)
            loops += bool(loop)
            problems.append(loop.said(completion.text) if loop else read.text)
            request = self._again(question, first, completion, problems, looped=bool(loop))
        self._first.fail(kind.message, self._model.name, problems[-1], completion.text)
        raise UnreadableReply(
            f"{len(problems)} replies could not be read; the last: {problems[-1]}",
            agent=self.name,
            problems=tuple(problems),
        )

    def _keep(self, ask: Ask, attempt: int, request: ModelRequest, completion: Completion) -> Awaitable[None]:
        """Take note of a completion, before it is used."""
        shown = self.memory.numbers
        return self._debate.keep(Call(self.name, ask.round, ask.seq, attempt, shown, request, completion))

    def _question(self, ask: Ask, purpose: Purpose[Reply]) -> Question:
        """The question of an Ask; where the strategy gives it nothing of its own, it is made once.

        Raises StrategyError where a reply of this kind cannot be asked for, and ContentError for the turn's template.
        """
        if not ask.given and purpose in self._questions:
            return self._questions[purpose]
        kind = reply_kind(ask.reply) if isinstance(purpose.form, str) else purpose.form
        assert isinstance(kind, ReplyKind)
        subject, plays = self.subject, [(card, self.subject.persona(card)) for card in self.seat.plays]
        spec = ReplySpec(
            subject.aspects,
            subject.lines,
            subject.candidates,
            tuple([Player(card.title, persona) for card, persona in plays]),
            ask.given,
            self.seat.sampling.n,
            subject.item.fields.get(subject.task.judged, ""),
        )
        kind.call("check", spec)
        if ask.confidence:
            check_confidence(kind, ask.confidence, spec)
        schema = kind.call("schema", spec) if self._holds_to_schemas() else None
        parts = [kind.form if schema is None else kind.structured]
        if ask.confidence == "asked":
            parts.append(FORM if schema is None else STRUCTURED)
            schema = schema and with_confidence_key(schema)
        players = [fenced(quoted(card.title, card), persona) for card, persona in plays]
        given = {"players": [one.title for one in players], "given": ask.given, "roles": spec.roles}
        forms = [subject.fill(subject.prompts.form(part), **given) for part in parts if part]
        turn = subject.prompts.turn(ask.purpose, purpose.prompt)
        sampling, form = self._sampling(ask, kind), "\n\n".join(forms)
        question = Question(kind, spec, ask.confidence, sampling, schema, form, turn, players)
        if not ask.given:
            self._questions[purpose] = question
        return question

    def _sampling(self, ask: Ask, kind: ReplyKind) -> Sampling:
        """Several samples only where the reply is made of them, or repeats tell how sure it is; a sitting's requests that are
        seeded have seeds of their own.
        """
        sampling = self.seat.sampling
        several = ask.confidence == "repeats" or kind.message is Samples
        changes = {"n": 1} if sampling.n > 1 and not several else {}
        if ask.confidence == "log-probabilities":
            changes["logprobs"] = sampling.logprobs or 0
        if sampling.seed is not None:
            changes["seed"] = sampling.seed + self.subject.sample
        return sampling.model_copy(update=changes)

    def _holds_to_schemas(self) -> bool:
        """Tell whether replies are held to schemas; "auto": where the model can, and its cache keeps the brief all the same."""
        form, model = self._debate.settings.form, self.seat.model
        if form != "auto":
            return form == "schema"
        caching = prompt_caching_of(model)
        lost = caching and caching.parted_by_schema and caching.takes(self.subject.brief())
        return model.structured and not lost

    def _request(self, question: Question, ask: Ask) -> ModelRequest:
        """Write the request to the agent's model: the brief, the talk it remembers, who it is, and what to do now."""
        subject, seat, memory, spec = self.subject, self.seat, self.memory, question.spec
        said = self._said()
        text = subject.prompts.part("frame").render(
            talk=[(one.title, one.block) for one in said],
            dropped=memory.left_out,
            title=seat.called,
            persona=self.persona,
            instruction=subject.fill(
                question.turn,
                form=question.form,
                heard=sum([one.sender not in (FLOOR, seat.name) for one in memory.talk]),
                round=ask.round,
                title=seat.called,
                players=question.players,
                given=ask.given,
            ),
        )
        brief = [ChatMessage("system", memory.brief.text)] if memory.brief else []
        return ModelRequest(
            messages=(*brief, ChatMessage("user", text)),
            sampling=question.sampling,
            schema=question.schema,
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
                players=spec.players,
                given=ask.given,
                example=partial(question.kind.call, "example", spec) if question.kind.example else None,
                confidence=ask.confidence,
            ),
            sample=subject.sample,
            talk=tuple([one.block for one in said]),
        )

    def _said(self) -> list[Said]:
        """The talk that it remembers, as it is shown it.

        Where its own words are hidden among those of others, messages of a round stand in the order of a digest of their words, which says
        nothing of who spoke.
        """
        blind, talk = self.seat.plan.blind, self.memory.talk
        if blind == "all":
            talk = tuple(sorted(talk, key=lambda one: (one.round, _digest(words_of(one)))))
        said = [self.subject.said(one, self.bus.titles, self.bus.sent) for one in talk]
        if blind == "none":
            return said
        named = (FLOOR, self.name) if blind == "others" else (FLOOR,)
        return [one if one.heard.sender in named else one.unnamed(at) for at, one in enumerate(said, 1)]

    def _again(
        self,
        question: Question,
        first: ModelRequest,
        completion: Completion,
        problems: Sequence[str],
        *,
        looped: bool,
    ) -> ModelRequest:
        """Ask once more: with the reply behind the first request, what was wrong with it, and the form, filled in where it has scores.

        A reply that ends in a loop, or was cut at its longest, is not shown to the model again, which would write the same once more:
        there is a word about it, and another sample is asked for, as a cache would give the same reply again; after a loop at a higher
        temperature.
        """
        part = self.subject.prompts.part
        if looped or completion.finish == "length":
            *before, last = first.messages
            note = part("again-loop" if looped else "again-cut").render()
            noted = replace(last, content=f"{last.content}\n\n{note}")
            heat = max(first.sampling.temperature or 0.0, _LIVELY)
            sampling = first.sampling.model_copy(update={"temperature": heat} if looped else {})
            sample = first.sample + _ANEW * (len(problems) - 1)
            return replace(first, messages=(*before, noted), sampling=sampling, sample=sample)
        sheet = ""
        if question.kind.sheet and question.confidence != "asked":
            sheet = filled_in(
                question.spec.lines,
                completion.text,
                reasoned="reason" in (question.schema or {}).get("properties", ()),
                structured=question.schema is not None,
            )
        text = self.subject.fill(part("again"), problem=line(problems[-1]), form=question.form, sample=sheet)
        reply = ChatMessage("assistant", legible(completion.text).strip() or _SILENCE)
        return replace(first, messages=(*first.messages, reply, ChatMessage("user", text)))

    def _read(self, question: Question, completion: Completion, first: ModelRequest, *, again: bool) -> Read:
        """Read the reply. The table of patterns counts where it is one to a question that was asked `again`.

        A critique that only repeats what its writer was told is a Problem. Of other kinds of reply a copy does no harm, or holds nothing
        to be read. Words of the judged texts and of other agents are quotations.
        """
        if issubclass(question.kind.message, Critique):
            told = [one.content for one in first.messages]
            quoted = (*self.subject.item.fields.values(), *map(words_of, self.memory.talk))
            if copies(plain(completion.text), told, quoted):
                return Problem("nothing", "The reply repeats what was asked, and says nothing of the score.")
        spec = replace(question.spec, asked_again=True) if again else question.spec
        return read_reply(question.kind, completion, spec, question.confidence)


class Relay(Actor):
    """An actor that passes on what it heard, in the words of a template and without a model, as soon as it is asked."""

    def hear(self, delivery: Delivery) -> None:
        """Remember what is delivered, and answer what is asked by the relay prompt of its purpose."""
        super().hear(delivery)
        ask, purpose, titles = delivery.message, delivery.purpose, self.bus.titles
        if not isinstance(ask, Ask) or not purpose:
            return
        text = self.subject.fill(
            self.subject.prompts.relay(ask.purpose, purpose.prompt),
            messages=[(titles.get(one.sender, one.sender), words_of(one)) for one in delivery.heard],
            title=titles[self.name],
            round=ask.round,
        )
        self.memory.keep(self.bus.send(Statement(text=text, **self.envelope(ask))))


def sit_down(debate: Debate, seat: Seat, subject: Subject) -> None:
    """Have an actor take a seat at a debate."""
    (Relay if seat.plan.relay else Agent)(debate, seat, subject)


def _digest(text: str) -> bytes:
    return sha256(text.encode("utf-8", "surrogatepass")).digest()


def _after(value: Any, problems: tuple[str, ...], loops: int) -> Any:
    """Fields of a reply, with what was wrong with the replies before, some of them loops, in the reading of every ballot in them."""
    if isinstance(value, Ballot):
        return value.after(problems, repeated=loops)
    if isinstance(value, Vote):
        return replace(value, ballot=_after(value.ballot, problems, loops))
    if isinstance(value, Mapping):
        return {name: _after(one, problems, loops) for name, one in value.items()}
    return tuple([_after(one, problems, loops) for one in value]) if isinstance(value, tuple) else value
