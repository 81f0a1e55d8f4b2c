"""One scorer, no debate: what every debate is compared with."""

from collections.abc import Mapping

from agentdebate.floor import Floor
from agentdebate.messages import SCORE, Verdict
from agentdebate.strategies.base import Cards, Strategy


class Solo(Strategy):
    """A single scorer thinks step by step and scores."""

    cast: Mapping[str, Cards] = {"scorer": ("scorer",)}

    async def debate(self, floor: Floor) -> Verdict:
        """Ask once."""
        score = await floor.ask(floor.one("scorer"), SCORE)
        return floor.verdict(score, settled=True, ended="one opinion")
