"""Many debates at once: bounded, each failing on its own, streaming, and stopping cleanly."""

import asyncio
import gc
from collections.abc import AsyncIterator
from types import SimpleNamespace
from typing import Any

import anyio
import anyio.lowlevel
import pytest
from engine_cases import ITEM, TASKS, UNREADABLE, Played, end, scoring

import agentdebate as ad
from agentdebate import plugins
from agentdebate.agents.card import Card
from agentdebate.debates.record import Record
from agentdebate.errors import ContentError, DataError, ServerFailed, UserError
from agentdebate.models.base import ModelRequest
from agentdebate.models.function import Function
from agentdebate.models.scripted import Scripted
from agentdebate.runs.evaluation import evaluate
from agentdebate.talk.messages import Verdict
from agentdebate.testing import replying

GUARD = 60.0
"""Seconds until a run that does not end fails its test."""
JUDGE = Played(play=end)


def items(count: int) -> list[ad.Item]:
    return [ITEM.model_copy(update={"id": f"i{number}"}) for number in range(count)]


async def run(some: Any, model: Any = None, **options: Any) -> list[Record]:
    """Evaluate, and return the records in the order of their ids."""
    options = {"aspects": "fluency", "tasks": TASKS, **options}
    with anyio.fail_after(GUARD):
        async with evaluate(some, JUDGE, model=model or replying(scoring(4)), **options) as evaluation:
            records = [record async for record in evaluation]
    return sorted(records, key=lambda record: record.id)


class Busy:
    """A model that notes how many calls are under way at once."""

    def __init__(self) -> None:
        self.now = self.most = self.calls = 0
        self.model = Function("busy", self.reply)

    async def reply(self, request: ModelRequest) -> str:
        self.now += 1
        self.calls += 1
        self.most = max(self.most, self.now)
        for _ in range(60):
            await anyio.lowlevel.checkpoint()
        self.now -= 1
        return scoring(4)


@pytest.mark.parametrize("concurrency", [1, 3, 7])
async def test_as_many_debates_are_held_at_once_as_are_allowed_and_no_more(concurrency: int) -> None:
    busy = Busy()
    records = await run(items(20), busy.model, concurrency=concurrency)
    assert (busy.most, busy.calls, len(records)) == (concurrency, 20, 20)


async def test_a_failed_debate_is_a_record_and_the_rest_goes_on() -> None:
    def reply(request: ModelRequest) -> str:
        assert request.context
        number = int(request.context.item.id[1:])
        if number == 2:
            raise ServerFailed("down")
        if number == 3:
            raise ValueError("boom")
        return UNREADABLE if number == 5 else scoring(4)

    records = await run(items(8), Function("uneven", reply))
    failures = {r.item.id: r.failure.error for r in records if r.failure}
    assert failures == {"i2": "ServerFailed", "i3": "AgentFailed", "i5": "UnreadableReply"}
    assert sum(r.verdict is not None for r in records) == 5


@pytest.mark.parametrize("given", ["list", "stream"])
async def test_two_items_of_one_id_are_an_error_that_names_it(given: str) -> None:
    """One would overwrite the other in the store."""
    twins = [ITEM, ITEM]
    with pytest.raises(DataError, match="'item-1'"):
        await run(twins if given == "list" else iter(twins))


async def test_leaving_the_loop_early_stops_the_run_cleanly() -> None:
    before = asyncio.all_tasks()
    closed: list[str] = []

    async def stream() -> AsyncIterator[ad.Item]:
        try:
            for item in items(100):
                yield item
        finally:
            closed.append("stream")

    busy = Busy()
    async with evaluate(
        stream(), JUDGE, model=busy.model, aspects="fluency", tasks=TASKS, concurrency=4
    ) as evaluation:
        async for record in evaluation:
            assert record.verdict
            break
    assert asyncio.all_tasks() == before
    assert closed == ["stream"]
    assert busy.calls < 30
    gc.collect()


def leaves(error: BaseException) -> list[BaseException]:
    if isinstance(error, BaseExceptionGroup):
        return [leaf for inner in error.exceptions for leaf in leaves(inner)]
    return [error]


class Opened(Function):
    """A model that knows with how many connections it was opened."""

    def __init__(self, connections: int | None) -> None:
        super().__init__("opened", lambda _: scoring(4))
        self.connections = connections


