"""Fusion-Eval: evaluators first, then one judge request an item, with the mean of its samples for a verdict."""

from collections.abc import Mapping
from typing import Any

import pytest
from engine_cases import (
    ANN,
    BEN,
    COHERENCE,
    FLUENCY,
    ITEM,
    PAIR,
    TASKS,
    hold,
    overall,
    said,
    scoring,
)
from evidence_cases import NOTED, asked, plan_of, register, sampled, scores, speaking

from agentdebate.debates.ready import ready
from agentdebate.debates.record import Record
from agentdebate.errors import DataError, StrategyError
from agentdebate.models.base import Model, ModelRequest, Sampling
from agentdebate.models.function import Function
from agentdebate.runs.evaluation import evaluate
from agentdebate.strategies.fusion import Fusion
from agentdebate.strategies.load import strategy
from agentdebate.strategies.position_swap import SwappedPositions
from agentdebate.talk.messages import Evidence, Plan, Verdict
from agentdebate.tasks import Aspect, Item, Scale

BOTH = ("fluency", "coherence")
PLAN = plan_of(fluency="length", coherence="flat", overall="none")
EIGHT = [scores(fluency=4, coherence=2 + k / 10, overall=3) for k in range(8)]


@pytest.fixture(autouse=True)
def _registered(monkeypatch: pytest.MonkeyPatch) -> None:
    register(monkeypatch)


COLUMNS = {
    name: {"about": f"What {name} is.", "better": better, "range": "0-1"}
    for name, better in (("bleurt", "higher"), ("bert.f1", "higher"), ("nli", "lower"))
}
"""What is said of the columns of scores here."""


def fusion(**options: Any) -> Fusion:
    """Fusion with two small evaluators, whose casts are made in code."""
    cast = {"planner": (ANN,), "judge": (BEN,)}
    chosen = {"evaluators": ("length", "flat"), "cast": cast, "columns": COLUMNS, **options}
    return Fusion(**chosen)


async def judged(chosen: Fusion | str, model: Model, item: Item = NOTED, **options: Any) -> Record:
    return await hold(chosen, model, item=item, **{"aspects": BOTH, **options})


def verdict_of(record: Record) -> Verdict:
    assert record.verdict is not None, record.failure
    return record.verdict


def shown(record: Record, purpose: str = "fuse") -> str:
    """All that was shown with the one request of a purpose."""
    (request,) = asked(purpose, record.calls)
    return "\n".join(message.content for message in request.messages)


async def test_the_scores_are_the_means_of_the_samples_of_one_request() -> None:
    record = await judged(fusion(), speaking(plan=PLAN, fuse=EIGHT))
    verdict = verdict_of(record)
    assert verdict.scores == pytest.approx({"fluency": 4, "coherence": 2.35, "overall": 3})
    assert (verdict.merge, verdict.ended, verdict.missing) == ("mean of 8 samples", "one opinion", 0)
    assert [call.agent for call in record.calls] == ["planner", "judge"]
    assert asked("fuse", record.calls)[0].sampling.n == 8
    assert len(verdict.ballots) == 8
    assert {one.aspect: one.ballots for one in verdict.spread} == {"fluency": 8, "coherence": 8, "overall": 8}
    assert next(one for one in verdict.spread if one.aspect == "coherence").highest == pytest.approx(2.7)


async def test_the_transcript_has_the_evidence_and_the_plan_before_the_samples() -> None:
    record = await judged(fusion(), speaking(plan=PLAN, fuse=EIGHT))
    kinds = [message.kind for message in record.transcript if message.kind not in {"ask", "brief", "tell"}]
    assert kinds == ["evidence", "plan", "plan", "samples", "verdict"]
    written, plan = said(record, "plan")
    assert isinstance(written, Plan)
    assert isinstance(plan, Plan)
    assert (written.sender, plan.sender) == ("planner", "floor")
    assert (written.chosen, written.text) == (plan.chosen, plan.text)
    assert {one.aspect: one.evaluators for one in plan.chosen} == {
        "fluency": ("length",),
        "coherence": ("flat",),
        "overall": (),
    }


