"""The time that a turn may take, and what is no part of it."""

import asyncio

import pytest
from engine_cases import ITEM, TASKS, scoring

from agentdebate.models.function import Function
from agentdebate.models.limits.limit import Limited
from agentdebate.runs.evaluation import evaluate
from agentdebate.talk.turn_clock import TurnClock, in_line, turn_clock
from agentdebate.testing import run_jumping


def test_debates_that_wait_in_line_for_a_limit_are_not_late() -> None:
    """Two calls a minute and eight seconds a turn: the last of six debates waits for minutes."""

    async def main() -> None:
        model = Limited(Function("m", lambda _: scoring(3)), requests_per_minute=2)
        items = [ITEM.model_copy(update={"id": str(number)}) for number in range(6)]
        async with evaluate(
            items, "solo", model=model, aspects="fluency", deadline=8, tasks=TASKS
        ) as evaluation:
            records = [record async for record in evaluation]
        assert [record.failure for record in records] == [None] * 6
        assert asyncio.get_running_loop().time() >= 120

    run_jumping(main())


def test_a_clock_stands_still_while_any_call_of_the_turn_waits() -> None:
    async def main() -> None:
        clock = TurnClock(10)
        turn_clock.set(clock)
        await asyncio.sleep(4)
        with in_line():
            with in_line():
                await asyncio.sleep(100)
            await asyncio.sleep(100)
        await clock.ended
        assert asyncio.get_running_loop().time() == pytest.approx(210, abs=0.01)

    run_jumping(main())
