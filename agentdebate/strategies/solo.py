"""One scorer, no debate: what every debate is compared with."""

from collections.abc import Mapping
from typing import ClassVar

from agentdebate.agents.seat import SeatPlan
from agentdebate.errors import StrategyError
from agentdebate.models.base import Sampling
from agentdebate.strategies.ballot_strategy import BallotStrategy
from agentdebate.strategies.base import Cards, changed
from agentdebate.strategies.floor import Floor
from agentdebate.strategies.geval import ALTERNATIVES, check_expected
from agentdebate.talk.messages import Score, Verdict
from agentdebate.talk.purposes import EXPECT, SCORE, Purpose
from agentdebate.tasks import Aspect, Task


class Solo(BallotStrategy):
    """A single scorer thinks step by step and scores."""

    turn: str = SCORE.name
    """The turn prompt that it is asked with: a file in prompts/turns/. Another kind of ballot than ratings has a turn of its
    own, in the place of the usual one."""
    expected: bool = False
    """True if each score is the expectation over its tokens: of a decision model, over the answers to a question."""
    cast: Mapping[str, Cards] = {"scorer": ("scorer",)}

    no_logprobs: ClassVar[str] = 'expected = false, and confidence = "asked" or "repeats"'

    async def debate(self, floor: Floor) -> Verdict:
        """Ask once."""
        usual = self.kind.turn if self.kind and self.turn == SCORE.name else self.turn
        form = EXPECT.form if self.expected else ""
        score = await floor.ask(floor.one("scorer"), self.casting(Purpose(usual, Score, form)))
        return floor.verdict(score, settled=True, ended="one opinion")

    def check(self, task: Task, aspects: tuple[Aspect, ...]) -> None:
        """Raise StrategyError for ballots and scales that have no expected scores."""
        super().check(task, aspects)
        if self.expected:
            if self.kind:
                raise StrategyError(f"{self.title}: a {self.ballot} has no expected score: expected = false")
            check_expected(self.title, aspects, "expected = false")

    def seats(self) -> dict[str, tuple[SeatPlan, ...]]:
        """The scorer, whose tokens come with alternatives where scores are expected."""
        taking = Sampling(logprobs=ALTERNATIVES) if self.expected else Sampling()
        return {role: changed(seated, taking) for role, seated in super().seats().items()}
