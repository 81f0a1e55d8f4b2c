"""The adapters in the tools that they are for: a score with its reasons where there is a verdict, and no score where there is none."""

from math import nan
from pathlib import Path
from typing import Any

import pytest

from agentdebate.errors import DebateError, UnreadableReply, UsageError
from agentdebate.integrations.exchange import reasons, texts
from agentdebate.runs.judge import Judge
from agentdebate.talk.messages import Verdict

pytestmark = [
    pytest.mark.adapters,
    pytest.mark.filterwarnings("ignore"),  # of other people's packages
]
ARTICLE, CLEAR = "The bridge at Kelby closes for eleven weeks.", "The bridge closes."
FIELDS = {"source": "metadata.article", "summary": "output"}


def test_inspect_leaves_a_sample_without_a_verdict_out_of_the_mean(judge: Judge, tmp_path: Path) -> None:
    from inspect_ai import Task
    from inspect_ai import eval as evaluate
    from inspect_ai.dataset import Sample
    from inspect_ai.model import ModelOutput
    from inspect_ai.solver import Generate, Solver, TaskState, solver

    from agentdebate.integrations.inspect_ai import debate_scorer

    @solver
    def say() -> Solver:
        async def solve(state: TaskState, generate: Generate) -> TaskState:
            state.output = ModelOutput.from_content("mockllm/model", state.input_text)
            return state

        return solve

    samples = [Sample(input=text, metadata={"article": ARTICLE}) for text in (CLEAR, "unreadable")]
    scorer = debate_scorer(judge, {"source": "metadata.article", "summary": "output.completion"})
    task = Task(samples, solver=say(), scorer=scorer)
    [log] = evaluate(task, model="mockllm/model", log_dir=str(tmp_path), max_samples=1, display="none")
    assert (log.status, log.error) == ("success", None)
    assert log.results is not None
    assert log.results.scores[0].name == "consistency"
    assert log.results.scores[0].metrics["mean"].value == 4
    assert log.results.scores[0].unscored_samples == 1
    assert log.samples is not None
    good, bad = [sample.scores["debate_scorer"] for sample in log.samples if sample.scores]
    assert good.value == {"consistency": 4}
    assert "It is clear." in (good.explanation or "")
    assert (good.metadata or {})["calls"] == 1
    assert bad.reason == "grader_failed"
    assert "UnreadableReply" in (bad.explanation or "")


def test_mlflow_has_an_error_and_no_value_for_a_row_without_a_verdict(
    judge: Judge, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("MLFLOW_DISABLE_TELEMETRY", "true")
    import mlflow

    from agentdebate.integrations.mlflow import debate_scorer

    mlflow.set_tracking_uri(f"sqlite:///{tmp_path}/mlflow.db")
    data = [{"inputs": {"article": ARTICLE}, "outputs": text} for text in (CLEAR, "unreadable")]
    scorer = debate_scorer(judge, {"source": "inputs.article", "summary": "outputs"})
    found = mlflow.genai.evaluate(data=data, scorers=[scorer])
    assert found.metrics["consistency/mean"] == 4
    told = [one for row in found.result_df["assessments"] for one in row]
    [good] = [one for one in told if one["assessment_name"] == "consistency"]
    [bad] = [one for one in told if one["assessment_name"] == "debate"]
    assert "It is clear." in good["rationale"]
    assert good["source"]["source_type"] == "LLM_JUDGE"
    assert bad["feedback"].get("value") is None
    assert "could not be read" in bad["feedback"]["error"]["error_message"]


def test_deepeval_has_the_score_from_0_to_1_and_the_error_of_a_case_without_a_verdict(
    judge: Judge, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("DEEPEVAL_TELEMETRY_OPT_OUT", "YES")
    from deepeval import evaluate
    from deepeval.evaluate.configs import AsyncConfig, DisplayConfig, ErrorConfig
    from deepeval.test_case import LLMTestCase

    from agentdebate.integrations.deepeval import DebateMetric

    cases = [
        LLMTestCase(input="", actual_output=text, context=[ARTICLE, "It is old."])
        for text in (CLEAR, "unreadable")
    ]
    metric = DebateMetric(
        judge, {"source": "context", "summary": "actual_output"}, scale=(1, 5), threshold=0.7
    )
    for at_once in (True, False):
        found = evaluate(
            cases,
            [metric],
            async_config=AsyncConfig(run_async=at_once),
            error_config=ErrorConfig(ignore_errors=True),
            display_config=DisplayConfig(print_results=False, show_indicator=False),
        )
        by_text = {one.actual_output: (one.metrics_data or [])[0] for one in found.test_results}
        good, bad = by_text[CLEAR], by_text["unreadable"]
        assert (good.score, good.success, good.error) == (0.75, True, None)
        assert "It is clear." in (good.reason or "")
        assert (bad.score, bad.success) == (None, False)
        assert "could not be read" in (bad.error or "")
    with pytest.raises(UnreadableReply):
        metric.measure(cases[1])
    assert metric.score is None
    for scale, threshold in (((5, 5), 0.5), ((5, 1), 0.5), ((1, nan), 0.5), ((1, 5), 2)):
        with pytest.raises(UsageError):
            DebateMetric(judge, {}, scale, threshold)
    with pytest.raises(UsageError, match="the score 4 is not on the metric's scale, 0 to 1"):
        DebateMetric(judge, metric.fields, scale=(0, 1)).measure(cases[0])


def test_pydantic_evals_counts_a_case_without_a_verdict_as_a_failure(judge: Judge) -> None:
    from pydantic_evals import Case, Dataset

    from agentdebate.integrations.pydantic_evals import DebateEvaluator

    cases = [Case(name=text, inputs=text, metadata={"article": ARTICLE}) for text in (CLEAR, "unreadable")]
    dataset = Dataset[str, str, Any](name="kelby", cases=cases, evaluators=[DebateEvaluator(judge, FIELDS)])

    async def say(text: str) -> str:
        return text

    report = dataset.evaluate_sync(say, progress=False)
    good, bad = report.cases
    assert good.scores["consistency"].value == 4
    assert "It is clear." in (good.scores["consistency"].reason or "")
    assert bad.scores == {}
    assert [failure.error_type for failure in bad.evaluator_failures] == ["UnreadableReply"]
    average = report.averages()
    assert average is not None
    assert average.scores == {"consistency": 4}
    assert "DebateEvaluator" in dataset.model_dump_json()


@pytest.mark.parametrize(
    ("given", "told"),
    [({}, "nothing is at"), ({"text": [{"role": "user"}]}, "is dict"), ({"text": None}, "is NoneType")],
)
def test_a_place_without_a_text_is_named(given: dict[str, Any], told: str) -> None:
    with pytest.raises(UsageError, match=r"at 'output\.text' for the field 'summary'") as error:
        texts({"summary": "output.text"}, {"output": given})
    assert told in str(error.value)


def test_an_abstention_is_a_failure() -> None:
    verdict = Verdict(
        ratings=(), ballots=(), settled=False, ended="stages", rounds=1, merge="none", abstained="unsure"
    )
    with pytest.raises(DebateError, match="abstained: unsure"):
        reasons(verdict)
