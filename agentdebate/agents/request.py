"""Request to an agent's model: the brief, the talk it remembers, who it is, and what to do now."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from agentdebate.agents.debate_settings import DebateSettings
from agentdebate.agents.memory import Memory
from agentdebate.agents.replies import reply_kind
from agentdebate.agents.reply_kind import FORM, STRUCTURED, ReplyKind, check_confidence, with_confidence_key
from agentdebate.agents.seat import Seat, quoted
from agentdebate.agents.subject import Subject
from agentdebate.ballots.ballot import Source
from agentdebate.ballots.lineup import Player, ReplySpec
from agentdebate.ballots.repetition import repetition
from agentdebate.ballots.sheet import filled_in
from agentdebate.errors import StrategyError
from agentdebate.models.base import ChatMessage, Completion, Context, ModelRequest, Sampling
from agentdebate.models.prompt_caching import prompt_caching_of
from agentdebate.prompts.foreign_text import fenced, legible, line
from agentdebate.prompts.prompts import Template
from agentdebate.talk.bus import Bus
from agentdebate.talk.messages import FLOOR, Ask, Message, Purpose, Reply, Samples

_LIVELY, _STEP = 0.8, 0.4
"""The temperature up to which a model that repeats itself is asked, and by how much it rises each time."""
_SILENCE = "(an empty reply)"
"""Stands for a reply without text, which some endpoints do not take."""
_ANEW = 1000
"""Offset of a sample's number for each time that it is asked for in the same words: no other sample has such a number."""


@dataclass(frozen=True, slots=True)
class Question:
    """Question to an agent, which is the same whenever it is asked for the same."""

    kind: ReplyKind
    spec: ReplySpec
    confidence: Source | None
    sampling: Sampling
    schema: Mapping[str, Any] | None
    """Schema that the reply is held to."""
    form: str
    """Form that the reply must have so that it can be read."""
    turn: Template
    """The template of what is to be done now."""

    def asked_again(self) -> "Question":
        """The question after a reply that could not be read: then the table of patterns counts, too."""
        return replace(self, spec=replace(self.spec, asked_again=True))


