"""A strategy that forgets an `await` is told where."""

from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest
from engine_cases import ROLES, end, hold, scoring

from agentdebate.errors import StrategyError
from agentdebate.strategies.base import Strategy
from agentdebate.strategies.floor import Floor
from agentdebate.talk.messages import SCORE, Verdict
from agentdebate.testing import replying

HERE = str(Path(__file__))
JUDGE = replying(scoring(4))


async def used(floor: Any) -> Any:
    score = floor.ask(floor.cast("debaters")[0], SCORE)  # forgotten
    return floor.verdict(score, settled=True, ended="agreement")


async def listed(floor: Any) -> Any:
    scores = floor.ask_all(floor.cast("debaters"), SCORE)  # forgotten
    return floor.merged([score.ballot for score in scores])


async def heard(floor: Any) -> Any:
    ann, ben, _ = floor.cast("debaters")
    said = floor.ask(ann)  # forgotten
    score = await floor.ask(ben, SCORE, hearing=[said])
    return floor.verdict(score, settled=True, ended="agreement")


async def told(floor: Any) -> Any:
    ann, ben, _ = floor.cast("debaters")
    floor.tell(await floor.ask(ann), to=ben)  # forgotten
    return await end(floor)


async def returned(floor: Any) -> Any:
    return floor.ask(floor.cast("debaters")[0], SCORE)  # forgotten


async def of_its_own(floor: Any) -> Any:
    verdict = end(floor)
    return verdict.after(())  # type: ignore[attr-defined]  # forgotten


async def anew(floor: Any) -> Any:
    again = await floor.anew()
    again.ask(again.cast("debaters")[0], SCORE)  # forgotten
    return await end(floor)


FORGETFUL = (used, listed, heard, told, returned, of_its_own, anew)


def line_of(play: Callable[[Any], Awaitable[Any]]) -> int:
    """The line in which a function forgets something."""
    first = play.__code__.co_firstlineno
    lines = Path(__file__).read_text(encoding="utf-8").splitlines()
    return next(number for number, line in enumerate(lines, 1) if number > first and "forgotten" in line)


@pytest.mark.parametrize("play", FORGETFUL)
async def test_a_forgotten_await_is_an_error_that_names_file_and_line(
    play: Callable[[Any], Awaitable[Any]],
) -> None:
    record = await hold(play, JUDGE)
    assert isinstance(record.error, StrategyError)
    assert str(record.error).startswith(f"{HERE}, line {line_of(play)}: write `await")


class Returning(Strategy):
    """Returns what should be awaited."""

    cast: Any = ROLES

    async def debate(self, floor: Floor) -> Verdict:
        return end(floor)  # type: ignore[return-value]  # what is tried here


async def test_a_strategy_that_returns_a_coroutine_of_its_own_is_told_to_await_it() -> None:
    record = await hold(Returning(), JUDGE)
    assert isinstance(record.error, StrategyError)
    assert "returns the coroutine end(...): write `return await`" in str(record.error)
    assert HERE in str(record.error)


async def test_calls_that_are_awaited_later_or_cannot_be_after_a_failure_are_not_held_against_a_strategy() -> (
    None
):
    async def later(floor: Floor) -> Verdict:
        asks = [floor.ask(one, SCORE) for _ in range(70) for one in floor.cast("debaters")]
        scores = [await ask for ask in asks]
        return floor.verdict(scores[-1], settled=True, ended="agreement")

    record = await hold(later, JUDGE)
    assert record.verdict, record.failure

    async def broken(floor: Floor) -> Verdict:
        ask = floor.ask(floor.cast("debaters")[0], SCORE)
        try:
            raise AttributeError("of another kind")
        finally:
            ask.close()

    record = await hold(broken, JUDGE)
    assert isinstance(record.error, AttributeError)
