"""Multiple evidence calibration around any strategy (FairEval, arXiv 2305.17926)."""

from typing import ClassVar

from pydantic import Field

from agentdebate.errors import AgentFailed, TooFewBallots, TurnTimeout
from agentdebate.strategies.base import MOST_SAMPLES
from agentdebate.strategies.floor import Floor
from agentdebate.strategies.wrapper import Wrapper
from agentdebate.talk.messages import Verdict


class Repeated(Wrapper):
    """Holds the debate inside it several times and takes the mean of those that came to a verdict.

    The paper gives its reasons before its scores and samples k = 3 at temperature 1.
    """

    samples: int = Field(default=3, ge=1, le=MOST_SAMPLES)
    """k in the paper."""

    sits_again: ClassVar[bool] = True

    async def debate(self, floor: Floor) -> Verdict:
        """Every sample in a sitting of its own, and their mean."""
        verdicts: list[Verdict] = []
        known = floor.public
        for number in range(self.samples):
            sitting = await floor.anew(knowing=known) if number else floor
            try:
                verdicts.append(await self.around.debate(sitting))
            except (AgentFailed, TooFewBallots, TurnTimeout) as error:
                failed = error
        if not verdicts:
            raise failed
        return floor.combined(verdicts, how="samples", missing=self.samples - len(verdicts))
