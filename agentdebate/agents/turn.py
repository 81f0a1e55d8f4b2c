"""What an agent's model is shown when it is asked: the brief, the talk it remembers, who it is, and what to do now."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from agentdebate.agents.card import Card
from agentdebate.agents.memory import Memory
from agentdebate.agents.reading import Wanted, reply_kind
from agentdebate.agents.setting import Setting, spoken
from agentdebate.lineup import Player
from agentdebate.messages import Ask, Message, Samples
from agentdebate.models.base import ChatMessage, Completion, Context, Model, ModelRequest, Sampling
from agentdebate.prompts import fenced
from agentdebate.tokens import count

SILENCE = "(an empty reply)"
"""Stands for a reply without text, which some endpoints do not take back."""


@dataclass(frozen=True, slots=True)
class TurnWriter:
    """Writes an agent's requests."""

    agent: str
    card: Card
    model: Model
    sampling: Sampling
    setting: Setting
    history: int | None = None
    """How many tokens of talk are shown at the most. What was said first goes first, but never the last message."""
    plays: tuple[Card, ...] = ()
    """The cards that it plays, where it speaks for several."""

    @property
    def title(self) -> str:
        """What the agent is called in talk."""
        return self.setting.titles.get(self.agent, self.card.title)

    def request(self, ask: Ask, memory: Memory) -> tuple[tuple[int, ...], ModelRequest]:
        """The numbers of the messages that the agent is shown, and the request that answers an Ask with them."""
        wanted = self.wanted(ask)
        schema = self._schema(ask, wanted)
        form = self._form(ask, wanted, structured=schema is not None)
        brief, talk = memory.brief, memory.talk
        kept = talk if self.history is None else latest(talk, self.history)
        messages = (
            *((ChatMessage("system", brief.text),) if brief else ()),
            ChatMessage("user", self._turn(ask, kept, form, wanted, dropped=len(talk) - len(kept))),
        )
        shown = (*((brief.seq,) if brief else ()), *(message.seq for message in kept))
        request = ModelRequest(
            messages, self._sampling(ask), schema, self._context(ask, kept, wanted), self.setting.sample
        )
        return shown, request

    def again(self, ask: Ask, request: ModelRequest, completion: Completion, problem: str) -> ModelRequest:
        """The request with its reply behind it, what was wrong with that, and the form once more."""
        form = self._form(ask, self.wanted(ask), structured=request.schema is not None)
        text = self.setting.prompts.part("again").render(problem=problem, form=form)
        messages = (
            *request.messages,
            ChatMessage("assistant", completion.text.strip() or SILENCE),
            ChatMessage("user", text),
        )
        return replace(request, messages=messages)

    def wanted(self, ask: Ask) -> Wanted:
        """What the reply to an Ask has to hold."""
        players = tuple(Player(card.title, self.setting.described(card)) for card in self.plays)
        setting = self.setting
        samples = self.sampling.n
        return Wanted(setting.aspects, setting.lines, setting.candidates, players, ask.given, samples)

    def _turn(self, ask: Ask, talk: Sequence[Message], form: str, wanted: Wanted, *, dropped: int) -> str:
        setting, prompts = self.setting, self.setting.prompts
        instruction = prompts.turn(ask.purpose).render(
            form=form,
            round=ask.round,
            title=self.title,
            aspects=setting.aspects,
            candidates=setting.candidates,
            task=setting.task,
            players=[fenced(player.title, player.description) for player in wanted.players],
            given=ask.given,
        )
        return prompts.part("frame").render(
            talk=[setting.said(message) for message in talk],
            dropped=dropped,
            title=self.title,
            persona=setting.persona(self.card),
            instruction=instruction,
        )

    def _sampling(self, ask: Ask) -> Sampling:
        """Several samples only where the reply is made of them; a sitting's requests that are seeded have seeds of their own."""
        changes: dict[str, int] = {}
        if self.sampling.n > 1 and reply_kind(ask.reply).message is not Samples:
            changes["n"] = 1
        if self.sampling.seed is not None and self.setting.sample:
            changes["seed"] = self.sampling.seed + self.setting.sample
        return self.sampling.model_copy(update=changes) if changes else self.sampling

    def _schema(self, ask: Ask, wanted: Wanted) -> dict[str, Any] | None:
        form = self.setting.settings.form
        structured = form == "schema" or (form == "auto" and self.model.structured)
        schema = reply_kind(ask.reply).schema
        return schema(wanted) if structured and schema else None

    def _form(self, ask: Ask, wanted: Wanted, *, structured: bool) -> str:
        """How the reply has to look so that it can be read."""
        kind = reply_kind(ask.reply)
        part = kind.structured if structured else kind.form
        if not part:
            return ""
        if not (wanted.players or wanted.given):
            return self.setting.ending(part)
        return self.setting.ending(part, players=wanted.titles, given=wanted.given, roles=wanted.roles)

    def _context(self, ask: Ask, talk: Sequence[Message], wanted: Wanted) -> Context:
        return Context(
            task=self.setting.task,
            item=self.setting.item,
            aspects=self.setting.aspects,
            purpose=ask.purpose,
            reply=ask.reply,
            agent=self.agent,
            card=self.card.name,
            round=ask.round,
            heard=tuple(self.setting.heard(message) for message in talk),
            candidates=self.setting.candidates,
            lines=self.setting.lines,
            players=wanted.players,
            given=ask.given,
        )


def latest(talk: Sequence[Message], limit: int) -> tuple[Message, ...]:
    """The end of a talk that has at most `limit` tokens; the last message in any case."""
    kept, used = 0, 0
    for message in reversed(talk):
        used += count(spoken(message)).n
        if kept and used > limit:
            break
        kept += 1
    return tuple(talk[len(talk) - kept :])