async def test_the_judge_is_shown_plan_and_evidence_word_for_word_and_item() -> None:
    record = await judged(fusion(), speaking(plan=PLAN, fuse=EIGHT))
    (evidence,) = said(record, "evidence")
    assert isinstance(evidence, Evidence)
    assert "- length: 6, on a range from 0 to 10; compared with the note; higher is better" in evidence.text
    assert "- flat: 0.25, on a range from 0 to 1; compared with the note; higher is better" in evidence.text
    text = shown(record)
    assert evidence.text in text
    assert PLAN in text
    assert ITEM.fields["text"] in text
    assert '"Overall:" and behind it a number from 1 to 5' in text
    assert text.index(PLAN) < text.index(evidence.text)


async def test_every_debate_shows_the_plan_in_the_same_words_the_one_that_wrote_it_too() -> None:
    """The judge hears what the floor announces, and never the planner."""
    items = [NOTED, NOTED.model_copy(update={"id": "item-2"})]
    async with ready(fusion(), model=speaking(plan=PLAN, fuse=EIGHT), tasks=TASKS) as debate:
        records = [await debate.hold(item, BOTH) for item in items]
    turns = [asked("fuse", record.calls)[0].messages[-1].content for record in records]
    assert turns[0] == turns[1]
    assert f"Plan:\n~~~~\n{PLAN}\n~~~~" in turns[0]
    assert [[plan.sender for plan in said(record, "plan")] for record in records] == [
        ["planner", "floor"],
        ["floor"],
    ]
    for record in records:
        (judge,) = [call for call in record.calls if call.agent == "judge"]
        heard = [plan.sender for plan in said(record, "plan") if plan.seq in judge.shown]
        assert heard == ["floor"]


async def test_the_planner_is_not_shown_the_item_and_is_told_of_the_evaluators() -> None:
    record = await judged(
        fusion(columns={"flat": {"about": "It cannot tell anything.", "better": "higher"}}),
        speaking(plan=PLAN, fuse=EIGHT),
    )
    text = shown(record, "plan")
    assert ITEM.fields["text"] not in text
    assert "Cats sit." not in text
    assert "0.25" not in text
    assert (
        '- length, from 0 to 10; it compares the text with the note; higher is better; The evaluator "length"'
        in text
    )
    assert (
        "- flat, from 0 to 1; it compares the text with the note; higher is better; It cannot tell anything."
        in text
    )


@pytest.mark.parametrize("plan", ["write", "none"])
async def test_the_judge_is_told_all_of_the_evaluators_with_a_plan_and_without_one(plan: str) -> None:
    """Otherwise plan against no plan would compare something else as well (Section 2)."""
    item = NOTED.model_copy(update={"evidence": {"nli": 0.5}})
    words = {"plan": plan_of(fluency="length", coherence="flat", overall="nli"), "fuse": EIGHT}
    columns = {**COLUMNS, "flat": {"about": "Tells\nnothing.", "better": "higher"}}
    record = await judged(fusion(plan=plan, columns=columns), speaking(**words), item)
    assert {
        '- length: 6, on a range from 0 to 10; compared with the note; higher is better; The evaluator "length"',
        "- flat: 0.25, on a range from 0 to 1; compared with the note; higher is better; Tells nothing.",
        "- nli: 0.5, on a range from 0 to 1; lower is better; What nli is.",
    } <= set(shown(record).splitlines())
    assert ("Follow the plan." in shown(record)) == (plan == "write")
    assert ("plan" in shown(record).lower()) == (plan == "write"), "who has no plan is told of none"
    assert "Read it." not in shown(record), "steps are the plan's"


async def test_a_column_of_which_nothing_is_said_is_an_error_that_says_how_to_say_it() -> None:
    item = NOTED.model_copy(update={"evidence": {"mystery": 0.5}})
    record = await judged(fusion(plan="none"), speaking(fuse=EIGHT), item)
    assert isinstance(record.error, StrategyError)
    assert "nothing is said of 'mystery'" in str(record.error)
    assert """set='columns={"mystery": {"about": "what it measures", "better": "higher"}}'""" in str(
        record.error
    )
    assert record.calls == ()


