"""Plans: written once for all debates, or in a file that people edit."""

from pathlib import Path
from typing import Any

import anyio
import anyio.lowlevel
import pytest
from engine_cases import ANN, BEN, TASKS, UNREADABLE, said
from evidence_cases import NOTED, asked, plan_of, register, sampled, scores, speaking

from agentdebate.debates.ready import ReadyStrategy, ready
from agentdebate.debates.record import Record
from agentdebate.errors import ContentError, ServerFailed, UnreadableReply
from agentdebate.models.base import Completion, Model, ModelRequest
from agentdebate.models.function import Function
from agentdebate.strategies.fusion import Fusion
from agentdebate.talk.messages import FLOOR, Plan
from agentdebate.tasks import Item

BOTH = ("fluency", "coherence")
PLAN = plan_of(fluency="length", coherence="flat, length", overall="none")
SCORES = scores(fluency=4, coherence=2, overall=3)
ITEMS = [NOTED.model_copy(update={"id": f"item-{number}"}) for number in range(1, 5)]


@pytest.fixture(autouse=True)
def _registered(monkeypatch: pytest.MonkeyPatch) -> None:
    register(monkeypatch)


def fusion(plan: str = "write", **options: Any) -> Fusion:
    cast = {"planner": (ANN,), "judge": (BEN,)}
    columns = {"bleurt": {"about": "A regressor.", "better": "higher"}}
    chosen = {"evaluators": ("length", "flat"), "samples": 1, "cast": cast, "columns": columns, **options}
    return Fusion.model_validate({"plan": plan, **chosen})


def write(text: str, name: str = "plan.md", encoding: str = "utf-8") -> None:
    """Write a file as somebody else would."""
    Path(name).write_bytes(text.encode(encoding))


def written() -> str:
    """What is in the plan's file."""
    return Path("plan.md").read_bytes().decode()


async def held(debate: ReadyStrategy, items: list[Item]) -> list[Record]:
    """The items' debates, all at once."""
    records: dict[str, Record] = {}

    async def one(item: Item) -> None:
        records[item.id] = await debate.hold(item, BOTH)

    with anyio.fail_after(60):
        async with anyio.create_task_group() as group:
            for item in items:
                group.start_soon(one, item)
    return [records[item.id] for item in items]


async def judged(chosen: Fusion, model: Model, items: list[Item] = ITEMS) -> list[Record]:
    async with ready(chosen, model=model, tasks=TASKS) as debate:
        return await held(debate, items)


async def one_held(chosen: Fusion) -> Record:
    """One debate, outside of any task group."""
    async with ready(chosen, model=speaking(plan=PLAN, fuse=SCORES), tasks=TASKS) as debate:
        return await debate.hold(ITEMS[0], BOTH)


def plans(record: Record) -> list[Plan]:
    return [message for message in said(record, "plan") if isinstance(message, Plan)]


def chosen_in(record: Record) -> dict[str, tuple[str, ...]]:
    """What the plan chooses that this debate goes by: the one that the floor announces."""
    (plan,) = (plan for plan in plans(record) if plan.sender == FLOOR)
    return {one.aspect: one.evaluators for one in plan.chosen}


CHOSEN = {"fluency": ("length",), "coherence": ("flat", "length"), "overall": ()}


async def test_one_plan_is_written_for_all_debates_and_stands_in_every_transcript() -> None:
    records = await judged(fusion(), speaking(plan=PLAN, fuse=SCORES))
    assert [len(asked("plan", record.calls)) for record in records].count(1) == 1
    assert sum(len(record.calls) for record in records) == len(ITEMS) + 1
    assert [chosen_in(record) for record in records] == [CHOSEN] * len(ITEMS)
    senders = sorted([plan.sender for plan in plans(record)] for record in records)
    assert senders == [["floor"], ["floor"], ["floor"], ["planner", "floor"]], "announced in every debate"
    for record in records:
        (request,) = asked("fuse", record.calls)
        assert PLAN in request.messages[-1].content
        assert record.verdict is not None


