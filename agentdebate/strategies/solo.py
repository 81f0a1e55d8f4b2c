"""One scorer, no debate: what every debate is compared with."""

from collections.abc import Mapping

from agentdebate.floor import Floor
from agentdebate.messages import SCORE, Purpose, Score, Verdict
from agentdebate.strategies.base import Cards, Strategy


class Solo(Strategy):
    """A single scorer thinks step by step and scores."""

    turn: str = SCORE.name
    """The turn prompt that it is asked with: a file in prompts/turns/."""
    cast: Mapping[str, Cards] = {"scorer": ("scorer",)}

    async def debate(self, floor: Floor) -> Verdict:
        """Ask once."""
        score = await floor.ask(floor.one("scorer"), Purpose(self.turn, Score))
        return floor.verdict(score, settled=True, ended="one opinion")
