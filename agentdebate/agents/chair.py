"""A seat with everything that its agent needs."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from agentdebate.agents.card import Card, Conversation
from agentdebate.agents.question import AskedBefore
from agentdebate.agents.speaker import Speaker
from agentdebate.models.base import Model, Sampling
from agentdebate.prompts.foreign_text import line

_MARKS, _SINGLE = re.compile(r'["“”„«»]'), "'"


@dataclass(frozen=True, slots=True)
class Chair:
    """A seat whose card was read, whose model was opened, and whose speaker has a name of its own."""

    speaker: Speaker
    card: Card
    model: Model
    sampling: Sampling
    """The call's, the card's and the strategy's together."""
    relay: bool = False
    carries: bool = False
    """Whether its words are for their addressee alone."""
    history: int | str | Mapping[str, Any] | None = None
    """What is remembered of the talk: a history rule. None: all of it."""
    plays: tuple[Card, ...] = ()
    """The cards that it plays, where it speaks for several."""
    briefed: bool = True
    conversation: Conversation | None = None
    """How it is shown the talk. None: in one message."""
    questions: dict[tuple[str, str, str | None, str], AskedBefore] = field(
        default_factory=dict, init=False, repr=False, compare=False
    )
    """What was asked for in earlier debates, by purpose, reply, confidence and the strategy's own template."""

    @property
    def called(self) -> str:
        """What prompts call the agent in this seat: a title that a model wrote stands in quotation marks."""
        return quoted(self.speaker.title, self.card)

    @property
    def players(self) -> tuple[str, ...]:
        """What prompts call those whom it plays."""
        return tuple([quoted(card.title, card) for card in self.plays])


def quoted(title: str, card: Card) -> str:
    """A title; where a model wrote it, in quotation marks that nothing in it closes."""
    return f'"{_MARKS.sub(_SINGLE, line(title))}"' if card.recruited else title
