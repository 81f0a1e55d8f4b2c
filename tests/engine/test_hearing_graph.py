"""Who hears whom in a strategy, from a rehearsal."""

from typing import Any

import pytest
from engine_cases import Played

from agentdebate.errors import DebateError, StrategyError
from agentdebate.runs.hearing_graph import TASKS, graph


async def test_a_strategy_that_fails_on_both_tasks_raises_what_the_first_one_raised() -> None:
    held = list[str]()

    async def fail(floor: Any) -> None:
        held.append(floor.task.name)
        raise StrategyError(f"no debate about {floor.task.name}")

    with pytest.raises(DebateError, match=f"on {TASKS[0]}: no debate about {TASKS[0]}"):
        await graph(Played(play=fail))
    assert tuple(held) == TASKS
