"""Agent cards: who an agent is. A card is a Markdown file in agents/; its text is the persona."""

from typing import Any

from pydantic import BaseModel, ConfigDict, ValidationError

from agentdebate.errors import ContentError
from agentdebate.models.base import Sampling
from agentdebate.project import Project, check_name, content_error


class Card(BaseModel):
    """Who an agent is: its name, what others call it, its persona, and a model and sampling of its own if it has them."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    name: str
    title: str
    """What the others call it: "Scorer"."""
    about: str = ""
    persona: str
    """Who it is and how it judges, addressed to it; may use the variables `task` and `aspects`."""
    source: str = ""
    """The paper and section that the persona follows."""
    differs: str = ""
    """What differs from it."""
    tags: tuple[str, ...] = ()
    model: str | None = None
    """The model that speaks for it, where it is not the debate's."""
    sampling: Sampling = Sampling()


class Seat(BaseModel):
    """A place at the debate: who sits there, and what the strategy says of it."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    card: str | Card
    relay: bool = False
    """Whether it only relays: says what it heard, without a model."""
    sampling: Sampling = Sampling()
    """Sampling parameters of the strategy; the card's own go before them."""
    model: str | None = None
    """The model that speaks here, where it is not the card's or the debate's."""
    title: str | None = None
    """What the others call whoever sits here, where it is not the card's title."""
    history: int | None = None
    """How many tokens of talk are shown at the most; the oldest goes first. None: all of it."""


def load_card(project: Project, name: str) -> Card:
    """Read agents/NAME.md. Raises ContentError."""
    page = project.page("agents", name)
    data: dict[str, Any] = {"persona": page.body, **page.meta}
    try:
        card = Card.model_validate(data)
    except ValidationError as error:
        raise content_error(error, page.path, (*Card.model_fields, *Sampling.model_fields)) from error
    check_name(card.name, page.path)
    if not card.persona:
        raise ContentError("the persona is missing: write it below the front matter", path=page.path)
    return card
