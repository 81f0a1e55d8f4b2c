"""Holding debates: what ends them, what is left of them, and what is raised instead."""

import asyncio
from typing import Any

import anyio
import pytest
from engine_cases import (  # fmt: skip
    ANN,
    ITEM,
    TASKS,
    UNREADABLE,
    Played,
    card,
    debate_of,
    end,
    hold,
    scoring,
)

import agentdebate as ad
from agentdebate.debates.hold import hold as held
from agentdebate.debates.ready import ready
from agentdebate.errors import (
    AgentFailed,
    ContentError,
    DataError,
    RateLimited,
    UnreadableReply,
    UsageError,
)  # fmt: skip
from agentdebate.models.base import Call, Model, ModelRequest
from agentdebate.models.function import Function
from agentdebate.models.scripted import Scripted
from agentdebate.strategies.floor import Floor
from agentdebate.talk.messages import Message, Verdict
from agentdebate.talk.purposes import SCORE
from agentdebate.testing import replying


def raising(error: BaseException, agent: str = "ann") -> Function:
    """A model that raises when it is that agent's turn, and scores otherwise."""

    def reply(request: ModelRequest) -> str:
        if request.context and request.context.agent == agent:
            raise error
        return scoring(4)

    return Function("raising", reply)


async def all_score(floor: Floor) -> Verdict:
    first, *_ = await floor.ask_all(floor.cast("debaters"), SCORE)
    return floor.verdict(first, settled=True, ended="agreement")


@pytest.mark.parametrize("agent", ["ann", "cat"])
async def test_a_models_error_ends_the_debate_with_its_name_and_the_agents(agent: str) -> None:
    error = RateLimited("too many requests", model="m", status=429)
    record = await hold(all_score, raising(error, agent))
    assert record.verdict is None
    assert record.error is error
    failure = record.failure
    assert failure is not None
    assert (failure.error, failure.agent) == ("RateLimited", agent)
    assert failure.reason == "m: too many requests"
    assert record.transcript[-1] == failure


async def test_a_foreign_error_ends_the_debate_with_the_agents_name_and_is_kept_as_the_cause() -> None:
    error = ValueError("boom")
    record = await hold(all_score, raising(error, "ben"))
    failure = record.failure
    assert failure is not None
    assert (failure.error, failure.agent, failure.reason) == ("AgentFailed", "ben", "ben: boom")
    assert isinstance(record.error, AgentFailed)
    assert record.error.__cause__ is error


async def test_an_agent_that_fails_while_nobody_waits_for_it_ends_the_debate() -> None:
    async def play(floor: Floor) -> Verdict:
        ann, ben, _ = floor.cast("debaters")
        async with anyio.create_task_group() as group:
            group.start_soon(floor.ask, ann)
            score = await floor.ask(ben, SCORE)
        return floor.verdict(score, settled=True, ended="agreement")

    record = await hold(play, raising(ValueError("boom")))
    assert record.failure is not None
    assert (record.failure.error, record.failure.agent) == ("AgentFailed", "ann")


async def test_what_a_strategy_raises_ends_the_debate() -> None:
    async def play(floor: Floor) -> Verdict:
        for _ in floor.rounds(2):
            await floor.ask(floor.cast("debaters")[0], SCORE)
        raise LookupError("lost")

    record = await hold(play, replying(scoring(4)))
    failure = record.failure
    assert failure is not None
    assert (failure.error, failure.reason, failure.agent, failure.round) == ("LookupError", "lost", None, 2)
    assert (len(record.calls), record.usage.calls) == (2, 2)


async def test_a_missing_prompt_is_raised_and_no_failure_of_the_debate() -> None:
    """It would end every other debate too, and the user can mend it."""

    async def play(floor: Floor) -> Verdict:
        await floor.ask(floor.cast("debaters")[0], ad.talk.Purpose("rebut", ad.talk.Statement))
        return await end(floor)

    with pytest.raises(ContentError, match="no turn prompt 'rebut'"):
        await hold(play, replying("x"))


