"""Fusion-Eval: evaluators first, one judge request an item, and a plan that is written once for all or stands in a file."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import anyio
import pytest
from engine_cases import ANN, BEN, PAIR, TASKS, hold, said, verdict_of
from evidence_cases import NOTED, register

import agentdebate as ad
from agentdebate.codec import read
from agentdebate.errors import ContentError, StrategyError
from agentdebate.models.base import Completion, Model, ModelRequest
from agentdebate.strategies.fusion import Fusion
from agentdebate.talk.messages import FLOOR, Plan
from agentdebate.testing import Words

Says = Words | Sequence[str] | Callable[[ModelRequest], Completion]
"""What somebody says: a text, several samples in one reply, or what a function makes of the request."""


def speaking(**words: Says) -> ad.Function:
    """A model that has words for purposes."""

    async def reply(request: ModelRequest) -> str | Completion:
        assert request.context is not None
        said = words[request.context.purpose]
        if isinstance(said, str):
            return said
        return said(request) if callable(said) else sampled(*said)

    return ad.Function("speaking", reply)


def sampled(first: str, *others: str, **more: object) -> Completion:
    """Several samples in one reply, at 10 tokens each."""
    usage = ad.Usage(calls=1, prompt_tokens=100, completion_tokens=10 * (1 + len(others)))
    return read(Completion, {"text": first, "others": others, "model": "speaking", "usage": usage, **more})


def scores(**given: float) -> str:
    """A reply that scores aspects."""
    return "\n".join(
        ["It is well made.", "", *(f"{name.capitalize()}: {score:g}" for name, score in given.items())]
    )


def plan_of(**chosen: str) -> str:
    """A planner's reply: the evaluators of each aspect."""
    return "\n".join(
        ["Read it first.", "", *(f"{name.capitalize()}: {names}" for name, names in chosen.items())]
    )


def asked(purpose: str, calls: Sequence[object]) -> list[ModelRequest]:
    """The requests of a purpose among calls."""
    requests = [call.request for call in calls]  # type: ignore[attr-defined]  # calls, or what looks like them
    return [request for request in requests if request.context and request.context.purpose == purpose]


BOTH = ("fluency", "coherence")
PLAN = plan_of(fluency="length", coherence="flat, length", overall="none")
CHOSEN = {"fluency": ("length",), "coherence": ("flat", "length"), "overall": ()}
SCORES = scores(fluency=4, coherence=2, overall=3)
EIGHT = [scores(fluency=4, coherence=2 + k / 10, overall=3) for k in range(8)]
ITEMS = [NOTED.model_copy(update={"id": f"item-{number}"}) for number in range(1, 5)]
COLUMNS = {
    name: {"about": f"What {name} is.", "better": better, "range": "0-1"}
    for name, better in (("bleurt", "higher"), ("bert.f1", "higher"), ("nli", "lower"))
}
"""What is said of the columns of scores here."""


@pytest.fixture(autouse=True)
def _registered(monkeypatch: pytest.MonkeyPatch) -> None:
    register(monkeypatch)


def fusion(plan: str = "write", **options: Any) -> Fusion:
    """Fusion with two small evaluators, whose casts are made in code."""
    cast = {"planner": (ANN,), "judge": (BEN,)}
    usual = {"evaluators": ("length", "flat"), "cast": cast, "columns": COLUMNS}
    return Fusion.model_validate({"plan": plan, **usual, **options})


async def judged(chosen: Fusion, model: Model, items: list[ad.Item] = ITEMS) -> list[ad.Record]:
    """The items' debates, all at once."""
    records: dict[str, ad.Record] = {}
    async with ad.ready(chosen, model=model, tasks=TASKS) as debate:

        async def one(item: ad.Item) -> None:
            records[item.id] = await debate.hold(item, BOTH)

        with anyio.fail_after(60):
            async with anyio.create_task_group() as group:
                for item in items:
                    group.start_soon(one, item)
    return [records[item.id] for item in items]


async def one_held(chosen: Fusion, model: Model | None = None, item: ad.Item = NOTED) -> ad.Record:
    """One debate, outside of any task group."""
    return await hold(chosen, model or speaking(plan=PLAN, fuse=EIGHT), item=item, aspects=BOTH)


def shown(record: ad.Record, purpose: str = "fuse") -> str:
    """All that was shown with the one request of a purpose."""
    (request,) = asked(purpose, record.calls)
    return "\n".join(message.content for message in request.messages)


async def test_the_scores_are_the_means_of_the_samples_of_one_request_and_the_planner_has_sampling_of_its_own() -> (
    None
):
    record = await one_held(fusion(planning={"temperature": 0}, sampling={"temperature": 0.5}))
    verdict = verdict_of(record)
    assert verdict.scores == pytest.approx({"fluency": 4, "coherence": 2.35, "overall": 3})
    assert (verdict.merge, verdict.ended, verdict.missing) == ("mean of 8 samples", "one opinion", 0)
    heat = [(call.agent, call.request.sampling.temperature) for call in record.calls]
    assert heat == [("planner", 0), ("judge", 0.5)]
    assert asked("fuse", record.calls)[0].sampling.n == 8
    assert {one.aspect: one.ballots for one in verdict.spread} == {"fluency": 8, "coherence": 8, "overall": 8}
    assert next(one for one in verdict.spread if one.aspect == "coherence").highest == pytest.approx(2.7)


async def test_places_are_refused_before_a_call_is_paid_for() -> None:
    record = await hold(fusion(evaluators=()), speaking(), item=PAIR, aspects="place")
    assert isinstance(record.error, StrategyError)
    assert record.calls == ()


