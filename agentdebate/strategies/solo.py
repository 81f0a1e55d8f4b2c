"""One scorer, no debate: what every debate is compared with."""

from collections.abc import Mapping

from agentdebate.strategies.ballot_strategy import BallotStrategy
from agentdebate.strategies.base import Cards
from agentdebate.strategies.floor import Floor
from agentdebate.talk.messages import Score, Verdict
from agentdebate.talk.purposes import SCORE, Purpose


class Solo(BallotStrategy):
    """A single scorer thinks step by step and scores."""

    turn: str = SCORE.name
    """The turn prompt that it is asked with: a file in prompts/turns/. Another kind of ballot than ratings has a turn of its
    own, in the place of the usual one."""
    cast: Mapping[str, Cards] = {"scorer": ("scorer",)}

    async def debate(self, floor: Floor) -> Verdict:
        """Ask once."""
        usual = self.kind.turn if self.kind and self.turn == SCORE.name else self.turn
        score = await floor.ask(floor.one("scorer"), self.casting(Purpose(usual, Score)))
        return floor.verdict(score, settled=True, ended="one opinion")
