"""Cards and seats: who an agent is, and its place at a debate, from what a strategy plans to a model that was opened.

A card is a Markdown file in agents/; its text is the persona.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain, count
from math import ceil
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from agentdebate.ballots.roster import Role
from agentdebate.errors import ContentError, UsageError
from agentdebate.models.base import Model, Sampling
from agentdebate.models.own_model import OwnModel, own_error, shown
from agentdebate.project.project import Project, check_name, read_as, read_page
from agentdebate.prompts.foreign_text import line
from agentdebate.talk.messages import FLOOR
from agentdebate.visible import LONGEST_REPR, shortened
from agentdebate.wrong_values import SaysWhatIsWrong

Blind = Literal["none", "others", "all"]
"""Names that are hidden from an agent in what it hears: none; those of others; or all, so that it cannot tell its own words apart."""

VACANT = "recruit"
"""Place in a cast for those who are still to be recruited."""

_LONGEST_TITLE = 200
"""Characters of a title, which stands before all that the agent says."""
_LONGEST_PERSONA = 100_000
"""Characters of a persona, which goes with every request."""
_MARKS, _SINGLE = re.compile(r'["“”„«»]'), "'"


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
    path = project.find("agents", name)
    page = read_page(path)
    data: dict[str, Any] = {"persona": page.body, **page.meta}
    card = read_as(Card, data, page.path, beside=Sampling.model_fields)
    check_name(card.name, page.path)
    if not card.persona:
        raise ContentError("the persona is missing: write it below the front matter", path=page.path)
    project.trust(path).check_model(card.model, "the key 'model'")
    return card


class SeatPlan(BaseModel, metaclass=SaysWhatIsWrong):
    """A seat as a strategy plans it: whose it is, and what the strategy says of it."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    card: str | Card
    plays: tuple[str | Card, ...] = ()
    """The cards that the agent in this seat plays, all in one reply; none where it speaks as itself."""
    at_once: int | None = None
    """Largest number of cards that are played in one reply; for more of them there are further seats."""
    relay: bool = False
    """True if it only relays: says what it heard, without a model."""
    carries: bool = False
    """True if it only carries word from one agent to another, by a model or without: its words are for their addressee alone."""
    sampling: Sampling = Sampling()
    """Sampling parameters of the strategy; the card's own go before them."""
    briefed: bool = True
    """True if the agent in this seat is shown the item."""
    model: OwnModel | None = None
    """The model that speaks here, where it is not the card's or the debate's."""
    history: int | str | Mapping[str, Any] | None = None
    """Memory of the agent in this seat for the talk: a history rule (strategies/histories.py). None: all of it."""
    blind: Blind = "none"
    """Names that are hidden from the agent in this seat."""

    @property
    def vacant(self) -> bool:
        """True if an agent is still to be recruited for it."""
        return VACANT in (self.card, *self.plays)

    @property
    def standing(self) -> tuple[str | Card, ...]:
        """The cards that are here besides the recruits."""
        return tuple(card for card in self.plays or (self.card,) if card != VACANT)

    def filled(self, recruits: Sequence[Card] = ()) -> tuple["SeatPlan", ...]:
        """The seat with recruits in the place that is kept for them: as many seats as that takes."""
        if self.card == VACANT:
            return tuple(self.model_copy(update={"card": recruit}) for recruit in recruits)
        if not self.plays:
            return (self,)
        played = [one for card in self.plays for one in (recruits if card == VACANT else (card,))]
        size = len(played)
        seats = ceil(size / (self.at_once or size or 1))  # as few as there can be, in even shares
        shares = [played[round(at * size / seats) : round((at + 1) * size / seats)] for at in range(seats)]
        return tuple([self.model_copy(update={"plays": tuple(share)}) for share in shares])


@dataclass(frozen=True, slots=True, eq=False)
class Seat:
    """An agent's place at a debate: somebody to ask and to tell."""

    name: str
    """Its address in the debate."""
    role: str
    title: str
    """Title by which the others call it."""
    plan: SeatPlan
    card: Card
    model: Model
    sampling: Sampling
    """The call's, the card's and the strategy's together."""
    plays: tuple[Card, ...] = ()
    """The cards that it plays, where it speaks for several."""

    def __repr__(self) -> str:
        return f"<Seat {self.name!r}: {self.title}>"

    @property
    def called(self) -> str:
        """Return the name of the agent in prompts: a title that a model wrote stands in quotation marks."""
        return quoted(self.title, self.card)


