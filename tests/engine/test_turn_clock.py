"""The time that a turn may take, and what is no part of it."""

import asyncio

import pytest
from engine_cases import ITEM, TASKS, scoring

from agentdebate.errors import TurnTimeout
from agentdebate.models.base import ModelRequest
from agentdebate.models.function import Function
from agentdebate.models.limits.limit import Limited
from agentdebate.runs.evaluation import evaluate
from agentdebate.talk.turn_clock import Deadlines, TurnClock, in_line, turn_clock
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


def test_a_model_that_does_not_answer_is_late_all_the_same() -> None:
    async def never(_: ModelRequest) -> str:
        await asyncio.sleep(10_000)
        return ""

    async def main() -> None:
        model = Limited(Function("m", never), in_flight=1)
        async with evaluate(
            [ITEM], "solo", model=model, aspects="fluency", deadline=8, tasks=TASKS
        ) as evaluation:
            (record,) = [record async for record in evaluation]
        assert isinstance(record.error, TurnTimeout)
        assert asyncio.get_running_loop().time() == pytest.approx(8, abs=0.1)

    run_jumping(main())


def test_a_clock_stands_still_while_any_call_of_the_turn_waits() -> None:
    async def main() -> None:
        deadlines = Deadlines()
        clock = TurnClock(10, deadlines)
        turn = deadlines.begin(clock)
        turn_clock.set(clock)
        await asyncio.sleep(4)
        with in_line():
            with in_line():
                await asyncio.sleep(100)
            await asyncio.sleep(100)
        await turn
        deadlines.end(turn)
        assert asyncio.get_running_loop().time() == pytest.approx(210, abs=0.01)

    run_jumping(main())


def test_turns_of_different_length_end_in_their_time_whatever_ends_before_them() -> None:
    """One timer is enough for all: what is answered in time leaves it, and a shorter turn sets it anew."""

    async def main() -> None:
        deadlines = Deadlines()
        turns = {seconds: deadlines.begin(TurnClock(seconds, deadlines)) for seconds in (30, 10, 20, 1e9)}
        turns[1e9].set_result(None)
        assert repr(deadlines) == "<Deadlines of 4 turns>"
        ended = []
        for seconds in (10, 20, 30, 1e9):
            await turns[seconds]
            ended.append(asyncio.get_running_loop().time())
            deadlines.end(turns[seconds])
        assert ended == pytest.approx([10, 20, 30, 30], abs=0.01)
        await asyncio.sleep(100)
        assert repr(deadlines) == "<Deadlines of 0 turns>"

    run_jumping(main())


def test_deadlines_of_an_event_loop_that_was_closed_keep_none_of_the_next_one_waiting() -> None:
    deadlines = Deadlines()

    async def main() -> float:
        turn = deadlines.begin(TurnClock(5, deadlines))
        await turn
        deadlines.end(turn)
        deadlines.look(asyncio.get_running_loop().time() + 1)
        return asyncio.get_running_loop().time()

    assert [run_jumping(main()), run_jumping(main())] == pytest.approx([5, 5], abs=0.01)


def test_without_a_turn_nothing_stands_still() -> None:
    with in_line():
        assert turn_clock.get() is None