class RequestWriter:
    """Writes the requests of the agent in a seat, in the debate that a bus carries."""

    def __init__(self, seat: Seat, subject: Subject, settings: DebateSettings, bus: Bus) -> None:
        self._seat, self._subject, self._form_of = seat, subject, settings.form
        self._titles, self._sent = bus.titles, bus.sent
        self._persona = subject.persona(seat.card)
        if seat.card.recruited:  # a model wrote it, so that it is shown as data
            who = fenced(seat.card.title, self._persona)
            self._persona = subject.prompts.part("recruit").render(texts=[who], title=seat.card.title)
        self._played = tuple([quoted(card.title, card) for card in seat.plays])
        self._questions: dict[Purpose[Reply] | None, Question] = {}

    def question(self, ask: Ask, purpose: Purpose[Reply] | None) -> Question:
        """Say what an Ask asks for; where the strategy gives it nothing of its own, this is made once.

        Raises StrategyError where a reply of this kind cannot be asked for, and ContentError for the turn's template.
        """
        found = None if ask.given else self._questions.get(purpose)
        if found is None:
            found = self._question(ask, purpose)
            if not ask.given:
                self._questions[purpose] = found
        return found

    def request(self, ask: Ask, question: Question, memory: Memory) -> ModelRequest:
        """Write the request that answers a question, with what the agent remembers."""
        subject, brief = self._subject, memory.brief
        said = subject.said(memory.talk, self._titles, self._sent)
        text = subject.prompts.part("frame").render(
            talk=[(one.title, one.block) for one in said],
            dropped=memory.left_out,
            title=self._seat.called,
            persona=self._persona,
            instruction=self._instruction(ask, question, memory.talk),
        )
        return ModelRequest(
            messages=(
                *([ChatMessage("system", brief.text)] if brief else []),
                ChatMessage("user", text),
            ),
            sampling=question.sampling,
            schema=question.schema,
            context=Context(
                task=subject.task,
                item=subject.item,
                aspects=subject.aspects,
                purpose=ask.purpose,
                reply=ask.reply,
                agent=self._seat.name,
                card=self._seat.card.name,
                round=ask.round,
                heard=tuple([one.heard for one in said]),
                candidates=subject.candidates,
                lines=subject.lines,
                players=question.spec.players,
                given=ask.given,
                example=partial(question.kind.call, "example", question.spec)
                if question.kind.example
                else None,
                confidence=ask.confidence,
            ),
            sample=subject.sample,
            talk=tuple([one.block for one in said]),
        )

    def again(
        self,
        question: Question,
        first: ModelRequest,
        completion: Completion,
        problems: Sequence[str],
        repeated: int,
    ) -> ModelRequest:
        """Ask once more: with the reply behind the first question, what was wrong with it, and the form, filled in where it has scores.

        A reply that ends in a loop, or was cut at its longest, is not shown to the model again, which would write the same once more:
        there is a word about it, and another sample is asked for, as a cache would give the same reply again. After every loop the
        temperature is higher.
        """
        if repeated:
            now = first.sampling.temperature
            livelier = _LIVELY if now is None else max(now, min(_LIVELY, now + _STEP * repeated))
            first = replace(first, sampling=first.sampling.model_copy(update={"temperature": livelier}))
        part = self._subject.prompts.part
        *before, last = first.messages
        looped = repetition(completion.text) is not None
        if looped or completion.finish == "length":
            note = part("again-loop" if looped else "again-cut").render()
            noted = replace(last, content=f"{last.content}\n\n{note}")
            sample = first.sample + _ANEW * (len(problems) - 1)
            return replace(first, messages=(*before, noted), sample=sample)
        sheet = ""
        if question.kind.sheet and question.confidence != "asked":
            properties = (question.schema or {}).get("properties", {})
            held, reasoned = question.schema is not None, "reason" in properties
            sheet = filled_in(question.spec.lines, completion.text, reasoned=reasoned, structured=held)
        again = part("again")
        text = self._subject.fill(again, problem=line(problems[-1]), form=question.form, sample=sheet)
        reply = ChatMessage("assistant", legible(completion.text).strip() or _SILENCE)
        return replace(first, messages=(*first.messages, reply, ChatMessage("user", text)))

    def _question(self, ask: Ask, purpose: Purpose[Reply] | None) -> Question:
        kind = purpose.form if purpose and not isinstance(purpose.form, str) else reply_kind(ask.reply)
        if not isinstance(kind, ReplyKind):
            raise StrategyError(f"the form of {ask.purpose!r} is no ReplyKind: {kind!r}")
        subject, seat = self._subject, self._seat
        spec = ReplySpec(
            subject.aspects,
            subject.lines,
            subject.candidates,
            tuple([Player(card.title, subject.persona(card)) for card in seat.plays]),
            ask.given,
            seat.sampling.n,
            subject.item.fields.get(subject.task.judged, ""),
        )
        kind.call("check", spec)
        if ask.confidence is not None:
            check_confidence(kind, ask.confidence, spec)
        sure = ask.confidence == "asked"
        schema = kind.call("schema", spec) if self._holds_to_schemas() else None
        parts = [kind.form, FORM] if schema is None else [kind.structured, STRUCTURED]
        given = {"players": self._played, "given": spec.given, "roles": spec.roles}
        return Question(
            kind,
            spec,
            ask.confidence,
            self._sampling(ask, kind),
            with_confidence_key(schema) if schema is not None and sure else schema,
            "\n\n".join(
                [subject.fill(subject.prompts.form(one), **given) for one in parts[: 1 + sure] if one]
            ),
            subject.prompts.turn(ask.purpose, purpose.prompt if purpose else ""),
        )

    def _instruction(self, ask: Ask, question: Question, talk: Sequence[Message]) -> str:
        played = zip(self._played, question.spec.players, strict=True)
        return self._subject.fill(
            question.turn,
            form=question.form,
            heard=sum([message.sender not in (FLOOR, self._seat.name) for message in talk]),
            round=ask.round,
            title=self._seat.called,
            players=[fenced(called, one.description) for called, one in played],
            given=ask.given,
        )

    def _sampling(self, ask: Ask, kind: ReplyKind) -> Sampling:
        """Several samples only where the reply is made of them, or repeats tell how sure it is; a sitting's requests that are
        seeded have seeds of their own.
        """
        sampling = self._seat.sampling
        changes: dict[str, int] = {}
        if ask.confidence == "log-probabilities" and sampling.logprobs is None:
            changes["logprobs"] = 0
        if ask.confidence != "repeats" and kind.message is not Samples:
            changes["n"] = 1
        if sampling.seed is not None:
            changes["seed"] = sampling.seed + self._subject.sample
        changed = {name: value for name, value in changes.items() if value != getattr(sampling, name)}
        return sampling.model_copy(update=changed) if changed else sampling

    def _holds_to_schemas(self) -> bool:
        """Tell whether replies are held to schemas; "auto": where the model can, and its cache keeps the brief all the same."""
        if self._form_of != "auto":
            return self._form_of == "schema"
        model = self._seat.model
        caching = prompt_caching_of(model)
        lost = caching is not None and caching.parted_by_schema and caching.takes(self._subject.brief())
        return model.structured and not lost
