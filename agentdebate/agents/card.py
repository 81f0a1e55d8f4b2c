"""Agent cards: who an agent is. A card is a Markdown file in agents/; its text is the persona."""

import re
from collections.abc import Mapping, Sequence
from functools import lru_cache
from itertools import pairwise
from math import ceil
from pathlib import Path
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from agentdebate.ballots.roster import Role
from agentdebate.errors import ContentError, StrategyError
from agentdebate.models.base import Sampling
from agentdebate.models.own_model import OwnModel, shown
from agentdebate.project.project import Edition, Project, check_name, edition_of, read_as, read_page
from agentdebate.project.trust import Trust
from agentdebate.visible import LONGEST_REPR, shortened
from agentdebate.wrong_values import SaysWhatIsWrong

VACANT = "recruit"
"""In a cast, the place of those who are still to be recruited."""


_LONGEST_TITLE = 200
"""Characters of a title, which stands before all that the agent says."""
_LONGEST_PERSONA = 100_000
"""Characters of a persona, which goes with every request."""


class Card(BaseModel, metaclass=SaysWhatIsWrong):
    """Who an agent is: its name, what others call it, its persona, and a model and sampling of its own if it has them."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    name: str
    title: str = Field(max_length=_LONGEST_TITLE)
    """What the others call it: "Scorer"."""
    names: tuple[str, ...] = ()
    """What those are called who share the card in one role, one after the other; by default the title with a number behind."""
    about: str = ""
    persona: str = Field(max_length=_LONGEST_PERSONA)
    """Who it is and how it judges, addressed to it; may use the variables `task` and `aspects`."""
    source: str = ""
    """The paper and section that the persona follows."""
    differs: str = ""
    """What differs from it."""
    tags: tuple[str, ...] = ()
    model: OwnModel | None = None
    """The model that speaks for it, where it is not the debate's: its name, with options behind a colon, or a Model."""
    sampling: Sampling = Sampling()
    recruited: bool = False
    """Whether a model wrote title and persona: then they are data, and the persona is no template."""

    def __repr__(self) -> str:
        told = f"{self.name!r}: {self.title}" + (f", by {shown(self.model)}" if self.model else "")
        return f"<Card {shortened(told, LONGEST_REPR)}>"

    @classmethod
    def of_recruit(cls, role: Role) -> "Card":
        """The card of a role that a recruiter found."""
        name = re.sub(r"[^a-z0-9]+", "-", role.type.lower()).strip("-") or VACANT
        return cls(name=name, title=role.type, persona=role.description, recruited=True)


Conversation = Literal["message", "chat"]
"""How an agent is shown the talk: in one message with what it is asked, or as a chat, where its own words are the
assistant's.
"""


class Seat(BaseModel, metaclass=SaysWhatIsWrong):
    """A place at the debate: who sits there, and what the strategy says of it."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    card: str | Card
    plays: tuple[str | Card, ...] = ()
    """The cards that the agent in this seat plays, all in one reply; none where it speaks as itself."""
    at_once: int | None = None
    """How many cards are played in one reply at the most; for more of them there are further seats."""
    relay: bool = False
    """Whether it only relays: says what it heard, without a model."""
    carries: bool = False
    """Whether it only carries word from one agent to another, by a model or without: its words are for their addressee alone."""
    sampling: Sampling = Sampling()
    """Sampling parameters of the strategy; the card's own go before them."""
    briefed: bool = True
    """Whether the agent in this seat is shown the item."""
    model: OwnModel | None = None
    """The model that speaks here, where it is not the card's or the debate's."""
    title: str | None = None
    """What the others call the agent in this seat, where it is not the card's title."""
    history: int | str | Mapping[str, Any] | None = None
    """What the agent in this seat remembers of the talk: a history rule (strategies/histories.py). None: all of it."""
    conversation: Conversation | None = None
    """How the agent in this seat is shown the talk. None: in one message."""

    @property
    def vacant(self) -> bool:
        """Whether somebody is still to be recruited for it."""
        return VACANT in (self.card, *self.plays)

    @property
    def standing(self) -> tuple[str | Card, ...]:
        """The cards that are here whoever is recruited."""
        return tuple(card for card in self.plays or (self.card,) if card != VACANT)

    def filled(self, recruits: Sequence[Card] = ()) -> tuple["Seat", ...]:
        """The seat with recruits in the place that is kept for them: as many seats as that takes."""
        if self.card == VACANT:
            return tuple(self.model_copy(update={"card": recruit}) for recruit in recruits)
        played = [one for card in self.plays for one in (recruits if card == VACANT else (card,))]
        shares = _shares(played, self.at_once or len(played))
        return tuple(self.model_copy(update={"plays": share}) for share in shares) if self.plays else (self,)


def _shares(cards: Sequence[str | Card], most: int) -> list[tuple[str | Card, ...]]:
    """The cards in as few shares of at most so many as there can be, and as even."""
    count = ceil(len(cards) / most) if cards else 0
    ends = [round(number * len(cards) / count) for number in range(count + 1)] if count else []
    return [tuple(cards[start:end]) for start, end in pairwise(ends)]


def load_card(project: Project, name: str) -> Card:
    """Read agents/NAME.md. Raises ContentError."""
    if name == VACANT:
        raise StrategyError(f"the agent {VACANT!r} stands for recruits, which this role cannot have")
    path = project.find("agents", name)
    return read_card(path, project.trust(path))


def read_card(path: Path, trust: Trust) -> Card:
    """Read an agent card; one that has not changed is read once.

    Raises ContentError, also for a model at an address that is not allowed to it.
    """
    edition = edition_of(path)
    card = _read_card(path) if edition is None else _known_card(path, edition)
    trust.check_model(card.model, "the key 'model'")
    return card


@lru_cache(maxsize=1024)
def _known_card(path: Path, edition: Edition) -> Card:  # noqa: ARG001 - by which it is known
    return _read_card(path)


def _read_card(path: Path) -> Card:
    page = read_page(path)
    data: dict[str, Any] = {"persona": page.body, **page.meta}
    card = read_as(Card, data, page.path, beside=Sampling.model_fields)
    check_name(card.name, page.path)
    if not card.persona:
        raise ContentError("the persona is missing: write it below the front matter", path=page.path)
    return card