async def test_another_set_of_evaluators_is_another_plan() -> None:
    more = ITEMS[1].model_copy(update={"evidence": {"bleurt": 0.5}})
    less = ITEMS[2].model_copy(update={"evidence": {"bleurt": None}})

    def plan(request: ModelRequest) -> str:
        assert request.context is not None
        names = [one["name"] for one in request.context.given["evaluators"]]
        return plan_of(fluency=", ".join(names), coherence="none", overall="none")

    records = await judged(fusion(), speaking(plan=plan, fuse=SCORES), [ITEMS[0], more, less])
    assert [chosen_in(record)["fluency"] for record in records] == [
        ("length", "flat"),
        ("length", "flat", "bleurt"),
        ("length", "flat", "bleurt"),
    ]
    assert sum(len(asked("plan", record.calls)) for record in records) == 2


async def test_a_planner_that_fails_fails_every_debate_that_waits_for_it_and_a_later_one_asks_its_own() -> (
    None
):
    """Or an endpoint that is down would be asked once an item, one after the other."""
    planners: list[str] = []

    async def reply(request: ModelRequest) -> str:
        assert request.context is not None
        if request.context.purpose == "fuse":
            return SCORES
        planners.append(request.context.item.id)
        await anyio.wait_all_tasks_blocked()  # until the others wait
        if len(planners) == 1:
            raise ServerFailed("down")
        return PLAN

    async with ready(fusion(), model=Function("once", reply), tasks=TASKS) as debate:
        early, late = await held(debate, ITEMS[:3]), await held(debate, ITEMS[3:])
    assert [record.failure.error for record in early if record.failure] == ["ServerFailed"] * 3
    assert len(planners) == 2
    assert [chosen_in(record) for record in late] == [CHOSEN]


async def test_a_plan_that_is_no_good_is_asked_for_again_with_what_was_wrong() -> None:
    replies = iter([UNREADABLE, plan_of(fluency="rouge-9", coherence="none", overall="none"), PLAN])

    def reply(request: ModelRequest) -> str:
        assert request.context is not None
        return SCORES if request.context.purpose == "fuse" else next(replies)

    (record,) = await judged(fusion(), Function("learning", reply), ITEMS[:1])
    _, second, last = (call.messages for call in asked("plan", record.calls))
    assert "which evaluators inform Fluency, Coherence, Overall" in second[-1].content
    assert "There is no evaluator 'rouge-9'; the evaluators are length, flat." in last[-1].content
    assert chosen_in(record) == CHOSEN


async def test_a_planner_that_never_makes_one_is_a_failure() -> None:
    (record,) = await judged(fusion(), speaking(plan=UNREADABLE, fuse=SCORES), ITEMS[:1])
    assert isinstance(record.error, UnreadableReply)
    assert record.verdict is None


async def test_a_plan_that_was_cut_off_is_no_plan() -> None:
    """Its last name may go on: length, or length-ratio; and others may have been to come."""
    text = "Fluency: length\nOverall: none\nCoherence: flat"
    replies = iter([sampled(text, finish="length"), sampled(f"{text}, length")])

    def reply(request: ModelRequest) -> str | Completion:
        assert request.context is not None
        return SCORES if request.context.purpose == "fuse" else next(replies)

    (record,) = await judged(fusion(), Function("cut", reply), ITEMS[:1])
    assert len(asked("plan", record.calls)) == 2
    assert chosen_in(record) == CHOSEN


