"""Agent cards: who an agent is. A card is a Markdown file in agents/; its text is the persona."""

import re
from typing import Any

from pydantic import BaseModel, ConfigDict, Field

from agentdebate.ballots.roster import Role
from agentdebate.errors import ContentError, StrategyError
from agentdebate.models.base import Sampling
from agentdebate.models.own_model import OwnModel, shown
from agentdebate.project.project import Project, check_name, read_as, read_page
from agentdebate.visible import LONGEST_REPR, shortened
from agentdebate.wrong_values import SaysWhatIsWrong

VACANT = "recruit"
"""Place in a cast for those who are still to be recruited."""

_LONGEST_TITLE = 200
"""Characters of a title, which stands before all that the agent says."""
_LONGEST_PERSONA = 100_000
"""Characters of a persona, which goes with every request."""


class Card(BaseModel, metaclass=SaysWhatIsWrong):
    """Agent card: name, title, persona, and a model and sampling of its own if it has them."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    name: str
    title: str = Field(max_length=_LONGEST_TITLE)
    """Title by which others call it: "Scorer"."""
    names: tuple[str, ...] = ()
    """Titles of agents that share the card in one role, one after the other; by default the title with a number behind."""
    about: str = ""
    persona: str = Field(max_length=_LONGEST_PERSONA)
    """Persona: who it is and how it judges, addressed to it; may use the variables `task` and `aspects`."""
    source: str = ""
    """The paper and section that the persona follows."""
    differs: str = ""
    """Differences from the paper."""
    tags: tuple[str, ...] = ()
    model: OwnModel | None = None
    """The model that speaks for it, where it is not the debate's: its name, with options behind a colon, or a Model."""
    sampling: Sampling = Sampling()
    recruited: bool = False
    """True if a model wrote title and persona: then they are data, and the persona is not a template."""

    def __repr__(self) -> str:
        told = f"{self.name!r}: {self.title}" + (f", by {shown(self.model)}" if self.model else "")
        return f"<Card {shortened(told, LONGEST_REPR)}>"

    @classmethod
    def of_recruit(cls, role: Role) -> "Card":
        """The card of a role that a recruiter found."""
        name = re.sub(r"[^a-z0-9]+", "-", role.type.lower()).strip("-") or VACANT
        return cls(name=name, title=role.type, persona=role.description, recruited=True)


def load_card(project: Project, name: str) -> Card:
    """Read agents/NAME.md. Raises ContentError, also for a model at an address that is not allowed to it."""
    if name == VACANT:
        raise StrategyError(f"the agent {VACANT!r} stands for recruits, which this role cannot have")
    path = project.find("agents", name)
    page = read_page(path)
    data: dict[str, Any] = {"persona": page.body, **page.meta}
    card = read_as(Card, data, page.path, beside=Sampling.model_fields)
    check_name(card.name, page.path)
    if not card.persona:
        raise ContentError("the persona is missing: write it below the front matter", path=page.path)
    project.trust(path).check_model(card.model, "the key 'model'")
    return card
