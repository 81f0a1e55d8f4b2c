"""A judge as a metric of DeepEval (pip install 'agentdebate[deepeval]')."""

from typing import Any

from deepeval.metrics import BaseMetric
from deepeval.test_case import LLMTestCase

from agentdebate.errors import UsageError
from agentdebate.integrations.exchange import Fields, reasons, texts
from agentdebate.runs.judge import Judge
from agentdebate.talk.messages import Verdict
from agentdebate.tasks import Scale


class DebateMetric(BaseMetric):
    """Measure test cases by a judge of one aspect, whose `scale`, its lowest and highest score, becomes 0 to 1.

        DebateMetric(judge, {"source": "context", "summary": "actual_output"}, scale=(1, 5), threshold=0.7)

    `fields` are places in the test case. Raises UsageError for a scale or threshold that means nothing, and the error of a debate
    without a verdict, and has no score then.
    """

    def __init__(
        self, judge: Judge, fields: Fields, scale: tuple[float, float], threshold: float = 0.5
    ) -> None:
        Scale(low=scale[0], high=scale[1], step=None)  # refuses what is not a range
        self.judge, self.fields, self.scale, self.threshold = judge, fields, scale, threshold
        if not 0 <= threshold <= 1:
            raise UsageError(f"the threshold is a share of the scale, from 0 to 1, not {threshold}")
        self.score: float | None = None

    @property
    def __name__(self) -> str:
        return "Debate"

    def measure(self, test_case: LLMTestCase, *_: Any, **__: Any) -> float:
        """Judge a test case, and wait."""
        self.score = self.success = None
        return self._took(self.judge(texts(self.fields, test_case)))

    async def a_measure(self, test_case: LLMTestCase, *_: Any, **__: Any) -> float:
        """Judge a test case, awaited."""
        self.score = self.success = None
        return self._took(await self.judge.ask(texts(self.fields, test_case)))

    def _took(self, verdict: Verdict) -> float:
        self.reason, (low, high) = reasons(verdict), self.scale
        if not low <= verdict.score <= high:
            raise UsageError(f"the score {verdict.score:g} is not on the metric's scale, {low:g} to {high:g}")
        self.score = score = (verdict.score - low) / (high - low)
        self.input_tokens = sum(spent.usage.prompt_tokens for spent in verdict.usage)
        self.output_tokens = sum(spent.usage.completion_tokens for spent in verdict.usage)
        self.is_successful()
        return score