def test_the_text_as_a_whole_has_a_scale_of_its_own() -> None:
    """In Topical-Chat the aspects are from 1 to 3 and the whole is from 1 to 5 (Section 3.1)."""
    three = FLUENCY.model_copy(update={"scale": Scale(low=1, high=3)})
    *aspects, whole = fusion().asked((three, COHERENCE))
    assert [str(aspect.scale) for aspect in aspects] == ["1 to 3", "1 to 5"]
    assert (whole.name, str(whole.scale), 4.5 in whole.scale) == ("overall", "1 to 5", True)
    assert str(fusion(overall_scale="0-10").asked((three, COHERENCE))[-1].scale) == "0 to 10"


def all_alike(request: ModelRequest) -> str:
    """A judge that scores whatever it is asked for."""
    assert request.context is not None
    return "\n".join(
        f"{line.aspect.title}: {line.aspect.scale.low + 0.25:g}" for line in request.context.lines
    )


@pytest.mark.parametrize(
    ("aspects", "options", "rated"),
    [
        (BOTH, {}, ["fluency", "coherence", "overall"]),
        (BOTH, {"overall": False}, ["fluency", "coherence"]),
        ("fluency", {}, ["fluency"]),
    ],
)
async def test_the_text_as_a_whole_is_scored_where_several_aspects_are(
    aspects: Any, options: Mapping[str, Any], rated: list[str]
) -> None:
    record = await judged(
        fusion(plan="none", samples=1, **options), speaking(fuse=all_alike), aspects=aspects
    )
    assert list(verdict_of(record).scores) == rated
    assert record.aspects == tuple(rated)


def test_overall_is_added_once_and_every_number_on_the_scale_may_be_given() -> None:
    whole = Aspect(name="overall", scale=FLUENCY.scale, criterion="How good is it?")
    asked_for = fusion().asked((FLUENCY, whole, COHERENCE))
    assert [aspect.name for aspect in asked_for] == ["fluency", "overall", "coherence"]
    assert all(3.14 in aspect.scale for aspect in asked_for)
    twice = fusion().asked(fusion().asked((FLUENCY, COHERENCE)))
    assert [aspect.name for aspect in twice] == ["fluency", "coherence", "overall"]


async def test_places_are_refused_before_a_call_is_paid_for() -> None:
    record = await hold(fusion(evaluators=()), speaking(), item=PAIR, aspects="place")
    assert isinstance(record.error, StrategyError)
    assert record.calls == ()


async def test_one_planner_and_one_judge_sit_down() -> None:
    for cast in ({"planner": (ANN, BEN)}, {"judge": (ANN, BEN)}):
        record = await judged(
            fusion(cast={"planner": (ANN,), "judge": (BEN,), **cast}), speaking(plan=PLAN, fuse=EIGHT)
        )
        assert isinstance(record.error, StrategyError)
        assert "takes one agent" in str(record.error)


async def test_without_a_plan_nobody_is_asked_for_one() -> None:
    record = await judged(fusion(plan="none"), speaking(fuse=EIGHT))
    assert verdict_of(record).scores["fluency"] == 4
    assert said(record, "plan") == []
    assert len(record.calls) == 1
    assert "Planner" not in shown(record)


async def test_scores_that_came_with_the_item_are_evidence_too_and_missing_ones_are_said_to_be() -> None:
    item = NOTED.model_copy(update={"evidence": {"bleurt": 0.5, "bert.f1": 0.875, "nli": None}})
    record = await judged(
        fusion(),
        speaking(plan=plan_of(fluency="bleurt", coherence="bert.f1", overall="nli"), fuse=EIGHT),
        item,
    )
    lines = shown(record).splitlines()
    assert {
        "- bleurt: 0.5, on a range from 0 to 1; higher is better; What bleurt is.",
        "- bert.f1: 0.875, on a range from 0 to 1; higher is better; What bert.f1 is.",
        "- nli: no score, on a range from 0 to 1; lower is better; What nli is.",
    } <= set(lines)
    assert verdict_of(record).scores["fluency"] == 4
    assert "- nli, from 0 to 1; lower is better; What nli is." in shown(record, "plan").splitlines()


