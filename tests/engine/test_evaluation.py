"""Many debates at once: bounded, streaming, and stopping cleanly."""

import asyncio
import gc
from collections.abc import AsyncIterator
from typing import Any

import anyio
import anyio.lowlevel
import pytest
from engine_cases import ITEM, TASKS, Played, end, scoring

import agentdebate as ad
from agentdebate.debates.record import Record
from agentdebate.errors import DataError, UserError
from agentdebate.models.base import ModelRequest
from agentdebate.models.function import Function
from agentdebate.runs.evaluation import evaluate
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
    ("wrong", "says"), [({"task": ""}, "item-1 names no task"), ({"task": "txt"}, "no task 'txt'")]
)
async def test_what_would_fail_every_debate_is_raised(given: str, wrong: dict[str, str], says: str) -> None:
    bad = [ITEM.model_copy(update=wrong)]
    with pytest.raises(UserError, match=says):
        await run(bad if given == "list" else iter(bad))


@pytest.mark.parametrize("given", ["list", "stream"])
async def test_two_items_of_one_id_are_an_error_that_names_it(given: str) -> None:
    """One would overwrite the other in the store."""
    twins = [ITEM, ITEM]
    with pytest.raises(DataError, match="'item-1'"):
        await run(twins if given == "list" else iter(twins))


@pytest.mark.parametrize("concurrency", [1, 3, 7])
async def test_as_many_debates_are_held_at_once_as_are_allowed_and_no_more(concurrency: int) -> None:
    busy = Busy()
    records = await run(items(20), busy.model, concurrency=concurrency)
    assert (busy.most, busy.calls, len(records)) == (concurrency, 20, 20)