async def test_every_call_is_recorded_before_its_completion_is_used() -> None:
    events: list[str] = []

    async def keep(call: Call) -> None:
        events.append(f"call {call.attempt}")

    def listen(message: Message) -> None:
        events.append(message.kind)

    async with ready(Played(play=end), model=Scripted([UNREADABLE, scoring(4)]), tasks=TASKS) as debate:
        record = await debate.hold(ITEM, "fluency", listeners=[listen], record=keep)
    assert events == ["brief", "ask", "call 1", "call 2", "score", "verdict"]
    assert [call.completion.text for call in record.calls] == [UNREADABLE, scoring(4)]


async def test_cancelling_the_caller_closes_every_task_and_mailbox() -> None:
    started = asyncio.Event()

    async def wait(request: ModelRequest) -> str:
        started.set()
        await asyncio.Event().wait()
        raise AssertionError("nothing wakes it")

    before = asyncio.all_tasks()
    async with ready(Played(play=all_score), model=Function("waiting", wait), tasks=TASKS) as debate:
        sitting = debate_of(debate)
        holding = asyncio.create_task(held(debate.strategy, sitting))
        await started.wait()
        assert len(asyncio.all_tasks() - before) > 4
        holding.cancel()
        with pytest.raises(asyncio.CancelledError):
            await holding
    assert asyncio.all_tasks() == before


@pytest.mark.parametrize(
    ("model", "error"),
    [
        (raising(RateLimited("x")), RateLimited),
        (raising(ValueError("x")), AgentFailed),
        (replying("x"), UnreadableReply),
    ],
)
async def test_judging_one_item_raises_what_ended_its_debate(model: Model, error: type[Exception]) -> None:
    with pytest.raises(error):
        await ad.debate(ITEM, Played(play=end), model=model, tasks=TASKS)


async def test_an_item_that_does_not_fit_its_task_is_a_record_of_its_own() -> None:
    item = ad.Item(task="text", id="odd", fields={"txt": "x"})
    record = await hold(end, replying("4"), item=item)
    assert isinstance(record.error, DataError)
    assert record.failure is not None
    assert (record.failure.error, record.id, record.transcript) == ("DataError", "odd", ())
    assert record.row()["failure"]["error"] == "DataError"


@pytest.mark.parametrize(
    ("item", "aspects", "says"),
    [
        (ITEM.model_copy(update={"task": ""}), None, "item-1 names no task"),
        (ITEM, "fluencey", "no aspect 'fluencey'. Did you mean 'fluency'"),
        (ITEM, (), "no aspect"),
        (ITEM, ("fluency", "fluency"), "'fluency' twice"),
    ],
)
async def test_a_task_or_aspect_that_does_not_exist_is_the_callers_mistake(
    item: Any, aspects: Any, says: str
) -> None:
    with pytest.raises(UsageError, match=says):
        await hold(end, replying("4"), item=item, aspects=aspects)


class Closing(Function):
    """Notes that it was closed."""

    closed = 0

    async def aclose(self) -> None:
        self.closed += 1


async def test_a_model_that_was_named_is_opened_once_and_closed(monkeypatch: pytest.MonkeyPatch) -> None:
    opened: list[Closing] = []

    def open_model(name: str) -> Closing:
        opened.append(Closing(name, lambda _: scoring(4)))
        return opened[-1]

    monkeypatch.setattr("agentdebate.debates.ready.open_model", open_model)
    strategy = Played(
        play=all_score, cast={"debaters": (ANN, card("ben", model="two"), card("cat", model="one"))}
    )
    async with ready(strategy, model="one", tasks=TASKS) as debate:
        await debate.hold(ITEM, "fluency")
        assert [(model.name, model.closed) for model in opened] == [("one", 0), ("two", 0)]
    assert [model.closed for model in opened] == [1, 1]
