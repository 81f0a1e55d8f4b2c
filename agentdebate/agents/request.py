"""What an agent's model is shown when it is asked: the brief, the talk it remembers, who it is, and what to do now."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from agentdebate import plugins
from agentdebate.agents.chair import Chair
from agentdebate.agents.confidence import FORM, STRUCTURED, check_confidence, with_confidence_key
from agentdebate.agents.debate_settings import DebateSettings
from agentdebate.agents.memory import Memory
from agentdebate.agents.question import Question
from agentdebate.agents.reply_kind import ReplyKind
from agentdebate.agents.subject import Subject, said
from agentdebate.ballots.lineup import Player
from agentdebate.ballots.reply_spec import ReplySpec
from agentdebate.models.base import ChatMessage, Completion, Context, ModelRequest, Sampling
from agentdebate.prompts.prompts import fenced
from agentdebate.talk.messages import Ask, Message, Samples

SILENCE = "(an empty reply)"
"""Stands for a reply without text, which some endpoints do not take back."""


@dataclass(frozen=True, slots=True)
class RequestWriter:
    """Writes the requests of whoever sits on a chair. `titles` says what everyone is called in talk, by address."""

    chair: Chair
    subject: Subject
    settings: DebateSettings
    titles: Mapping[str, str]

    def request(self, question: Question, memory: Memory) -> tuple[tuple[int, ...], ModelRequest]:
        """The numbers of the messages that the agent is shown, and the request that answers a question with them."""
        schema = self._schema(question)
        form = self._form(question, structured=schema is not None)
        brief, talk = memory.brief, memory.talk
        messages = (
            *((ChatMessage("system", brief.text),) if brief else ()),
            ChatMessage("user", self._turn(question, talk, form, dropped=memory.left_out)),
        )
        shown = (*((brief.seq,) if brief else ()), *(message.seq for message in talk))
        request = ModelRequest(
            messages, self._sampling(question), schema, self._context(question, talk), self.subject.sample
        )
        return shown, request

    def again(
        self, question: Question, request: ModelRequest, completion: Completion, problem: str
    ) -> ModelRequest:
        """The request with its reply behind it, what was wrong with that, and the form once more."""
        form = self._form(question, structured=request.schema is not None)
        text = self.subject.prompts.part("again").render(problem=problem, form=form)
        messages = (
            *request.messages,
            ChatMessage("assistant", completion.text.strip() or SILENCE),
            ChatMessage("user", text),
        )
        return replace(request, messages=messages)

    def question(self, ask: Ask, kind: ReplyKind) -> Question:
        """What an Ask asks for. Raises StrategyError where a reply of this kind cannot be asked for."""
        subject = self.subject
        players = tuple(Player(card.title, subject.described(card)) for card in self.chair.plays)
        spec = ReplySpec(
            subject.aspects,
            subject.lines,
            subject.candidates,
            players,
            ask.given,
            self.chair.sampling.n,
            subject.item.fields.get(subject.task.judged, ""),
        )
        if kind.check is not None:
            plugins.call(f"the check of the kind of reply {kind.name!r}", kind.check, spec)
        if ask.confidence is not None:
            check_confidence(kind, ask.confidence, spec)
        return Question(ask, kind, spec)

    def _turn(self, question: Question, talk: Sequence[Message], form: str, *, dropped: int) -> str:
        subject, prompts, ask = self.subject, self.subject.prompts, question.ask
        instruction = prompts.turn(ask.purpose).render(
            form=form,
            round=ask.round,
            title=self.chair.speaker.title,
            aspects=subject.aspects,
            candidates=subject.candidates,
            task=subject.task,
            players=[fenced(player.title, player.description) for player in question.spec.players],
            given=ask.given,
        )
        return prompts.part("frame").render(
            talk=[said(message, self.titles) for message in talk],
            dropped=dropped,
            title=self.chair.speaker.title,
            persona=subject.persona(self.chair.card),
            instruction=instruction,
        )

    def _sampling(self, question: Question) -> Sampling:
        """Several samples only where the reply is made of them, or repeats tell how sure it is; a sitting's requests that are
        seeded have seeds of their own.
        """
        changes: dict[str, int] = {}
        repeats = question.ask.confidence == "repeats"
        if question.ask.confidence == "log-probabilities" and self.chair.sampling.logprobs is None:
            changes["logprobs"] = 0
        if self.chair.sampling.n > 1 and not repeats and question.kind.message is not Samples:
            changes["n"] = 1
        if self.chair.sampling.seed is not None and self.subject.sample:
            changes["seed"] = self.chair.sampling.seed + self.subject.sample
        return self.chair.sampling.model_copy(update=changes) if changes else self.chair.sampling

    def _schema(self, question: Question) -> dict[str, Any] | None:
        form = self.settings.form
        structured = form == "schema" or (form == "auto" and self.chair.model.structured)
        schema = question.kind.schema
        if not (structured and schema):
            return None
        whole = plugins.call(f"the schema of the kind of reply {question.kind.name!r}", schema, question.spec)
        return with_confidence_key(whole) if question.ask.confidence == "asked" else whole

    def _form(self, question: Question, *, structured: bool) -> str:
        """How the reply has to look so that it can be read."""
        kind, spec = question.kind, question.spec
        part = kind.structured if structured else kind.form
        parts = [part] if part else []
        if question.ask.confidence == "asked":
            parts.append(STRUCTURED if structured else FORM)
        given = {"players": spec.titles, "given": spec.given, "roles": spec.roles}
        telling = given if spec.players or spec.given else {}
        return "\n\n".join(self.subject.ending(one, **telling) for one in parts)

    def _context(self, question: Question, talk: Sequence[Message]) -> Context:
        ask, example = question.ask, question.kind.example
        return Context(
            task=self.subject.task,
            item=self.subject.item,
            aspects=self.subject.aspects,
            purpose=ask.purpose,
            reply=ask.reply,
            agent=self.chair.speaker.name,
            card=self.chair.card.name,
            round=ask.round,
            heard=tuple(self.subject.heard(message) for message in talk),
            candidates=self.subject.candidates,
            lines=self.subject.lines,
            players=question.spec.players,
            given=ask.given,
            example=partial(plugins.call, _example_of(question), example, question.spec) if example else None,
            confidence=ask.confidence,
        )


def _example_of(question: Question) -> str:
    return f"the example of the kind of reply {question.kind.name!r}"