@pytest.mark.parametrize(("takes", "connections"), [(True, 1000), (False, None)])
async def test_a_model_that_is_named_has_as_many_connections_as_debates_are_held_at_once(
    takes: bool, connections: int | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened: list[Opened] = []

    def with_connections(name: str, *, connections: int = 64, **options: object) -> Opened:
        opened.append(Opened(connections))
        return opened[-1]

    def without(name: str, **options: object) -> Opened:
        assert not options
        opened.append(Opened(None))
        return opened[-1]

    point = SimpleNamespace(load=lambda: with_connections if takes else without, value="mine")
    monkeypatch.setattr(plugins, "registered", lambda group: {"mine": point})
    ann = Card(name="ann", title="Ann", persona="You are Ann.", model="mine/other")
    judge = Played(play=end, cast={"debaters": (ann,), "silent": ("scorer",)})
    async with evaluate(
        items(1), judge, model="mine/tiny", aspects="fluency", tasks=TASKS, concurrency=1000
    ) as evaluation:
        assert [record.verdict is not None async for record in evaluation] == [True]
    assert [model.connections for model in opened] == [connections] * 2


async def test_a_broken_prompt_of_the_project_ends_the_run_before_anything_is_paid_for() -> None:
    turns = anyio.Path("prompts/turns")
    await turns.mkdir(parents=True)
    await (turns / "rule.md").write_text("---\nname: rule\nabout: x\n---\n{{ form\n", encoding="utf-8")
    model = Scripted([])
    with pytest.raises(ContentError, match=r"rule\.md, line 5: bad template"):
        await run(items(1), model)
    assert model.requests == []


async def test_cancelling_the_caller_stops_the_run() -> None:
    before = asyncio.all_tasks()
    started = asyncio.Event()

    async def wait(request: ModelRequest) -> str:
        started.set()
        await asyncio.Event().wait()
        raise AssertionError("nothing wakes it")

    running = asyncio.create_task(run(items(3), Function("waiting", wait)))
    await started.wait()
    running.cancel()
    with pytest.raises(asyncio.CancelledError):
        await running
    assert asyncio.all_tasks() == before


@pytest.mark.parametrize("given", ["list", "stream"])
@pytest.mark.parametrize(
    ("wrong", "says"),
    [({"task": ""}, "item-1 names no task"), ({"task": "txt"}, "no task 'txt'")],
)
async def test_what_would_fail_every_debate_is_raised(given: str, wrong: dict[str, str], says: str) -> None:
    bad = [ITEM.model_copy(update=wrong)]
    with pytest.raises(UserError, match=says):
        await run(bad if given == "list" else iter(bad))


async def test_progress_counts_what_ended_what_failed_and_what_it_cost() -> None:
    def reply(request: ModelRequest) -> ad.Completion:
        assert request.context
        if request.context.item.id == "i1":
            raise ServerFailed("down")
        return ad.Completion(
            text="4", model="m", usage=ad.Usage(calls=1, prompt_tokens=10, completion_tokens=2)
        )

    async with evaluate(items(3), JUDGE, model=Function("m", reply), tasks=TASKS) as evaluation:
        assert (evaluation.progress.total, evaluation.id) == (6, None)
        assert repr(evaluation) == "<Evaluation without a store: 0 of 6>"
        async for _ in evaluation:
            pass
        progress = evaluation.progress
    assert (progress.done, progress.failed, progress.ended, progress.calls, progress.tokens) == (
        4,
        2,
        6,
        4,
        48,
    )
    assert progress.left == 0.0


@pytest.mark.parametrize("store", [None, "runs.db"])
async def test_nothing_of_a_debate_is_kept_while_the_next_one_is_held(store: str | None) -> None:
    def verdicts() -> int:
        gc.collect()
        return sum(isinstance(one, Verdict) for one in gc.get_objects())

    ended, before, alive = 0, verdicts(), list[int]()

    async def model(request: ModelRequest) -> str:
        assert request.context is not None
        number = int(request.context.item.id.removeprefix("i"))
        while ended < number:  # until whoever iterates has had the records before
            await anyio.lowlevel.checkpoint()
        alive.append(verdicts() - before)
        return scoring(4)

    with anyio.fail_after(GUARD):
        options: dict[str, Any] = {"aspects": "fluency", "tasks": TASKS, "concurrency": 1, "store": store}
        async with evaluate(items(3), JUDGE, model=Function("looking", model), **options) as evaluation:
            async for record in evaluation:
                assert record.verdict is not None
                ended += 1
                del record
    assert alive == [0, 0, 0]
