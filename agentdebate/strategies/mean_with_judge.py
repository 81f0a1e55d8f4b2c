"""Assistant evaluators and a judge: the mean of them all, in one debate (after Fusion-Eval, Section 3.2: AVG)."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from agentdebate.ballots.ballot import Rating
from agentdebate.strategies.base import Cards
from agentdebate.strategies.evaluator_mean import WithShares
from agentdebate.strategies.floor import Floor
from agentdebate.strategies.wrapper import Wrapper
from agentdebate.talk.messages import Finding, Verdict
from agentdebate.tasks import Aspect


class MeanWithJudge(WithShares, Wrapper):
    """The strategy inside judges without the evaluators' scores, and its score counts as that of one evaluator more."""

    cast: Mapping[str, Cards] = {}

    async def debate(self, floor: Floor) -> Verdict:
        """Measure, judge, and take the mean. The judges do not hear of the evaluators."""
        evidence = await floor.announce(await self.measure(floor))
        verdict = await self.around.debate(floor)
        if verdict.abstained:
            return verdict
        ratings = [self._mean(rating, floor.aspects, evidence.findings) for rating in verdict.ratings]
        mean = floor.computed(ratings, how=f"mean of the evaluators and the judge ({verdict.merge})")
        return replace(
            verdict, ratings=mean.ratings, winners=mean.winners, merge=mean.merge, by="scores", deciding=None
        )

    def _mean(self, rating: Rating, aspects: Sequence[Aspect], findings: Sequence[Finding]) -> Rating:
        """The judge's score and the evaluators', each as a share of its range, on the aspect's scale."""
        scale = next(aspect.scale for aspect in aspects if aspect.name == rating.aspect)
        own = (rating.score - scale.low) / (scale.high - scale.low)
        mean = self.mean((one for one in findings if one.candidate == rating.candidate), scale, own)
        return rating if mean is None else replace(rating, score=mean)
