"""What waits to be written: what nobody waits for goes soon, and what cannot be a row fails its debate alone."""

import sqlite3
from contextlib import closing
from dataclasses import dataclass, replace
from typing import Any

import anyio
import pytest

from agentdebate.errors import StrategyError
from agentdebate.models.base import Call, ChatMessage, Completion, ModelRequest
from agentdebate.store.reader import read_store
from agentdebate.store.writer import write_run
from agentdebate.talk.messages import Ask, Message, Statement


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
    monkeypatch.setattr("agentdebate.store.debate_writer.SOON", 0.01)
    async with opening() as writer:
        for seq in (1, 2):
            writer.message("d", said(seq))
            with anyio.fail_after(60):
                while counted("messages") < seq:
                    await anyio.lowlevel.checkpoint()


async def test_messages_go_with_the_call_that_is_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    """In one commit, and before it."""
    monkeypatch.setattr("agentdebate.store.debate_writer.SOON", 1000)
    async with opening() as writer:
        writer.message("d", said(1))
        writer.message("d", said(2))
        for _ in range(20):
            await anyio.lowlevel.checkpoint()
        assert counted("messages") == 0
        await writer.call("d", 1, call())
        assert (counted("messages"), counted("calls")) == (2, 1)


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
            writer.message("bad", Odd(sender="a", to=(), seq=1, what=what))
        await writer.call("bad", 1, call())
    assert (counted("messages"), counted("calls")) == (0, 1)


async def test_what_fails_as_a_row_is_made_is_an_error_of_its_debate_and_others_go_on() -> None:
    async with opening() as writer:
        bad = call()
        no_number: Any = object()
        odd = Call(bad.agent, 0, 1, 1, (no_number,), bad.request, bad.completion)
        async with anyio.create_task_group() as group:
            group.start_soon(writer.call, "good", 1, call())
            with pytest.raises(TypeError, match="not JSON serializable"):
                await writer.call("bad", 1, odd)
        await writer.call("bad", 2, call("Again."))
    assert counted("calls") == 2


async def test_what_a_strategy_gives_a_turn_is_stored_as_it_was_given() -> None:
    """Although the strategy goes on with the same list."""
    given = {"roles": ["critic"]}
    async with opening() as writer:
        asked = Ask(sender="floor", to=("a",), seq=1, purpose="speak", reply="statement", given=given)
        writer.message("d", replace(asked, given=given))
        given["roles"].append("scorer")
        await writer.commit()
        with pytest.raises(StrategyError, match="cannot be stored as JSON"):
            writer.message("d", replace(asked, given={"roles": object()}))
    with read_store("runs.db") as reader:
        (stored,) = reader.messages(writer.run, "d")
    assert isinstance(stored, Ask)
    assert stored.given == {"roles": ["critic"]}


@pytest.mark.parametrize("given", [{"to": "critic"}, {"to": "critic", "round": 2, "more": None}])
async def test_what_is_given_is_kept_from_who_goes_on_with_it(given: dict[str, Any]) -> None:
    before = {**given}
    async with opening() as writer:
        asked = Ask(sender="floor", to=("a",), seq=1, purpose="speak", reply="statement")
        writer.message("d", replace(asked, given=given))
        given.clear()
        await writer.commit()
    with read_store("runs.db") as reader:
        (stored,) = reader.messages(writer.run, "d")
    assert isinstance(stored, Ask)
    assert stored.given == before


async def test_a_caller_that_is_cancelled_takes_nothing_back() -> None:
    async with opening() as writer:
        with anyio.CancelScope() as scope:
            scope.cancel()
            await writer.call("d", 1, call())
        await writer.commit()
    assert counted("calls") == 1
