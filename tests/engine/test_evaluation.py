"""Many debates at once: bounded, streaming, stopping cleanly, on disk, and no item that nobody could judge."""

import asyncio
import gc
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Any

import anyio
import anyio.lowlevel
import pytest
from engine_cases import ITEM, TASKS, Played, end, scoring

import agentdebate as ad
from agentdebate.errors import (
    AccountSpent,
    AuthenticationError,
    DataError,
    ModelError,
    StoreError,
    UnknownModel,
    UsageError,
    UserError,
)  # fmt: skip
from agentdebate.store.debate_writer import Line, Part, enter
from agentdebate.store.reader import read_store
from agentdebate.testing import replying

GUARD = 60.0
"""Seconds until a run that does not end fails its test."""
JUDGE = Played(play=end, name="mine")
STORE = Path("runs.db")


def stream(count: int) -> Iterator[ad.Item]:
    for number in range(count):
        yield ITEM.model_copy(update={"id": f"i{number}"})


def evaluated(some: Any, model: Any = None, **options: Any) -> Any:
    options = {"aspects": "fluency", "tasks": TASKS, **options}
    return ad.evaluate(some, JUDGE, model=model or replying(scoring(4)), **options)


async def run(some: Any, model: Any = None, **options: Any) -> list[ad.Record]:
    """Evaluate, and return the records in the order of their ids."""
    with anyio.fail_after(GUARD):
        async with evaluated(some, model, **options) as evaluation:
            records = [record async for record in evaluation]
    return sorted(records, key=lambda record: record.id)


class Busy:
    """A model that notes how many calls are under way at once."""

    def __init__(self) -> None:
        self.now = self.most = self.calls = 0
        self.model = ad.Function("busy", self.reply)

    async def reply(self, request: ad.ModelRequest) -> str:
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
    records = await run(stream(20), busy.model, concurrency=concurrency)
    assert (busy.most, busy.calls, len(records)) == (concurrency, 20, 20)


async def test_a_stream_is_read_as_far_as_debates_are_held_and_leaving_the_loop_early_stops_the_run_cleanly() -> (
    None
):
    before, taken, closed = asyncio.all_tasks(), list[str](), list[str]()

    async def items() -> AsyncIterator[ad.Item]:
        try:
            for item in stream(100):
                taken.append(item.id)
                yield item
        finally:
            closed.append("stream")

    busy = Busy()
    async with evaluated(items(), busy.model, concurrency=4) as evaluation:
        async for record in evaluation:
            assert record.verdict
            break
    assert asyncio.all_tasks() == before
    assert closed == ["stream"]
    assert busy.calls <= len(taken) < 20
    gc.collect()


async def test_cancelling_the_caller_stops_the_run() -> None:
    before = asyncio.all_tasks()
    started = asyncio.Event()

    async def wait(request: ad.ModelRequest) -> str:
        started.set()
        await asyncio.Event().wait()
        raise AssertionError("nothing wakes it")

    running = asyncio.create_task(run(stream(3), ad.Function("waiting", wait)))
    await started.wait()
    running.cancel()
    with pytest.raises(asyncio.CancelledError):
        await running
    assert asyncio.all_tasks() == before


def failing(error: ModelError, after: int) -> ad.Function:
    """A model that answers so many times, and raises from then on."""
    left = after

    def reply(_: ad.ModelRequest) -> str:
        nonlocal left
        left -= 1
        if left < 0:
            raise error
        return scoring(4)

    return ad.Function("failing", reply)


@pytest.mark.parametrize("kind", [AuthenticationError, AccountSpent, UnknownModel])
async def test_what_every_debate_would_meet_stops_the_run(kind: type[ModelError]) -> None:
    """It costs one call for each of the debates that are being held, and the run can go on when it is mended."""
    with pytest.raises(kind, match="no"):
        await run(stream(100), failing(kind("no"), 3), store=STORE, concurrency=2)
    with read_store(STORE) as reader:
        head = reader.run("last")
        assert (head.verdicts, head.failures, head.ended) == (3, 0, None)
    records = await run(stream(10), failing(kind("no"), 7), store=STORE, resume=head.id, anyway=True)
    assert [record.item.id for record in records] == [f"i{number}" for number in range(10)]


async def test_a_store_that_cannot_be_written_ends_the_run(monkeypatch: pytest.MonkeyPatch) -> None:
    """As itself, and not as a failure of each debate."""

    def broken(connection: Any, run: int, parts: list[Part], *, again: bool) -> None:
        if any(isinstance(part, Line) and part.call for part in parts):
            raise StoreError("the store runs.db cannot be written: disk full")
        enter(connection, run, parts, again=again)

    monkeypatch.setattr("agentdebate.store.writer.enter", broken)
    with pytest.raises(StoreError, match="disk full"):
        await run(stream(5), store=STORE)


async def test_the_options_of_models_are_in_the_store_and_keys_are_not(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    key = "one-very-secret-key"
    monkeypatch.setenv("OPENAI_API_KEY", key)
    extra = {"top_k": 5, "api_key": "a-third-one", "note": f"not {key}", "inner": [{"access_token": "four"}]}
    url = "http://127.0.0.1:9/v1?api-version=2&code="
    headers = {"X-Team": "another-secret"}
    model = ad.model("openai/tiny", base_url=url + key, headers=headers, extra=extra, temperature=0.5)
    await run([], model, aspects=None, store=STORE)
    await model.aclose()
    with read_store(STORE) as reader:
        (kept,) = reader.run("last").configuration["models"]
    assert kept == {
        "name": "openai/tiny at 127.0.0.1:9",
        "base_url": f"{url}[key]",
        "headers": ["X-Team"],
        "extra": {"top_k": 5, "api_key": "[key]", "note": "not [key]", "inner": [{"access_token": "[key]"}]},
        "sampling": {"temperature": 0.5},
    }


# Items that nobody could judge.


@pytest.mark.parametrize("streamed", [False, True])
@pytest.mark.parametrize(
    ("items", "error", "says"),
    [
        ([ITEM.model_copy(update={"task": ""})], UserError, "item-1 names no task"),
        ([ITEM.model_copy(update={"task": "txt"})], UserError, "no task 'txt'"),
        ([ITEM, ITEM], DataError, "'item-1'"),  # one would overwrite the other in the store
        (
            [ITEM.model_copy(update={"id": "x", "human": {"fluency": 50.0, "coherence": 99.0}})],
            DataError,
            r"human\.fluency.*item 'x'.* 50 is outside the scale of fluency, 1 to 5",
        ),
        ([{"text": "x"}], UsageError, "item 1 is a .* not an Item"),
    ],
)
async def test_what_would_fail_every_debate_is_raised_before_anything_is_paid_for(
    streamed: bool, items: list[Any], error: type[UserError], says: str
) -> None:
    model = ad.Function("four", lambda _: pytest.fail("asked") if len(items) == 1 else scoring(4))
    with pytest.raises(error, match=says):
        await run(iter(items) if streamed else items, model)


@pytest.mark.parametrize("given", ["a.jsonl", b"a", Path("a.jsonl"), {"text": "x"}, ITEM, 7])
async def test_what_is_no_list_and_no_stream_is_refused_with_what_is_wanted(given: Any) -> None:
    with pytest.raises(UsageError, match="a list of Item, or a stream"):
        await run(given)
