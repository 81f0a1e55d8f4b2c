"""What an agent's model is shown when it is asked: the brief, the talk it remembers, who it is, and what to do now."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from agentdebate import plugins
from agentdebate.agents.confidence import FORM, STRUCTURED, check_confidence, with_confidence_key
from agentdebate.agents.debate_settings import DebateSettings
from agentdebate.agents.memory import Memory
from agentdebate.agents.replies import reply_kind
from agentdebate.agents.reply_kind import ReplyKind
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
from agentdebate.prompts.foreign_text import FencedText, fenced, legible, line
from agentdebate.prompts.prompts import Template
from agentdebate.talk.bus import Bus, Delivery
from agentdebate.talk.messages import FLOOR, Ask, Message, Samples, words_of

_LIVELY, _STEP = 0.8, 0.4
"""The temperature up to which a model that repeats itself is asked, and by how much it rises each time."""
_SHEETS = frozenset(("form-text", "form-fill"))
"""Forms of a line an aspect, which can be shown filled in."""
_SILENCE = "(an empty reply)"
"""Stands for a reply without text, which some endpoints do not take."""


@dataclass(frozen=True, slots=True)
class Question:
    """What an agent is asked for, which is the same whenever it is asked for the same."""

    kind: ReplyKind
    spec: ReplySpec
    sampling: Sampling
    schema: Mapping[str, Any] | None
    """What the reply is held to."""
    form: str
    """How the reply has to look so that it can be read."""
    turn: Template
    """The template of what is to be done now."""
    has_sheet: bool
    """Whether its form has a line an aspect."""


_ANEW = 1000
"""What is added to the number of a sample for each time that it is asked for in the same words: no other sample has such a number."""


class RequestWriter:
    """Writes the requests of the agent in a seat, in the debate that a bus carries."""

    def __init__(self, seat: Seat, subject: Subject, settings: DebateSettings, bus: Bus) -> None:
        self._seat, self._subject, self._settings = seat, subject, settings
        self._titles, self._sent = bus.titles, bus.sent
        self._persona = subject.persona(seat.card)
        self._questions: dict[object, Question] = {}

    def __repr__(self) -> str:
        return f"<RequestWriter of {self._seat.called!r}>"

    def question(self, delivery: Delivery, ask: Ask) -> Question:
        """What an Ask asks for.

        Raises StrategyError where a reply of this kind cannot be asked for, and ContentError for the turn's template.
        """
        if ask.given:
            return self._question(delivery, ask)
        key = ask.purpose, ask.reply, ask.confidence, delivery.prompt, delivery.form
        if key not in self._questions:
            self._questions[key] = self._question(delivery, ask)
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
        """What a request is about, in structure."""
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
        self, question: Question, request: ModelRequest, completion: Completion, problem: str
    ) -> ModelRequest:
        """The request with its reply behind it, what was wrong with that, and the form once more, filled in where it has scores."""
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

    def without_loop(self, request: ModelRequest) -> ModelRequest:
        """The request once more after a reply that ended in a loop: without the reply, with a word about it, and less predictable."""
        now = request.sampling.temperature
        livelier = _LIVELY if now is None else max(now, min(_LIVELY, now + _STEP))
        sampling = request.sampling.model_copy(update={"temperature": livelier})
        return replace(self._noted(request, "again-loop"), sampling=sampling)

    def without_cut(self, request: ModelRequest, attempt: int) -> ModelRequest:
        """The request once more after a reply that was cut at its longest: without the reply, of which the next would be a copy, and with
        a word about it. After further attempts it is another sample of the same words, whose cut reply a cache would give again.
        """
        return replace(self._noted(request, "again-cut"), sample=request.sample + _ANEW * (attempt - 1))

    def _noted(self, request: ModelRequest, part: str) -> ModelRequest:
        """The request with a note behind its question."""
        *before, last = request.messages
        note = self._subject.prompts.part(part).render()
        return replace(request, messages=(*before, replace(last, content=f"{last.content}\n\n{note}")))

    def _question(self, delivery: Delivery, ask: Ask) -> Question:
        kind, subject, seat = _kind(delivery, ask), self._subject, self._seat
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
        if kind.check is not None:
            plugins.call(f"the check of the kind of reply {kind.name!r}", kind.check, spec)
        if ask.confidence is not None:
            check_confidence(kind, ask.confidence, spec)
        schema = self._schema(ask, kind, spec)
        form = self._form(ask, kind, spec, structured=schema is not None)
        turn = subject.prompts.turn(ask.purpose, delivery.prompt)
        has_sheet = kind.form in _SHEETS and ask.confidence != "asked"
        return Question(kind, spec, self._sampling(ask, kind), schema, form, turn, has_sheet)

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
            players=self._players(question.spec),
            given=ask.given,
            wanted=subject.wanted,
        )

    def _players(self, spec: ReplySpec) -> list[FencedText]:
        """Those whom the agent plays, each between fences."""
        played = zip(self._seat.plays, spec.players, strict=True)
        return [fenced(quoted(card.title, card), player.description) for card, player in played]

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
        """Whether replies are held to schemas; "auto": where the model can, and its cache keeps the brief all the same."""
        if self._settings.form != "auto":
            return self._settings.form == "schema"
        model = self._seat.model
        caching = prompt_caching_of(model)
        lost = caching is not None and caching.parted_by_schema and caching.takes(self._subject.brief())
        return model.structured and not lost

    def _form(self, ask: Ask, kind: ReplyKind, spec: ReplySpec, *, structured: bool) -> str:
        """How the reply has to look so that it can be read."""
        part = kind.structured if structured else kind.form
        parts = [part] if part else []
        if ask.confidence == "asked":
            parts.append(STRUCTURED if structured else FORM)
        players = tuple([quoted(card.title, card) for card in self._seat.plays])
        given = {"players": players, "given": spec.given, "roles": spec.roles}
        return "\n\n".join([self._subject.ending(one, **given) for one in parts])


def _kind(delivery: Delivery, ask: Ask) -> ReplyKind:
    """The kind of reply that is wanted, which may be the strategy's own. Raises StrategyError."""
    if delivery.form is None:
        return reply_kind(ask.reply)
    if not isinstance(delivery.form, ReplyKind):
        raise StrategyError(f"the form of {ask.purpose!r} is no ReplyKind: {delivery.form!r}")
    return delivery.form


def _heard(message: Message) -> Heard:
    ballot = getattr(message, "ballot", None)
    return Heard(message.sender, message.kind, words_of(message), ballot.scores if ballot else {})
