"""Base of strategies: a frozen model whose fields are its parameters, with one method."""

from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Iterable, Mapping
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, ClassVar, Self

from pydantic import (
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    PrivateAttr,
    ValidatorFunctionWrapHandler,
    field_validator,
    model_validator,
)
from pydantic_core import PydanticCustomError, PydanticKnownError

from agentdebate.agents.seat import VACANT, Card, SeatPlan
from agentdebate.errors import nearest
from agentdebate.models.base import Sampling
from agentdebate.models.own_model import OwnModel
from agentdebate.talk.messages import Verdict
from agentdebate.talk.purposes import Purpose
from agentdebate.tasks import Aspect, Item, Task
from agentdebate.visible import LONGEST_REPR, shortened

if TYPE_CHECKING:
    from agentdebate.strategies.floor import Floor  # which brings along what holds debates


def _as_cards(value: object) -> object:
    return (value,) if isinstance(value, str | Card) else value


def card_name(card: str | Card) -> str:
    """The name of a card."""
    return card if isinstance(card, str) else card.name


def addresses(cards: Iterable[str | Card]) -> tuple[str, ...]:
    """The names by which models are given to the seats of a role: their cards', with a number from the second seat of one card on."""
    seats, found = Counter[str](), list[str]()
    for name in map(card_name, cards):
        seats[name] += 1
        found.append(f"{name}-{seats[name]}" if seats[name] > 1 else name)
    return tuple(found)


def changed(
    seats: Iterable[SeatPlan], sampling: Sampling = Sampling(), **changes: object
) -> tuple[SeatPlan, ...]:
    """Seats with other parts; `sampling` goes before theirs."""
    return tuple(
        seat.model_copy(update={"sampling": seat.sampling.overlaid(sampling), **changes}) for seat in seats
    )


NOBODY = "model_of_nobody"
"""The type of the error for a model whose name fits no agent."""
MOST_ROUNDS = 100
"""Rounds of a debate. Every agent reads what was said in all of those before, so work grows with their square."""
MOST_SAMPLES = 1_000
"""Samples of a judgement."""
MOST_CARDS = 1_000
"""Agents in a role."""

Cards = Annotated[
    tuple[str | Card, ...], BeforeValidator(_as_cards), Field(min_length=1, max_length=MOST_CARDS)
]
"""One agent card or several, by name or made in code."""