class Seats(tuple[Seat, ...]):
    """The seats of one role, in cast order."""

    __slots__ = ()

    def others(self, seat: Seat) -> "Seats":
        """Everyone but this one."""
        return Seats(other for other in self if other is not seat)

    def after(self, seat: Seat) -> "Seats":
        """Those who come later in the order."""
        return Seats(self[self.index(seat) + 1 :])


def quoted(title: str, card: Card) -> str:
    """A title; where a model wrote it, in quotation marks that nothing in it closes."""
    return f'"{_MARKS.sub(_SINGLE, line(title))}"' if card.recruited else title


_RECRUIT = Card(name=VACANT, title="Recruit", persona="", recruited=True)
"""Sits for all recruits until there are some."""


class Cast:
    """The seats of one strategy, for all its debates: everyone with a name, a card and a model.

    `model` gives the model of a name, or of everyone who has none of their own. The parameters in `sampling` go before those
    of strategy and cards.
    """

    def __init__(
        self,
        plans: Mapping[str, Sequence[SeatPlan]],
        project: Project,
        model: Callable[[str | Model | None], Model],
        sampling: Sampling = Sampling(),
    ) -> None:
        self._project, self._model, self._sampling = project, model, sampling
        self._cards: dict[str, Card] = {}
        self.vacant = {role: some for role, some in plans.items() if any(plan.vacant for plan in some)}
        """The roles that wait for recruits."""
        filled = {role: some for role, some in plans.items() if role not in self.vacant}
        self.seats = self._seated(filled, (), ())
        """Everyone else."""
        waiting = self.fill([_RECRUIT])
        self.standing = tuple(
            [one for seat in waiting for one in seat.plays or (seat.card,) if not one.recruited]
        )
        """Cards that sit in the vacant roles besides the recruits."""
        everyone = (*self.seats, *waiting)
        self.cards = tuple(
            [one for seat in everyone for one in (seat.card, *seat.plays) if not one.recruited]
        )
        """Every card that is known before anybody is recruited."""
        self.models = tuple([seat.model for seat in everyone])
        """Every model that may speak."""

    def fill(self, recruits: Sequence[Card]) -> tuple[Seat, ...]:
        """The seats of the roles that waited for recruits."""
        return self._seated(self.vacant, recruits, self.seats)

    def _card(self, card: str | Card) -> Card:
        """A card by its name, read once. Raises ContentError."""
        if isinstance(card, Card):
            return card
        if card not in self._cards:
            self._cards[card] = load_card(self._project, card)
        return self._cards[card]

    def _speaking(self, plan: SeatPlan, card: Card, name: str) -> Model:
        """The model that speaks in a seat: its own, the card's, or everyone's. Raises UsageError, which names whose it is."""
        own = plan.model or card.model
        try:
            return self._model(own)
        except UsageError as error:
            if own is None:
                raise
            raise own_error(own, name, error) from error

    def _seated(
        self,
        plans: Mapping[str, Sequence[SeatPlan]],
        recruits: Sequence[Card],
        taken: Sequence[Seat],
    ) -> tuple[Seat, ...]:
        names, titles = {FLOOR, *(seat.name for seat in taken)}, {seat.title for seat in taken}
        seats: list[Seat] = []
        for role, kept in plans.items():
            some = [one for plan in kept for one in plan.filled(recruits)]
            for plan in some:
                card = self._card(plan.card)
                name = _numbered(role if len(some) == 1 else card.name, names, "{}-{}")
                shared = sum(other.card == plan.card for other in some) > 1
                free = [one for one in card.names if shared and one not in titles]
                seats.append(
                    Seat(
                        name=name,
                        role=role,
                        title=_numbered((free or [card.title])[0], titles),
                        plan=plan,
                        card=card,
                        model=self._speaking(plan, card, name),
                        sampling=plan.sampling.overlaid(card.sampling).overlaid(self._sampling),
                        plays=tuple([_titled(self._card(one), titles) for one in plan.plays]),
                    )
                )
        return tuple(seats)


def again(seat: Seat, sitting: int) -> Seat:
    """The seat in a further sitting over the same item: with a number behind its address."""
    return replace(seat, name=f"{seat.name}#{sitting}") if sitting > 1 else seat


def _titled(card: Card, taken: set[str]) -> Card:
    """A card that is played, under a title of its own."""
    return card.model_copy(update={"title": _numbered(card.title, taken)})


def _numbered(name: str, taken: set[str], form: str = "{} ({})") -> str:
    """The name, with a number behind it for everyone who bears it after the first."""
    free = (form.format(name, number) for number in count(2))
    numbered = next(one for one in chain([name], free) if one not in taken)
    taken.add(numbered)
    return numbered
