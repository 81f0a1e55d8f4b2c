"""Writing runs: group commit, order, what nobody waits for, failures, and messages that no JSON can hold."""

from contextlib import suppress
from dataclasses import dataclass
from typing import Any

import anyio
import pytest
from small_runs import ITEM, call, in_flight, opening, said

import agentdebate as ad
from agentdebate.errors import StoreError, StrategyError, UsageError
from agentdebate.store.debate_writer import Part, enter
from agentdebate.store.reader import read_store
from agentdebate.talk.messages import Message


async def test_a_completion_is_on_disk_before_the_debate_goes_on() -> None:
    seen: list[int] = []

    def reply(request: ad.ModelRequest) -> str:
        seen.append(in_flight()[1])
        return "Coherence: 3" if request.context and request.context.reply == "score" else "NO ISSUE"

    model = ad.Function("counting", reply)
    async with ad.evaluate(
        [ITEM], "debate", model=model, aspects="coherence", store="runs.db", project=ad.Project()
    ) as run:
        (held,) = [record async for record in run]
    assert held.verdict is not None
    assert seen == list(range(len(seen)))
    assert len(seen) > 1


async def test_where_the_disk_has_no_room_no_file_is_made(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("agentdebate.store.writer.ROOM", 1 << 60)
    with pytest.raises(StoreError, match=r"make room on the disk of s\.db: "):
        async with opening("s.db"):
            pass
    assert not await anyio.Path("s.db").exists()


async def test_whoever_waits_shares_the_commit(monkeypatch: pytest.MonkeyPatch) -> None:
    batches: list[int] = []

    def counting(connection: Any, run: int, parts: list[Part], *, again: bool) -> None:
        batches.append(len(parts))
        enter(connection, run, parts, again=again)

    monkeypatch.setattr("agentdebate.store.writer.enter", counting)
    async with opening() as writer, anyio.create_task_group() as group:
        for number in range(1, 101):
            group.start_soon(writer.open(f"i{number}/fluency").call, number, call(number))
    assert sum(batches) == 100
    assert len(batches) < 10


async def test_a_message_that_nobody_waits_for_is_written_soon(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("agentdebate.store.writer.SOON", 0.01)
    async with opening() as writer:
        for seq in (1, 2):
            writer.open("d").message(said(seq))
            with anyio.fail_after(60):
                while in_flight()[0] < seq:
                    await anyio.lowlevel.checkpoint()


async def test_messages_go_with_the_call_that_is_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    """In one commit, and all of them in one row, which is read message by message."""
    monkeypatch.setattr("agentdebate.store.writer.SOON", 1000)
    async with opening() as writer:
        for seq in (1, 2):
            writer.open("d").message(said(seq))
        for _ in range(20):
            await anyio.lowlevel.checkpoint()
        assert in_flight() == (0, 0)
        await writer.open("d").call(1, call())
        assert in_flight() == (1, 1)
        with read_store("runs.db") as reader:
            assert reader.messages(writer.run, "d") == (said(1), said(2))


async def test_what_was_put_is_on_disk_when_the_run_breaks() -> None:
    async def breaks() -> None:
        async with opening() as writer:
            writer.open("d").message(said())
            raise UsageError("mine")

    with pytest.raises(UsageError, match="mine"):
        await breaks()
    with read_store("runs.db") as reader:
        head = reader.run("last")
        assert head.ended is None
        assert reader.messages(head.id, "d") == (said(),)


async def test_a_caller_that_is_cancelled_takes_nothing_back() -> None:
    async with opening() as writer:
        with anyio.CancelScope() as scope:
            scope.cancel()
            await writer.open("d").call(1, call())
        await writer.commit()
    assert in_flight() == (0, 1)


def failing(*_: Any, **__: Any) -> None:
    raise StoreError("the store runs.db cannot be written: disk is full")


@pytest.mark.parametrize("last", [True, False])
async def test_a_write_that_fails_ends_the_run_and_nothing_is_written_after_it(
    last: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Messages that nobody waits for are not lost in silence: the next commit says so, or the end of the run."""

    async def loses() -> None:
        async with opening() as writer:
            with monkeypatch.context() as patch:
                patch.setattr("agentdebate.store.writer.enter", failing)
                writer.open("d").message(said())
                with suppress(StoreError):
                    await writer.commit()
            if not last:
                await writer.open("d").call(1, call())

    with pytest.raises(StoreError, match="cannot be written: disk is full"):
        await loses()
    assert in_flight() == (0, 0)
    with read_store("runs.db") as reader:
        assert reader.run("last").ended is None


@dataclass(frozen=True, slots=True, kw_only=True)
class Odd(Message):
    """A kind of message that holds what no JSON can."""

    kind = "odd"
    what: Any = None


CIRCLE: dict[str, Any] = {}
CIRCLE["again"] = CIRCLE


@pytest.mark.parametrize(
    "what", [object(), CIRCLE, b"\xff", 10**5000], ids=["object", "circle", "bytes", "long"]
)
async def test_a_message_that_cannot_be_stored_is_an_error_where_it_is_said(what: object) -> None:
    async with opening() as writer:
        with pytest.raises(StrategyError, match="of the kind 'odd' and sent by a, cannot be stored as JSON"):
            writer.open("bad").message(Odd(sender="a", to=(), seq=1, what=what))
        await writer.open("bad").call(1, call())
    assert in_flight() == (0, 1)


async def test_runs_are_found_by_name_beginning_or_last() -> None:
    async with opening(strategy="a") as one, opening(strategy="b") as two:
        pass
    with read_store("runs.db") as reader:
        names = ("last", two.run), (one.run, one.run), (two.run[:-1], two.run)
        assert all(reader.run(name).id == run for name, run in names)
        for name, problem in (("2", "begins 2 runs"), ("x", "there is no run 'x'")):
            with pytest.raises(UsageError, match=problem):
                reader.run(name)
        with pytest.raises(UsageError, match="has no item 'x'"):
            reader.item(one.run, "x")
