"""Holding debates: what ends them, what is left of them, and what is raised instead."""

import asyncio
from typing import Any

import pytest
from engine_cases import (  # fmt: skip
    ITEM,
    TASKS,
    Played,
    debate_of,
    end,
    hold,
)

import agentdebate as ad
from agentdebate.debates.hold import hold as held
from agentdebate.debates.ready import ready
from agentdebate.errors import (
    ContentError,
    UsageError,
)  # fmt: skip
from agentdebate.models.base import ModelRequest
from agentdebate.models.function import Function
from agentdebate.strategies.floor import Floor
from agentdebate.talk.messages import Verdict
from agentdebate.talk.purposes import SCORE
from agentdebate.testing import replying


async def all_score(floor: Floor) -> Verdict:
    first, *_ = await floor.ask_all(floor.cast("debaters"), SCORE)
    return floor.verdict(first, settled=True, ended="agreement")


async def test_a_missing_prompt_is_raised_and_no_failure_of_the_debate() -> None:
    """It would end every other debate too, and the user can mend it."""

    async def play(floor: Floor) -> Verdict:
        await floor.ask(floor.cast("debaters")[0], ad.talk.Purpose("rebut", ad.talk.Statement))
        return await end(floor)

    with pytest.raises(ContentError, match="no turn prompt 'rebut'"):
        await hold(play, replying("x"))


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
