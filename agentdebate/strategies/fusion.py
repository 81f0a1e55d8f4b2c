"""Fusion-Eval: a judge who reads the scores of assistant evaluators by a plan (Fusion-Eval, Section 2)."""

from collections.abc import Mapping

from pydantic import Field

from agentdebate.agents.card import Seat
from agentdebate.errors import StrategyError
from agentdebate.evaluators.registry import abouts, evaluators
from agentdebate.models.base import Sampling
from agentdebate.strategies.base import MOST_SAMPLES, Cards, Strategy
from agentdebate.strategies.evidence import Specs, gather
from agentdebate.strategies.floor import Floor
from agentdebate.strategies.planning import NONE, planned
from agentdebate.talk.messages import FUSE, Verdict
from agentdebate.tasks import Aspect, Task

OVERALL = "overall"


class Fusion(Strategy):
    """A plan says which evaluator informs which aspect; the judge scores all aspects at once, several times, and the mean counts."""

    evaluators: Specs = ("rouge-1", "rouge-2", "rouge-l", "bleu", "chrf")
    """Evaluators as they are written: "rouge-l", "nli/PATH:label=entailment"."""
    cache: str | None = None
    """A file that keeps the evaluators' scores between runs."""
    plan: str = "write"
    """"write": the planner writes the plan, once a task; "none": no plan; else a file that holds it, which the planner
    writes where it is not there yet."""
    about: Mapping[str, str] = {}
    """What the planner is told of an evaluator, by its name, in the place of what it says of itself."""
    samples: int = Field(default=8, ge=1, le=MOST_SAMPLES)
    """How many samples of the judgement are averaged."""
    overall: bool = True
    """Whether a score for the text as a whole is wanted as well, where several aspects are judged together."""
    cast: Mapping[str, Cards] = {"planner": ("planner",), "judge": ("fusion-judge",)}

    async def debate(self, floor: Floor) -> Verdict:
        """Evaluators first, then the plan, then the judge."""
        evidence = await floor.announce(await gather(floor, self.evaluators, self.cache))
        plan = await planned(floor, self.plan, evidence, {**abouts(self.evaluators), **self.about})
        samples = await floor.ask(floor.one("judge"), FUSE, hearing=[plan, evidence])
        return floor.sampled(samples)

    def asked(self, aspects: tuple[Aspect, ...]) -> tuple[Aspect, ...]:
        """Every aspect with any number on its scale, and the text as a whole."""
        free = [self._freed(aspect) for aspect in aspects]
        if self.overall and len(free) > 1 and all(aspect.name != OVERALL for aspect in free):
            criterion = "The text as a whole, with every aspect above weighed by how much it matters here."
            free.append(Aspect(name=OVERALL, scale=free[0].scale, criterion=criterion))
        return tuple(free)

    def require(self) -> None:
        """Raise UserError for an evaluator that does not exist, or is not installed."""
        evaluators(self.evaluators)

    def judges_together(self) -> bool:
        """It does: the judge scores all aspects at once."""
        return True

    def _freed(self, aspect: Aspect) -> Aspect:
        """Any number on the scale, where it has grades as well; the task's own steps only where no plan takes their place."""
        scale = aspect.scale.model_copy(update={"step": None, "grades": ()})
        steps = aspect.steps if self.plan == NONE else ()
        return aspect.model_copy(update={"scale": scale, "steps": steps})

    def check(self, task: Task, aspects: tuple[Aspect, ...]) -> None:  # noqa: ARG002 - one signature
        """Raise StrategyError where places are wanted instead of scores."""
        if any(aspect.rank for aspect in aspects):
            raise StrategyError(f"{self.title} gives scores, and no places: judge another aspect")

    def seats(self) -> dict[str, tuple[Seat, ...]]:
        """The planner, who is not shown the item, and the judge, who gives the samples."""
        seats = super().seats()
        several = Sampling(n=self.samples)
        return {
            "planner": tuple(seat.model_copy(update={"briefed": False}) for seat in seats["planner"]),
            "judge": tuple(
                seat.model_copy(update={"sampling": seat.sampling.overlaid(several)})
                for seat in seats["judge"]
            ),
        }
