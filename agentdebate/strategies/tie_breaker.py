"""A tie-breaker around any strategy (DEBATE, Appendix C.3)."""

from collections.abc import Mapping

from pydantic import SerializeAsAny

from agentdebate.agents.card import Seat
from agentdebate.errors import StrategyError
from agentdebate.floor import Floor
from agentdebate.messages import RULE, Verdict
from agentdebate.strategies.base import Cards, Strategy


class TieBreaker(Strategy):
    """Holds the debate inside it; where that ends unsettled, one more agent reads all of it and decides."""

    around: SerializeAsAny[Strategy]
    """The strategy whose unsettled debates are decided."""
    cast: Mapping[str, Cards] = {"tie-breaker": ("tie-breaker",)}

    async def debate(self, floor: Floor) -> Verdict:
        """The inner verdict where it is settled, the tie-breaker's ruling otherwise."""
        verdict = await self.around.debate(floor)
        if verdict.settled:
            return verdict
        ruling = await floor.ask(floor.one("tie-breaker"), RULE, hearing=floor.talk)
        return floor.verdict(ruling, settled=False, ended="ruling", merge="ruling")

    def seats(self) -> dict[str, tuple[Seat, ...]]:
        """Everyone inside, and the tie-breaker."""
        inner, own = self.around.seats(), super().seats()
        clash = sorted(inner.keys() & own.keys())
        if clash:
            raise StrategyError(
                f"{self.title}: the strategy inside has a role {clash[0]!r} too; rename one of them"
            )
        return {**inner, **own}
