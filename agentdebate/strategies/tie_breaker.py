"""A tie-breaker around any strategy (DEBATE, Appendix C.3)."""

from collections.abc import Mapping
from typing import Self

from pydantic import model_validator

from agentdebate.strategies.base import Cards
from agentdebate.strategies.floor import Floor
from agentdebate.strategies.wrapper import Wrapper, inside
from agentdebate.talk.messages import Verdict
from agentdebate.talk.purposes import RULE


class TieBreaker(Wrapper):
    """Holds the debate inside it; where that ends unsettled, one more agent reads all of it and decides."""

    cast: Mapping[str, Cards] = {"tie-breaker": ("tie-breaker",)}

    @model_validator(mode="after")
    def _reads_all_of_it(self) -> Self:
        if any(one.sits_again for one in inside(self.around)):
            raise ValueError(
                f"a tie-breaker reads one sitting, and {self.around.title} holds several: put the tie-breaker inside it"
            )
        return self

    async def debate(self, floor: Floor) -> Verdict:
        """The inner verdict where it is settled, the tie-breaker's ruling otherwise."""
        verdict = await self.around.debate(floor)
        if verdict.settled:
            return verdict
        ruling = await floor.ask(floor.one("tie-breaker"), RULE, hearing=floor.talk)
        return floor.verdict(ruling, settled=False, ended="ruling", merge="ruling")
