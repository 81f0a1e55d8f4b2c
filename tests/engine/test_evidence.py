"""Scores of evaluators: their mean without a judge, and as evidence in front of any debate, which everyone hears."""

from collections.abc import Callable, Mapping
from typing import Any

import pytest
from engine_cases import ANN, ITEM, PAIR, TASKS, hold, overall, said, scoring, verdict_of
from evidence_cases import NOTED, register
from pydantic import ValidationError

import agentdebate as ad
from agentdebate.errors import EvaluatorFailed, StrategyError, TooFewBallots, UsageError
from agentdebate.evaluators import registry
from agentdebate.strategies.base import Strategy
from agentdebate.strategies.evaluator_mean import EvaluatorMean
from agentdebate.strategies.mean_with_judge import MeanWithJudge
from agentdebate.strategies.one_by_one import OneByOne
from agentdebate.strategies.position_swap import SwappedPositions
from agentdebate.strategies.recruitment import Recruited
from agentdebate.strategies.repetition import Repeated
from agentdebate.strategies.solo import Solo
from agentdebate.strategies.with_evidence import WithEvidence
from agentdebate.testing import Words, replying

LINE = "- length: 6, on a range from 0 to 10; compared with the note; higher is better"
SOLO = Solo(cast={"scorer": (ANN,)})


@pytest.fixture(autouse=True)
def _registered(monkeypatch: pytest.MonkeyPatch) -> None:
    register(monkeypatch)


# The mean: AVG and LLMSel.


def mean(*evaluators: str, **options: Any) -> EvaluatorMean:
    return EvaluatorMean(evaluators=evaluators, cast={"planner": (ANN,)}, **options)


async def judged(chosen: EvaluatorMean, item: ad.Item = NOTED) -> ad.Record:
    return await hold(chosen, replying({}), item=item, aspects=("fluency", "coherence"))


def given(**evidence: float | None) -> ad.Item:
    return ITEM.model_copy(update={"evidence": evidence})


async def test_the_mean_of_all_shares_is_put_onto_the_scale() -> None:
    """6 of 10 and 0.25 of 1 are 0.425; from 1 to 5 that is 2.7."""
    record = await judged(mean("length", "flat"))
    verdict = verdict_of(record)
    assert verdict.scores == pytest.approx({"fluency": 2.7, "coherence": 2.7})
    assert (verdict.merge, verdict.ended, verdict.settled) == ("mean of all evaluators", "computed", True)
    assert (verdict.ballots, verdict.models, verdict.usage, record.usage) == ((), (), (), ad.Usage())


async def test_missing_scores_are_left_out_and_where_all_are_missing_there_is_no_verdict() -> None:
    ranges = {"bleurt": "0-1", "nli": "0-1"}
    item = NOTED.model_copy(update={"evidence": {"bleurt": 0.75, "nli": None}})
    verdict = verdict_of(await judged(mean("flat", ranges=ranges), item))
    assert verdict.scores["fluency"] == pytest.approx(1 + 0.5 * 4)
    record = await judged(mean(), given(bleurt=None, nli=None))
    assert isinstance(record.error, TooFewBallots)
    assert "all scores are missing" in str(record.error)
    assert isinstance((await judged(mean())).error, TooFewBallots)


@pytest.mark.parametrize("lower", [False, True])
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
async def test_a_score_is_a_share_of_its_range_or_what_is_left_of_it_where_lower_is_better(
    written: str, score: float, share: float, lower: bool
) -> None:
    """One outside counts as the end."""
    column = {"about": "What it is.", "better": "lower" if lower else "higher", "range": written}
    told: dict[str, Any] = {"columns": {"ppl": column}} if lower else {"ranges": {"ppl": written}}
    record = await judged(mean(**told), given(ppl=score))
    assert verdict_of(record).scores["fluency"] == pytest.approx(1 + 4 * (1 - share if lower else share))


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
    column = {"about": "X.", "better": "higher", "range": "-8..0"}
    for chosen, score in (
        (mean("endless", ranges={"endless": "-8..0"}), 4),
        (mean("endless", columns={"endless": column}), 4),
        (mean("length", ranges={"length": "0-6"}), 5),
    ):
        assert verdict_of(await judged(chosen)).scores["fluency"] == pytest.approx(score)


