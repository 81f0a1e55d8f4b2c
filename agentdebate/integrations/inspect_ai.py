"""A judge as a scorer of Inspect AI (pip install 'agentdebate[inspect]')."""

from inspect_ai.scorer import Score, Scorer, Target, mean, scorer, stderr
from inspect_ai.solver import TaskState

from agentdebate.errors import AgentDebateError, UserError
from agentdebate.integrations.exchange import Fields, facts, reasons, texts
from agentdebate.runs.judge import Judge


@scorer(metrics={"*": [mean(), stderr()]})
def debate_scorer(judge: Judge, fields: Fields) -> Scorer:
    """Score samples by a judge, with a value for each aspect.

        Task(..., scorer=debate_scorer(judge, {"source": "metadata.article", "summary": "output.completion"}))

    `fields` are places in the sample's TaskState. A debate without a verdict leaves its sample unscored, in no metric, with
    the reason "grader_failed" and the error as explanation. Raises UserError for what is to be fixed.
    """

    async def score(state: TaskState, target: Target) -> Score:  # noqa: ARG001 - it is in the state too
        try:
            verdict = await judge.ask(texts(fields, state))
            said = reasons(verdict)
        except UserError:
            raise
        except AgentDebateError as error:
            return Score.unscored(reason="grader_failed", explanation=f"{type(error).__name__}: {error}")
        return Score(value=verdict.scores, explanation=said, metadata=facts(verdict, judge))

    return score