async def test_a_debate_that_is_cancelled_while_it_waits_for_the_plan_spoils_none() -> None:
    """The first asks the planner and is cancelled; the second, which waited for it, asks its own."""
    asking = anyio.Event()
    planners: list[str] = []

    async def reply(request: ModelRequest) -> str:
        assert request.context is not None
        if request.context.purpose == "fuse":
            return SCORES
        planners.append(request.context.item.id)
        if len(planners) == 1:
            asking.set()
            await anyio.sleep_forever()
        return PLAN

    ended: list[Record] = []
    async with ready(fusion(), model=Function("slow", reply), tasks=TASKS) as debate:

        async def first() -> None:
            with scope:
                await debate.hold(ITEMS[0], BOTH)

        async def second() -> None:
            ended.append(await debate.hold(ITEMS[1], BOTH))

        scope = anyio.CancelScope()
        with anyio.fail_after(60):
            async with anyio.create_task_group() as group:
                group.start_soon(first)
                await asking.wait()
                group.start_soon(second)
                for _ in range(50):
                    await anyio.lowlevel.checkpoint()
                assert planners == ["item-1"]
                scope.cancel()
    assert planners == ["item-1", "item-2"]
    assert chosen_in(ended[0]) == CHOSEN


async def test_a_plan_is_written_into_the_file_that_is_not_there_yet() -> None:
    first = await judged(fusion("plan.md"), speaking(plan=f"<think>Hm.</think>\n{PLAN}\n", fuse=SCORES))
    assert written() == PLAN + "\n"
    assert sum(len(asked("plan", record.calls)) for record in first) == 1
    again = await judged(fusion("plan.md"), speaking(fuse=SCORES))
    assert [chosen_in(record) for record in again] == [CHOSEN] * len(ITEMS)
    assert [plans(record)[0].sender for record in again] == ["floor"] * len(ITEMS)


async def test_a_plan_that_somebody_edited_is_what_counts() -> None:
    write(
        "\ufeff# Wie wir bewerten – in Kürze\r\n\r\n* **Coherence:** flat\r\n* **Fluency:** none\r\n* Overall: length\r\n"
    )
    (record,) = await judged(fusion("plan.md"), speaking(fuse=SCORES), ITEMS[:1])
    assert chosen_in(record) == {"coherence": ("flat",), "fluency": (), "overall": ("length",)}
    assert "Wie wir bewerten – in Kürze" in asked("fuse", record.calls)[0].messages[-1].content


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        (
            plan_of(fluency="rouge-9", coherence="flat", overall="none"),
            "There is no evaluator 'rouge-9'; the evaluators are length, flat.",
        ),
        (
            plan_of(fluency="length", coherence="flat"),
            "I found no line that says which evaluators inform Overall.",
        ),
        ("", "inform Fluency, Coherence, Overall."),
    ],
)
async def test_a_file_that_holds_no_plan_is_named_with_what_is_wrong(text: str, wrong: str) -> None:
    write(text)
    with pytest.raises(ContentError) as caught:
        await one_held(fusion("plan.md"))
    assert str(caught.value).startswith("plan.md: ")
    assert wrong in str(caught.value)
    assert "Coherence: rouge-l, bleu (or: none)" in str(caught.value)


@pytest.mark.parametrize("where", ["missing/plan.md", "folder", "latin.md"])
async def test_a_file_that_cannot_be_read_or_written_is_named_before_a_plan_is_paid_for(where: str) -> None:
    Path("folder").mkdir()  # noqa: ASYNC240 - nothing else runs here
    write("Coherence: flat, für", "latin.md", "latin-1")
    calls: list[ModelRequest] = []

    def reply(request: ModelRequest) -> str:
        calls.append(request)
        return PLAN

    with pytest.raises(ContentError) as caught:
        async with ready(fusion(where), model=Function("asked", reply), tasks=TASKS) as debate:
            await debate.hold(ITEMS[0], BOTH)
    assert str(caught.value).startswith(where)
    assert calls == []


async def test_a_plan_that_cannot_be_written_is_named_and_ends_the_run(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """It would be paid for again by every item."""

    def full(*_: object, **__: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "open", full)
    with pytest.raises(ContentError, match=r"plan\.md: the plan cannot be written: No space left"):
        await one_held(fusion("plan.md"))