@pytest.mark.parametrize("n", [1, 3, 12])
async def test_the_calls_own_number_of_samples_is_what_is_asked_for_and_counted(n: int) -> None:
    def fuse(request: ModelRequest) -> Any:
        return sampled(*EIGHT[:1] * request.sampling.n)

    record = await judged(fusion(plan="none"), speaking(fuse=fuse), sampling=Sampling(n=n))
    verdict = verdict_of(record)
    assert [request.sampling.n for request in asked("fuse", record.calls)] == [n]
    assert (len(verdict.ballots), verdict.missing) == (n, 0)
    assert verdict.merge == (f"mean of {n} samples" if n > 1 else "single score")


async def test_evidence_alone_needs_no_evaluators() -> None:
    item = ITEM.model_copy(update={"evidence": {"bleurt": 0.5}})
    record = await judged(fusion(evaluators=(), plan="none"), speaking(fuse=EIGHT), item)
    assert "- bleurt: 0.5" in shown(record)


def pairwise(**options: Any) -> Fusion:
    return fusion(evaluators=("length:premise=question",), samples=2, **options)


EVIDENCED = PAIR.model_copy(
    update={"evidence": {"bleurt.answer_1": 0.5, "bleurt.answer_2": None, "bleurt.answer_3": None}}
)


async def test_texts_that_are_compared_have_evidence_by_their_labels() -> None:
    model = speaking(fuse=[overall(8, 5.5), overall(7, 5.5)])
    record = await hold(pairwise(plan="none"), model, item=EVIDENCED, aspects="overall")
    lines = shown(record).splitlines()
    assert [line.partition(", on")[0] for line in lines if line.startswith("- ")] == [
        "- length of Answer A: 4",
        "- length of Answer B: 4",
        "- bleurt of Answer A: 0.5",
        "- bleurt of Answer B: no score",
    ], "and nothing of a third answer, which there is not"
    assert verdict_of(record).scores == {"overall.answer_1": 7.5, "overall.answer_2": 5.5}
    assert verdict_of(record).winner == "answer_1"


async def test_swapped_texts_have_evidence_by_their_new_labels() -> None:
    around = SwappedPositions(around=pairwise(plan="none"))
    record = await hold(around, speaking(fuse=[overall(8, 5)] * 2), item=EVIDENCED, aspects="overall")
    first, second = (request.messages[-1].content for request in asked("fuse", record.calls))
    assert "- bleurt of Answer A: 0.5" in first
    assert "- bleurt of Answer B: 0.5" in second
    assert "- bleurt of Answer A: no score" in second
    assert verdict_of(record).winner is None


async def test_texts_that_are_compared_are_judged_by_a_plan_of_aspects() -> None:
    """Not of answers: a plan that is made once cannot know which text stands where."""
    model = speaking(plan=plan_of(overall="length", depth="none"), fuse=all_alike)
    record = await hold(pairwise(), model, item=PAIR, aspects=("overall", "depth"))
    assert set(verdict_of(record).scores) == {
        f"{aspect}.{answer}" for aspect in ("overall", "depth") for answer in ("answer_1", "answer_2")
    }
    plans = [plan for plan in said(record, "plan") if isinstance(plan, Plan)]
    assert [[one.aspect for one in plan.chosen] for plan in plans] == [["overall", "depth"]] * 2
    assert "Answer A" not in shown(record, "plan")


LACKING = ITEM.model_copy(update={"id": "item-2"})
"""An item without the note that the evaluators compare with."""


async def test_an_item_that_lacks_what_an_evaluator_compares_with_fails_alone() -> None:
    third = NOTED.model_copy(update={"id": "item-3"})
    async with evaluate(
        [NOTED, LACKING, third],
        fusion(),
        model=speaking(plan=PLAN, fuse=EIGHT),
        tasks=TASKS,
        aspects=BOTH,
        concurrency=1,
    ) as run:
        records = [record async for record in run]
    assert [record.verdict is None for record in records] == [False, True, False]
    failed = records[1]
    assert failed.failure is not None
    assert (failed.failure.error, isinstance(failed.error, DataError)) == ("DataError", True)
    assert "'note'" in failed.failure.reason
    assert "item-2" in failed.failure.reason
    assert failed.calls == ()


