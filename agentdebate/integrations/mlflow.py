"""A judge as a scorer of MLflow (pip install 'agentdebate[mlflow]')."""

from typing import Any

from mlflow.entities import AssessmentSource, Feedback
from mlflow.genai.scorers import Scorer, scorer

from agentdebate.integrations.exchange import Fields, facts, reasons, texts
from agentdebate.runs.judge import Judge


def debate_scorer(judge: Judge, fields: Fields, *, name: str = "debate") -> Scorer:
    """Make a scorer for `mlflow.genai.evaluate`, with a feedback for each aspect.

        debate_scorer(judge, {"source": "inputs.article", "summary": "outputs"})

    `fields` are places in the row's inputs, outputs and expectations. A debate without a verdict is a feedback with an
    error, and in no mean. The time limit is the judge's own.
    """
    source = AssessmentSource(source_type="LLM_JUDGE", source_id=f"agentdebate/{name}")

    @scorer(name=name, timeout=0)
    def score(inputs: Any = None, outputs: Any = None, expectations: Any = None) -> list[Feedback]:
        row = {"inputs": inputs, "outputs": outputs, "expectations": expectations}
        verdict = judge(texts(fields, row))
        said, known = reasons(verdict), facts(verdict, judge)
        return [
            Feedback(name=aspect, value=value, rationale=said, source=source, metadata=known)
            for aspect, value in verdict.scores.items()
        ]

    return score
