"""A judge as an evaluator of pydantic-evals (pip install 'agentdebate[pydantic-evals]')."""

from dataclasses import dataclass
from typing import Any

from pydantic_evals.evaluators import EvaluationReason, Evaluator, EvaluatorContext

from agentdebate.integrations.exchange import Fields, reasons, texts
from agentdebate.runs.judge import Judge


@dataclass(repr=False)
class DebateEvaluator(Evaluator[Any, Any, Any]):
    """Evaluate cases by a judge, with a score and its reason for each aspect.

        Dataset(cases=[...], evaluators=[DebateEvaluator(judge, {"source": "inputs", "summary": "output"})])

    `fields` are places in the EvaluatorContext. A debate without a verdict is an evaluator's failure, and in no average.
    """

    judge: Judge
    fields: Fields

    async def evaluate(self, ctx: EvaluatorContext[Any, Any, Any]) -> dict[str, EvaluationReason]:
        """Judge one case."""
        verdict = await self.judge.ask(texts(self.fields, ctx))
        said = reasons(verdict)
        return {aspect: EvaluationReason(score, said) for aspect, score in verdict.scores.items()}

    def build_serialization_arguments(self) -> dict[str, Any]:
        """Describe it in reports and files by its fields alone: a judge is an open thing."""
        return {"fields": dict(self.fields)}
