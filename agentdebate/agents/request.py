"""What an agent's model is shown when it is asked: the brief, the talk it remembers, who it is, and what to do now."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from agentdebate.agents.chair import Chair
from agentdebate.agents.memory import Memory
from agentdebate.agents.reading import Wanted, reply_kind
from agentdebate.agents.subject import Subject, said
from agentdebate.debate_settings import DebateSettings
from agentdebate.lineup import Player
from agentdebate.messages import Ask, Message, Samples
from agentdebate.models.base import ChatMessage, Completion, Context, ModelRequest, Sampling
from agentdebate.prompts import fenced
from agentdebate.tokens import count

SILENCE = "(an empty reply)"
"""Stands for a reply without text, which some endpoints do not take back."""


@dataclass(frozen=True, slots=True)
class RequestWriter:
    """Writes the requests of whoever sits on a chair. `titles` says what everyone is called in talk, by address."""

    chair: Chair
    subject: Subject
    settings: DebateSettings
    titles: Mapping[str, str]

    def request(self, ask: Ask, memory: Memory) -> tuple[tuple[int, ...], ModelRequest]:
        """The numbers of the messages that the agent is shown, and the request that answers an Ask with them."""
        wanted = self.wanted(ask)
        schema = self._schema(ask, wanted)
        form = self._form(ask, wanted, structured=schema is not None)
        brief, talk = memory.brief, memory.talk
        kept = talk if self.chair.history is None else latest(talk, self.chair.history)
        messages = (
            *((ChatMessage("system", brief.text),) if brief else ()),
            ChatMessage("user", self._turn(ask, kept, form, wanted, dropped=len(talk) - len(kept))),
        )
        shown = (*((brief.seq,) if brief else ()), *(message.seq for message in kept))
        request = ModelRequest(
            messages, self._sampling(ask), schema, self._context(ask, kept, wanted), self.subject.sample
        )
        return shown, request

    def again(self, ask: Ask, request: ModelRequest, completion: Completion, problem: str) -> ModelRequest:
        """The request with its reply behind it, what was wrong with that, and the form once more."""
        form = self._form(ask, self.wanted(ask), structured=request.schema is not None)
        text = self.subject.prompts.part("again").render(problem=problem, form=form)
        messages = (
            *request.messages,
            ChatMessage("assistant", completion.text.strip() or SILENCE),
            ChatMessage("user", text),
        )
        return replace(request, messages=messages)

    def wanted(self, ask: Ask) -> Wanted:
        """What the reply to an Ask has to hold."""
        players = tuple(Player(card.title, self.subject.described(card)) for card in self.chair.plays)
        subject = self.subject
        samples = self.chair.sampling.n
        return Wanted(subject.aspects, subject.lines, subject.candidates, players, ask.given, samples)

    def _turn(self, ask: Ask, talk: Sequence[Message], form: str, wanted: Wanted, *, dropped: int) -> str:
        subject, prompts = self.subject, self.subject.prompts
        instruction = prompts.turn(ask.purpose).render(
            form=form,
            round=ask.round,
            title=self.chair.speaker.title,
            aspects=subject.aspects,
            candidates=subject.candidates,
            task=subject.task,
            players=[fenced(player.title, player.description) for player in wanted.players],
            given=ask.given,
        )
        return prompts.part("frame").render(
            talk=[said(message, self.titles) for message in talk],
            dropped=dropped,
            title=self.chair.speaker.title,
            persona=subject.persona(self.chair.card),
            instruction=instruction,
        )

    def _sampling(self, ask: Ask) -> Sampling:
        """Several samples only where the reply is made of them; a sitting's requests that are seeded have seeds of their own."""
        changes: dict[str, int] = {}
        if self.chair.sampling.n > 1 and reply_kind(ask.reply).message is not Samples:
            changes["n"] = 1
        if self.chair.sampling.seed is not None and self.subject.sample:
            changes["seed"] = self.chair.sampling.seed + self.subject.sample
        return self.chair.sampling.model_copy(update=changes) if changes else self.chair.sampling

    def _schema(self, ask: Ask, wanted: Wanted) -> dict[str, Any] | None:
        form = self.settings.form
        structured = form == "schema" or (form == "auto" and self.chair.model.structured)
        schema = reply_kind(ask.reply).schema
        return schema(wanted) if structured and schema else None

    def _form(self, ask: Ask, wanted: Wanted, *, structured: bool) -> str:
        """How the reply has to look so that it can be read."""
        kind = reply_kind(ask.reply)
        part = kind.structured if structured else kind.form
        if not part:
            return ""
        if not (wanted.players or wanted.given):
            return self.subject.ending(part)
        return self.subject.ending(part, players=wanted.titles, given=wanted.given, roles=wanted.roles)

    def _context(self, ask: Ask, talk: Sequence[Message], wanted: Wanted) -> Context:
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
            players=wanted.players,
            given=ask.given,
        )


def latest(talk: Sequence[Message], limit: int) -> tuple[Message, ...]:
    """The end of a talk that has at most `limit` tokens; the last message in any case."""
    kept, used = 0, 0
    for message in reversed(talk):
        used += count(message.spoken()).n
        if kept and used > limit:
            break
        kept += 1
    return tuple(talk[len(talk) - kept :])