async def test_a_judge_counts_as_one_evaluator_more_and_hears_of_none() -> None:
    """6 of 10, 0.25 of 1 and 5 from 1 to 5 are 0.6, 0.25 and 1; their mean is put onto the scale."""
    record = await judge(MeanWithJudge(around=SOLO, evaluators=("length", "flat")), "Fluency: 5")
    verdict = verdict_of(record)
    assert verdict.scores["fluency"] == pytest.approx(1 + 4 * (0.6 + 0.25 + 1) / 3)
    assert verdict.merge == "mean of the evaluators and the judge (last score)"
    assert len(verdict.ballots) == 1
    assert not any("flat" in message.content for call in record.calls for message in call.request.messages)


# In front of a debate.


def informed(around: Strategy, evaluator: str = "length") -> WithEvidence:
    return WithEvidence(around=around, evaluators=(evaluator,))


async def judge(
    chosen: Strategy, words: Words | Mapping[str, Words], item: ad.Item = NOTED, **options: Any
) -> ad.Record:
    return await hold(chosen, replying(words), item=item, **options)


def heard(record: ad.Record) -> dict[str, bool]:
    """Tell whether each agent was shown the evidence whenever it spoke."""
    found: dict[str, bool] = {}
    for call in record.calls:
        lines = [line for one in call.request.messages for line in one.content.splitlines()]
        found[call.agent] = found.get(call.agent, True) and any(line.startswith(LINE) for line in lines)
    return found


@pytest.mark.parametrize("outside", [True, False])
async def test_recruits_hear_it_too_wherever_they_are_recruited(outside: bool) -> None:
    panel = OneByOne(rounds=1, cast={"debaters": "recruit"})
    recruiting: Callable[[Strategy], Strategy] = lambda inner: Recruited(  # noqa: E731 - a wrapper as a value
        around=inner, k=2, cluster=False, cast={"recruiter": (ANN,)}
    )
    chosen = informed(recruiting(panel)) if outside else recruiting(informed(panel))
    roster = "1. Sailor: Reads the sea.\n2. Baker: Reads the bread."
    record = await judge(chosen, {"recruiter": roster, "sailor": scoring(3), "baker": scoring(4)})
    assert verdict_of(record).score == 3.5
    assert heard(record) == {"recruiter": outside, "sailor": True, "baker": True}


EVIDENCED = PAIR.model_copy(update={"evidence": {"bleurt.answer_1": 0.5, "bleurt.answer_2": 0.25}})
ABOUT_THE_QUESTION = informed(SOLO, "length:premise=question")


@pytest.mark.parametrize("repeated", [False, True])
async def test_inside_swapped_positions_nobody_hears_the_evidence_of_another_order(repeated: bool) -> None:
    inner = Repeated(around=ABOUT_THE_QUESTION, samples=2) if repeated else ABOUT_THE_QUESTION
    record = await judge(SwappedPositions(around=inner), overall(8, 5), EVIDENCED, aspects="overall")
    assert verdict_of(record).winner is None
    assert len(record.calls) == len(said(record, "evidence")) == (4 if repeated else 2)
    for call in record.calls:
        assert call.request.context is not None
        first = call.request.context.candidates[0].field
        lines = [line for line in call.request.messages[-1].content.splitlines() if "- bleurt" in line]
        scores = ("0.5", "0.25") if first == "answer_1" else ("0.25", "0.5")
        wanted = [f"- bleurt of Answer {label}: {score}" for label, score in zip("AB", scores, strict=True)]
        assert sorted(lines) == wanted, "each once, and by the places of this sitting"


async def test_around_swapped_positions_it_is_refused_before_a_call_is_paid_for() -> None:
    chosen = informed(SwappedPositions(around=SOLO), "length:premise=question")
    record = await judge(chosen, overall(8, 5), EVIDENCED, aspects="overall")
    assert isinstance(record.error, StrategyError)
    assert str(record.error).endswith("put the evidence inside it")
    assert record.calls == ()


async def test_an_evaluator_that_gives_no_number_is_a_failure_and_no_score() -> None:
    record = await judge(informed(SOLO, "flat:given=nan"), scoring(3))
    assert isinstance(record.error, EvaluatorFailed)
    assert record.calls == ()


async def test_nothing_is_measured_twice(monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[Any] = []
    real = registry.evaluator

    def opened(spec: str, **options: Any) -> Any:
        made.append(real(spec, **options))
        return made[-1]

    monkeypatch.setattr(registry, "evaluator", opened)
    async with ad.ready(informed(SOLO), model=replying(scoring(3)), tasks=TASKS) as debate:
        for item in (NOTED, NOTED, NOTED.model_copy(update={"id": "item-2"})):
            assert (await debate.hold(item, "fluency")).verdict
    assert sum(len(one.scored) for one in made) == 1
