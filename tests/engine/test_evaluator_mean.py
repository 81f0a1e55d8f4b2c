"""Evaluators without a judge, by hand: AVG and LLMSel."""

from typing import Any

import pytest
from engine_cases import ANN, ITEM, PAIR, hold, said
from evidence_cases import NOTED, asked, plan_of, register, speaking
from pydantic import ValidationError

from agentdebate.debates.record import Record
from agentdebate.errors import TooFewBallots, UsageError
from agentdebate.models.base import Model
from agentdebate.strategies.evaluator_mean import EvaluatorMean
from agentdebate.strategies.load import strategy
from agentdebate.strategies.mean_with_judge import MeanWithJudge
from agentdebate.strategies.solo import Solo
from agentdebate.talk.messages import Plan, Verdict
from agentdebate.tasks import Item
from agentdebate.testing import replying
from agentdebate.usage import Usage

BOTH = ("fluency", "coherence")
SELECTED = plan_of(fluency="length", coherence="length, flat")


@pytest.fixture(autouse=True)
def _registered(monkeypatch: pytest.MonkeyPatch) -> None:
    register(monkeypatch)


def mean(*evaluators: str, **options: Any) -> EvaluatorMean:
    return EvaluatorMean(evaluators=evaluators, cast={"planner": (ANN,)}, **options)


async def judged(
    chosen: EvaluatorMean, item: Item = NOTED, model: Model | None = None, **options: Any
) -> Record:
    return await hold(chosen, model or speaking(), item=item, **{"aspects": BOTH, **options})


def verdict_of(record: Record) -> Verdict:
    assert record.verdict is not None, record.failure
    return record.verdict


def given(**evidence: float | None) -> Item:
    return ITEM.model_copy(update={"evidence": evidence})


async def test_the_mean_of_all_shares_is_put_onto_the_scale() -> None:
    """6 of 10 and 0.25 of 1 are 0.425; from 1 to 5 that is 2.7."""
    record = await judged(mean("length", "flat"))
    verdict = verdict_of(record)
    assert verdict.scores == pytest.approx({"fluency": 2.7, "coherence": 2.7})
    assert (verdict.merge, verdict.ended, verdict.settled) == ("mean of all evaluators", "computed", True)
    assert (verdict.ballots, verdict.models, verdict.usage, record.usage) == ((), (), (), Usage())
    assert len(said(record, "evidence")) == 1


async def test_a_plan_selects_for_every_aspect() -> None:
    """6 of 10 is 3.4 from 1 to 5."""
    model = speaking(plan=SELECTED)
    record = await judged(mean("length", "flat", take="selected"), model=model)
    verdict = verdict_of(record)
    assert verdict.scores == pytest.approx({"fluency": 3.4, "coherence": 2.7})
    assert verdict.merge == "mean of selected evaluators"
    plans = said(record, "plan")
    assert [(plan.sender, plan.text) for plan in plans if isinstance(plan, Plan)] == [
        ("planner", SELECTED),
        ("floor", SELECTED),
    ]
    assert len(asked("plan", record.calls)) == 1


async def test_an_aspect_for_which_the_plan_selects_nothing_has_no_score() -> None:
    model = speaking(plan=plan_of(fluency="length", coherence="none"))
    record = await judged(mean("length", "flat", take="selected"), model=model)
    assert verdict_of(record).scores.keys() == {"fluency"}


async def test_where_the_plan_selects_nothing_at_all_there_is_no_verdict() -> None:
    model = speaking(plan=plan_of(fluency="none", coherence="none"))
    with pytest.raises(UsageError, match="the plan selects no evaluator for fluency, coherence: judge other"):
        await judged(mean("length", "flat", take="selected"), model=model)


async def test_missing_scores_are_left_out_and_never_zero() -> None:
    chosen = mean("flat", ranges={"bleurt": "0-1", "nli": "0-1"})
    item = NOTED.model_copy(update={"evidence": {"bleurt": 0.75, "nli": None}})
    assert verdict_of(await judged(chosen, item)).scores["fluency"] == pytest.approx(1 + 0.5 * 4)


async def test_where_all_scores_are_missing_there_is_no_verdict() -> None:
    record = await judged(mean(), given(bleurt=None, nli=None))
    assert isinstance(record.error, TooFewBallots)
    assert "all scores are missing" in str(record.error)
    assert isinstance((await judged(mean())).error, TooFewBallots)


