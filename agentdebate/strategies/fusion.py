"""Fusion-Eval: a judge who reads the scores of assistant evaluators by a plan (Fusion-Eval, Section 2)."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Annotated, Literal

from pydantic import BeforeValidator, Field

from agentdebate.agents.seat import SeatPlan
from agentdebate.errors import StrategyError
from agentdebate.models.base import Sampling
from agentdebate.options import OptionKind
from agentdebate.strategies.assistants import WithAssistants, check_scores
from agentdebate.strategies.base import MOST_SAMPLES, Cards, changed
from agentdebate.strategies.evidence import given_scores
from agentdebate.strategies.floor import Floor
from agentdebate.strategies.plans import check_plan, planned
from agentdebate.talk.messages import Verdict
from agentdebate.talk.purposes import FUSE
from agentdebate.tasks import Aspect, Item, Scale, Task, read_scale

OVERALL = "overall"

EXPLAIN = replace(FUSE, form="explained-samples")
"""The judgement with an explanation behind each score (Appendix A.2)."""


class Fusion(WithAssistants):
    """A plan says which evaluator informs which aspect; the judge scores all aspects at once, several times, and the mean counts."""

    plan: Annotated[str, OptionKind.FILE] = "write"
    """"write": the planner writes the plan, once a task; "none": no plan; else a file that holds it, which the planner
    writes where it is not there yet."""
    samples: int = Field(default=8, ge=1, le=MOST_SAMPLES)
    """Number of samples of the judgement that are averaged."""
    reasons: Literal["once", "each"] = "once"
    """"once": one explanation before all scores; "each": one behind each score, as in the paper."""
    planning: Sampling = Sampling()
    """Sampling parameters of the planner, before those in `sampling`, which are the judge's."""
    overall: bool = True
    """True to ask for a score for the text as a whole as well, where several aspects are judged together."""
    overall_scale: Annotated[Scale, BeforeValidator(read_scale)] = Scale(low=1, high=5)
    """The scale of that score, "1-5"; any number on it may be given."""
    cast: Mapping[str, Cards] = {"planner": ("planner",), "judge": ("fusion-judge",)}

    async def debate(self, floor: Floor) -> Verdict:
        """Evaluators first, then the plan, then the judge."""
        evidence = await floor.announce(await self.measure(floor))
        plan = await planned(floor, self.plan, evidence)
        purpose = FUSE if self.reasons == "once" else EXPLAIN
        samples = await floor.ask(
            floor.one("judge"), purpose, hearing=[plan, evidence], given={"plan": plan is not None}
        )
        return floor.sampled(samples)

    def asked(self, aspects: tuple[Aspect, ...]) -> tuple[Aspect, ...]:
        """Every aspect with any number on its scale, and the text as a whole."""
        free = [self._freed(aspect) for aspect in aspects]
        if self.overall and len(free) > 1 and all(aspect.name != OVERALL for aspect in free):
            criterion = "The text as a whole, with every aspect above weighed by how much it matters here."
            free.append(Aspect(name=OVERALL, scale=_any(self.overall_scale), criterion=criterion))
        return tuple(free)

    def judges_together(self) -> bool:
        """True: the judge scores all aspects at once."""
        return True

    def _freed(self, aspect: Aspect) -> Aspect:
        """Any number on the scale. Steps are the plan's: those of the task are not shown, with a plan or without one."""
        return aspect.model_copy(update={"scale": _any(aspect.scale), "steps": ()})

    def check(self, task: Task, aspects: tuple[Aspect, ...]) -> None:  # noqa: ARG002 - one signature
        """Raise StrategyError where places are wanted instead of scores."""
        check_scores(self.title, aspects)

    def check_files(self, aspects: tuple[Aspect, ...]) -> None:
        """Raise ContentError for a file of a plan that has no line for some of the aspects."""
        check_plan(self.plan, aspects)

    def check_columns(self, task: Task, item: Item) -> None:
        """Raise StrategyError for a column of which nothing is said."""
        for score in given_scores(task, item, self.columns):
            if not score.better:  # each column has to be described
                column = f'{{"{score.evaluator}": {{"about": "what it measures", "better": "higher"}}}}'
                raise StrategyError(
                    f"nothing is said of {score.evaluator!r}, a column of scores: say what it measures, and whether the higher or "
                    f"the lower score is better, such as set='columns={column}'"
                )

    def seats(self) -> dict[str, tuple[SeatPlan, ...]]:
        """The planner, who is not shown the item, and the judge, who gives the samples."""
        seats = super().seats()
        return {
            "planner": changed(seats["planner"], self.planning, briefed=False),
            "judge": changed(seats["judge"], Sampling(n=self.samples)),
        }


def _any(scale: Scale) -> Scale:
    """Any number on a scale, where it has grades as well."""
    return scale.model_copy(update={"step": None, "grades": ()})
