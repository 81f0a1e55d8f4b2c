"""A tie-breaker around any strategy (DEBATE, Appendix C.3)."""

from collections.abc import Mapping

from agentdebate.floor import Floor
from agentdebate.messages import RULE, Verdict
from agentdebate.strategies.base import Cards
from agentdebate.strategies.wrapper import Wrapper


class TieBreaker(Wrapper):
    """Holds the debate inside it; where that ends unsettled, one more agent reads all of it and decides."""

    cast: Mapping[str, Cards] = {"tie-breaker": ("tie-breaker",)}

    async def debate(self, floor: Floor) -> Verdict:
        """The inner verdict where it is settled, the tie-breaker's ruling otherwise."""
        verdict = await self.around.debate(floor)
        if verdict.settled:
            return verdict
        ruling = await floor.ask(floor.one("tie-breaker"), RULE, hearing=floor.talk)
        return floor.verdict(ruling, settled=False, ended="ruling", merge="ruling")
