"""Writing and reading runs: group commit, order, failures, and any text."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing, suppress
from typing import Any

import anyio
import pytest

from agentdebate.errors import StoreError, UsageError
from agentdebate.models.base import Call, ChatMessage, Completion, ModelRequest
from agentdebate.models.function import Function
from agentdebate.project.project import Project
from agentdebate.runs.evaluation import evaluate
from agentdebate.store.reader import Reader, read_store
from agentdebate.store.writer import RunWriter, write_run
from agentdebate.talk.messages import Statement
from agentdebate.tasks import Item

FIELDS = {"source": "The cat sat.", "summary": "A cat sat."}


def opening(store: str = "runs.db", **settings_: Any) -> Any:
    given_ = {"strategy": "solo", "tasks": ["summarization"], "model": "m", "configuration": {}}
    return write_run(store, **{**given_, **settings_})


def call(number: int, text: str = "Fine.") -> Call:
    request = ModelRequest((ChatMessage("system", "brief"), ChatMessage("user", f"{number} {text}")))
    return Call("scorer", 0, 1, 1, (1, 2), request, Completion(text=text, model="m"))


def counted(what: str, store: str = "runs.db") -> int:
    """Messages, or calls, of debates that are being held, as another process sees them."""
    with closing(sqlite3.connect(store)) as other:
        query = "select count(*) from in_flight where call = ?"
        return int(other.execute(query, (what == "calls",)).fetchone()[0])


async def test_a_completion_is_on_disk_before_the_debate_goes_on() -> None:
    seen: list[int] = []

    def reply(request: ModelRequest) -> str:
        seen.append(counted("calls"))
        return "Coherence: 3" if request.context and request.context.reply == "score" else "NO ISSUE"

    items = [Item(fields=FIELDS, task="summarization", id="i1")]
    model = Function("counting", reply)
    async with evaluate(
        items, "debate", model=model, aspects="coherence", store="runs.db", project=Project()
    ) as run:
        records = [record async for record in run]
    assert records[0].verdict is not None
    assert seen == list(range(len(seen)))
    assert len(seen) > 1


async def test_whoever_waits_shares_the_commit(monkeypatch: pytest.MonkeyPatch) -> None:
    batches: list[int] = []
    insert = RunWriter._insert

    def counting(self: RunWriter, batch: Any) -> None:
        batches.append(len(batch.parts))
        insert(self, batch)

    monkeypatch.setattr(RunWriter, "_insert", counting)
    async with opening() as writer, anyio.create_task_group() as group:
        for number in range(1, 101):
            group.start_soon(writer.open(f"i{number}/fluency").call, number, call(number))
    assert sum(batches) == 100
    assert len(batches) < 10


async def test_what_was_put_is_on_disk_when_the_run_breaks() -> None:
    async def breaks() -> None:
        async with opening() as writer:
            writer.open("i1/fluency").message(Statement(sender="a", to=(), seq=1, answers=1, text="x"))
            raise UsageError("mine")

    with pytest.raises(UsageError, match="mine"):
        await breaks()
    with read_store("runs.db") as reader:
        head = reader.run("last")
        assert head.ended is None
        assert [m.sender for m in reader.messages(head.id, "i1/fluency")] == ["a"]


def failing(_: Any) -> Iterator[None]:
    raise StoreError("the store runs.db cannot be written: disk is full")


@pytest.mark.parametrize("last", [True, False])
async def test_a_write_that_fails_ends_the_run_and_nothing_is_written_after_it(
    last: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Messages that nobody waits for are not lost in silence: the next commit says so, or the end of the run."""

    async def loses() -> None:
        async with opening() as writer:
            with monkeypatch.context() as patch:
                patch.setattr(writer, "_insert", failing)
                writer.open("i1/fluency").message(Statement(sender="a", to=(), seq=1, answers=1, text="x"))
                with suppress(StoreError):
                    await writer.commit()
            if not last:
                await writer.open("i1/fluency").call(1, call(1))

    with pytest.raises(StoreError, match="cannot be written: disk is full"):
        await loses()
    assert (counted("messages"), counted("calls")) == (0, 0)
    with read_store("runs.db") as reader:
        assert reader.run("last").ended is None


async def test_runs_are_found_by_name_beginning_or_last() -> None:
    async with opening(strategy="a") as one:
        pass
    async with opening(strategy="b") as two:
        pass
    with read_store("runs.db") as reader:
        check_names(reader, one.run, two.run)


def check_names(reader: Reader, one: str, two: str) -> None:
    assert reader.run("last").id == two
    assert reader.run(one).id == one
    assert reader.run(two[:-1]).id == two
    with pytest.raises(UsageError, match="begins 2 runs"):
        reader.run("2")
    with pytest.raises(UsageError, match="there is no run 'x'"):
        reader.run("x")
    with pytest.raises(UsageError, match="has no item 'x'"):
        reader.item(one, "x")
