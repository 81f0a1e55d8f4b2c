"""Request to an agent's model: the brief, the talk it remembers, who it is, and what to do now."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from agentdebate import plugins
from agentdebate.agents.debate_settings import DebateSettings
from agentdebate.agents.memory import Memory
from agentdebate.agents.replies import reply_kind
from agentdebate.agents.reply_kind import FORM, STRUCTURED, ReplyKind, check_confidence, with_confidence_key
from agentdebate.agents.seat import Seat, quoted
from agentdebate.agents.subject import Subject
from agentdebate.ballots.lineup import Player, ReplySpec
from agentdebate.ballots.sheet import filled_in
from agentdebate.errors import StrategyError
from agentdebate.models.base import (
    ChatMessage,
    Completion,
    Context,
    Heard,
    ModelRequest,
    Sampling,
)
from agentdebate.models.prompt_caching import prompt_caching_of
from agentdebate.prompts.foreign_text import fenced, legible, line
from agentdebate.prompts.prompts import Template
from agentdebate.talk.bus import Bus
from agentdebate.talk.messages import FLOOR, Ask, Message, Purpose, Reply, Samples, words_of

_LIVELY, _STEP = 0.8, 0.4
"""The temperature up to which a model that repeats itself is asked, and by how much it rises each time."""
_SHEETS = frozenset(("form-text", "form-fill"))
"""Forms of a line an aspect, which can be shown filled in."""
_SILENCE = "(an empty reply)"
"""Stands for a reply without text, which some endpoints do not take."""


@dataclass(frozen=True, slots=True)
class Question:
    """Question to an agent, which is the same whenever it is asked for the same."""

    kind: ReplyKind
    spec: ReplySpec
    sampling: Sampling
    schema: Mapping[str, Any] | None
    """Schema that the reply is held to."""
    form: str
    """Form that the reply must have so that it can be read."""
    turn: Template
    """The template of what is to be done now."""
    has_sheet: bool
    """True if its form has a line an aspect."""


_ANEW = 1000
"""Offset of a sample's number for each time that it is asked for in the same words: no other sample has such a number."""


