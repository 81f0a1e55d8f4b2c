"""What waits to be written: what nobody waits for goes soon, and what cannot be a row fails its debate alone."""

import sqlite3
from contextlib import closing
from dataclasses import dataclass
from typing import Any

import anyio
import pytest

from agentdebate.errors import StrategyError
from agentdebate.models.base import Call, ChatMessage, Completion, ModelRequest
from agentdebate.store.writer import write_run
from agentdebate.talk.messages import Message, Statement


def opening() -> Any:
    return write_run("runs.db", strategy="solo", model="m", configuration={})


def call(text: str = "Fine.") -> Call:
    request = ModelRequest((ChatMessage("system", "brief"), ChatMessage("user", text)))
    return Call("scorer", 0, 1, 1, (1,), request, Completion(text=text, model="m"))


def said(seq: int) -> Statement:
    return Statement(sender="a", to=(), seq=seq, answers=1, text="x")


def counted(what: str) -> int:
    with closing(sqlite3.connect("runs.db")) as other:
        query = "select count(*) from in_flight where call = ?"
        return int(other.execute(query, (what == "calls",)).fetchone()[0])


async def test_a_message_that_nobody_waits_for_is_written_soon(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("agentdebate.store.writer.SOON", 0.01)
    async with opening() as writer:
        for seq in (1, 2):
            writer.open("d").message(said(seq))
            with anyio.fail_after(60):
                while counted("messages") < seq:
                    await anyio.lowlevel.checkpoint()


async def test_messages_go_with_the_call_that_is_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    """In one commit, before it, and in one row."""
    monkeypatch.setattr("agentdebate.store.writer.SOON", 1000)
    async with opening() as writer:
        writer.open("d").message(said(1))
        writer.open("d").message(said(2))
        for _ in range(20):
            await anyio.lowlevel.checkpoint()
        assert counted("messages") == 0
        await writer.open("d").call(1, call())
        assert (counted("messages"), counted("calls")) == (1, 1)


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
    assert (counted("messages"), counted("calls")) == (0, 1)


async def test_a_caller_that_is_cancelled_takes_nothing_back() -> None:
    async with opening() as writer:
        with anyio.CancelScope() as scope:
            scope.cancel()
            await writer.open("d").call(1, call())
        await writer.commit()
    assert counted("calls") == 1
