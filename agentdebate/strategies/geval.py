"""G-Eval: a form filled in by steps that were written once (arXiv 2303.16634, Section 2)."""

from collections.abc import Mapping
from typing import Annotated, ClassVar, Literal

from pydantic import Field

from agentdebate.agents.seat import SeatPlan
from agentdebate.errors import StrategyError
from agentdebate.models.base import Sampling
from agentdebate.options import TASK, WRITE, OptionKind
from agentdebate.strategies.base import MOST_SAMPLES, Cards, Strategy, changed
from agentdebate.strategies.floor import Floor
from agentdebate.strategies.steps import check_steps_for, written_steps
from agentdebate.talk.messages import Verdict
from agentdebate.talk.purposes import EXPECT, FILL, SAMPLE
from agentdebate.tasks import Aspect, Task

ALTERNATIVES = 20
"""Number of alternatives asked for each token: as many as endpoints give."""


class GEval(Strategy):
    """Somebody writes evaluation steps from the criteria, once; a scorer fills in a form by them, without reasons.

    The `mode` is what is done, or the debate fails: nothing takes the place of log-probabilities that do not come.
    """

    mode: Literal["expected", "sampled", "single"] = "sampled"
    """"expected": the expectation over the tokens of the score; "sampled": the mean of `samples`; "single": one reply."""
    samples: int = Field(default=20, ge=1, le=MOST_SAMPLES)
    """n, where the mode is "sampled"."""
    steps: Annotated[str, OptionKind.FILE] = WRITE
    """"write": the steps are written from the criteria, once for all items; "task": they are those of the task; else a file
    that holds them, to which the writer adds those of an aspect that is not there yet."""
    writing: Sampling = Sampling()
    """Sampling parameters of the writer, before those in `sampling`, which are the scorer's."""
    cast: Mapping[str, Cards] = {"writer": ("step-writer",), "scorer": ("form-filler",)}

    no_logprobs: ClassVar[str] = 'mode = "sampled" or "single"'

    async def debate(self, floor: Floor) -> Verdict:
        """Write the steps, and fill in the form."""
        steps = await written_steps(floor, self.steps) if self.steps != TASK else None
        scorer = floor.one("scorer")
        if self.mode == "sampled":
            return floor.sampled(await floor.ask(scorer, SAMPLE, hearing=[steps]))
        score = await floor.ask(scorer, EXPECT if self.mode == "expected" else FILL, hearing=[steps])
        return floor.verdict(score, settled=True, ended="one opinion", merge=f"{self.mode} score")

    def asked(self, aspects: tuple[Aspect, ...]) -> tuple[Aspect, ...]:
        """The aspects, without the task's steps where others are written."""
        if self.steps == TASK:
            return aspects
        return tuple(aspect.model_copy(update={"steps": ()}) for aspect in aspects)

    def check_files(self, aspects: tuple[Aspect, ...]) -> None:
        """Raise ContentError for a file whose steps for one of the aspects are not a list."""
        if self.steps != TASK:
            check_steps_for(self.steps, aspects)

    def check(self, task: Task, aspects: tuple[Aspect, ...]) -> None:
        """Raise StrategyError for several aspects, and for scales on which nothing can be expected."""
        if len(aspects) > 1 or task.candidates:
            raise StrategyError(f"{self.title} scores one aspect of one text at a time")
        if self.mode == "expected":
            check_expected(self.title, aspects, 'mode = "sampled"')

    def seats(self) -> dict[str, tuple[SeatPlan, ...]]:
        """The writer, who is not shown the item, and the scorer with what its mode takes."""
        seats = super().seats()
        taking = {
            "expected": Sampling(logprobs=ALTERNATIVES),
            "sampled": Sampling(n=self.samples),
            "single": Sampling(),
        }[self.mode]
        return {
            "writer": changed(seats["writer"], self.writing, briefed=False),
            "scorer": changed(seats["scorer"], taking),
        }


def check_expected(title: str, aspects: tuple[Aspect, ...], instead: str) -> None:
    """Raise StrategyError, with what to do instead, for scales on which nothing can be expected."""
    for aspect in aspects:
        if aspect.scale.values is None or aspect.scale.low < 0:
            why = "any number" if aspect.scale.values is None else "negative"
            raise StrategyError(
                f"{title}: {aspect.name} can be {why}, so no token stands for a score: {instead}"
            )