async def test_the_files_settings_are_the_papers() -> None:
    for name, plan in (("fusion", "write"), ("fusion-noplan", "none")):
        chosen = strategy(name)
        assert isinstance(chosen, Fusion)
        assert (chosen.samples, chosen.plan, chosen.sampling) == (8, plan, Sampling(temperature=0.5))
        assert chosen.judges_together()
        (judge,) = chosen.seats()["judge"]
        assert judge.sampling == Sampling(temperature=0.5, n=8)


async def test_real_evaluators_take_part() -> None:
    item = NOTED.model_copy(update={"fields": {**ITEM.fields, "reference": "The cat sat on a mat."}})
    chosen = fusion(evaluators=("rouge-1", "chrf"), plan="none", samples=1)
    record = await judged(chosen, speaking(fuse=scoring(3)), item, aspects="fluency")
    assert "- rouge-1: 0.8333, on a range from 0 to 1; compared with the reference" in shown(record)
    (evidence,) = said(record, "evidence")
    assert isinstance(evidence, Evidence)
    assert [one.evaluator for one in evidence.findings] == ["rouge-1", "chrf"]
    assert all(one.version for one in evidence.findings)
    assert evidence.seconds > 0


async def test_a_model_held_to_schemas_gives_any_number() -> None:
    text = '{"reason": "Fine.", "fluency": 3.75, "coherence": 2.5, "overall": 3}'
    model = Function("structured", lambda request: sampled(text, text, structured=True), structured=True)
    async with ready(fusion(plan="none", samples=2), model=model, tasks=TASKS) as debate:
        record = await debate.hold(NOTED, BOTH)
    assert verdict_of(record).scores == {"fluency": 3.75, "coherence": 2.5, "overall": 3}
    assert {cast.ballot.reading.how for cast in verdict_of(record).ballots} == {"schema"}


async def test_each_score_can_have_an_explanation_of_its_own() -> None:
    """Appendix A.2: a score and then its explanation, aspect by aspect."""
    told = "Fluency: 4.5\nExplanation: Few slips, 0.3 by length.\n\nCoherence: 2\nExplanation: It jumps.\n\nOverall: 3\nExplanation: So so."
    model = Function("explaining", lambda request: sampled(told, told))
    record = await judged(fusion(plan="none", samples=2, reasons="each"), model)
    assert verdict_of(record).scores == {"fluency": 4.5, "coherence": 2, "overall": 3}
    assert '"Explanation:" and behind it' in shown(record)
    assert "Give your reasons first" not in shown(record)


async def test_a_schema_has_an_explanation_behind_each_score() -> None:
    text = (
        '{"fluency": {"score": 3.75, "explanation": "Few slips."}, "coherence": {"score": 2.5, "explanation": "It jumps."},'
        ' "overall": {"score": 3, "explanation": "Coherence: 1 would be too low."}}'
    )
    model = Function("structured", lambda request: sampled(text, text, structured=True), structured=True)
    async with ready(fusion(plan="none", samples=2, reasons="each"), model=model, tasks=TASKS) as debate:
        record = await debate.hold(NOTED, BOTH)
    assert verdict_of(record).scores == {"fluency": 3.75, "coherence": 2.5, "overall": 3}
    assert (
        verdict_of(record).ballots[0].ballot.reason == "Few slips.\nIt jumps.\nCoherence: 1 would be too low."
    )
    schema = record.calls[-1].request.schema
    assert schema is not None
    assert [list(one["properties"]) for one in schema["properties"].values()] == [
        ["score", "explanation"]
    ] * 3


async def test_the_planner_has_sampling_of_its_own() -> None:
    chosen = fusion(samples=8, planning=Sampling(temperature=0), sampling=Sampling(temperature=0.5))
    record = await judged(chosen, speaking(plan=PLAN, fuse=EIGHT))
    asked_for = {
        call.request.context.purpose: call.request.sampling for call in record.calls if call.request.context
    }
    assert asked_for == {"plan": Sampling(temperature=0), "fuse": Sampling(temperature=0.5, n=8)}
