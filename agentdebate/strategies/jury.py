"""A jury: judges who vote without hearing each other, in the place of one large judge (PoLL, arXiv 2404.18796)."""

from collections.abc import Mapping
from typing import ClassVar

from agentdebate.strategies.base import Cards
from agentdebate.strategies.floor import Floor
from agentdebate.strategies.group_talk import Panel
from agentdebate.talk.messages import Verdict
from agentdebate.talk.purposes import VOTE


class Jury(Panel):
    """Jurors vote on the same question, and none hears another. For one that is lost the next reserve votes, as long as there is one."""

    cast: Mapping[str, Cards] = {"jurors": ("judge", "judge", "judge"), "reserves": ("judge",)}

    panel: ClassVar[str] = "jurors"

    async def debate(self, floor: Floor) -> Verdict:
        """Ask all at once, replace those who are lost, and merge."""
        ballots = await floor.try_ask_all(floor.cast("jurors"), self.casting(VOTE))
        for reserve in floor.cast("reserves"):
            if None in ballots:
                ballots[ballots.index(None)] = await floor.try_ask(reserve, self.casting(VOTE))
        return self._merged(floor, ballots, ended="vote")