class Strategy(BaseModel, ABC):
    """A way of talking. Its fields are its parameters; a file in strategies/ sets them under [options].

    `cast` says which agent cards play which roles. A class gives it a default for every role that its `debate` uses.
    """

    model_config = ConfigDict(frozen=True, extra="forbid", ignored_types=(Purpose,), validate_default=True)

    name: str = ""
    """Name in verdicts and tables: the name of its file, or of its class."""
    cast: Mapping[str, Cards]
    sampling: Sampling = Sampling()
    """Sampling parameters for every agent; a card's own go before them."""
    models: Mapping[str, OwnModel] = {}
    """Models of their own for some agents, by address where several have one card ("judge-2"), by card or by role, the first of these
    going first. They go before the cards' own."""

    fences: bool = True
    """True if the judged texts, the talk and the evidence stand between lines of tildes. False is an ablation, and the name of the
    strategy says so."""

    _files: Mapping[str, Path] = PrivateAttr(default_factory=dict)
    """The files that say its options, "evaluators", models, "models.critic", and cast, "cast.critic", and its own, ""; what the
    caller says is not there.
    """

    panel: ClassVar[str | None] = None
    """The role that any number of agents can play, where there is one: `strategy(..., agents=...)` fills it."""
    counts: ClassVar[str] = ""
    """The option that says how many of the panel's cards sit there, where there is one; a file's value is of that file's cast."""
    no_logprobs: ClassVar[str] = ""
    """The setting, for a message, with which no log-probabilities are asked for, where an option asks for them."""
    sits_again: ClassVar[bool] = False
    """True if it holds several sittings over one item, each with memories of its own."""
    recruits: ClassVar[bool] = False
    """True if it recruits agents for the roles that wait for them."""
    pool: ClassVar[tuple[str, ...]] = ()
    """The cards that a number of agents stands for, in this order; those of the cast where it is empty."""

    def __repr__(self) -> str:
        cast = ", ".join(f"{role}={'+'.join(map(card_name, cards))}" for role, cards in self.cast.items())
        told = f"{self.name!r}: {cast}" if cast else repr(self.name)
        return f"<{type(self).__name__} {shortened(told, LONGEST_REPR)}>"

    @field_validator("*", mode="wrap")
    @classmethod
    def _takes_no_switch_for_a_number(cls, value: object, handler: ValidatorFunctionWrapHandler) -> object:
        found: object = handler(value)
        if isinstance(value, bool) and not isinstance(found, bool):
            raise PydanticKnownError("int_type" if isinstance(found, int) else "float_type")
        return found

    @model_validator(mode="after")
    def _gives_models_to_somebody(self) -> Self:
        """A model whose name fits no agent is a slip, and no verdict would show it."""
        known = self.speakers() if self.models else ()
        for name in self.models:
            if name not in known:
                problem = f"models names {name!r}, which is neither a role nor a card of the cast. {nearest(name, known)}"
                raise PydanticCustomError(NOBODY, "{problem}", {"name": name, "problem": problem})
        return self

    @model_validator(mode="after")
    def _recruits_once(self) -> Self:
        for role, cards in self.cast.items():
            if cards.count(VACANT) > 1:
                raise ValueError(
                    f"the role {role!r} has the place of recruits twice; k says how many there are"
                )
        return self

    @abstractmethod
    async def debate(self, floor: "Floor") -> Verdict:
        """Hold the debate and return `floor.verdict(...)`."""

    def salvage(self, floor: "Floor") -> Verdict:
        """The verdict of a debate that may take no more: the merge of everyone's latest ballot.

        Raises TooFewBallots where there is none.
        """
        return floor.merged(floor.latest)

    def asked(self, aspects: tuple[Aspect, ...]) -> tuple[Aspect, ...]:
        """The aspects as this strategy has them judged: with other scales, say, or one more."""
        return aspects

    def check(self, task: Task, aspects: tuple[Aspect, ...]) -> None:
        """Raise StrategyError where the strategy cannot debate these aspects of a task."""

    def check_files(self, aspects: tuple[Aspect, ...]) -> None:
        """Raise ContentError where a file that it is given, of a plan say, cannot be for these aspects; of none, where it cannot be used.

        It is asked before a run is made, and of no aspects as soon as the strategy is made ready.
        """

    def check_items(self, items: Iterable[tuple[Task, Item]]) -> None:
        """Raise UserError or StrategyError where debates on these items would fail for how it is set, or for what all of them lack.

        It is asked before a run is made, of items that are at hand.
        """

    def seats(self) -> dict[str, tuple[SeatPlan, ...]]:
        """Plan the seats of each role. A strategy with relays or with a strategy inside it says so here."""
        return {
            role: tuple(map(partial(self._seat, role), cards, addresses(cards)))
            for role, cards in self.cast.items()
        }

    def speakers(self) -> frozenset[str]:
        """The names that `models` may give models to: every role, every card that plays one, and the addresses of seats with one card."""
        seats = self.seats()
        return frozenset(seats).union(*(addresses(seat.card for seat in role) for role in seats.values()))

    def _seat(self, role: str, card: str | Card, address: str = "") -> SeatPlan:
        return SeatPlan(card=card, model=self._model_of(role, card, address), sampling=self.sampling)

    def _model_of(self, role: str, card: str | Card, address: str) -> OwnModel | None:
        """The model that is given to a seat."""
        return next(
            (self.models[name] for name in (address, card_name(card), role) if self.models.get(name)), None
        )

    def require(self) -> None:
        """Raise UserError where something that it needs is not installed or not set up. Nothing heavy is loaded."""

    def said_by_file(self, key: str) -> Path | None:
        """The file that says an option, a model ("models.critic") or who plays a role ("cast.critic"), or its own (""); None where the
        caller says it.
        """
        return self._files.get(key)

    def judges_together(self) -> bool:
        """Tell whether it has all aspects judged in one debate by default."""
        return False

    def fenced(self) -> bool:
        """Tell whether texts and messages stand between fences."""
        return self.fences

    @property
    def title(self) -> str:
        """The strategy's name, or its class's, and that there are no fences where that is so."""
        return (self.name or type(self).__name__) + ("" if self.fenced() else "-without-fences")
