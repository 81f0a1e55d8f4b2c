"""Assistant evaluators without a judge: the mean of their scores (Fusion-Eval, Section 3.2: AVG and LLMSel)."""

from abc import ABC
from collections.abc import Iterable, Mapping
from dataclasses import replace
from math import isfinite
from statistics import fmean
from typing import Annotated, Literal, Self

from pydantic import model_validator

from agentdebate.agents.seat import SeatPlan
from agentdebate.ballots.ballot import Rating
from agentdebate.errors import StrategyError, TooFewBallots, UsageError
from agentdebate.evaluators.model_options import ReadRange
from agentdebate.evaluators.registry import evaluators
from agentdebate.options import NONE, WRITE, OptionKind
from agentdebate.prompts.foreign_text import line
from agentdebate.strategies.assistants import WithAssistants, check_scores
from agentdebate.strategies.base import Cards, changed
from agentdebate.strategies.evidence import given_scores
from agentdebate.strategies.floor import Floor
from agentdebate.strategies.plans import check_plan, planned, selects_none
from agentdebate.talk.messages import Evidence, Finding, Plan, Verdict
from agentdebate.tasks import Aspect, Item, Scale, Task


class WithShares(WithAssistants, ABC):
    """A strategy that takes each evaluator's score as a share of its range."""

    ranges: Mapping[str, ReadRange] = {}
    """The ranges of scores that come with the items, by evaluator: "0-1", "-1..1". They go before the evaluators' own. Of a
    column of which the lower score is better, low scores count as high shares."""

    def check(self, task: Task, aspects: tuple[Aspect, ...]) -> None:
        """Raise StrategyError where places are wanted instead of scores."""
        check_scores(self.title, aspects)
        super().check(task, aspects)

    def check_columns(self, task: Task, item: Item) -> None:
        """Raise StrategyError for a column whose range is not known."""
        for score in given_scores(task, item, self.columns):
            self.share_of(score)

    def require(self) -> None:
        """Raise UserError for an evaluator that does not exist, is not installed, or has no range."""
        super().require()
        for one in evaluators(self.evaluators):
            said = self.ranges.get(one.name) or (one.name in self.columns and self.columns[one.name].range)
            if not said and not (isfinite(one.range.low) and isfinite(one.range.high)):
                raise UsageError(f"{_unranged(one.name)}: its scores have no end")

    def share_of(self, finding: Finding) -> float | None:
        """A score as a share of its range; None for one that is missing. Raises StrategyError where no range is known."""
        known = {line(name): one for name, one in self.ranges.items()}.get(finding.evaluator)
        ranged = replace(finding, low=known.low, high=known.high) if known else finding
        if finding.score is not None and ranged.share is None:
            raise StrategyError(f"{_unranged(finding.evaluator)}: it is a column of scores")
        return ranged.share

    def mean(self, findings: Iterable[Finding], scale: Scale, *beside: float) -> float | None:
        """The mean of scores and of the shares beside them, put onto a scale; None where all are missing."""
        shares = [*beside, *(share for one in findings if (share := self.share_of(one)) is not None)]
        return scale.low + fmean(shares) * (scale.high - scale.low) if shares else None


class EvaluatorMean(WithShares):
    """The mean of the evaluators' scores, each as a share of its range, on the aspect's scale. No agent judges."""

    take: Literal["all", "selected"] = "all"
    """AVG takes all evaluators for every aspect, LLMSel those that the plan selects for it."""
    plan: Annotated[str, OptionKind.FILE] = "write"
    """For "selected": "write", or a file that holds the plan."""
    cast: Mapping[str, Cards] = {"planner": ("planner",)}

    @model_validator(mode="after")
    def _can_be_computed(self) -> Self:
        if self.take == "selected" and self.plan == NONE:
            raise ValueError('a plan selects the evaluators: plan is "write" or a file, or take = "all"')
        if self.take == "all" and self.plan != WRITE:
            raise ValueError('all evaluators count, so there is no plan: take = "selected" has one')
        return self

    async def debate(self, floor: Floor) -> Verdict:
        """Measure, select, and take the mean."""
        evidence = await floor.announce(await self.measure(floor))
        plan = await planned(floor, self.plan, evidence) if self.take == "selected" else None
        if plan is not None and evidence.findings and not any(one.evaluators for one in plan.chosen):
            raise UsageError(selects_none(floor.aspects))  # ends the run: so it would be in every debate
        ratings = [
            Rating(aspect=aspect.name, candidate=candidate, score=score)
            for aspect in floor.aspects
            for candidate in floor.order or (None,)
            if (score := self.score(evidence, plan, aspect, candidate)) is not None
        ]
        if not ratings:
            aspects = ", ".join(aspect.name for aspect in floor.aspects)
            raise TooFewBallots(
                f"no evaluator has a score for {aspects}: none counts for these, or all scores are missing"
            )
        return floor.computed(ratings, how=f"mean of {self.take} evaluators")

    def score(
        self, evidence: Evidence, plan: Plan | None, aspect: Aspect, candidate: str | None
    ) -> float | None:
        """The mean for one aspect of one text; None where no evaluator that counts for it has a score."""
        chosen = {one.aspect: one.evaluators for one in plan.chosen} if plan else {}
        counting = (
            finding
            for finding in evidence.findings
            if finding.candidate == candidate
            and finding.evaluator in chosen.get(aspect.name, (finding.evaluator,))
        )
        return self.mean(counting, aspect.scale)

    def check_files(self, aspects: tuple[Aspect, ...]) -> None:
        """Raise ContentError for a file of a plan that has no line for some of the aspects, or selects no evaluator at all."""
        check_plan(self.plan, aspects, selects=True)

    def judges_together(self) -> bool:
        """True: the evaluators' scores are the same for every aspect."""
        return True

    def seats(self) -> dict[str, tuple[SeatPlan, ...]]:
        """Seat no one, or only the planner, who is not shown the item."""
        return {} if self.take == "all" else {"planner": changed(super().seats()["planner"], briefed=False)}


def _unranged(name: str) -> str:
    return f'the range of {name!r} is not known (say it, such as set=\'ranges={{"{name}": "0-1"}}\')'