async def test_scores_that_came_with_the_item_are_evidence_too_and_missing_ones_are_said_to_be() -> None:
    item = NOTED.model_copy(update={"evidence": {"bleurt": 0.5, "bert.f1": 0.875, "nli": None}})
    plan = plan_of(fluency="bleurt", coherence="bert.f1", overall="nli")
    record = await one_held(fusion(), speaking(plan=plan, fuse=EIGHT), item)
    assert {
        "- bleurt: 0.5, on a range from 0 to 1; higher is better; What bleurt is.",
        "- bert.f1: 0.875, on a range from 0 to 1; higher is better; What bert.f1 is.",
        "- nli: no score, on a range from 0 to 1; lower is better; What nli is.",
    } <= set(shown(record).splitlines())
    assert "- nli, from 0 to 1; lower is better; What nli is." in shown(record, "plan").splitlines()


async def test_a_schema_has_an_explanation_behind_each_score() -> None:
    text = (
        '{"fluency": {"score": 3.75, "explanation": "Few slips."}, "coherence": {"score": 2.5, "explanation": "It jumps."},'
        ' "overall": {"score": 3, "explanation": "Coherence: 1 would be too low."}}'
    )
    model = ad.Function("structured", lambda request: sampled(text, text, structured=True), structured=True)
    record = await one_held(fusion("none", samples=2, reasons="each"), model)
    verdict = verdict_of(record)
    assert verdict.scores == {"fluency": 3.75, "coherence": 2.5, "overall": 3}
    assert verdict.ballots[0].ballot.reason == "Few slips.\nIt jumps.\nCoherence: 1 would be too low."
    schema = record.calls[-1].request.schema
    assert schema is not None
    keys = [list(one["properties"]) for one in schema["properties"].values()]
    assert keys == [["score", "explanation"]] * 3


# Plans.


def write(text: str, name: str = "plan.md", encoding: str = "utf-8") -> None:
    """Write a file as somebody else would."""
    Path(name).write_bytes(text.encode(encoding))


def plans(record: ad.Record) -> list[Plan]:
    return [message for message in said(record, "plan") if isinstance(message, Plan)]


def chosen_in(record: ad.Record) -> dict[str, tuple[str, ...]]:
    """Return what the plan chooses that this debate goes by: the one that the floor announces."""
    (plan,) = (plan for plan in plans(record) if plan.sender == FLOOR)
    return {one.aspect: one.evaluators for one in plan.chosen}


async def test_one_plan_is_written_for_all_debates_and_stands_in_every_transcript() -> None:
    records = await judged(fusion(samples=1), speaking(plan=PLAN, fuse=SCORES))
    assert sum(len(record.calls) for record in records) == len(ITEMS) + 1
    assert [chosen_in(record) for record in records] == [CHOSEN] * len(ITEMS)
    senders = sorted([plan.sender for plan in plans(record)] for record in records)
    assert senders == [["floor"], ["floor"], ["floor"], ["planner", "floor"]], "announced in every debate"
    assert all(PLAN in shown(record) for record in records)


async def test_a_plan_that_was_cut_off_is_no_plan() -> None:
    """Its last name may go on: length, or length-ratio; and others may have been to come."""
    text = "Fluency: length\nOverall: none\nCoherence: flat"
    replies = iter([sampled(text, finish="length"), sampled(f"{text}, length")])

    def reply(request: ModelRequest) -> str | Completion:
        assert request.context is not None
        return SCORES if request.context.purpose == "fuse" else next(replies)

    record = await one_held(fusion(samples=1), ad.Function("cut", reply))
    assert len(asked("plan", record.calls)) == 2
    assert chosen_in(record) == CHOSEN


async def test_a_plan_is_written_into_the_file_that_is_not_there_yet() -> None:
    chosen = fusion("plan.md", samples=1)
    first = await judged(chosen, speaking(plan=f"<think>Hm.</think>\n{PLAN}\n", fuse=SCORES))
    assert Path("plan.md").read_bytes().decode() == PLAN + "\n"  # noqa: ASYNC240 - nothing else runs here
    assert sum(len(asked("plan", record.calls)) for record in first) == 1
    again = await judged(chosen, speaking(fuse=SCORES))
    assert [chosen_in(record) for record in again] == [CHOSEN] * len(ITEMS)


async def test_a_file_that_holds_no_plan_is_named_with_what_is_wrong_and_what_would_do() -> None:
    write(plan_of(fluency="rouge-9", coherence="flat", overall="none"))
    says = r"^plan\.md: .*There is no evaluator 'rouge-9'; the evaluators are length, flat\..*Coherence: rouge-l, bleu \(or: none\)"
    with pytest.raises(ContentError, match=f"(?s){says}"):
        await one_held(fusion("plan.md"))


@pytest.mark.parametrize("where", ["missing/plan.md", "folder", "latin.md"])
async def test_a_file_that_cannot_be_read_or_written_is_named_before_a_plan_is_paid_for(where: str) -> None:
    Path("folder").mkdir()  # noqa: ASYNC240 - nothing else runs here
    write("Coherence: flat, für", "latin.md", "latin-1")
    with pytest.raises(ContentError, match=f"^{where}"):
        await one_held(fusion(where), ad.Function("asked", lambda _: pytest.fail("a plan is paid for")))


async def test_a_plan_that_cannot_be_written_is_named_and_ends_the_run(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """It would be paid for again by every item."""

    whole = Path.open

    def full(path: Path, *how: Any, **more: Any) -> Any:
        if path.name == "plan.md":
            raise OSError(28, "No space left on device")
        return whole(path, *how, **more)

    monkeypatch.setattr(Path, "open", full)
    with pytest.raises(ContentError, match=r"plan\.md: the plan cannot be written: No space left"):
        await one_held(fusion("plan.md"))
