"""What a reply has to hold: what every reader of replies, and every form for them, is told of the turn."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from agentdebate.ballots.lineup import Candidate, Line, Player
from agentdebate.tasks import Aspect


@dataclass(frozen=True, slots=True)
class ReplySpec:
    """What a reply has to hold: word on aspects, the lines of a ballot, votes of players for candidates."""

    aspects: tuple[Aspect, ...] = ()
    lines: tuple[Line, ...] = ()
    candidates: tuple[Candidate, ...] = ()
    players: tuple[Player, ...] = ()
    given: Mapping[str, Any] = field(default_factory=dict)
    """What the strategy gave the turn."""
    samples: int = 1
    """How many samples were asked for."""
    text: str = ""
    """The text under judgement; empty where several are compared."""
    asked_again: bool = False
    """Whether the agent was asked for the form once more: then the table of patterns counts, too."""

    @property
    def titles(self) -> tuple[str, ...]:
        """What the players are called."""
        return tuple(player.title for player in self.players)

    @property
    def roles(self) -> int:
        """How many roles are to be recruited."""
        return sum(self.given.get(grain, 0) for grain in ("coarse", "fine"))