@pytest.mark.parametrize(
    ("written", "score", "share"),
    [
        ("0-100", 25, 0.25),
        ("-1..1", 0, 0.5),
        ("-1-1", -1, 0),
        ("-3 - -1", -1.5, 0.75),
        (".5-1.5", 0.75, 0.25),
        ("0-1", 1.5, 1),
        ("0-1", -0.2, 0),
    ],
)
async def test_a_score_is_a_share_of_its_range_and_one_outside_counts_as_the_end(
    written: str, score: float, share: float
) -> None:
    record = await judged(mean(ranges={"bleurt": written}), given(bleurt=score))
    assert verdict_of(record).scores["fluency"] == pytest.approx(1 + 4 * share)


@pytest.mark.parametrize("written", ["", "1", "1-0", "0-0", "0 1", "low-high", "0-1 any", "inf-1"])
def test_a_range_that_is_none_is_the_callers_mistake(written: str) -> None:
    with pytest.raises(ValidationError, match=r"ranges\.bleurt\n.*range"):
        mean(ranges={"bleurt": written})


async def test_a_range_that_nobody_knows_is_asked_for_and_a_given_one_goes_before_the_evaluators_own() -> (
    None
):
    record = await judged(mean(), given(bleurt=0.5))
    assert "the range of 'bleurt' is not known (say it, such as set='ranges=" in str(record.error)
    with pytest.raises(UsageError, match="the range of 'endless' is not known"):
        await judged(mean("endless"))
    for chosen, score in (
        (mean("endless", ranges={"endless": "-8..0"}), 4),
        (mean("length", ranges={"length": "0-6"}), 5),
    ):
        assert verdict_of(await judged(chosen)).scores["fluency"] == pytest.approx(score)


PAIRED = PAIR.model_copy(update={"evidence": {"bleurt.answer_1": 0.25, "bleurt.answer_2": 0.75}})


async def test_every_text_that_is_compared_has_the_mean_of_its_own_scores() -> None:
    """4 of 10 words and 0.25 are 0.325 of a scale from 1 to 10; 0.4 and 0.75 are 0.575."""
    chosen = mean("length:premise=question", ranges={"bleurt": "0-1"})
    verdict = verdict_of(await judged(chosen, PAIRED, aspects="overall"))
    assert verdict.scores == pytest.approx({"overall.answer_1": 3.925, "overall.answer_2": 6.175})
    assert verdict.winner == "answer_2"


@pytest.mark.parametrize(("name", "take"), [("avg", "all"), ("llmsel", "selected")])
def test_the_files_are_the_papers_aggregations(name: str, take: str) -> None:
    chosen = strategy(name)
    assert isinstance(chosen, EvaluatorMean)
    assert (chosen.take, chosen.evaluators) == (take, ("rouge-1", "rouge-2", "rouge-l", "bleu", "chrf"))


async def test_of_a_column_whose_lower_score_is_better_low_scores_are_high_shares() -> None:
    """0.25 is a share of .75 then; from 1 to 5 that is 4."""
    column = {"about": "What it is.", "better": "lower", "range": "0-1"}
    record = await judged(mean(columns={"ppl": column}), given(ppl=0.25), aspects="fluency")
    assert verdict_of(record).score == pytest.approx(4)
    higher = {**column, "better": "higher"}
    record = await judged(mean(columns={"ppl": higher}), given(ppl=0.25), aspects="fluency")
    assert verdict_of(record).score == pytest.approx(2)


async def test_a_judge_counts_as_one_evaluator_more_and_hears_of_none() -> None:
    """6 of 10, 0.25 of 1 and 5 from 1 to 5 are 0.6, 0.25 and 1; their mean is put onto the scale."""
    chosen = MeanWithJudge(around=Solo(cast={"scorer": (ANN,)}), evaluators=("length", "flat"))
    record = await hold(chosen, replying("Fluency: 5"), item=NOTED, aspects=("fluency",))
    verdict = verdict_of(record)
    assert verdict.scores["fluency"] == pytest.approx(1 + 4 * (0.6 + 0.25 + 1) / 3)
    assert verdict.merge == "mean of the evaluators and the judge (last score)"
    assert len(verdict.ballots) == 1
    assert not any("flat" in message.content for call in record.calls for message in call.request.messages)
