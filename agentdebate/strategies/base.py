"""What a strategy is: a frozen model whose fields are its parameters, with one method."""

from abc import ABC, abstractmethod
from collections.abc import Mapping
from typing import Annotated

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field

from agentdebate.agents.card import Card, Seat
from agentdebate.floor import Floor
from agentdebate.messages import Verdict
from agentdebate.models.base import Sampling


def _as_cards(value: object) -> object:
    return (value,) if isinstance(value, str | Card) else value


Cards = Annotated[tuple[str | Card, ...], BeforeValidator(_as_cards), Field(min_length=1)]
"""One agent card or several, by name or made in code."""


class Strategy(BaseModel, ABC):
    """A way of talking. Its fields are its parameters; a file in strategies/ sets them under [options].

    `cast` says which agent cards play which roles. A class gives it a default for every role that its `debate` uses.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    name: str = ""
    """What verdicts and tables call it: the name of its file, or of its class."""
    cast: Mapping[str, Cards]
    sampling: Sampling = Sampling()
    """Sampling parameters for every agent; a card's own go before them."""

    @abstractmethod
    async def debate(self, floor: Floor) -> Verdict:
        """Hold the debate and return `floor.verdict(...)`."""

    def seats(self) -> dict[str, tuple[Seat, ...]]:
        """Who sits where. A strategy with relays or with a strategy inside it says so here."""
        return {role: tuple(Seat(card=card) for card in cards) for role, cards in self.cast.items()}

    @property
    def title(self) -> str:
        """The strategy's name, or its class's."""
        return self.name or type(self).__name__
