"""From the seats of a strategy to chairs: cards read, models opened, everyone with a name of their own."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace

from agentdebate.agents.card import VACANT, Card, Seat, load_card
from agentdebate.agents.chair import Chair
from agentdebate.agents.speaker import Speaker
from agentdebate.errors import StrategyError, UsageError
from agentdebate.models.base import Model, Sampling
from agentdebate.models.own_model import own_error
from agentdebate.project.project import Project
from agentdebate.talk.messages import FLOOR

Seats = Mapping[str, Sequence[Seat]]
"""Who sits where: seats by role."""


class Seating:
    """Makes chairs for one strategy. `model` gives the model of a name, or of everyone who has none of their own.

    The parameters in `sampling` go before those of strategy and cards.
    """

    def __init__(
        self,
        seats: Seats,
        project: Project,
        model: Callable[[str | Model | None], Model],
        sampling: Sampling = Sampling(),
    ) -> None:
        self._seats, self._project, self._model, self._sampling = seats, project, model, sampling
        self._cards: dict[str, Card] = {}
        if FLOOR in seats:
            raise StrategyError(f"no role can be called {FLOOR!r}: the address {FLOOR!r} is taken")
        vacant = {role: some for role, some in seats.items() if any(seat.vacant for seat in some)}
        self.vacant: Seats = vacant
        """The roles that wait for recruits."""
        self.standing: tuple[Card, ...] = tuple(
            self.card(card) for some in vacant.values() for seat in some for card in seat.standing
        )
        """Who sits in these roles whoever is recruited."""
        self.chairs: tuple[Chair, ...] = self._seated(
            {role: some for role, some in seats.items() if role not in vacant}, ()
        )
        """Everyone else."""
        self._waiting()  # what is wrong with a model or a card shows before the first call

    def with_models(self, change: Callable[[Model], Model]) -> "Seating":
        """The same seats with what `change` makes of each model, which it is asked once. Raises UsageError where it does."""
        changed: dict[
            int, tuple[Model, Model]
        ] = {}  # by identity, with the model, so that no other one gets its number

        def speaking(own: str | Model | None) -> Model:
            model = self._model(own)
            if id(model) not in changed:
                changed[id(model)] = model, change(model)
            return changed[id(model)][1]

        return Seating(self._seats, self._project, speaking, self._sampling)

    def card(self, card: str | Card) -> Card:
        """A card by its name, read once. Raises ContentError."""
        if isinstance(card, Card):
            return card
        if card not in self._cards:
            self._cards[card] = load_card(self._project, card)
        return self._cards[card]

    @property
    def cards(self) -> tuple[Card, ...]:
        """Every card that is known before anybody is recruited."""
        played = (card for chair in self.chairs for card in (chair.card, *chair.plays))
        return (*played, *self.standing)

    @property
    def models(self) -> tuple[Model, ...]:
        """Every model that may speak."""
        return (*(chair.model for chair in self.chairs), *self._waiting())

    def _waiting(self) -> list[Model]:
        """The models of the roles that wait for recruits."""
        return [
            self._speaking(seat, None if seat.card == VACANT else self.card(seat.card), role)
            for role, some in self.vacant.items()
            for seat in some
        ]

    def _speaking(self, seat: Seat, card: Card | None, name: str) -> Model:
        """The model that speaks in a seat: its own, the card's, or everyone's. Raises UsageError, which names whose it is."""
        own = seat.model or (card.model if card else None)
        try:
            return self._model(own)
        except UsageError as error:
            if own is None:
                raise
            raise own_error(own, name, error) from error

    def fill(self, recruits: Sequence[Card]) -> tuple[Chair, ...]:
        """The chairs of the roles that waited for recruits."""
        return self._seated(self.vacant, recruits, taken=self.chairs)

    def _seated(
        self, seats: Seats, recruits: Sequence[Card], taken: Iterable[Chair] = ()
    ) -> tuple[Chair, ...]:
        names = {FLOOR, *(chair.speaker.name for chair in taken)}
        titles = {chair.speaker.title for chair in taken}
        chairs: list[Chair] = []
        for role, kept in seats.items():
            some = [one for seat in kept for one in seat.filled(recruits)]
            for seat in some:
                card = self.card(seat.card)
                name = _numbered(role if len(some) == 1 else card.name, names, "{}-{}")
                shared = sum(other.card == seat.card for other in some) > 1
                speaker = Speaker(name, role, _title(seat, card, titles, shared=shared))
                chairs.append(self._chair(seat, card, speaker, titles))
        return tuple(chairs)

    def _chair(self, seat: Seat, card: Card, speaker: Speaker, titles: set[str]) -> Chair:
        cards = (self.card(one) for one in seat.plays)
        played = tuple(
            one.model_copy(update={"title": _numbered(one.title, titles, "{} ({})")}) for one in cards
        )
        speaker = replace(speaker, plays=tuple(one.title for one in played))
        own = self._speaking(seat, card, speaker.name)
        sampling = seat.sampling.overlaid(card.sampling).overlaid(self._sampling)
        chair = Chair(
            speaker, card, own, sampling, seat.relay, seat.carries, seat.history, played, seat.briefed
        )
        return replace(chair, conversation=seat.conversation) if seat.conversation else chair


def _title(seat: Seat, card: Card, taken: set[str], *, shared: bool) -> str:
    """The title of an agent: the next of the card's names where several in the role share it, or else its own."""
    free = [name for name in card.names if name not in taken] if shared and not seat.title else []
    return _numbered(free[0] if free else seat.title or card.title, taken, "{} ({})")


def _numbered(name: str, taken: set[str], form: str) -> str:
    """The name, with a number behind it for everyone who bears it after the first."""
    numbered, number = name, 1
    while numbered in taken:
        number += 1
        numbered = form.format(name, number)
    taken.add(numbered)
    return numbered
