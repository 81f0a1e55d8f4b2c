"""Balanced position calibration around any strategy that compares texts (FairEval, arXiv 2305.17926; ChatEval, Section 3.3)."""

from itertools import permutations
from typing import ClassVar

from pydantic import Field

from agentdebate.errors import StrategyError
from agentdebate.strategies.floor import Floor
from agentdebate.strategies.wrapper import Wrapper
from agentdebate.talk.messages import Verdict
from agentdebate.tasks import Aspect, Task


class SwappedPositions(Wrapper):
    """Holds the debate inside it once for every order of the candidates, and adds the scores back to the same text.

    Two texts have two orders. More have many: then every text stands once in every place, unless all orders are wanted. Equal sums are a tie. The verdict says whether the orders agreed.
    """

    all_orders: bool = Field(default=False)
    """Hold every order of three or more candidates, instead of as many as there are candidates."""

    sits_again: ClassVar[bool] = True

    def check(self, task: Task, aspects: tuple[Aspect, ...]) -> None:
        """Raise StrategyError where there is one text only."""
        if not task.candidates:
            raise StrategyError(
                f"{self.title} swaps the positions of texts that are compared, and task {task.name!r} judges"
                " a single one"
            )
        super().check(task, aspects)

    async def debate(self, floor: Floor) -> Verdict:
        """Every order in a sitting of its own, and their mean."""
        known, others = floor.public, self.orders(floor.order)[1:]
        verdicts = [await self.around.debate(floor)]
        verdicts += [await self.around.debate(await floor.anew(order, knowing=known)) for order in others]
        return floor.combined(verdicts, how="positions")

    def orders(self, fields: tuple[str, ...]) -> list[tuple[str, ...]]:
        """The orders in which the candidates are shown, the given one first."""
        if self.all_orders:
            return list(permutations(fields))
        return [fields[turn:] + fields[:turn] for turn in range(len(fields))]