class RequestWriter:
    """Writes the requests of the agent in a seat, in the debate that a bus carries."""

    def __init__(self, seat: Seat, subject: Subject, settings: DebateSettings, bus: Bus) -> None:
        self._seat, self._subject, self._settings = seat, subject, settings
        self._titles, self._sent = bus.titles, bus.sent
        self._persona = subject.persona(seat.card)
        self._played = tuple([quoted(card.title, card) for card in seat.plays])
        self._questions: dict[object, Question] = {}

    def question(self, ask: Ask, purpose: Purpose[Reply] | None) -> Question:
        """Say what an Ask asks for; where the strategy gives it nothing of its own, this is made once.

        Raises StrategyError where a reply of this kind cannot be asked for, and ContentError for the turn's template.
        """
        if ask.given:
            return self._question(ask, purpose)
        key = ask.purpose, ask.reply, ask.confidence, purpose
        if key not in self._questions:
            self._questions[key] = self._question(ask, purpose)
        return self._questions[key]

    def request(self, ask: Ask, question: Question, memory: Memory) -> tuple[tuple[int, ...], ModelRequest]:
        """The numbers of the messages that the agent is shown, and the request that answers a question with them."""
        subject, brief, talk = self._subject, memory.brief, memory.talk
        said = subject.said(talk, self._titles, self._sent)
        text = subject.prompts.part("frame").render(
            talk=said,
            dropped=memory.left_out,
            title=self._seat.called,
            persona=self._persona,
            instruction=self._instruction(ask, question, talk),
        )
        messages: tuple[ChatMessage, ...] = (ChatMessage("user", text),)
        if brief is not None:
            messages = (ChatMessage("system", brief.text), *messages)
        request = ModelRequest(
            messages,
            question.sampling,
            question.schema,
            self._context(ask, question, memory.numbered),
            subject.sample,
            tuple([text for _, text in said]),
        )
        return memory.numbers, request

    def _context(self, ask: Ask, question: Question, shown: Iterable[int]) -> Context:
        """Build the structured context of a request."""
        example, told = question.kind.example, f"the example of the kind of reply {question.kind.name!r}"
        subject = self._subject
        return Context(
            task=subject.task,
            item=subject.item,
            aspects=subject.aspects,
            purpose=ask.purpose,
            reply=ask.reply,
            agent=self._seat.name,
            card=self._seat.card.name,
            round=ask.round,
            heard=tuple([_heard(self._sent[number - 1]) for number in shown]),
            candidates=subject.candidates,
            lines=subject.lines,
            players=question.spec.players,
            given=ask.given,
            example=partial(plugins.call, told, example, question.spec) if example else None,
            confidence=ask.confidence,
        )

    def again(
        self,
        question: Question,
        request: ModelRequest,
        completion: Completion,
        problem: str,
        *,
        loops: bool,
        attempt: int,
    ) -> ModelRequest:
        """Ask once more: with the reply behind the question, what was wrong with it, and the form, filled in where it has scores.

        A reply that ends in a loop, or was cut at its longest, is not shown to the model again, which would write the same once more:
        there is a word about it. After a loop the model is asked at a higher temperature; after a further cut for another sample, as a
        cache would give the cut reply again.
        """
        if loops:
            now = request.sampling.temperature
            livelier = _LIVELY if now is None else max(now, min(_LIVELY, now + _STEP))
            sampling = request.sampling.model_copy(update={"temperature": livelier})
            return replace(self._noted(request, "again-loop"), sampling=sampling)
        if completion.finish == "length":
            return replace(self._noted(request, "again-cut"), sample=request.sample + _ANEW * (attempt - 1))
        sample = ""
        if question.has_sheet:
            reasoned = "reason" in (question.schema or {}).get("properties", {})
            held = question.schema is not None
            sample = filled_in(question.spec.lines, completion.text, reasoned=reasoned, structured=held)
        text = self._subject.prompts.part("again").render(
            problem=line(problem), form=question.form, sample=sample, wanted=self._subject.wanted
        )
        reply = ChatMessage("assistant", legible(completion.text).strip() or _SILENCE)
        return replace(request, messages=(*request.messages, reply, ChatMessage("user", text)))

    def _noted(self, request: ModelRequest, part: str) -> ModelRequest:
        """The request with a note behind its question."""
        *before, last = request.messages
        note = self._subject.prompts.part(part).render()
        return replace(request, messages=(*before, replace(last, content=f"{last.content}\n\n{note}")))

    def _question(self, ask: Ask, purpose: Purpose[Reply] | None) -> Question:
        own = purpose.form if purpose and not isinstance(purpose.form, str) else reply_kind(ask.reply)
        if not isinstance(own, ReplyKind):
            raise StrategyError(f"the form of {ask.purpose!r} is no ReplyKind: {own!r}")
        subject, seat = self._subject, self._seat
        players = tuple(Player(card.title, subject.described(card)) for card in seat.plays)
        spec = ReplySpec(
            subject.aspects,
            subject.lines,
            subject.candidates,
            players,
            ask.given,
            seat.sampling.n,
            subject.judged,
        )
        if own.check is not None:
            plugins.call(f"the check of the kind of reply {own.name!r}", own.check, spec)
        if ask.confidence is not None:
            check_confidence(own, ask.confidence, spec)
        schema = self._schema(ask, own, spec)
        form = self._form(ask, own, spec, structured=schema is not None)
        turn = subject.prompts.turn(ask.purpose, purpose.prompt if purpose else "")
        return Question(
            own,
            spec,
            self._sampling(ask, own),
            schema,
            form,
            turn,
            has_sheet=own.form in _SHEETS and ask.confidence != "asked",
        )

    def _instruction(self, ask: Ask, question: Question, talk: Iterable[Message]) -> str:
        subject = self._subject
        return question.turn.render(
            form=question.form,
            heard=sum(message.sender not in (FLOOR, self._seat.name) for message in talk),
            round=ask.round,
            title=self._seat.called,
            aspects=subject.aspects,
            candidates=subject.candidates,
            task=subject.task,
            players=[
                fenced(called, one.description)
                for called, one in zip(self._played, question.spec.players, strict=True)
            ],
            given=ask.given,
            wanted=subject.wanted,
        )

    def _sampling(self, ask: Ask, kind: ReplyKind) -> Sampling:
        """Several samples only where the reply is made of them, or repeats tell how sure it is; a sitting's requests that are
        seeded have seeds of their own.
        """
        changes: dict[str, int] = {}
        sampling = self._seat.sampling
        if ask.confidence == "log-probabilities" and sampling.logprobs is None:
            changes["logprobs"] = 0
        if sampling.n > 1 and ask.confidence != "repeats" and kind.message is not Samples:
            changes["n"] = 1
        if sampling.seed is not None and self._subject.sample:
            changes["seed"] = sampling.seed + self._subject.sample
        return sampling.model_copy(update=changes) if changes else sampling

    def _schema(self, ask: Ask, kind: ReplyKind, spec: ReplySpec) -> dict[str, Any] | None:
        if kind.schema is None or not self._holds_to_schemas():
            return None
        whole = plugins.call(f"the schema of the kind of reply {kind.name!r}", kind.schema, spec)
        return with_confidence_key(whole) if ask.confidence == "asked" else whole

    def _holds_to_schemas(self) -> bool:
        """Tell whether replies are held to schemas; "auto": where the model can, and its cache keeps the brief all the same."""
        if self._settings.form != "auto":
            return self._settings.form == "schema"
        model = self._seat.model
        caching = prompt_caching_of(model)
        lost = caching is not None and caching.parted_by_schema and caching.takes(self._subject.brief())
        return model.structured and not lost

    def _form(self, ask: Ask, kind: ReplyKind, spec: ReplySpec, *, structured: bool) -> str:
        """Return the form that the reply must have so that it can be read."""
        part = kind.structured if structured else kind.form
        parts = [part] if part else []
        if ask.confidence == "asked":
            parts.append(STRUCTURED if structured else FORM)
        given = {"players": self._played, "given": spec.given, "roles": spec.roles}
        return "\n\n".join([self._subject.ending(one, **given) for one in parts])


def _heard(message: Message) -> Heard:
    ballot = getattr(message, "ballot", None)
    return Heard(message.sender, message.kind, words_of(message), ballot.scores if ballot else {})
