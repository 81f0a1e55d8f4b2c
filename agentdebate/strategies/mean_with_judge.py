"""Assistant evaluators and a judge: the mean of them all, in one debate (after Fusion-Eval, Section 3.2: AVG)."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from statistics import fmean

from agentdebate.ballots.ballot import Rating
from agentdebate.errors import StrategyError
from agentdebate.evaluators.model_options import ReadRange
from agentdebate.evaluators.registry import evaluators
from agentdebate.strategies.base import Cards
from agentdebate.strategies.evaluator_mean import check_of_ranges, check_ranges, share_of
from agentdebate.strategies.evidence import Specs, gather
from agentdebate.strategies.evidence_check import check_evidence
from agentdebate.strategies.evidence_column import EvidenceColumn
from agentdebate.strategies.floor import Floor
from agentdebate.strategies.wrapper import Wrapper
from agentdebate.talk.messages import Finding, Verdict
from agentdebate.tasks import Aspect, Item, Task


class MeanWithJudge(Wrapper):
    """The strategy inside judges without the evaluators' scores, and its score counts as that of one evaluator more."""

    evaluators: Specs = ("rouge-1", "rouge-2", "rouge-l", "bleu", "chrf")
    """Evaluators as they are written."""
    ranges: Mapping[str, ReadRange] = {}
    """The ranges of scores that come with the items, by evaluator, as for `avg`."""
    columns: Mapping[str, EvidenceColumn] = {}
    """What the columns of scores that come with the items are, by their names, as for `fusion`."""
    cast: Mapping[str, Cards] = {}

    async def debate(self, floor: Floor) -> Verdict:
        """Measure, judge, and take the mean. Nobody who judges hears of the evaluators."""
        ranged = check_of_ranges(self.ranges, self.columns)
        gathered = await gather(floor, self.evaluators, columns=self.columns, check=ranged)
        evidence = await floor.announce(gathered)
        verdict = await self.around.debate(floor)
        if verdict.abstained:
            return verdict
        ratings = [self._mean(rating, floor.aspects, evidence.findings) for rating in verdict.ratings]
        mean = floor.computed(ratings, how=f"mean of the evaluators and the judge ({verdict.merge})")
        return replace(
            verdict, ratings=mean.ratings, winners=mean.winners, merge=mean.merge, by="scores", deciding=None
        )

    def check(self, task: Task, aspects: tuple[Aspect, ...]) -> None:
        """Raise StrategyError where places are wanted instead of scores."""
        if any(aspect.rank for aspect in aspects):
            raise StrategyError(f"{self.title} gives scores, and no places: judge another aspect")
        super().check(task, aspects)

    def check_items(self, items: Iterable[tuple[Task, Item]]) -> None:
        """Raise UserError or StrategyError for columns without a range, where no item has a reference, and as the judge does."""
        known = list(items)
        check_evidence(known, self.evaluators, check_of_ranges(self.ranges, self.columns))
        super().check_items(known)

    def require(self) -> None:
        """Raise UserError for an evaluator that does not exist, is not installed, or has no range."""
        super().require()
        check_ranges(evaluators(self.evaluators), self.ranges)

    def _mean(self, rating: Rating, aspects: Sequence[Aspect], findings: Sequence[Finding]) -> Rating:
        """The judge's score and the evaluators', each as a share of its range, on the aspect's scale."""
        scale = next(aspect.scale for aspect in aspects if aspect.name == rating.aspect)
        own = (rating.score - scale.low) / (scale.high - scale.low)
        told = (share_of(one, self.ranges) for one in findings if one.candidate == rating.candidate)
        shares = [own, *(share for share in told if share is not None)]
        return replace(rating, score=scale.low + fmean(shares) * (scale.high - scale.low))
