"""The floor: asking, asking all, telling, rounds, deadlines, and what breaks its rules."""

from collections.abc import Awaitable, Callable
from dataclasses import replace
from typing import Any

import anyio
import anyio.lowlevel
import pytest
from engine_cases import OBJECTION, end, hold, scoring

from agentdebate.errors import StrategyError, TurnTimeout
from agentdebate.models.base import ModelRequest
from agentdebate.models.function import Function
from agentdebate.strategies.floor import Floor
from agentdebate.talk.messages import Reply, Statement, Verdict
from agentdebate.talk.purposes import SCORE
from agentdebate.testing import replying, run_jumping, transcript_memories

WORDS = {"speak": "x", "score": scoring(4), "criticise": OBJECTION, "summarise": "x", "rule": scoring(2)}
HOUR = 3600.0


async def test_rounds_count_on_from_where_they_were() -> None:
    counted: list[int] = []

    async def play(floor: Floor) -> Verdict:
        ann = floor.cast("debaters")[0]
        await floor.ask(ann)
        for number in floor.rounds(2):
            counted.append(number)
            await floor.ask(ann)
        for number in floor.rounds(9):
            counted.append(number)
            break
        assert repr(floor) == "<Floor round 3, cast debaters>"
        return await end(floor)

    record = await hold(play, replying(WORDS))
    assert counted == [1, 2, 3]
    assert [m.round for m in record.transcript if isinstance(m, Reply)] == [0, 1, 2, 3]
    assert record.verdict is not None
    assert (record.verdict.rounds, record.verdict.round) == (3, 3)


Play = Callable[[Floor], Awaitable[Any]]


async def unknown_role(floor: Floor) -> None:
    floor.cast("debater")


async def one_of_several(floor: Floor) -> None:
    floor.one("debaters")


async def no_verdict(floor: Floor) -> Reply:
    return await floor.ask(floor.cast("debaters")[0])


async def never_said(floor: Floor) -> None:
    said = Statement(sender="ann", to=(), answers=0, text="x", seq=99)
    await floor.tell(said, to=floor.cast("debaters")[0])


async def not_said_yet(floor: Floor) -> None:
    await floor.ask(floor.cast("debaters")[0], hearing=[Statement(sender="ann", to=(), answers=0, text="x")])


@pytest.mark.parametrize(
    ("play", "reason"),
    [
        (unknown_role, r"no role 'debater'\. Did you mean 'debaters'"),
        (one_of_several, "'debaters' takes one agent, and the cast gives it 3"),
        (no_verdict, "returned no verdict"),
        (never_said, "message 99 was never said"),
        (not_said_yet, "message 0 was never said"),
    ],
)
async def test_a_broken_rule_of_the_floor_ends_the_debate(play: Play, reason: str) -> None:
    record = await hold(play, replying(WORDS))
    assert record.verdict is None
    assert isinstance(record.error, StrategyError)
    assert record.failure is not None
    assert record.failure.error == "StrategyError"
    with pytest.raises(StrategyError, match=reason):
        raise record.error


def test_a_turn_that_takes_longer_than_the_deadline_ends_the_debate() -> None:
    async def never(request: ModelRequest) -> str:
        await anyio.sleep(100 * HOUR)
        return scoring(4)

    async def main() -> float:
        record = await hold(end, Function("never", never), deadline=HOUR)
        assert record.failure is not None
        assert (record.failure.error, record.failure.agent) == ("TurnTimeout", "ann")
        assert record.failure.reason == "ann did not answer within 3600 seconds"
        assert isinstance(record.error, TurnTimeout)
        return anyio.current_time()

    assert run_jumping(main()) == pytest.approx(HOUR)


async def test_what_is_announced_is_the_floors_whatever_its_envelope_says() -> None:
    async def play(floor: Floor) -> Verdict:
        ann, ben, _ = floor.cast("debaters")
        score = await floor.ask(ann, SCORE)
        found = await floor.announce(replace(score, sender="ben", round=7), to=ben)
        assert (found.sender, found.to, found.round, found.answers, found.model) == (
            "floor",
            ("ben",),
            0,
            0,
            "",
        )
        return floor.verdict(score, settled=True, ended="agreement")

    record = await hold(play, replying(WORDS))
    assert record.verdict, record.failure
    assert transcript_memories(record.transcript)["ben"] == (1, 4)
