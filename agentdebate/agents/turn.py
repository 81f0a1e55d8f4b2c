"""What an agent's model is shown when it is asked: the brief, the talk it remembers, who it is, and what to do now."""

from dataclasses import dataclass
from typing import Any

from agentdebate.agents.card import Card
from agentdebate.agents.memory import Memory
from agentdebate.agents.reading import BALLOT_KINDS
from agentdebate.agents.setting import Setting, heard
from agentdebate.ballots.schema import ballot_schema
from agentdebate.messages import Ask
from agentdebate.models.base import ChatMessage, Completion, Context, Model, ModelRequest, Sampling

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

    @property
    def title(self) -> str:
        """What the agent is called in talk."""
        return self.setting.titles.get(self.agent, self.card.title)

    def request(self, ask: Ask, memory: Memory) -> ModelRequest:
        """The request that answers an Ask."""
        schema = self._schema(ask)
        form = self._form(ask, structured=schema is not None)
        brief = memory.brief
        messages = (
            *((ChatMessage("system", brief.text),) if brief else ()),
            ChatMessage("user", self._turn(ask, memory, form)),
        )
        return ModelRequest(messages, self.sampling, schema, self._context(ask, memory))

    def again(self, ask: Ask, request: ModelRequest, completion: Completion, problem: str) -> ModelRequest:
        """The request with its reply behind it, what was wrong with that, and the form once more."""
        form = self._form(ask, structured=request.schema is not None)
        text = self.setting.prompts.part("again").render(problem=problem, form=form)
        messages = (
            *request.messages,
            ChatMessage("assistant", completion.text.strip() or SILENCE),
            ChatMessage("user", text),
        )
        return ModelRequest(messages, request.sampling, request.schema, request.context)

    def _turn(self, ask: Ask, memory: Memory, form: str) -> str:
        setting, prompts = self.setting, self.setting.prompts
        instruction = prompts.turn(ask.purpose).render(
            form=form, round=ask.round, title=self.title, aspects=setting.aspects, task=setting.task
        )
        talk = [setting.said(message) for message in memory.talk]
        return prompts.part("frame").render(
            talk=talk, title=self.title, persona=setting.persona(self.card), instruction=instruction
        )

    def _schema(self, ask: Ask) -> dict[str, Any] | None:
        wanted = self.setting.form == "schema" or (self.setting.form == "auto" and self.model.structured)
        return ballot_schema(self.setting.aspects) if wanted and ask.reply in BALLOT_KINDS else None

    def _form(self, ask: Ask, *, structured: bool) -> str:
        """How the reply has to end so that it can be read."""
        if ask.reply == "critique":
            return self.setting.ending("form-critique")
        if ask.reply not in BALLOT_KINDS:
            return ""
        return self.setting.ending("form-schema" if structured else "form-text")

    def _context(self, ask: Ask, memory: Memory) -> Context:
        return Context(
            task=self.setting.task,
            item=self.setting.item,
            aspects=self.setting.aspects,
            purpose=ask.purpose,
            reply=ask.reply,
            agent=self.agent,
            card=self.card.name,
            round=ask.round,
            heard=tuple(heard(message) for message in memory.talk),
        )
