"""What talk does: who moves, which way and after hearing whom; whether it leads to what people say, and to agreement.

Everything is counted on transcripts, and every figure has the number of cases beside it that it is of. What cannot be
told from a transcript is in no figure: an agent without a ballot has no position, and one ballot alone is no move.
"""

from collections.abc import Iterable
from dataclasses import asdict, dataclass
from typing import Any

from agentdebate.meta.convergence import Convergence, convergence
from agentdebate.meta.flips import WITHIN, Flips, flips
from agentdebate.meta.moves import Influence, Movement, influence, movement
from agentdebate.meta.pull import Pull, pull
from agentdebate.meta.talk import Talk
from agentdebate.meta.wordiness import Wordiness, wordiness


@dataclass(frozen=True)
class Dynamics:
    """All that is counted of some debates."""

    debates: int
    with_moves: int
    """Debates in which an agent cast more than one ballot."""
    with_people: int
    """Debates of which people's scores or choice are known."""
    within: float
    """How far from people's a score is right, in points."""
    movement: tuple[Movement, ...]
    influence: tuple[Influence, ...]
    flips: tuple[Flips, ...]
    convergence: tuple[Convergence, ...]
    pull: tuple[Pull, ...]
    wordiness: tuple[Wordiness, ...]

    def row(self) -> dict[str, Any]:
        """All of it as JSON has it."""
        return asdict(self)


def dynamics(talks: Iterable[Talk], *, within: float = WITHIN) -> Dynamics:
    """Count what happened in debates. `within` is as in `flips`."""
    held = list(talks)
    return Dynamics(
        debates=len(held),
        with_moves=sum(len({one.agent for one in talk.stands}) < len(talk.stands) for talk in held),
        with_people=sum(bool(talk.people) for talk in held),
        within=within,
        movement=tuple(movement(held)),
        influence=tuple(influence(held)),
        flips=tuple(flips(held, within=within)),
        convergence=tuple(convergence(held)),
        pull=tuple(pull(held)),
        wordiness=tuple(wordiness(held)),
    )
